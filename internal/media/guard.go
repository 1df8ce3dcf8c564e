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
)

// scope is how far an address reaches. Cloud metadata services have link-local or private ones.
type scope string

const (
	public    scope = "public"
	private   scope = "private"
	loopback  scope = "loopback"
	linkLocal scope = "link-local"
	// translated is IPv6 for an IPv4 address that only the network knows, or that is obsolete.
	translated scope = "translated"
)

// alsoNotPublic are ranges that are not public, although netip takes them to be.
var alsoNotPublic = map[netip.Prefix]scope{
	netip.MustParsePrefix("0.0.0.0/8"):       loopback,
	netip.MustParsePrefix("100.64.0.0/10"):   private,
	netip.MustParsePrefix("192.0.0.0/24"):    private,
	netip.MustParsePrefix("198.18.0.0/15"):   private,
	netip.MustParsePrefix("fec0::/10"):       private,
	netip.MustParsePrefix("64:ff9b:1::/48"):  translated,
	netip.MustParsePrefix("::/96"):           translated,
	netip.MustParsePrefix("::ffff:0:0:0/96"): translated,
	netip.MustParsePrefix("2002::/16"):       translated,
}

var nat64 = netip.MustParsePrefix("64:ff9b::/96") // the last four bytes are an IPv4 address

func scopeOf(ip netip.Addr) scope {
	ip = ip.WithZone("").Unmap()
	if bytes := ip.As16(); nat64.Contains(ip) {
		ip = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	switch {
	case ip.IsLoopback(), ip.IsUnspecified(): // both are this machine
		return loopback
	case ip.IsLinkLocalUnicast():
		return linkLocal
	case ip.IsPrivate():
		return private
	}
	for prefix, scope := range alsoNotPublic {
		if prefix.Contains(ip) {
			return scope
		}
	}
	return public
}

// guard decides which addresses may be dialled. A reply or a redirect could name a host that only
// this machine can reach, so only public addresses are allowed, and those of the service's scope.
type guard struct {
	service string // its host
	lookup  func(ctx context.Context, network, host string) ([]netip.Addr, error)
	dial    func(dialer *net.Dialer, ctx context.Context, network, address string) (net.Conn, error)
}

// permit checks an address before its name is resolved; of what a proxy resolves, nothing else does.
func (g *guard) permit(ctx context.Context, address *url.URL) error {
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
	own, _ := g.lookup(ctx, "ip", g.service) // none if its name cannot be resolved
	for _, address := range own {
		if scopeOf(address) == scope {
			return nil
		}
	}
	return refusedError(fmt.Sprintf("%s is a %s address; media are fetched from there only if base_url has such an address too", ip, scope))
}

type refusedError string

func (e refusedError) Error() string { return string(e) }

// IsLoopback reports whether a host is this machine, as far as its name tells.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && scopeOf(ip) == loopback
}
