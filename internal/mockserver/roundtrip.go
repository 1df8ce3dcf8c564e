package mockserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
)

// RoundTripper connects to the service without a socket, for tests that send
// very many requests or run in a synctest bubble. A dropped connection is an
// error, as with a socket. The caller's goroutine handles the request.
func (s *Server) RoundTripper() http.RoundTripper { return roundTripper{s} }

type roundTripper struct{ service *Server }

// RoundTrip implements http.RoundTripper.
func (rt roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	body := &watchedBody{body: http.NoBody}
	if request.Body != nil {
		body.body = request.Body
	}
	defer body.Close()
	arrived := request.Clone(ctx)
	arrived.Body = body
	arrived.RequestURI = request.URL.RequestURI()
	if arrived.Host == "" {
		arrived.Host = request.URL.Host
	}
	if trace := httptrace.ContextClientTrace(ctx); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{}) // from here on the request may be processed
	}
	recorded := &recorder{header: http.Header{}}
	aborted := recorded.serve(rt.service, arrived)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case body.err != nil:
		return nil, body.err
	case aborted && !recorded.flushed:
		return nil, errDropped
	}
	return recorded.response(request, aborted), nil
}

var errDropped = errors.New("mock service: connection reset by peer")

// watchedBody remembers why a body could not be read, so that this is not
// mistaken for a malformed form.
type watchedBody struct {
	body io.ReadCloser
	err  error
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err
}

func (b *watchedBody) Close() error { return b.body.Close() }

// recorder records a reply.
type recorder struct {
	header  http.Header
	status  int
	body    bytes.Buffer
	flushed bool
}

// Header implements http.ResponseWriter.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

// Write implements http.ResponseWriter.
func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}

// Flush implements http.Flusher.
func (r *recorder) Flush() { r.flushed = true }

// serve reports whether the handler aborted the connection.
func (r *recorder) serve(handler http.Handler, request *http.Request) (aborted bool) {
	defer func() {
		if reason := recover(); reason != nil {
			if err, ok := reason.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				panic(reason)
			}
			aborted = true
		}
	}()
	handler.ServeHTTP(r, request)
	return false
}

func (r *recorder) response(request *http.Request, cut bool) *http.Response {
	var body io.Reader = &r.body
	if cut {
		body = io.MultiReader(&r.body, brokenReader{})
	}
	length, err := strconv.ParseInt(r.header.Get("Content-Length"), 10, 64)
	if err != nil {
		length = -1
	}
	return &http.Response{
		Status:        strconv.Itoa(r.status) + " " + http.StatusText(r.status),
		StatusCode:    r.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        r.header,
		Request:       request,
		Body:          io.NopCloser(body),
		ContentLength: length,
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
