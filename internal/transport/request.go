package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Request is a request to the service, before it is sent.
type Request struct {
	method string
	// route is the path template, which logs show. For a token it is the
	// address without its secret parts.
	route   string
	version string // see Version
	ids     []string
	query   url.Values
	class   Class
	// For the next fields see Makes, Receipt, Optional and Expect.
	makes    bool
	receipt  reply.Receipt
	optional bool
	instead  string
	expected []string
	by       string // who answers; empty means the service
	body     payload
	err      error
}

// ErrInvalidID says that an id cannot be part of an address.
var ErrInvalidID = errors.New("the id is empty, a dot segment, over 1 KiB, or has invisible characters")

// payload is the body of a request; open is called once per attempt.
type payload struct {
	open        func() (io.ReadCloser, error)
	size        int64
	contentType string
}

// newRequest returns a request for a route, with the ids for its placeholders.
func newRequest(method string, class Class, route string, ids []string) *Request {
	return &Request{
		method: method,
		route:  route,
		ids:    ids,
		class:  class,
	}
}

// Get builds a request for a route. Placeholders such as {character_id} are
// filled with the ids. The method determines how often the request may be sent.
func Get(route string, ids ...string) *Request { return newRequest(http.MethodGet, read, route, ids) }

// Put builds a request that updates an object.
func Put(route string, ids ...string) *Request {
	return newRequest(http.MethodPut, idempotent, route, ids)
}

// Delete builds a request that deletes an object.
func Delete(route string, ids ...string) *Request {
	return newRequest(http.MethodDelete, idempotent, route, ids)
}

// Post builds a request that is not sent again once it may have been processed.
func Post(route string, ids ...string) *Request { return newRequest(http.MethodPost, once, route, ids) }

// Makes says that only the reply names what the request makes: a purchase, an
// upload, the result of an inference. Once in flight, the request may outlive its
// operation by wait.Grace.
func (r *Request) Makes() *Request {
	r.makes = true
	return r
}

// Receipt says which parts of the reply tell what was bought, whatever else the
// reply says.
func (r *Request) Receipt(receipt reply.Receipt) *Request {
	r.receipt = receipt
	return r
}

// Optional says that the service's interface does not show the endpoint, so
// that this service may lack it. instead is a sentence with an alternative,
// empty if there is none.
func (r *Request) Optional(instead string) *Request {
	r.optional = true
	r.instead = instead
	return r
}

// Expect names fields. A valid reply has at least one of them.
func (r *Request) Expect(fields ...string) *Request {
	r.expected = fields
	return r
}

// Query adds the query string.
func (r *Request) Query(query url.Values) *Request {
	r.query = query
	return r
}

// Writes reports whether the request may change something at the service.
func (r *Request) Writes() bool { return r.class != read }

// JSON sends a value as the body.
func (r *Request) JSON(value any) *Request {
	body, err := json.Marshal(value)
	r.err = err
	r.body = payload{
		open:        func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil },
		size:        int64(len(body)),
		contentType: "application/json",
	}
	return r
}

// Operation returns the method and the path in the form that errors show.
func (r *Request) Operation() string {
	return r.method + " " + reply.Shown(r.path(), reply.MaxMessage)
}

// path puts the ids into the route. They are escaped, so that no id can leave
// its segment.
func (r *Request) path() string {
	path := r.route
	for _, id := range r.ids {
		before, rest, _ := strings.Cut(path, "{")
		_, after, _ := strings.Cut(rest, "}")
		path = before + url.PathEscape(id) + after // variant: ids-slash, ids-percent
	}
	return path
}

// address inserts the escaped ids into the route, below the base address.
func (r *Request) address(base *url.URL) (*url.URL, error) {
	if r.err != nil {
		return nil, r.err
	}
	rest := r.route
	for _, id := range r.ids {
		_, rest, _ = strings.Cut(rest, "{")
		if !reply.IsID(id) {
			name, _, _ := strings.Cut(rest, "}")
			return nil, fmt.Errorf("%s %q: %w", name, reply.Shown(id, reply.MaxCode), ErrInvalidID)
		}
	}
	address := *base
	address.RawPath = r.below(strings.TrimSuffix(base.EscapedPath(), "/")) + r.path()
	decoded, err := url.PathUnescape(address.RawPath)
	if err != nil {
		return nil, err
	}
	address.Path = decoded
	address.RawQuery = r.query.Encode()
	return &address, nil
}

// Version sends the request to a version of the interface, for example "v1",
// whatever version the base address names: a deployment may serve two versions
// beside each other.
func (r *Request) Version(name string) *Request {
	r.version = name
	return r
}

// versionSegment matches the segment of a base address that names a version.
var versionSegment = regexp.MustCompile(`/v[0-9]+$`)

// below returns the path of the base address, in the version of the request.
func (r *Request) below(base string) string {
	if r.version == "" {
		return base
	}
	return versionSegment.ReplaceAllString(base, "") + "/" + r.version
}

// afreshKey marks requests that no cache may answer.
type afreshKey struct{}

// Afresh returns a context whose requests are sent over new connections, and
// are not answered from a cache.
func Afresh(ctx context.Context) context.Context { return context.WithValue(ctx, afreshKey{}, true) }

// IsAfresh reports whether ctx was marked by Afresh.
func IsAfresh(ctx context.Context) bool { return ctx.Value(afreshKey{}) != nil }
