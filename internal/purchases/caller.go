package purchases

import (
	"net"
	"net/netip"
	"strings"
)

// Caller says who sent a request, and to which address. It is stored in states
// and in the log, and contains no secret.
type Caller struct {
	// Address is empty in old states. Organization is empty if only a request
	// could tell it.
	Address      string `json:"address,omitempty"`
	Organization string `json:"organization,omitempty"`
	// Salt and Credential, a salted hash, identify the API key or the token
	// provider's address. Both are empty for an access token, which differs in
	// every run.
	Salt       string `json:"salt,omitempty"`
	Credential string `json:"credential,omitempty"`
}

// Buyer tells who buys in this run.
type Buyer interface {
	// Now returns the present caller, for the log.
	Now() Caller
}

// mayBeBuyerOf reports whether a caller may be the customer for whom an earlier
// caller has bought. It is false only for a caller that is certainly a
// different customer. A rotated key, a new way to obtain a token, a second
// person and a new version of the interface belong to the same customer, and an
// unknown organization may.
func (c Caller) mayBeBuyerOf(then Caller) bool {
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
