package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode"
)

// call is one request of the interface, before it is sent.
type call struct {
	method string
	// route is the path's template, as logs and errors show it.
	route string
	ids   []string
	query url.Values
	class class
	// detached lets a paid request in flight outlive its operation by wait.Grace.
	detached bool
	// empty accepts a 2xx without a body.
	empty bool
	// expected are fields of which a reply has at least one.
	expected []string
	// choices is how many a streamed reply has; 0 is a reply in one piece.
	choices int64
	body    payload
	err     error
}

// payload is the body of a request; open is called once an attempt.
type payload struct {
	open        func() (io.ReadCloser, error)
	size        int64
	contentType string
}

func get(route string, ids ...string) *call {
	return &call{method: http.MethodGet, route: route, ids: ids, class: read}
}

func put(route string, ids ...string) *call {
	return &call{method: http.MethodPut, route: route, ids: ids, class: idempotent, empty: true}
}

func remove(route string, ids ...string) *call {
	return &call{method: http.MethodDelete, route: route, ids: ids, class: idempotent, empty: true}
}

func post(route string, ids ...string) *call {
	return &call{method: http.MethodPost, route: route, ids: ids, class: once}
}

func (c *call) paid() *call {
	c.detached = true
	return c
}

func (c *call) mayBeEmpty() *call {
	c.empty = true
	return c
}

func (c *call) expect(fields ...string) *call {
	c.expected = fields
	return c
}

func (c *call) json(value any) *call {
	body, err := json.Marshal(value)
	c.err = err
	c.body = payload{
		open:        func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil },
		size:        int64(len(body)),
		contentType: "application/json",
	}
	return c
}

func (c *call) operation() string { return c.method + " " + c.route }

// address puts the escaped ids into the template below the base address.
func (c *call) address(base *url.URL) (*url.URL, error) {
	if c.err != nil {
		return nil, c.err
	}
	path, ids := c.route, c.ids
	for len(ids) > 0 {
		before, rest, _ := strings.Cut(path, "{")
		name, after, _ := strings.Cut(rest, "}")
		if !isID(ids[0]) {
			return nil, fmt.Errorf("%s %q: %w", name, tame(ids[0], maxCode), ErrInvalidID)
		}
		path, ids = before+url.PathEscape(ids[0])+after, ids[1:]
	}
	address := *base
	address.RawPath = strings.TrimSuffix(base.EscapedPath(), "/") + path
	decoded, err := url.PathUnescape(address.RawPath)
	if err != nil {
		return nil, err
	}
	address.Path, address.RawQuery = decoded, c.query.Encode()
	return &address, nil
}

// isID refuses what would make the address another one.
func isID(id string) bool {
	return strings.TrimSpace(id) != "" && id != "." && id != ".." && !strings.ContainsFunc(id, unicode.IsControl)
}

// do sends the call and returns the decoded reply; with `success: false` both
// the reply and an error. Every error is an *Error.
func (c *Client) do(ctx context.Context, call *call) (object, error) {
	address, err := call.address(c.config.BaseURL)
	if err != nil {
		return nil, &Error{Operation: call.operation(), Err: err}
	}
	if call.class != read {
		// Lists and walks that begin before the change is done may miss it.
		c.mutations.Add(1)
		defer c.mutations.Add(1)
	}
	header := http.Header{"Accept": {call.accept()}}
	if call.body.contentType != "" {
		header.Set("Content-Type", call.body.contentType)
	}
	sending := &sending{client: c, call: call, gate: c.gate, header: header, timeout: c.config.RequestTimeout, transport: c.reads, credential: c.tokens}
	if call.class == once {
		sending.timeout, sending.transport = c.config.PaidRequestTimeout, c.posts
	}
	if failure := sending.run(ctx, address); failure != nil {
		return sending.reply, failure
	}
	return sending.reply, nil
}
