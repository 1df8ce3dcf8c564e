package transport

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Caller says who sent a request, and where to. It is stored with what was
// seen, so it contains no secret.
type Caller struct {
	// Address is the base address, see addressOf. It is empty in what was stored
	// before it was recorded.
	Address string `json:"address,omitempty"`
	// Organization is empty if it is unknown without a request.
	Organization string `json:"organization,omitempty"`
	// Salt and Credential, a salted hash, identify the API key or the token
	// provider's address. Both are empty for an access token, which differs in
	// every run.
	Salt       string `json:"salt,omitempty"`
	Credential string `json:"credential,omitempty"`
}

// caller is the client's current identity.
type caller struct {
	Caller
	// secret is what Credential hashes; empty for an access token.
	secret string
}

func newCaller(secret string) caller {
	now := caller{secret: secret, Caller: Caller{Salt: rand.Text()}}
	now.Credential = now.fingerprint(now.Salt)
	return now
}

// addressOf is what identifies a base address: host, port and path. The same
// service may have several schemes.
func addressOf(base *url.URL) string {
	host := strings.ToLower(base.Host)
	if port := base.Port(); port == "443" && base.Scheme == "https" || port == "80" && base.Scheme == "http" {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return host + strings.TrimRight(base.EscapedPath(), "/")
}

func (c caller) fingerprint(salt string) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + c.secret))
	return hex.EncodeToString(sum[:16])
}

// differs reports whether the caller is somebody else: another organization or,
// if one of these is unknown, another credential. An unknown identity never
// differs.
func (c caller) differs(then Caller) bool {
	if c.Organization != "" && then.Organization != "" {
		return c.Organization != then.Organization
	}
	return c.secret != "" && then.Credential != "" && !c.holds(then)
}

// moved reports whether requests go to another address. An unknown one is not
// another.
func (c caller) moved(then Caller) bool { return then.Address != "" && then.Address != c.Address }

func (c caller) holds(then Caller) bool { return c.fingerprint(then.Salt) == then.Credential }

// since returns the current identity, or the earlier one if they are the same
// but for the address.
func (c caller) since(then Caller) Caller {
	sameCredential := c.secret == "" && then.Credential == "" || c.secret != "" && c.holds(then)
	if sameCredential && (c.Organization == "" || c.Organization == then.Organization) {
		then.Address = c.Address
		return then
	}
	return c.Caller
}

// identity returns what is known of the caller so far: a token names the
// organization; otherwise the characters that were read do.
func (s *tokenSource) identity() caller {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := s.caller
	switch {
	case s.claimed != "":
		now.Organization = s.claimed
	case len(s.owners) == 1:
		for organization := range s.owners {
			now.Organization = organization
		}
	}
	return now
}

// Owns records whose characters the client can read. Characters of several
// organizations identify none.
func (c *Client) Owns(organization string) {
	c.tokens.mutex.Lock()
	defer c.tokens.mutex.Unlock()
	if organization != "" {
		c.tokens.owners[organization] = true
	}
}

// organizationOf returns the organization that a token names. No other claim
// identifies it: some are the same for all customers, and some differ in every
// token.
func organizationOf(token string) string {
	if named := reply.Object(claimsOf(token)).Text("org_id", "organization_id"); named != nil { // variant: token-org-id
		return *named
	}
	return ""
}
