package api

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// stream is what has arrived of a streamed reply.
type stream struct {
	reply      transport.Object
	choices    map[int64]*streamedChoice
	violations []any
	done       bool
}

type streamedChoice struct {
	fields, message transport.Object
	calls           []transport.Object
	violations      []any
}

func (s *stream) add(chunk transport.Object) {
	for name, value := range chunk {
		switch name {
		case "choices":
		case "compliance_violations":
			s.violations = united(s.violations, value)
		default:
			set(s.reply, name, value)
		}
	}
	list, _ := chunk.Objects("choices")
	for place, fields := range list {
		index := cmp.Or(fields.Integer("index"), new(int64(place)))
		if s.choices[*index] == nil {
			s.choices[*index] = &streamedChoice{fields: transport.Object{}, message: transport.Object{}}
		}
		s.choices[*index].add(fields)
	}
}

func (c *streamedChoice) add(fields transport.Object) {
	for name, value := range fields {
		switch name {
		case "delta", "message":
		case "compliance_violations":
			c.violations = united(c.violations, value)
		default:
			set(c.fields, name, value)
		}
	}
	delta := fields.Object("delta")
	if message := fields.Object("message"); message != nil {
		// A whole message, which some services send last, is not another
		// piece.
		c.message, c.calls, delta = transport.Object{}, nil, message
	}
	for name, value := range delta {
		switch name {
		case "content", "reasoning", "image_prompt":
			extend(c.message, name, value)
		case "turns":
			turns, _ := c.message[name].([]any)
			c.message[name] = appended(turns, value)
		case "tool_calls":
			calls, _ := delta.Objects(name)
			for _, call := range calls {
				c.call(call)
			}
		default:
			set(c.message, name, value)
		}
	}
}

// call adds a piece of a tool call to the one with the same index. Without an
// index, a piece with its own id starts a call, and others belong to the last
// one.
func (c *streamedChoice) call(piece transport.Object) {
	same := func(name string) func(transport.Object) bool {
		return func(call transport.Object) bool {
			have, got := call.Text(name), piece.Text(name)
			return have != nil && got != nil && *have == *got
		}
	}
	at := len(c.calls) - 1
	if id := piece.Text("id"); piece.Has("index") {
		at = slices.IndexFunc(c.calls, same("index"))
	} else if id != nil && *id != "" {
		at = slices.IndexFunc(c.calls, same("id"))
	}
	if at < 0 {
		at = len(c.calls)
		c.calls = append(c.calls, transport.Object{"function": map[string]any{}})
	}
	call := c.calls[at]
	function := call.Object("function")
	for name, value := range piece.Object("function") {
		if name == "arguments" {
			extend(function, name, value)
		} else {
			set(function, name, value)
		}
	}
	for name, value := range piece {
		if name != "function" {
			set(call, name, value)
		}
	}
}

// joinChat assembles the reply of a streamed chat. It is whole if the stream
// announces its end, or if that many choices have a finish reason.
func joinChat(choices int64) transport.Join {
	return func(chunks []transport.Object, done bool) (transport.Object, bool) {
		stream := stream{reply: transport.Object{}, choices: map[int64]*streamedChoice{}, done: done}
		for _, chunk := range chunks {
			stream.add(chunk)
		}
		return stream.join(), stream.whole(choices)
	}
}

func (s *stream) whole(choices int64) bool {
	finished := int64(0)
	for _, choice := range s.choices {
		if choice.fields.Has("finish_reason") {
			finished++
		}
	}
	return len(s.choices) > 0 && (s.done || finished == int64(len(s.choices)) && finished >= choices)
}

// join returns the reply in the form of one that is not streamed.
func (s *stream) join() transport.Object {
	if kind := s.reply.Text("object"); kind != nil {
		s.reply["object"] = strings.TrimSuffix(*kind, ".chunk")
	}
	list := []any{}
	for _, index := range sortedIndices(s.choices) {
		choice := s.choices[index]
		if choice.calls != nil {
			calls := []any{}
			for _, call := range choice.calls {
				calls = append(calls, map[string]any(call))
			}
			choice.message["tool_calls"] = calls
		}
		choice.fields["index"] = json.Number(strconv.FormatInt(index, 10))
		choice.fields["message"] = map[string]any(choice.message)
		choice.fields["compliance_violations"] = choice.violations
		list = append(list, map[string]any(choice.fields))
	}
	s.reply["choices"], s.reply["compliance_violations"] = list, s.violations
	return s.reply
}

func sortedIndices(choices map[int64]*streamedChoice) []int64 {
	indices := make([]int64, 0, len(choices))
	for index := range choices {
		indices = append(indices, index)
	}
	slices.Sort(indices)
	return indices
}

// set stores a value that says something: later chunks often repeat a field
// without one.
func set(o transport.Object, name string, value any) {
	if value != nil && value != "" {
		o[name] = value
	}
}

// extend appends a piece of text; it stores any other value as is.
func extend(o transport.Object, name string, value any) {
	have, _ := o[name].(string)
	if piece, isText := value.(string); isText {
		value = have + piece
	}
	set(o, name, value)
}

// appended returns a list with what a chunk adds to it. Some services repeat
// the whole list in each chunk, and its last element may have grown.
func appended(list []any, value any) []any {
	items := listOf(value)
	if last := len(list) - 1; last >= 0 && last < len(items) && slices.EqualFunc(list[:last], items[:last], same) {
		have, _ := list[last].(string)
		text, isText := items[last].(string)
		if same(list[last], items[last]) || isText && have != "" && strings.HasPrefix(text, have) {
			return items
		}
	}
	return append(list, items...)
}

// united returns a list with the new elements of a chunk's list.
func united(list []any, value any) []any {
	for _, item := range listOf(value) {
		if !slices.ContainsFunc(list, func(known any) bool { return same(known, item) }) {
			list = append(list, item)
		}
	}
	return list
}

// listOf reads a single value as a list of one.
func listOf(value any) []any {
	items, isList := value.([]any)
	if !isList && value != nil {
		items = []any{value}
	}
	return items
}

func same(a, b any) bool { return transport.Normalise(a) == transport.Normalise(b) }
