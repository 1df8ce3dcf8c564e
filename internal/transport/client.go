// Package transport sends requests to the service, with one policy per file. It
// knows no endpoint.
//
// A Request goes through send, which makes attempts until the retry policy
// (next) ends it. Each attempt waits for a token and for the rate limiter, is
// sent, and has its reply read and judged. Failures are an *Error.
//
//	request.go, form.go     what is sent, and where
//	send.go, retry.go       how often, retry_after.go: when
//	attempt.go, receive.go  one attempt, and its reply
//	receipt.go              what the reply to a paid request tells
//	limit.go                the rate limiter: limit, backoff (Retry-After), learned rate
//	storm.go                429s without end
//	circuit.go, cache.go    failing once: what a failure means for the others
//	token.go, exchange.go   the access token, and the caller (identity.go)
//	oidc.go                 the workload identity that a token is issued for
//	object.go               lenient decoding: no field makes a reply fail
//	errors.go, error_body.go, evidence.go  what failed, and what that proves
//	redact.go, quote.go     what errors and logs must not show
//	connection.go, report.go  what errors say
package transport

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-cleanhttp"

	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Config configures a Client.
type Config struct {
	// BaseURL is the address of the service, without a trailing slash.
	BaseURL *url.URL
	credential.Config

	// MaxRequestsPerMinute limits the requests of this client; 0 means no
	// limit.
	MaxRequestsPerMinute int64
	// MaxRetries is how often a request is retried; a 429 does not count.
	MaxRetries int64
	// RequestTimeout bounds one attempt of a GET, PUT, DELETE or token request,
	// in real time; 0 is a minute.
	RequestTimeout time.Duration
	// PaidRequestTimeout bounds one POST, in real time; 0 is ten minutes.
	PaidRequestTimeout time.Duration

	// NamedIDs are the fields of an error body that hold ids, for errors to show.
	NamedIDs []string

	// UserAgent is sent with every request.
	UserAgent string
	// Clock measures the waits between attempts; nil means the system's.
	Clock wait.Clock
	// Log is called for every attempt; nil disables it.
	Log LogFunc
	// Inform is called with what a person should know meanwhile; nil disables it.
	Inform func(ctx context.Context, line string)
	// Transport sends the requests; nil means a connection pool of its own.
	Transport http.RoundTripper
	// Backoff is how long a request waits before its nth retry, counted from
	// 0, unless the service says; nil doubles from one second to half a
	// minute, with jitter.
	Backoff func(repetition int) time.Duration
}

// LogFunc receives one line per attempt. It never gets secrets, headers or
// bodies.
type LogFunc func(ctx context.Context, message string, fields map[string]any)

// Client sends requests. It holds the token, the rate limiter
// that all requests of a plan or apply share. It is safe for concurrent use.
type Client struct {
	config  Config
	clock   wait.Clock
	limiter *limiter
	storm   storm
	circuit *circuit
	// credential has the token, and exchange shares the next exchange, by the number of
	// those so far.
	credential *credential.Source
	exchange   *Cache[int, credential.Token]
	// unpooled opens a connection for each request. For a POST: if the service
	// had just closed a pooled one, the outcome of a paid request would be
	// unknown. For a read that is to be Afresh: a pooled one leads to the same
	// replica.
	pooled, unpooled http.RoundTripper
	secrets          credential.Secrets
	// found: the service has answered a request with what was asked for.
	found atomic.Bool
	// causes are those that errors have in common, by their reasons.
	causes sync.Map
}

// New returns a client. It sends nothing; the first request obtains the token.
func New(config Config) *Client {
	config.Clock = cmp.Or(config.Clock, wait.System)
	config.RequestTimeout = cmp.Or(config.RequestTimeout, time.Minute)
	config.PaidRequestTimeout = cmp.Or(config.PaidRequestTimeout, 10*time.Minute)
	if config.Backoff == nil {
		config.Backoff = backoff
	}
	client := &Client{
		config:  config,
		clock:   config.Clock,
		limiter: newLimiter(config.Clock, config.MaxRequestsPerMinute),
		circuit: newCircuit(config.BaseURL),
		pooled:  config.Transport, unpooled: config.Transport,
	}
	if config.Transport == nil {
		client.pooled, client.unpooled = cleanhttp.DefaultPooledTransport(), cleanhttp.DefaultTransport()
	}
	client.limiter.storm = &client.storm
	client.credential = credential.New(config.Config, config.Clock, &client.secrets, client.ask)
	client.exchange = NewCache(client, client.credential.Renew)
	return client
}

// RequestsASecond is how many requests the client's limit, or the rate that
// refusals have taught it, lets through in a second: at least 1.
func (c *Client) RequestsASecond() float64 { return max(float64(c.limiter.queue.Limit()), 1) }

// Credential is what the client's requests are authorized with.
func (c *Client) Credential() *credential.Source { return c.credential }

// Found reports whether the service has answered a request with what was asked for.
func (c *Client) Found() bool { return c.found.Load() }
