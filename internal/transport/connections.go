package transport

import (
	"crypto/tls"
	"net/http"

	"github.com/hashicorp/go-cleanhttp"
)

// postTransport carries every POST. It opens a new connection for each, because
// the outcome would be unknown if the service had just closed a pooled
// connection. It uses HTTP/1.1, which repeats no POST: HTTP/2 libraries send a
// request without a body again, however the service ends its stream. A training
// was once bought twice in this way.
func postTransport() *http.Transport {
	sends := cleanhttp.DefaultTransport()
	sends.ForceAttemptHTTP2 = false
	sends.Protocols = &http.Protocols{}
	sends.Protocols.SetHTTP1(true)
	// The protocol is offered by its name. Without an offer, a server that
	// speaks only HTTP/2 would be sent the POST.
	sends.TLSClientConfig = &tls.Config{NextProtos: []string{"http/1.1"}}
	return sends
}

// transportFor returns the carrier of a request. A request that is to be Afresh
// needs a new connection.
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
