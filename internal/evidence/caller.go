package evidence

import (
	"crypto/rand"
	"net/url"
	"strings"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
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

// caller is who sends the requests of a process.
type caller struct {
	credential    *transport.TokenSource
	address, salt string

	mutex         sync.Mutex
	organizations map[string]bool // the organizations of the characters that were read
}

// newCaller identifies an address by host, port and path: a service may have
// several schemes.
func newCaller(base *url.URL, source *transport.TokenSource) *caller {
	address := strings.ToLower(base.Host)
	if port := base.Port(); port == "443" && base.Scheme == "https" || port == "80" && base.Scheme == "http" {
		address = strings.TrimSuffix(address, ":"+port)
	}
	address += strings.TrimRight(base.EscapedPath(), "/")
	return &caller{
		credential:    source,
		address:       address,
		salt:          rand.Text(),
		organizations: map[string]bool{},
	}
}

// noteOrganization notes an organization whose objects the credential has read:
// who reads another's is somebody else.
func (c *caller) noteOrganization(organization string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if organization != "" {
		c.organizations[organization] = true
	}
}

// organization is what is known so far: a token names it, else the characters
// that were read do. Those of several organizations identify none.
func (c *caller) organization() (known string) {
	known = c.credential.Organization()
	if known != "" {
		return known
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for owner := range c.organizations {
		if known != "" {
			return ""
		}
		known = owner
	}
	return known
}

// isCertainly reports whether the caller is known to be the one that an earlier
// record names: of the same organization or, where one of the organizations is
// not known, with the same credential. What is unknown proves nothing. A record
// of nobody is of what a person has named, and is about the caller itself.
// Whether a caller may be the buyer of a purchase is the opposite question,
// which package purchases answers.
func (c *caller) isCertainly(then Caller) bool {
	if then == (Caller{}) {
		return true
	}
	now := c.organization()
	if now != "" && then.Organization != "" {
		return now == then.Organization
	}
	return then.Credential != "" && c.credential.Fingerprint(then.Salt) == then.Credential
}

// now is the caller, as a purchase names it.
func (c *caller) now() Caller { return c.since(Caller{}) }

// Caller is who sends the requests of this client now.
func (c *Client) Caller() Caller { return c.caller.now() }

// since returns the caller, or the earlier one if they are the same but for the
// address.
func (c *caller) since(then Caller) Caller {
	organization := c.organization()
	if c.credential.Fingerprint(then.Salt) == then.Credential &&
		(organization == "" || organization == then.Organization) {
		then.Address = c.address
		return then
	}
	now := Caller{Address: c.address, Organization: organization}
	now.Credential = c.credential.Fingerprint(c.salt)
	if now.Credential != "" {
		now.Salt = c.salt
	}
	return now
}
