package reply

import (
	"bytes"
	"encoding/json"
	"slices"
)

// maxDepth bounds how deep Salvage reads: no receipt is deeper.
const maxDepth = 100

// Salvage reads what can be read of a reply that was cut off, or that is no
// JSON: a purchase may be in what arrived. It never returns half a value, and
// nothing of what is not an object. A detail that cannot be read costs that
// detail, and not what comes after it.
func Salvage(body []byte) Object {
	reader := &salvager{rest: withoutMark(body)}
	reader.skip(" \t\r\n")
	if reader.next() != '{' {
		return nil
	}
	fields, _ := reader.object(0)
	return fields
}

// salvager reads each byte once.
type salvager struct{ rest []byte }

// next is the byte to be read, 0 at the end. A reply with that byte ends there.
func (s *salvager) next() byte {
	if len(s.rest) == 0 {
		return 0
	}
	return s.rest[0]
}

// take reads so many bytes.
func (s *salvager) take(count int) (taken []byte) {
	taken = s.rest[:count]
	s.rest = s.rest[count:]
	return taken
}

func (s *salvager) skip(these string) { s.rest = bytes.TrimLeft(s.rest, these) }

// value returns nil for what says nothing. It is not whole if the reply ends
// within it.
func (s *salvager) value(depth int) (value any, whole bool) {
	s.skip(" \t\r\n")
	switch s.next() {
	case '{':
		fields, whole := s.object(depth)
		return map[string]any(fields), whole
	case '[':
		return s.list(depth)
	case '"':
		return s.text()
	default:
		return s.word()
	}
}

// object reads up to its end, or to the end of what it is in: its own may be
// missing.
func (s *salvager) object(depth int) (fields Object, whole bool) {
	fields = Object{}
	if depth == maxDepth {
		s.rest = nil
		return fields, false
	}
	s.take(1)
	for {
		s.skip(" \t\r\n,")
		switch s.next() {
		case 0:
			return fields, false
		case '}':
			s.take(1)
			return fields, true
		case ']':
			return fields, true
		case '"':
			if !s.field(fields, depth) {
				return fields, false
			}
		default: // no name of a field
			s.skipWord()
		}
	}
}

// field reads a name and its value. It reports false at the end of the reply.
func (s *salvager) field(fields Object, depth int) bool {
	name, whole := s.text()
	s.skip(" \t\r\n")
	if !whole || s.next() != ':' {
		return whole
	}
	s.take(1)
	value, whole := s.value(depth + 1)
	if text, is := name.(string); is && value != nil {
		fields[text] = value
	}
	return whole
}

// list reads the items of a list that may be cut short; whole says that it is
// not.
func (s *salvager) list(depth int) (items []any, whole bool) {
	items = []any{}
	if depth == maxDepth {
		s.rest = nil
		return items, false
	}
	s.take(1)
	for {
		s.skip(" \t\r\n,")
		switch s.next() {
		case 0:
			return items, false
		case '}':
			return items, true
		case ']':
			s.take(1)
			return items, true
		case ':':
			s.take(1)
		default:
			item, whole := s.value(depth + 1)
			if whole || item != nil {
				items = append(items, item)
			}
			if !whole {
				return items, false
			}
		}
	}
}

// text returns nil for one that is no JSON.
func (s *salvager) text() (value any, whole bool) {
	end, whole := endOfText(s.rest)
	raw := s.take(end)
	var text string
	if !whole || json.Unmarshal(raw, &text) != nil {
		return nil, whole
	}
	return text, true
}

// word reads a number, true, false, null, or what is none of them. One at the
// end may be half.
func (s *salvager) word() (value any, whole bool) {
	word := s.take(endOfWord(s.rest))
	switch {
	case len(s.rest) == 0:
		return nil, false
	case string(word) == "true", string(word) == "false":
		return string(word) == "true", true
	case json.Valid(word) && string(word) != "null":
		return json.Number(word), true
	default:
		return nil, true
	}
}

// skipWord reads what is in nobody's place.
func (s *salvager) skipWord() { s.take(max(endOfWord(s.rest), 1)) }

// endOfText returns where a text ends that begins with its quote. It is not
// whole without another.
func endOfText(rest []byte) (end int, whole bool) {
	for at := 1; at < len(rest); at++ {
		switch rest[at] {
		case '\\':
			at++
		case '"':
			return at + 1, true
		}
	}
	return len(rest), false
}

// endOfWord returns where a value ends that is neither a text nor a list nor an
// object.
func endOfWord(rest []byte) int {
	if end := bytes.IndexAny(rest, " \t\r\n,:{}[]\""); end >= 0 {
		return end
	}
	return len(rest)
}

// notNumbers are what Python writes, and no JSON has, for what is no number.
var notNumbers = []string{"NaN", "Infinity", "-Infinity"}

// withoutNotNumbers makes nulls of them, but in texts: one such rating must not
// spoil a receipt.
func withoutNotNumbers(body []byte) []byte {
	if !bytes.Contains(body, []byte("NaN")) && !bytes.Contains(body, []byte("Infinity")) {
		return body
	}
	made := make([]byte, 0, len(body)+len(body)/3)
	for len(body) > 0 {
		var end int
		if body[0] == '"' {
			end, _ = endOfText(body)
		} else {
			end = max(endOfWord(body), 1)
		}
		part := body[:end]
		if slices.Contains(notNumbers, string(part)) {
			part = []byte("null")
		}
		made = append(made, part...)
		body = body[end:]
	}
	return made
}

// withoutMark removes a byte order mark.
func withoutMark(body []byte) []byte { return bytes.TrimPrefix(body, []byte(byteOrderMark)) }
