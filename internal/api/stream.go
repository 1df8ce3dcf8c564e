package api

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// The interface does not show the format of a streamed reply. What is read
// here is the one that public deployments use, with all that they leave out.

// endOfStream is the data of the last event.
const endOfStream = "[DONE]"

var errStreamBroken = errors.New("the streamed reply broke off before its end")

// streamed makes the reply of a call a stream of so many choices.
func (c *call) streamed(choices int64) *call {
	c.choices = choices
	return c
}

// accept is what a reply may come as.
func (c *call) accept() string {
	if c.choices > 0 {
		return "text/event-stream, application/json"
	}
	return "application/json"
}

// source is the reply up to its end: some services leave the connection open
// after a stream's last event.
func (c *call) source(reply io.Reader) io.Reader {
	if c.choices > 0 {
		return &untilDone{lines: bufio.NewReader(reply)}
	}
	return reply
}

// decode reads a reply. One that is a single object is no stream, whatever was
// asked for.
func (c *call) decode(content []byte) (object, error) {
	reply, err := decodeObject(content)
	if err != nil && c.choices > 0 {
		return decodeStream(content, c.choices)
	}
	return reply, err
}

// untilDone ends after the line of the last event.
type untilDone struct {
	lines  *bufio.Reader
	line   []byte
	within bool // line is not the beginning of its line
	done   bool
	err    error
}

func (u *untilDone) Read(p []byte) (int, error) {
	if len(u.line) == 0 && u.err == nil {
		if u.done {
			return 0, io.EOF
		}
		var err error
		u.line, err = u.lines.ReadSlice('\n')
		data, isData := bytes.CutPrefix(u.line, []byte("data:"))
		u.done = isData && !u.within && string(bytes.TrimSpace(data)) == endOfStream
		u.within = errors.Is(err, bufio.ErrBufferFull)
		if !u.within {
			u.err = err
		}
	}
	if len(u.line) == 0 {
		return 0, u.err
	}
	n := copy(p, u.line)
	u.line = u.line[n:]
	return n, nil
}

// decodeStream puts the events of a stream together to the reply that would
// have come in one piece. A stream is whole if it says so at its end, or if it
// has given so many choices a reason to finish.
func decodeStream(content []byte, choices int64) (object, error) {
	stream := stream{reply: object{}, choices: map[int64]*streamedChoice{}}
	for event := range events(content) {
		if string(bytes.TrimSpace(event)) == endOfStream {
			stream.done = true
			break
		}
		chunk, err := decodeObject(event)
		if err != nil {
			return nil, fmt.Errorf("%w: an event of it cannot be read: %w", errStreamBroken, err)
		}
		if chunk.has("error") && !chunk.has("choices") {
			return chunk, nil
		}
		stream.add(chunk)
	}
	if !stream.whole(choices) {
		return nil, errStreamBroken
	}
	return stream.join(), nil
}

// events are the data of server-sent events. An event ends with an empty line,
// and here also with a line that is whole by itself, for services that leave
// out the empty one, or that send bare lines of JSON. Comments and other fields
// mean nothing.
func events(content []byte) iter.Seq[[]byte] {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	content = bytes.ReplaceAll(content, []byte("\r"), []byte("\n"))
	return func(yield func([]byte) bool) {
		var event []byte
		for line := range bytes.SplitSeq(content, []byte("\n")) {
			data, isData := bytes.CutPrefix(line, []byte("data:"))
			isData = isData || bytes.HasPrefix(line, []byte("{"))
			switch {
			case isData && event == nil:
				event = bytes.TrimPrefix(data, []byte(" "))
				event = slices.Clip(event) // what is appended must not run into the next line
				if !json.Valid(event) && string(event) != endOfStream {
					continue
				}
			case isData:
				event = append(append(event, '\n'), bytes.TrimPrefix(data, []byte(" "))...)
				continue
			case len(line) > 0:
				continue
			}
			if len(bytes.TrimSpace(event)) > 0 && !yield(event) {
				return
			}
			event = nil
		}
		if len(bytes.TrimSpace(event)) > 0 {
			yield(event)
		}
	}
}

