package transport

import (
	"crypto/tls"
	"net/http"

	"github.com/hashicorp/go-cleanhttp"
)

// postTransport carries every POST: on a connection of its own, since the
// outcome would be unknown if the service had just closed a pooled one, and
// over HTTP/1.1, which repeats no POST. HTTP/2 libraries send what has no body
// again, however the service ends its stream. A training was bought twice.
func postTransport() *http.Transport {
	sends := cleanhttp.DefaultTransport()
	sends.ForceAttemptHTTP2 = false
	sends.Protocols = &http.Protocols{}
	sends.Protocols.SetHTTP1(true)
	// It is offered by its name: where nothing is, who speaks HTTP/2 alone
	// would be sent the POST.
	sends.TLSClientConfig = &tls.Config{NextProtos: []string{"http/1.1"}}
	return sends
}

// transportFor is what carries a request: one that is to be Afresh needs a
// connection of its own.
func (c *Client) transportFor(method string, afresh bool) http.RoundTripper {
	switch {
	case method == http.MethodPost:
		return c.posts
	case afresh:
		return c.afresh
	default:
		return c.pooled
	}
}
