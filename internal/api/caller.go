package api

import (
	"crypto/rand"
	"net/url"
	"strings"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Caller says who sent a request, and where to. The purchase log has it too.
type Caller = purchases.Caller

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

// screenedAuthor is the author of entries without any secret of the client,
// which knows them by now.
func screenedAuthor(config Config) purchases.Author {
	if config.Secrets == nil {
		return config.Author
	}
	return config.Author.Screened(config.Secrets.Screen)
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

// Now is the caller, as a purchase names it.
func (c *caller) Now() Caller { return c.since(Caller{}) }

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
