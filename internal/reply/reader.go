package reply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// A reply is read as JSON if possible, else with its strings and words
// repaired, else token by token up to the first error: the readable part may
// contain a purchase.

// Why a reply is not exactly one JSON value.
var (
	errEmpty   = errors.New("the reply is empty")
	errCutOff  = errors.New("the reply is cut off")
	errNotJSON = errors.New("the reply is not JSON")
	errGoesOn  = errors.New("the reply goes on after its JSON value")
)

// IsFollowed reports whether DecodeFirst has read a whole value with further
// text behind it.
func IsFollowed(err error) bool { return errors.Is(err, errGoesOn) }

// read reads a JSON value, with numbers in their original notation. The value
// is whole if there is no error or IsFollowed. Otherwise it is the readable
// part of the reply, never half a value.
func read(body []byte) (value any, err error) {
	body = bare(body)
	value, _, err = decodeFirst(body)
	if err == nil || IsFollowed(err) || errors.Is(err, errEmpty) {
		return value, err
	}
	cause := err
	mended := mend(body)
	value, end, err := decodeFirst(mended.text)
	isWhole := err == nil || IsFollowed(err)
	switch {
	case !isWhole:
		tokens := json.NewDecoder(bytes.NewReader(mended.text))
		tokens.UseNumber()
		value, _ = nextValue(tokens, 0)
		return value, cause
	case mended.stray < end:
		return value, errNotJSON
	case mended.isCut:
		return value, errGoesOn
	default:
		return value, err
	}
}

// decodeFirst decodes the first value of a text, and returns where it ends.
func decodeFirst(text []byte) (value any, end int64, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	switch err := decoder.Decode(&value); {
	case errors.Is(err, io.EOF):
		return nil, 0, errEmpty
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, 0, errCutOff
	case err != nil:
		return nil, 0, errNotJSON
	}
	end = decoder.InputOffset()
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return value, end, errGoesOn
	}
	return value, end, nil
}

// Salvage reads the readable part of a reply that was cut off, or that is not
// JSON. It never returns half a value, and returns nothing of a reply that is
// not an object.
func Salvage(body []byte) Object {
	value, _ := read(body)
	fields, _ := value.(map[string]any)
	return fields
}

// Holds reports whether the readable part of a reply has one of the fields, at
// any depth. If so, the reply is the service's.
func Holds(body []byte, names ...string) bool {
	value, _ := read(body)
	return holds(value, names)
}

func holds(value any, names []string) bool {
	within := func(value any) bool { return holds(value, names) }
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, within)
	case map[string]any:
		for name, field := range value {
			if slices.Contains(names, name) || within(field) {
				return true
			}
		}
	}
	return false
}

// maxDepth bounds the depth to which tokens are read: no receipt is deeper.
const maxDepth = 100

// nextValue reads tokens up to the end of a value, or to the first error in it.
func nextValue(tokens *json.Decoder, depth int) (value any, whole bool) {
	token, err := tokens.Token()
	if err != nil {
		return nil, false
	}
	return valueFrom(token, tokens, depth)
}

// valueFrom is nextValue for a value whose first token has been read.
func valueFrom(token json.Token, tokens *json.Decoder, depth int) (value any, whole bool) {
	switch token {
	case json.Delim('{'):
		return restOfObject(tokens, depth)
	case json.Delim('['):
		return restOfList(tokens, depth)
	default:
		return token, true
	}
}

func restOfObject(tokens *json.Decoder, depth int) (fields map[string]any, whole bool) {
	fields = map[string]any{}
	for depth < maxDepth {
		token, _ := tokens.Token()
		name, isName := token.(string)
		if !isName {
			return fields, token == json.Delim('}')
		}
		value, whole := nextValue(tokens, depth+1)
		if whole || value != nil {
			fields[name] = value
		}
		if !whole {
			return fields, false
		}
	}
	return fields, false
}

func restOfList(tokens *json.Decoder, depth int) (items []any, whole bool) {
	items = []any{}
	for depth < maxDepth {
		token, err := tokens.Token()
		if err != nil || token == json.Delim(']') {
			return items, err == nil
		}
		item, whole := valueFrom(token, tokens, depth+1)
		if whole || item != nil {
			items = append(items, item)
		}
		if !whole {
			return items, false
		}
	}
	return items, false
}

// mended is a text whose strings and words were made valid JSON.
type mended struct {
	text  []byte
	stray int64 // the place of the first word that no service writes for a null
	isCut bool  // the end was left out, because it may be half a string or word
}

// notNumbers are the words that Python writes for values that are not numbers,
// and that JSON does not have. A single one must not spoil a receipt.
var notNumbers = []string{"NaN", "Infinity", "-Infinity"}

// mend escapes characters that a string must not contain, and replaces each
// word that JSON does not have by null.
func mend(body []byte) mended {
	made := mended{text: make([]byte, 0, len(body)+len(body)/8), stray: math.MaxInt64}
	for len(body) > 0 {
		end := endOfWord(body)
		isWhole := end < len(body)
		isText := body[0] == '"'
		if isText {
			end, isWhole = endOfText(body)
		}
		if !isWhole {
			made.isCut = true
			break
		}
		part := body[:max(end, 1)]
		body = body[len(part):]
		switch {
		case isText:
			made.text = appendEscaped(made.text, part)
		case end == 0 || json.Valid(part):
			made.text = append(made.text, part...)
		default:
			if !slices.Contains(notNumbers, string(part)) {
				made.stray = min(made.stray, int64(len(made.text)))
			}
			made.text = append(made.text, "null"...)
		}
	}
	return made
}

// endOfText returns the end of the string at the beginning of rest. whole is
// false if the closing quote is missing.
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

// endOfWord returns the end of a value that is neither a string nor a list nor
// an object.
func endOfWord(rest []byte) int {
	if end := bytes.IndexAny(rest, " \t\r\n,:{}[]\""); end >= 0 {
		return end
	}
	return len(rest)
}

// appendEscaped appends a string. It escapes control characters, and each
// backslash that does not begin a valid JSON escape.
func appendEscaped(made, text []byte) []byte {
	for len(text) > 0 {
		size := 1
		switch {
		case text[0] < ' ':
			made = fmt.Appendf(made, `\u%04x`, text[0])
		case text[0] != '\\':
			made = append(made, text[0])
		default:
			size = escapeLength(text)
			if size == 1 {
				made = append(made, '\\')
			}
			made = append(made, text[:size]...)
		}
		text = text[size:]
	}
	return made
}

// escapeLength returns the length of the JSON escape at the beginning of a
// text; 1 if the escape is not valid.
func escapeLength(text []byte) int {
	for _, size := range []int{2, 6} {
		if len(text) >= size && json.Valid(slices.Concat([]byte{'"'}, text[:size], []byte{'"'})) {
			return size
		}
	}
	return 1
}

// bare removes a byte order mark, and the NULs with which some services fill up
// a reply.
func bare(body []byte) []byte {
	return bytes.TrimRight(bytes.TrimPrefix(body, []byte(byteOrderMark)), "\x00")
}
