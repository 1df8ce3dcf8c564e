package evidence

import (
	"crypto/rand"
	"net/url"
	"strings"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Caller says who sent a request, and to which address. It is stored in the
// state and in the purchase log, and contains no secret.
type Caller struct {
	// Address is empty in old states. Organization is empty if only a request
	// could reveal it.
	Address      string `json:"address,omitempty"`
	Organization string `json:"organization,omitempty"`
	// Salt and Credential, a salted hash, identify the API key or the token
	// provider's address. Both are empty for an access token, because the access
	// token differs in every run.
	Salt       string `json:"salt,omitempty"`
	Credential string `json:"credential,omitempty"`
}

// caller identifies the sender of a process's requests.
type caller struct {
	credential    *transport.TokenSource
	address, salt string

	mutex         sync.Mutex
	organizations map[string]bool // the organizations of the characters that were read
}

// newCaller returns the caller at an address. The address is compared by host,
// port and path, because a service may have several schemes.
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

// noteOrganization notes an organization whose objects the credential has read.
// A credential that reads objects of a different organization is a different
// caller.
func (c *caller) noteOrganization(organization string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if organization != "" {
		c.organizations[organization] = true
	}
}

// organization returns the organization as far as it is known. A token may name
// it; otherwise the characters that were read do. Characters of several
// organizations identify none.
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

// isCertainly reports whether this caller is known to be the caller of an
// earlier record. Equal organizations prove it; if either organization is
// unknown, equal credentials prove it. An unknown value proves nothing. An
// empty record belongs to an object that a person has named: it counts as this
// caller's own. Package purchases answers the opposite question, whether a
// caller may be the buyer of a purchase.
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

// now returns the caller in the form that a purchase records.
func (c *caller) now() Caller { return c.since(Caller{}) }

// Caller returns the caller that sends the requests of this client now.
func (c *Client) Caller() Caller { return c.caller.now() }

// since returns the earlier record, with the present address, if organization
// and credential have not changed. Otherwise it returns a new record of the
// caller.
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
