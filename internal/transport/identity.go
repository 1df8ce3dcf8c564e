package transport

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"

	"github.com/golang-jwt/jwt/v5"
)

// Identity is under whose name the service was asked. It is stored with what
// was seen, so it holds no secret.
type Identity struct {
	// Organization is empty where it is not known without a request.
	Organization string `json:"organization,omitempty"`
	// Salt and Credential, a salted hash, tell the API key or the token
	// provider's address again. Both are empty for an access token, which is
	// another one in every run.
	Salt       string `json:"salt,omitempty"`
	Credential string `json:"credential,omitempty"`
}

// caller is the identity that the client has now.
type caller struct {
	Identity
	// secret is what Credential is made of; empty for an access token.
	secret string
}

func newCaller(secret string) caller {
	now := caller{secret: secret}
	if secret != "" {
		now.Salt = rand.Text()
		now.Credential = now.fingerprint(now.Salt)
	}
	return now
}

func (c caller) fingerprint(salt string) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + c.secret))
	return hex.EncodeToString(sum[:16])
}

// differs reports that somebody else is asking now: of another organization,
// or, where one is not known, with another credential. Nothing speaks against
// an identity of which nothing is known.
func (c caller) differs(then Identity) bool {
	if c.Organization != "" && then.Organization != "" {
		return c.Organization != then.Organization
	}
	return c.secret != "" && then.Credential != "" && !c.holds(then)
}

func (c caller) holds(then Identity) bool { return c.fingerprint(then.Salt) == then.Credential }

// since is the present identity, in the words of an earlier record that says
// the same.
func (c caller) since(then Identity) Identity {
	sameCredential := c.secret == "" && then.Credential == "" || c.secret != "" && c.holds(then)
	if sameCredential && (c.Organization == "" || c.Organization == then.Organization) {
		return then
	}
	return c.Identity
}

// identity is who the client is, as far as that is known by now: a token names
// the organization, or else the characters that were read.
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

// Owns takes note of whose characters the client can read. If those of several
// organizations are among them, they tell nothing.
func (c *Client) Owns(organization string) {
	c.tokens.mutex.Lock()
	defer c.tokens.mutex.Unlock()
	if organization != "" {
		c.tokens.owners[organization] = true
	}
}

// organizationOf is the organization that a token names. No other claim is an
// identity: some are equal for all customers, and some differ in every token.
func organizationOf(token string) string {
	claims := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(token, claims); err != nil {
		return ""
	}
	return value(Object(claims).Text("org_id", "organization_id"))
}
