package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// What the tests look at directly, because no reply reaches it alone.
var (
	RetryAfter = retryAfter
	Backoff    = backoff
	Expiry     = expiry
	MayBeToken = mayBeToken
)

// Address builds the address of a route.
func Address(base *url.URL, route string, ids ...string) (*url.URL, error) {
	return Get(route, ids...).address(base)
}

// AddressIn builds the address of a route in a version.
func AddressIn(version string, base *url.URL, route string) (*url.URL, error) {
	return Get(route).Version(version).address(base)
}

// Limiter is a client's rate limiter alone.
type Limiter = limiter

// NewLimiter and Pass let the limit be tested without requests.
func NewLimiter(clock wait.Clock, perMinute int64) *Limiter {
	return newLimiter(clock, perMinute, &answers{})
}

// Pass passes the limiter at once, as a first attempt does.
func (l *limiter) Pass(ctx context.Context) error { return l.waitTurn(ctx, time.Time{}) }

// BackOff keeps all requests back.
func (l *limiter) BackOff(d time.Duration) { l.backOff(d) }

// Refused and Answered are what the limiter learns from.
func (l *limiter) Refused(asked time.Duration, backoff func(int) time.Duration) {
	l.refused(asked, backoff)
}

// Answered is an answer other than a 429.
func (l *limiter) Answered() { l.answered() }

// networks are the client's own connections, which a test's server is trusted
// on.
func (c *Client) networks() (own []*http.Transport) {
	for _, network := range []http.RoundTripper{c.pooled, c.afresh, c.posts} {
		if known, is := network.(*http.Transport); is {
			own = append(own, known)
		}
	}
	return own
}

// Trust lets the client's own connections trust a test's server, and leaves all
// else as it is.
func (c *Client) Trust(roots *x509.CertPool) {
	for _, network := range c.networks() {
		if network.TLSClientConfig == nil {
			network.TLSClientConfig = &tls.Config{}
		}
		network.TLSClientConfig.RootCAs = roots
	}
}

// Through sends all requests through a proxy.
func (c *Client) Through(proxy *url.URL) {
	for _, network := range c.networks() {
		network.Proxy = http.ProxyURL(proxy)
	}
}

// CloseIdle closes the connections that a client keeps.
func (c *Client) CloseIdle() {
	for _, network := range c.networks() {
		network.CloseIdleConnections()
	}
}
