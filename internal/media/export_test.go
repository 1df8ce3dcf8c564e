package media

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"
)

// Internet is what a client under test sees instead of the real one.
type Internet struct {
	Lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)
	Dial   func(ctx context.Context, dialer *net.Dialer, network, address string) (net.Conn, error)
	Proxy  *url.URL
	TLS    *tls.Config
}

// On puts a client on another internet.
func (c *Client) On(internet Internet) *Client {
	c.guard.lookup = func(ctx context.Context, network, host string) ([]netip.Addr, error) {
		if ip, err := netip.ParseAddr(host); err == nil { // as the real resolver does
			return []netip.Addr{ip}, nil
		}
		return internet.Lookup(ctx, network, host)
	}
	c.guard.dial = func(dialer *net.Dialer, ctx context.Context, network, address string) (net.Conn, error) {
		return internet.Dial(ctx, dialer, network, address)
	}
	for _, pool := range []http.RoundTripper{c.direct, c.proxied} {
		pool.(*http.Transport).TLSClientConfig = internet.TLS
	}
	c.proxy = http.ProxyURL(internet.Proxy)
	c.proxied.(*http.Transport).Proxy = c.proxy
	return c
}

// ScopeOf returns how far an address reaches.
func ScopeOf(address string) string { return string(scopeOf(netip.MustParseAddr(address))) }

// Folded returns what file names are compared by.
func Folded(base string) string { return folded(base) }

// ErrIdle is what ends a fetch from a host that sends nothing.
var ErrIdle = errIdle

// FileName returns the name of the nth picture of a base name.
func FileName(base string, n int) string { return fileName(base, n, ".png") }
