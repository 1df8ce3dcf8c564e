package api

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// stream is what has arrived of a streamed reply.
type stream struct {
	reply   transport.Object
	choices map[int64]*streamedChoice
	done    bool
}

type streamedChoice struct {
	fields, message transport.Object
	// calls are the tool calls, keys what tells them apart.
	calls []any
	keys  []string
}

func (s *stream) add(chunk transport.Object) {
	list, _ := chunk.Objects("choices")
	for place, fields := range list {
		index := cmp.Or(fields.Integer("index"), new(int64(place)))
		if s.choices[*index] == nil {
			s.choices[*index] = &streamedChoice{fields: transport.Object{}, message: transport.Object{}}
		}
		s.choices[*index].add(fields)
	}
	merge(s.reply, chunk, "choices")
}

func (c *streamedChoice) add(fields transport.Object) {
	delta := fields.Object("delta")
	calls, _ := delta.Objects("tool_calls")
	for _, call := range calls {
		c.call(call)
	}
	merge(c.message, delta, "tool_calls")
	merge(c.fields, fields, "delta")
}

// call adds a piece of a tool call to the one with the same index, or id if it
// has no index. A piece without either belongs to the last one.
func (c *streamedChoice) call(piece transport.Object) {
	at := len(c.calls) - 1
	if key := value(piece.Text("index", "id")); key != "" {
		at = slices.Index(c.keys, key)
	}
	if at < 0 {
		at = len(c.calls)
		c.calls = append(c.calls, map[string]any{"function": map[string]any{}})
		c.keys = append(c.keys, value(piece.Text("index", "id")))
	}
	call, _ := c.calls[at].(map[string]any)
	merge(transport.Object(call).Object("function"), piece.Object("function"), "")
	merge(call, piece, "function")
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
	for _, index := range slices.Sorted(maps.Keys(s.choices)) {
		choice := s.choices[index]
		if choice.calls != nil {
			choice.message["tool_calls"] = choice.calls
		}
		if len(choice.message) > 0 {
			choice.fields["message"] = map[string]any(choice.message)
		}
		choice.fields["index"] = json.Number(strconv.FormatInt(index, 10))
		list = append(list, map[string]any(choice.fields))
	}
	s.reply["choices"] = list
	return s.reply
}

// merge takes over what a chunk says of the fields of an object, but for one: the
// next piece of a text or list, or a value that says something. Later chunks often
// repeat a field without one.
func merge(into, chunk transport.Object, but string) {
	for name, value := range chunk {
		switch name {
		case but:
			continue
		case "content", "reasoning", "image_prompt", "arguments":
			have, _ := into[name].(string)
			if piece, isText := value.(string); isText {
				value = have + piece
			}
		case "turns":
			have, _ := into[name].([]any)
			value = slices.Concat(have, listOf(value))
		case "compliance_violations":
			have, _ := into[name].([]any)
			value = united(have, listOf(value))
		}
		if value != nil && value != "" {
			into[name] = value
		}
	}
}

// united returns a list with the new elements of a chunk's list.
func united(list, chunk []any) []any {
	for _, item := range chunk {
		if !slices.ContainsFunc(list, func(known any) bool { return transport.Normalise(known) == transport.Normalise(item) }) {
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
