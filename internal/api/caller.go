package api

import (
	"crypto/rand"
	"net/url"
	"strings"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
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

// caller is who sends the requests of a process. It is safe for concurrent use.
type caller struct {
	credential    *credential.Source
	address, salt string

	mutex sync.Mutex
	// owners are the organizations of the characters that were read.
	owners map[string]bool
}

func newCaller(base *url.URL, source *credential.Source) *caller {
	return &caller{credential: source, address: addressOf(base), salt: rand.Text(), owners: map[string]bool{}}
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

// owns records whose characters the client can read.
func (c *caller) owns(organization string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if organization != "" {
		c.owners[organization] = true
	}
}

// organization is what is known so far: a token names it; otherwise the characters that
// were read do. Those of several organizations identify none.
func (c *caller) organization() (known string) {
	if known = c.credential.Organization(); known != "" {
		return known
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for owner := range c.owners {
		if known != "" {
			return ""
		}
		known = owner
	}
	return known
}

// differs reports whether the caller is somebody else: another organization or,
// if one of these is unknown, another credential. An unknown caller never differs.
func (c *caller) differs(then Caller) bool {
	if now := c.organization(); now != "" && then.Organization != "" {
		return now != then.Organization
	}
	now := c.credential.Fingerprint(then.Salt)
	return now != "" && then.Credential != "" && now != then.Credential
}

// moved reports whether requests go to another address. An unknown one is not
// another.
func (c *caller) moved(then Caller) bool { return then.Address != "" && then.Address != c.address }

// since returns the caller, or the earlier one if they are the same but for the
// address.
func (c *caller) since(then Caller) Caller {
	organization := c.organization()
	if c.credential.Fingerprint(then.Salt) == then.Credential && (organization == "" || organization == then.Organization) {
		then.Address = c.address
		return then
	}
	now := Caller{Address: c.address, Organization: organization}
	if now.Credential = c.credential.Fingerprint(c.salt); now.Credential != "" {
		now.Salt = c.salt
	}
	return now
}
