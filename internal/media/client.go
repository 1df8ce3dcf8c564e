// Package media downloads result files from the hosts in their addresses. It
// knows neither the service's endpoints nor its credentials.
//
// Addresses come from replies and are not trusted: requests carry no
// credentials, hosts of the local network are refused, and errors and logs show
// only the host of an address, because the rest may be a signature.
//
//	client.go     requests and redirects
//	guard.go      which IP addresses may be dialled
//	fetch.go      one file: from an address or data URI, with limits, into a directory
//	encoding.go   unpacks content that a host has packed
//	type.go       file types, detected from the content
//	name.go       file names that are valid and unique on every system
//	directory.go  writes complete files or none
//	record.go     what files show, for later runs and other tools
//	sheet.go      the contact sheet, for people
//	gallery.go    a page of all files in the records of a directory and its subdirectories
package media

import (
	"cmp"
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

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

const (
	maxRedirects  = 5
	maxHostLength = 600 // characters in an error
	maxReason     = 300 // characters in an error
)

var (
	errIdle       = errors.New("the host sent nothing for too long")
	errUnreadable = errors.New("the address cannot be read as a URL")
)

// Config configures a Client.
type Config struct {
	Service     *url.URL // its replies contain the addresses
	UserAgent   string
	IdleTimeout time.Duration // how long, in real time, a host may send nothing; 0 is a minute
	MaxSize     int64         // in bytes, of a file; 0 is 1 GiB
	// Log is called for every request; nil disables it.
	Log func(ctx context.Context, message string, fields map[string]any)
	// Transport sends the requests; nil dials connections that the guard allows.
	Transport http.RoundTripper
}

// Client fetches media. It is safe for concurrent use.
type Client struct {
	config          Config
	guard           *guard
	direct, proxied http.RoundTripper
	proxy           func(*http.Request) (*url.URL, error)
}

// New returns a client.
func New(config Config) *Client {
	config.IdleTimeout = cmp.Or(config.IdleTimeout, time.Minute)
	config.MaxSize = cmp.Or(config.MaxSize, 1<<30)
	if config.Log == nil {
		config.Log = func(context.Context, string, map[string]any) {}
	}
	client := &Client{
		config:  config,
		guard:   &guard{config.Service.Hostname(), net.DefaultResolver.LookupNetIP, (*net.Dialer).DialContext},
		direct:  config.Transport,
		proxied: config.Transport,
		proxy:   http.ProxyFromEnvironment,
	}
	if config.Transport == nil {
		guarded := cleanhttp.DefaultPooledTransport()
		guarded.Proxy = nil
		guarded.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			dialer := &net.Dialer{Timeout: config.IdleTimeout, ControlContext: client.guard.control}
			return client.guard.dial(dialer, ctx, network, address)
		}
		client.direct = guarded
		client.proxied = cleanhttp.DefaultPooledTransport()
	}
	return client
}

// Error is a failed download.
type Error struct {
	Host   string // of the address and of its redirects; "" for a data URI
	Status int    // 0 without a reply
	Err    error  // the cause if there is no status
}

// Error returns one line for people.
func (e *Error) Error() string {
	text := fmt.Sprintf("the host answered %d %s", e.Status, http.StatusText(e.Status))
	switch {
	case e.Err != nil:
		text = reply.Shown(e.Err.Error(), maxReason)
	case e.Status == http.StatusForbidden:
		text += "; the address may have expired"
	}
	if e.Host == "" {
		return text
	}
	return reply.Shown(e.Host, maxHostLength) + ": " + text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// IsTemporary reports whether a later request, with a fresh address, may
// succeed.
func IsTemporary(err error) bool {
	switch failure, is := errors.AsType[*Error](err); {
	case !is:
		return false
	case failure.Status == 0: // the connection may have failed
		_, network := errors.AsType[net.Error](failure.Err)
		return network || errors.Is(failure.Err, io.EOF) || errors.Is(failure.Err, io.ErrUnexpectedEOF) ||
			errors.Is(failure.Err, errIdle)
	default:
		passing := []int{http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooManyRequests}
		return failure.Status >= http.StatusInternalServerError || slices.Contains(passing, failure.Status)
	}
}

// IsGone reports whether the host says that there is no such file, so that
// nothing is left to save.
func IsGone(err error) bool {
	failure, is := errors.AsType[*Error](err)
	return is && (failure.Status == http.StatusNotFound || failure.Status == http.StatusGone)
}

var redirects = []int{
	http.StatusMovedPermanently,
	http.StatusFound,
	http.StatusSeeOther,
	http.StatusTemporaryRedirect,
	http.StatusPermanentRedirect,
}

// get follows redirects itself, because each host has to be permitted before a
// request is sent to it.
func (c *Client) get(ctx context.Context, address *url.URL) (*http.Response, error) {
	host := address.Hostname()
	for range maxRedirects + 1 {
		response, err := c.ask(ctx, address)
		if err != nil {
			return nil, &Error{Host: host, Err: reply.InWords(err)}
		}
		if response.StatusCode == http.StatusOK {
			return response, nil
		}
		_ = response.Body.Close()
		if !slices.Contains(redirects, response.StatusCode) {
			return nil, &Error{Host: host, Status: response.StatusCode}
		}
		next, err := response.Location()
		if err != nil {
			return nil, &Error{Host: host, Err: errors.New("the redirect leads to an address that cannot be read")}
		}
		if next.Hostname() != address.Hostname() {
			host += ", redirected to " + next.Hostname()
		}
		address = next
	}
	return nil, &Error{Host: host, Err: fmt.Errorf("there were more than %d redirects", maxRedirects)}
}

// ask sends one request, without credentials, cookies and a Referer, which
// could contain a signature.
func (c *Client) ask(ctx context.Context, address *url.URL) (*http.Response, error) {
	if err := c.guard.check(ctx, address); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return nil, errUnreadable
	}
	request.Header.Set("User-Agent", c.config.UserAgent)
	request.Header.Set("Accept-Encoding", "identity") // pictures are compressed already
	pool := c.direct
	if proxy, err := c.proxy(request); err != nil || proxy != nil {
		pool = c.proxied
	}
	response, err := pool.RoundTrip(request)
	fields := map[string]any{"host": address.Host}
	if err == nil {
		fields["status"] = response.StatusCode
		fields["bytes"] = response.ContentLength
	}
	c.config.Log(ctx, "Media request", fields)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if refused, is := errors.AsType[refusedError](err); is {
		return nil, refused
	}
	return response, err
}
