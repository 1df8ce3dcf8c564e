package transport

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
)

// The interface does not document the format of a streamed reply. This code
// reads the one that public deployments use: server-sent events of one line each.

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

// read reads a reply, a stream up to its last event: some services leave the
// connection open after it.
func (r *Request) read(reply io.Reader) (content []byte, err error) {
	if r.join == nil {
		return io.ReadAll(reply)
	}
	for lines := bufio.NewReader(reply); err == nil; {
		var line []byte
		line, err = lines.ReadBytes('\n')
		content = append(content, line...)
		if data, isData := dataOf(line); isData && string(data) == endOfStream {
			return content, nil
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return content, err
}

// decode reads a reply that arrived whole, or broke off. A single object is not a
// stream, whatever was requested. What is missing of a stream may be of no
// account.
func (r *Request) decode(content []byte, broken error) (Object, error) {
	switch reply, err := DecodeObject(content); {
	case r.class == token && broken == nil:
		return readToken(content, r.expected[0])
	case r.join == nil:
		return reply, cmp.Or(broken, err)
	case broken == nil && err == nil:
		return reply, nil
	case broken != nil:
		content = content[:bytes.LastIndexByte(content, '\n')+1]
	}
	return r.decodeStream(content)
}

// decodeStream assembles the events of a stream into the reply that would have
// arrived in one piece.
func (r *Request) decodeStream(content []byte) (Object, error) {
	var chunks []Object
	done := false
	for line := range bytes.Lines(bytes.TrimPrefix(content, []byte("\ufeff"))) {
		event, isData := dataOf(line)
		if done = isData && string(event) == endOfStream; done {
			break
		}
		if !isData || len(event) == 0 {
			continue
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

// dataOf returns the data of an event, which is one line of the stream. Comments
// and other fields are not.
func dataOf(line []byte) (data []byte, isData bool) {
	data, isData = bytes.CutPrefix(line, []byte("data:"))
	return bytes.TrimSpace(data), isData
}
