// Package transport sends requests to the service, with one policy per file. It
// knows no endpoint.
//
// A Request goes through send, which makes attempts until the retry policy
// (next) ends it. Each attempt waits for the rate limiter and for a token, is
// sent, and has its reply read and judged. Failures are a *reply.Error.
//
//	request.go, form.go  the request and its address
//	send.go, retry.go    how often a request is sent, and when
//	attempt.go           a single attempt; receive.go: its reply
//	meaning.go           the outcome of an attempt, by the whole of its answer
//	busy.go              waiting for an object that is busy
//	connections.go       how a request is carried: every POST over HTTP/1.1
//	limit.go             the rate limiter: limit, backoff (Retry-After), learned rate
//	host.go              whether a host has answered in this run: outages, 429s without end
//	cache.go             reads that several callers share
//	token.go             the access token
package transport

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-cleanhttp"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Config configures a Client.
type Config struct {
	// BaseURL is the address of the service, without a trailing slash.
	BaseURL *url.URL
	Credential

	MaxRequestsPerMinute int64 // 0 means no limit
	MaxRetries           int64 // a 429 does not count
	// RequestTimeout bounds one attempt of a GET, PUT, DELETE or token request,
	// in real time; 0 is a minute. PaidRequestTimeout bounds a POST; 0 is ten
	// minutes.
	RequestTimeout, PaidRequestTimeout time.Duration

	// NamedIDs are the fields of an error body with ids that errors show.
	NamedIDs  []string
	UserAgent string
	// Clock measures the waits between attempts; nil means the system's clock.
	Clock wait.Clock
	// Log is called for every attempt, without secrets, headers and bodies; nil
	// disables it.
	Log func(ctx context.Context, message string, fields map[string]any)
	// Secrets are the secrets that no error may show; nil means that only this
	// client knows them.
	Secrets *Secrets
	// Inform is called with news for a person who is waiting; nil disables it.
	Inform func(ctx context.Context, line string)
	// Transport sends the requests; nil means a connection pool of the client's
	// own.
	Transport http.RoundTripper
	// Backoff returns how long a request waits before its nth retry, counted
	// from 0, unless the service says how long; nil means backoff.
	Backoff func(repetition int) time.Duration
}

// Client sends requests. It holds everything that the requests of a plan or
// apply share, such as the token and the rate limiter. It is safe for
// concurrent use.
type Client struct {
	answers
	config Config
	clock  wait.Clock
	host   *host         // the service's host
	turns  *wait.Limiter // for all requests that wait for busy objects
	// Credential has the token. exchange shares the next exchange, by the
	// number of exchanges so far.
	Credential *TokenSource
	exchange   *Cache[int, Token]
	secrets    *Secrets
	// afresh opens a connection for each request, as a read that is to be
	// Afresh needs: a pooled connection leads to the same replica. For posts
	// see postTransport.
	pooled, afresh, posts http.RoundTripper
}

// New returns a client. It sends nothing; the first request obtains the token.
func New(config Config) *Client {
	config.Clock = cmp.Or(config.Clock, wait.System)
	config.RequestTimeout = cmp.Or(config.RequestTimeout, time.Minute)
	config.PaidRequestTimeout = cmp.Or(config.PaidRequestTimeout, 10*time.Minute)
	if config.Backoff == nil {
		config.Backoff = backoff
	}
	if config.Secrets == nil {
		config.Secrets = &Secrets{}
	}
	client := &Client{
		config:  config,
		clock:   config.Clock,
		secrets: config.Secrets,
	}
	client.connect(config.Transport)
	client.host = newHost(config.BaseURL, config.Clock, config.MaxRequestsPerMinute, &client.answers)
	client.turns = wait.NewLimiter(config.Clock, wait.PollsPerMinute(config.MaxRequestsPerMinute))
	client.Credential = NewTokenSource(config.Credential, config.Clock, client.secrets, client.ask)
	client.exchange = NewCache(
		client,
		func(ctx context.Context, _ int) (Token, error) { return client.Credential.Renew(ctx) },
	)
	return client
}

// connect chooses the carriers of requests: the given one, or connections of
// the client's own.
func (c *Client) connect(given http.RoundTripper) {
	if given != nil {
		c.pooled = given
		c.afresh = given
		c.posts = given
		return
	}
	c.pooled = cleanhttp.DefaultPooledTransport()
	c.afresh = cleanhttp.DefaultTransport()
	c.posts = postTransport()
}

// RequestsASecond returns how many requests per second the limit, or the
// learned rate, lets through: at least 1.
func (c *Client) RequestsASecond() float64 { return max(float64(c.host.limiter.queue.Limit()), 1) }
