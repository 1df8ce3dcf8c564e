package transport

import (
	"cmp"
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// AccessToken returns the token that the client itself uses. If less than
// minLifeShare (0 to 1) of the cached token's life is left, it returns a fresh
// token. A credential that cannot be exchanged is returned unchanged.
func (c *Client) AccessToken(ctx context.Context, minLifeShare float64) (Token, error) {
	token, err := c.token(ctx)
	if err == nil && c.Credential.CanRenew() && token.MustRenew(minLifeShare, c.clock.Now()) {
		c.Credential.Reject(token)
		token, err = c.token(ctx)
	}
	return token, err
}

// token returns the credential's token, or waits for the exchange in progress.
func (c *Client) token(ctx context.Context) (Token, error) {
	if ctx.Err() != nil {
		return Token{}, wait.Ended(ctx)
	}
	token, isCurrent, exchanges := c.Credential.Current()
	if isCurrent {
		return token, nil
	}
	// There is one exchange at a time, even for reads that bypass caches.
	return c.exchange.Get(context.WithValue(ctx, afreshKey{}, nil), exchanges)
}

// ask returns a function that sends a request for a token to the request's own
// host.
func (c *Client) ask(r TokenRequest) func(context.Context) (string, error) {
	host := newHost(r.Address, c.clock, 0, &c.answers)
	from := sender{
		client:  c,
		address: r.Address,
		header:  r.Header,
		bearer:  r.OIDC,
		host:    host,
		request: &Request{
			method:   r.Method,
			route:    host.address + "/" + r.Path,
			class:    token,
			expected: []string{r.Field},
			by:       r.By,
		},
		timeout: c.config.RequestTimeout,
		pool:    c.transportFor(r.Method, true),
	}
	return func(ctx context.Context) (string, error) {
		sender := from
		said, err := sender.send(ctx)
		if failure := reply.ErrorOf(err); failure != nil {
			failure.Sent.Credential = c.Credential.Name
			failure.Proves.Shared = cmp.Or(failure.Proves.Shared, c.Shared(failure.Reason()))
		}
		if err != nil {
			return "", err
		}
		text := *said.Text(r.Field)
		c.secrets.Add(text)
		return text, nil
	}
}