// stream is what has come of a streamed reply.
type stream struct {
	reply      object
	choices    map[int64]*streamedChoice
	violations []any
	done       bool
}

type streamedChoice struct {
	fields, message object
	calls           []object
	violations      []any
}

func (s *stream) add(chunk object) {
	for name, value := range chunk {
		switch name {
		case "choices":
		case "compliance_violations":
			s.violations = appended(s.violations, value)
		default:
			s.reply.set(name, value)
		}
	}
	list, _ := chunk.objects("choices")
	for place, fields := range list {
		index := cmp.Or(fields.integer("index"), new(int64(place)))
		if s.choices[*index] == nil {
			s.choices[*index] = &streamedChoice{fields: object{}, message: object{}}
		}
		s.choices[*index].add(fields)
	}
}

func (c *streamedChoice) add(fields object) {
	for name, value := range fields {
		switch name {
		case "delta", "message":
		case "compliance_violations":
			c.violations = appended(c.violations, value)
		default:
			c.fields.set(name, value)
		}
	}
	delta := fields.object("delta")
	if message := fields.object("message"); message != nil {
		// A whole message, as some services send it last, is not one more piece.
		c.message, c.calls, delta = object{}, nil, message
	}
	for name, value := range delta {
		switch name {
		case "content", "reasoning", "image_prompt":
			c.message.extend(name, value)
		case "turns":
			turns, _ := c.message[name].([]any)
			c.message[name] = appended(turns, value)
		case "tool_calls":
			calls, _ := delta.objects(name)
			for _, call := range calls {
				c.call(call)
			}
		default:
			c.message.set(name, value)
		}
	}
}

// call adds a piece of a tool call: to the one of the same index; without an
// index, a piece with an id of its own begins a call, and others belong to the
// last.
func (c *streamedChoice) call(piece object) {
	same := func(name string) func(object) bool {
		return func(call object) bool {
			have, got := call.text(name), piece.text(name)
			return have != nil && got != nil && *have == *got
		}
	}
	at := len(c.calls) - 1
	if id := piece.text("id"); piece.has("index") {
		at = slices.IndexFunc(c.calls, same("index"))
	} else if id != nil && *id != "" {
		at = slices.IndexFunc(c.calls, same("id"))
	}
	if at < 0 {
		at = len(c.calls)
		c.calls = append(c.calls, object{"function": map[string]any{}})
	}
	call := c.calls[at]
	function := call.object("function")
	for name, value := range piece.object("function") {
		if name == "arguments" {
			function.extend(name, value)
		} else {
			function.set(name, value)
		}
	}
	for name, value := range piece {
		if name != "function" {
			call.set(name, value)
		}
	}
}

func (s *stream) whole(choices int64) bool {
	finished := int64(0)
	for _, choice := range s.choices {
		if choice.fields.has("finish_reason") {
			finished++
		}
	}
	return len(s.choices) > 0 && (s.done || finished == int64(len(s.choices)) && finished >= choices)
}

// join is the reply in the form of one that is not streamed.
func (s *stream) join() object {
	if kind := s.reply.text("object"); kind != nil {
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
		choice.fields["index"] = json.Number(fmt.Sprint(index))
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

// set takes a value that says something: later chunks often repeat a field
// without one.
func (o object) set(name string, value any) {
	if value != nil && value != "" {
		o[name] = value
	}
}

// extend appends a piece of text; anything else is taken as it is.
func (o object) extend(name string, value any) {
	have, _ := o[name].(string)
	if piece, isText := value.(string); isText {
		value = have + piece
	}
	o.set(name, value)
}

// appended is a list with what a chunk adds to it.
func appended(list []any, value any) []any {
	items, isList := value.([]any)
	if !isList && value != nil {
		items = []any{value}
	}
	return append(list, items...)
}
