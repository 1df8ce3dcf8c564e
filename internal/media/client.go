// Package media fetches the files that the service makes, from whatever hosts
// their addresses name, and puts them into a directory. It knows neither the
// service nor who asks.
//
// Addresses come from replies, so nothing is taken for granted: no credential
// is sent, no host of the local network is reached, and of an address errors and
// logs name the host alone, since the rest may be a signature.
//
//	client.go     asks a host and follows its redirects
//	guard.go      which addresses may be reached
//	source.go     the bytes behind an address: a host's or a data URI's
//	fetch.go      one file, from its address into the directory
//	kind.go       what a file is, told by its first bytes
//	name.go       names that every file system takes
//	directory.go  files that are whole or not there
//	sheet.go      the page that shows them
package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/hashicorp/go-cleanhttp"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

const (
	maxRedirects = 5
	// maxFile is the largest file that is fetched.
	maxFile = 1 << 30
	// maxHosts and maxReason bound, in characters, what an error shows.
	maxHosts  = 600
	maxReason = 300
)

var (
	errSilent       = errors.New("the host was silent for too long")
	errRedirects    = fmt.Errorf("there were more than %d redirects", maxRedirects)
	errLocation     = errors.New("the redirect leads to an address that cannot be read")
	errUnreadable   = errors.New("the address cannot be read as a URL")
	errNoHost       = errors.New("the address names no host")
	errUserinfo     = errors.New("the address carries a user name or a password")
	errInsecure     = errors.New("the address is not https")
	errInsecureOnly = errors.New("the address is neither https nor http")
)

// Config is what a Client needs to know.
type Config struct {
	// Service is the address of the service whose replies name the media.
	Service *url.URL
	// UserAgent is sent with every request.
	UserAgent string
	// Silence is how long, in real time, a host may send nothing; 0 is a minute.
	Silence time.Duration
	// MaxSize is the size in bytes of the largest file; 0 is 1 GiB.
	MaxSize int64
	// Log is told of every request; nil is silence.
	Log transport.LogFunc
	// Transport sends the requests; nil is connections that the guard watches.
	Transport http.RoundTripper
}

// Client fetches media. It is safe for concurrent use.
type Client struct {
	config          Config
	guard           *guard
	direct, proxied http.RoundTripper
	proxy           func(*http.Request) (*url.URL, error)
}

// New makes a client.
func New(config Config) *Client {
	if config.Silence <= 0 {
		config.Silence = time.Minute
	}
	if config.MaxSize <= 0 {
		config.MaxSize = maxFile
	}
	if config.Log == nil {
		config.Log = func(context.Context, string, map[string]any) {}
	}
	client := &Client{
		config: config, guard: newGuard(config.Service),
		direct: config.Transport, proxied: config.Transport, proxy: http.ProxyFromEnvironment,
	}
	if config.Transport == nil {
		client.direct, client.proxied = client.guardedTransport(), unchanged(cleanhttp.DefaultPooledTransport())
	}
	return client
}

// guardedTransport asks the guard before each connection, when the name is
// resolved.
func (c *Client) guardedTransport() *http.Transport {
	pool := unchanged(cleanhttp.DefaultPooledTransport())
	pool.Proxy = nil
	pool.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return c.guard.dial(ctx, &net.Dialer{Timeout: c.config.Silence, ControlContext: c.guard.control}, network, address)
	}
	return pool
}

// unchanged delivers bodies as they are: what a small reply may unfold to has no
// limit.
func unchanged(pool *http.Transport) *http.Transport {
	pool.DisableCompression = true
	return pool
}

// Error is a medium that could not be fetched.
type Error struct {
	// Host is whom it was to come from, with those that redirects lead to; ""
	// for an address that names nobody.
	Host string
	// Status is the host's answer; 0 without one.
	Status int
	// Err is what went wrong otherwise.
	Err error
}

// Error is one line for people.
func (e *Error) Error() string {
	text := fmt.Sprintf("the host answered %d %s", e.Status, http.StatusText(e.Status))
	switch {
	case e.Err != nil:
		text = transport.Sanitize(e.Err.Error(), maxReason)
	case e.Status == http.StatusForbidden:
		text += "; the address may have expired"
	}
	if e.Host == "" {
		return text
	}
	return transport.Sanitize(e.Host, maxHosts) + ": " + text
}

// Unwrap is what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// IsPassing reports that a file may be had with a fresh address, or a little
// later.
func IsPassing(err error) bool {
	failure, is := errors.AsType[*Error](err)
	switch {
	case !is:
		return false
	case failure.Status == http.StatusForbidden, failure.Status == http.StatusRequestTimeout, failure.Status == http.StatusTooManyRequests:
		return true
	}
	return failure.Status >= http.StatusInternalServerError || failure.Status == 0 && isPassing(failure.Err)
}

// isPassing: connections fail and break off.
func isPassing(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || slices.ContainsFunc([]error{io.EOF, io.ErrUnexpectedEOF, errSilent}, func(known error) bool { return errors.Is(err, known) })
}

// get asks a host for a medium, or those that it refers to.
func (c *Client) get(ctx context.Context, address *url.URL) (*http.Response, error) {
	host := address.Hostname()
	for range maxRedirects + 1 {
		response, err := c.ask(ctx, address)
		if err != nil {
			return nil, &Error{Host: host, Err: err}
		}
		switch response.StatusCode {
		case http.StatusOK:
			return response, nil
		case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		default:
			_ = response.Body.Close()
			return nil, &Error{Host: host, Status: response.StatusCode}
		}
		_ = response.Body.Close()
		next, err := address.Parse(response.Header.Get("Location"))
		if err != nil || response.Header.Get("Location") == "" {
			return nil, &Error{Host: host, Err: errLocation}
		}
		if next.Hostname() != address.Hostname() {
			host += ", redirected to " + next.Hostname()
		}
		address = next
	}
	return nil, &Error{Host: host, Err: errRedirects}
}

// ask sends one request. It has no header by which anybody could be recognized.
func (c *Client) ask(ctx context.Context, address *url.URL) (*http.Response, error) {
	if err := c.guard.permit(ctx, address); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return nil, errUnreadable
	}
	request.Header.Set("User-Agent", c.config.UserAgent)
	pool := c.direct
	if proxy, err := c.proxy(request); err != nil || proxy != nil {
		pool = c.proxied
	}
	response, err := pool.RoundTrip(request)
	fields := map[string]any{"host": address.Host}
	if err == nil {
		fields["status"], fields["bytes"] = response.StatusCode, response.ContentLength
	}
	c.config.Log(ctx, "Media request", fields)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if refused, is := errors.AsType[*refusedError](err); is {
		return nil, refused
	}
	return response, err
}
