package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
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
