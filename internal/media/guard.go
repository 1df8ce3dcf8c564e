package media

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"
)

// scope is the network in which an address is valid. Cloud metadata services
// have link-local or private addresses.
type scope string

const (
	public    scope = "public"
	private   scope = "private"
	loopback  scope = "loopback"
	linkLocal scope = "link-local"
	multicast scope = "multicast"
	// translated is an IPv6 form of an IPv4 address that only the local network
	// knows, or that is obsolete.
	translated scope = "translated"
	// special are the other addresses that no host on the internet has. The
	// package ssrf keeps the list.
	special scope = "reserved"
)

// Scopes of special ranges, so that media may be in the network of the service.
// A range that is missing here is refused nevertheless.
var (
	privateRanges = prefixes(
		"100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15",
		"240.0.0.0/4", // Kubernetes at Google gives it to pods
		"fec0::/10",
	)
	translatedRanges = prefixes(
		"192.88.99.0/24", "2001::/32", "2002::/16", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96",
	)
	thisHost = netip.MustParsePrefix("0.0.0.0/8")
)

func prefixes(texts ...string) []netip.Prefix {
	var parsed []netip.Prefix
	for _, text := range texts {
		parsed = append(parsed, netip.MustParsePrefix(text))
	}
	return parsed
}

// scopeOf returns the scope of an address.
func scopeOf(ip netip.Addr) scope {
	ip = ip.WithZone("").Unmap()
	if ssrf.IPv6NAT64Prefix.Contains(ip) { // the last four bytes are an IPv4 address
		bytes := ip.As16()
		ip = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	switch {
	case ip.IsLoopback(), ip.IsUnspecified(), thisHost.Contains(ip): // all of them are this machine
		return loopback
	case ip.IsLinkLocalUnicast():
		return linkLocal
	case ip.IsMulticast():
		return multicast
	case ip.IsPrivate(), contains(privateRanges, ip):
		return private
	case contains(translatedRanges, ip):
		return translated
	case isSpecial(ip):
		return special
	default:
		return public
	}
}

// isSpecial reports whether no host of the internet has the address.
func isSpecial(ip netip.Addr) bool {
	if ip.Is4() {
		return contains(ssrf.IPv4DeniedPrefixes, ip)
	}
	return !ssrf.IPv6GlobalUnicast.Contains(ip) || contains(ssrf.IPv6DeniedPrefixes, ip)
}

func contains(ranges []netip.Prefix, ip netip.Addr) bool {
	for _, prefix := range ranges {
		if prefix.Contains(ip) {
			return true
		}
	}
	return false
}

// guard decides which addresses may be dialled. A reply or a redirect could
// name a host that only this machine can reach. Only public addresses are
// therefore allowed, and addresses in the service's scope.
type guard struct {
	service string // the service's host
	lookup  func(ctx context.Context, network, host string) ([]netip.Addr, error)
	dial    func(dialer *net.Dialer, ctx context.Context, network, address string) (net.Conn, error)
}

// check checks an address before its name is resolved. If a proxy resolves the
// name, this is the only check.
func (g *guard) check(ctx context.Context, address *url.URL) error {
	switch {
	case address.Hostname() == "":
		return errors.New("the address names no host")
	case address.User != nil:
		return errors.New("the address carries a user name or a password")
	case address.Scheme == "http" && !IsLoopback(g.service):
		return errors.New("the address is not https")
	case address.Scheme != "https" && address.Scheme != "http":
		return errors.New("the address is neither https nor http")
	}
	if ip, err := netip.ParseAddr(address.Hostname()); err == nil {
		return g.checkIP(ctx, ip)
	}
	return nil
}

// control checks the resolved address of each connection.
func (g *guard) control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	endpoint, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return g.checkIP(ctx, endpoint.Addr())
}

// checkIP refuses addresses of the local network, unless the service itself is
// in that network.
func (g *guard) checkIP(ctx context.Context, ip netip.Addr) error {
	scope := scopeOf(ip)
	if scope == public {
		return nil
	}
	own, _ := g.lookup(ctx, "ip", g.service) // none if the name cannot be resolved
	for _, address := range own {
		if scopeOf(address) == scope {
			return nil
		}
	}
	return refusedError(
		fmt.Sprintf(
			"%s is a %s address; media are fetched from there only if base_url has such an address too",
			ip,
			scope,
		),
	)
}

// refusedError is an address that must not be dialled.
type refusedError string

func (e refusedError) Error() string { return string(e) }

// IsLoopback reports whether a host is this machine, according to its name.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && scopeOf(ip) == loopback
}
