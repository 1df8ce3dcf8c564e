package purchases

import (
	"net"
	"net/netip"
	"strings"
)

// Caller says who sent a request, and where to. It is stored with what was seen
// and in the log: it has no secret.
type Caller struct {
	// Address is empty in old states, and Organization if it is unknown without
	// a request.
	Address      string `json:"address,omitempty"`
	Organization string `json:"organization,omitempty"`
	// Salt and Credential, a salted hash, identify the API key or the token
	// provider's address. Both are empty for an access token, which differs in
	// every run.
	Salt       string `json:"salt,omitempty"`
	Credential string `json:"credential,omitempty"`
}

// Buyer is who buys in this run.
type Buyer interface {
	// Now is how the log names it.
	Now() Caller
}

// mayBeBuyerOf reports whether a caller may be the customer that an earlier
// caller has bought for: whoever is not certainly another customer is. A key
// that was rotated, another way to obtain a token, a second person and another
// version of the interface are the same customer, and so is an organization
// that is not known.
func (c Caller) mayBeBuyerOf(then Caller) bool {
	if c.Address != "" && then.Address != "" && hostOf(c.Address) != hostOf(then.Address) {
		return false
	}
	return c.Organization == "" || then.Organization == "" || c.Organization == then.Organization
}

// hostOf is the host and port of an address, without its path. All names of the
// loopback are one.
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
