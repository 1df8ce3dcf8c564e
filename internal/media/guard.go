package media

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

// scope is how far an address reaches.
type scope string

const (
	public    scope = "public"
	private   scope = "private"
	loopback  scope = "loopback"
	linkLocal scope = "link-local"
	// translated is IPv6 that stands for an IPv4 address which only the network
	// knows, or that nothing should use any more.
	translated scope = "translated"
)

// scopes are the addresses that are not public; the first that fits counts. Cloud
// metadata services have link-local or private ones.
var scopes = []struct {
	scope  scope
	within []netip.Prefix
}{
	{loopback, prefixes("127.0.0.0/8", "::1/128", "0.0.0.0/8", "::/128")}, // the last two are this machine too
	{linkLocal, prefixes("169.254.0.0/16", "fe80::/10")},
	{private, prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7",
		"100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "fec0::/10")},
	{translated, prefixes("64:ff9b:1::/48", "::/96")},
}

// embedded maps the IPv6 prefixes that embed an IPv4 address to the byte at
// which it begins.
var embedded = map[netip.Prefix]int{
	netip.MustParsePrefix("64:ff9b::/96"):    12,
	netip.MustParsePrefix("::ffff:0:0:0/96"): 12,
	netip.MustParsePrefix("2002::/16"):       2,
}

func prefixes(texts ...string) []netip.Prefix {
	var parsed []netip.Prefix
	for _, text := range texts {
		parsed = append(parsed, netip.MustParsePrefix(text))
	}
	return parsed
}

func scopeOf(ip netip.Addr) scope {
	ip = ip.WithZone("").Unmap()
	for prefix, at := range embedded {
		if prefix.Contains(ip) {
			bytes := ip.As16()
			ip, _ = netip.AddrFromSlice(bytes[at : at+4])
		}
	}
	for _, known := range scopes {
		if slices.ContainsFunc(known.within, func(prefix netip.Prefix) bool { return prefix.Contains(ip) }) {
			return known.scope
		}
	}
	return public
}

// guard decides which addresses may be dialled. A reply or a redirect could name
// a host that only this machine can reach, so only public addresses are allowed,
// and those of the same scope as the service.
type guard struct {
	service string // its host
	lookup  func(ctx context.Context, host string) ([]netip.Addr, error)
	dial    func(ctx context.Context, dialer *net.Dialer, network, address string) (net.Conn, error)
}

func newGuard(service *url.URL) *guard {
	return &guard{
		service: service.Hostname(),
		lookup: func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		},
		dial: func(ctx context.Context, dialer *net.Dialer, network, address string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, address)
		},
	}
}

// permit checks an address before its name is resolved. With a proxy there is no
// other check, since the proxy resolves the name.
func (g *guard) permit(ctx context.Context, address *url.URL) error {
	switch {
	case address.Hostname() == "":
		return errNoHost
	case address.User != nil:
		return errUserinfo
	case address.Scheme == "http" && !g.isLocal():
		return errInsecure
	case address.Scheme != "https" && address.Scheme != "http":
		return errInsecureOnly
	}
	if ip, err := netip.ParseAddr(address.Hostname()); err == nil {
		return g.permitIP(ctx, ip)
	}
	return nil
}

// control checks the resolved address of each connection.
func (g *guard) control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	endpoint, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return g.permitIP(ctx, endpoint.Addr())
}

func (g *guard) permitIP(ctx context.Context, ip netip.Addr) error {
	scope := scopeOf(ip)
	if scope == public {
		return nil
	}
	for _, own := range g.addresses(ctx) {
		if scopeOf(own) == scope {
			return nil
		}
	}
	return &refusedError{ip, scope}
}

// refusedError is an address that must not be dialled.
type refusedError struct {
	ip    netip.Addr
	scope scope
}

func (e *refusedError) Error() string {
	return fmt.Sprintf("%s is a %s address; media are fetched from there only if base_url has such an address too", e.ip, e.scope)
}

// isLocal reports whether the service's address is on loopback.
func (g *guard) isLocal() bool {
	ip, err := netip.ParseAddr(g.service)
	return strings.EqualFold(g.service, "localhost") || err == nil && scopeOf(ip) == loopback
}

// addresses returns the service's; none if its name cannot be resolved.
func (g *guard) addresses(ctx context.Context) []netip.Addr {
	if ip, err := netip.ParseAddr(g.service); err == nil {
		return []netip.Addr{ip}
	}
	found, _ := g.lookup(ctx, g.service)
	return found
}
