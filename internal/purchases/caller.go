package purchases

import (
	"net"
	"net/netip"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
)

// mayBeBuyerOf reports whether a caller may be the customer for whom an earlier
// caller has bought. It is false only for a caller that is certainly a
// different customer. A rotated key, a new way to obtain a token, a second
// person and a new version of the interface belong to the same customer, and an
// unknown organization may.
func mayBeBuyerOf(c, then evidence.Caller) bool {
	if c.Address != "" && then.Address != "" && hostOf(c.Address) != hostOf(then.Address) {
		return false
	}
	return c.Organization == "" || then.Organization == "" || c.Organization == then.Organization
}

// hostOf returns the host and port of an address, without its path. All names
// of the loopback interface count as one.
func hostOf(address string) string {
	host, _, _ := strings.Cut(strings.ToLower(address), "/")
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
		port = ""
	}
	name = strings.TrimSuffix(name, ".")
	ip, err := netip.ParseAddr(name)
	if name == "localhost" || strings.HasSuffix(name, ".localhost") || err == nil && ip.Unmap().IsLoopback() {
		name = "localhost"
	}
	if port == "" || port == "443" || port == "80" {
		return name
	}
	return net.JoinHostPort(name, port)
}
