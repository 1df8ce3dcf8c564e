package transport

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// exchangeKey exchanges the API key for a token, at /auth/generate-token below
// the authentication service's address. The key is sent nowhere else.
func (c *Client) exchangeKey() func(context.Context) (Token, error) {
	address := c.config.AuthURL.JoinPath("auth", "generate-token")
	return c.fetchToken(sender{
		request: &Request{method: http.MethodPost, route: strings.TrimPrefix(address.EscapedPath(), "/"), expected: []string{"accessToken"}},
		address: address, header: http.Header{"Apikey": {c.config.APIKey}, "Content-Type": {"application/json"}, "Accept": {"application/json"}},
	})
}

// askProvider requests a token from the customer's own endpoint. The path of its
// address may be a secret, as webhooks have it, so errors and logs do not show it.
func (c *Client) askProvider() func(context.Context) (Token, error) {
	header := http.Header{"Accept": {"application/json"}}
	for name, value := range c.config.TokenProvider.Headers {
		header.Set(name, value)
	}
	return c.fetchToken(sender{
		request: &Request{method: http.MethodPost, route: "…", expected: []string{"accessToken"}, by: reply.TheTokenProvider},
		address: c.config.TokenProvider.URL, header: header, oidcToken: c.oidcTokens(c.config.TokenProvider.OIDC),
	})
}

// fetchToken returns what requests a token at an address, of which errors and logs show
// the request's route in place of the path.
func (c *Client) fetchToken(from sender) func(context.Context) (Token, error) {
	from.client, from.limiter, from.circuit = c, newLimiter(c.clock, 0), newCircuit(from.address)
	from.limiter.storm = &c.storm
	from.timeout, from.pool = c.config.RequestTimeout, c.unpooled
	from.request.class, from.request.route = token, from.circuit.address+"/"+from.request.route
	return func(ctx context.Context) (Token, error) {
		sender := from
		said, err := sender.send(ctx)
		if failure := reply.ErrorOf(err); failure != nil {
			failure.Credential, failure.Shared = c.tokens.name, cmp.Or(failure.Shared, c.shared(failure.Reason()))
		}
		if err != nil {
			return Token{}, err
		}
		text := *said.Text(from.request.expected...)
		c.secrets.add(text)
		return Token{Value: text, ExpiresAt: expiry(text, c.clock.Now())}, nil
	}
}

// readToken reads the reply to a request for a token. The result has the field
// alone: the reply's, or the token of the only nested object that has one.
func readToken(content []byte, field string) (reply.Object, error) {
	said, err := reply.DecodeObject(content)
	if err != nil {
		return nil, err
	}
	text, ok := said[field].(string)
	found := 0
	for name := range said {
		if nested, isText := said.Object(name)["token"].(string); isText && !ok { // variant: token-nested
			text = nested
			found++
		}
	}
	switch success := said.Flag("success"); {
	case success != nil && !*success:
		return nil, errors.New("the reply says that there is no token")
	case !ok && found != 1:
		return nil, errors.New("the reply has no " + field)
	case text == "":
		return nil, errors.New("the token is empty")
	case !isToken(text):
		return nil, errors.New("the token has characters that no token can have")
	default:
		return reply.Object{field: text}, nil
	}
}

func isToken(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// expiry returns when a token expires by our clock. It is zero if the token
// does not say, or if it claims to have expired although it was just issued. A
// token that says when it was issued lives for the difference, whatever our
// clock says.
func expiry(text string, received time.Time) time.Time {
	expires, life := tokenLife(text)
	switch {
	case life > 0: // variant: clock-5m-ahead, clock-5m-behind
		return received.Add(life)
	case expires.After(received):
		return expires
	default: // variant: token-exp-in-past
		return time.Time{}
	}
}

// tokenLife reads exp, and exp minus iat, from a JWT. It returns zeros if the
// token does not say, or is not a JWT.
func tokenLife(text string) (expires time.Time, life time.Duration) {
	claims := claimsOf(text)
	end, err := claims.GetExpirationTime()
	if err != nil || end == nil { // variant: token-without-exp
		return time.Time{}, 0
	}
	if begin, err := claims.GetIssuedAt(); err == nil && begin != nil {
		life = end.Sub(begin.Time)
	}
	return end.Time, life
}

// claimsOf are those of a JWT; the service verifies the signature. Another token
// has none.
func claimsOf(token string) jwt.MapClaims {
	claims := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(token, claims); err != nil { // variant: token-opaque
		return nil
	}
	return claims
}
