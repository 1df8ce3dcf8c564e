package transport

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

// The interface does not document the format of a streamed reply. This code
// reads the one that public deployments use, with everything they leave out.

// endOfStream is the data of the last event.
const endOfStream = "[DONE]"

var errStreamBroken = errors.New("the streamed reply broke off before its end")

// Join assembles one reply from the chunks of a stream, and reports whether it
// is whole. done says that the stream announced its end.
type Join func(chunks []Object, done bool) (reply Object, whole bool)

// Stream requests the reply as a stream of server-sent events.
func (r *Request) Stream(join Join) *Request {
	r.join = join
	return r
}

// accept lists the media types of a reply.
func (r *Request) accept() string {
	if r.join != nil {
		return "text/event-stream, application/json"
	}
	return "application/json"
}

// source reads the reply up to its end: some services leave the connection open
// after a stream's last event.
func (r *Request) source(reply io.Reader) io.Reader {
	if r.join != nil {
		return &untilDone{lines: bufio.NewReader(reply)}
	}
	return reply
}

// decode reads a reply. A single object is not a stream, whatever was
// requested.
func (r *Request) decode(content []byte) (Object, error) {
	reply, err := DecodeObject(content)
	if err != nil && r.join != nil {
		return r.decodeStream(content)
	}
	return reply, err
}

// joined returns the reply of a stream that was cut off after everything had
// arrived.
func (r *Request) joined(content []byte) (reply Object, whole bool) {
	if r.join == nil {
		return nil, false
	}
	reply, err := r.decodeStream(content[:bytes.LastIndexByte(content, '\n')+1])
	return reply, err == nil
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

// decodeStream assembles the events of a stream into the reply that would have
// arrived in one piece.
func (r *Request) decodeStream(content []byte) (Object, error) {
	var chunks []Object
	done := false
	for event := range events(content) {
		if done = string(bytes.TrimSpace(event)) == endOfStream; done {
			break
		}
		chunk, err := DecodeObject(event)
		if err != nil {
			return nil, fmt.Errorf("%w: an event of it cannot be read: %w", errStreamBroken, err)
		}
		if chunk.Has("error") && !chunk.Has(r.expected...) {
			return chunk, nil
		}
		chunks = append(chunks, chunk)
	}
	reply, whole := r.join(chunks, done)
	if !whole {
		return nil, errStreamBroken
	}
	return reply, nil
}

// events yields the data of server-sent events. An event ends with an empty
// line. Here it also ends with a line that is complete by itself, for services
// that omit the empty one or send bare lines of JSON. Comments and other fields
// are ignored.
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
