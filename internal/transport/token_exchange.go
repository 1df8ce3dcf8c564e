package transport

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// askForToken returns a function that sends a request for a token. The function
// repeats the request as often as necessary.
type askForToken func(TokenRequest) func(context.Context) (token string, err error)

// TokenRequest is a request for a token.
type TokenRequest struct {
	Method  string
	Address *url.URL
	// Path is the part of the address's path that may be shown. The path of a
	// webhook may be secret.
	Path   string
	Header http.Header
	Field  string                               // the field of the reply with the token
	By     string                               // who answers; empty for the service
	OIDC   func(context.Context) (Token, error) // returns the OIDC token to send; nil if none is sent
}

// TokenProvider is the customer's own token endpoint. A POST without a body
// returns {accessToken}.
type TokenProvider struct {
	URL     *url.URL
	Headers map[string]string // their values are secrets
	OIDC    *OIDC             // proves the sender's identity; nil if the headers do
}

// exchangeOf returns the request that exchanges the API key at the
// authentication service. The key is sent nowhere else.
func exchangeOf(config Credential) TokenRequest {
	address := config.AuthURL.JoinPath("auth", "generate-token")
	return TokenRequest{
		Method:  http.MethodPost,
		Address: address,
		Path:    strings.TrimPrefix(address.EscapedPath(), "/"),
		Field:   "accessToken",
		Header: http.Header{
			"Apikey":       {config.APIKey},
			"Content-Type": {"application/json"},
			"Accept":       {"application/json"},
		},
	}
}

// request returns the request for a token to the customer's own endpoint: a
// POST without a body, authenticated by its headers.
func (p *TokenProvider) request(clock wait.Clock, secrets *Secrets, ask askForToken) TokenRequest {
	header := http.Header{"Accept": {"application/json"}}
	for name, value := range p.Headers {
		header.Set(name, value)
	}
	return TokenRequest{
		Method:  http.MethodPost,
		Address: p.URL,
		Path:    "…",
		Field:   "accessToken",
		Header:  header,
		By:      reply.TokenProviderName,
		OIDC:    p.OIDC.tokens(clock, secrets, ask),
	}
}

// readToken reads the reply to a request for a token. The result has only the
// field of the request. Its value is the reply's own field, or the token in a
// nested object if exactly one nested object has a token.
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

// expiry returns when a token expires by the provider's clock. If the token
// says when it was issued, its life is the difference, whatever the provider's
// clock says. The result is zero if the token does not say when it expires, or
// claims to have expired although it was just issued.
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
// token does not contain them, or is no JWT.
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

// claimsOf returns the claims of a JWT; the service verifies the signature. Any
// other token has no claims.
func claimsOf(token string) jwt.MapClaims {
	claims := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(token, claims); err != nil { // variant: token-opaque
		return nil
	}
	return claims
}

// organizationOf returns the organization that a token names. No other claim
// identifies it: some claims are the same for all customers, and some differ in
// every token.
func organizationOf(token string) string {
	if named := reply.Object(claimsOf(token)).Text("org_id", "organization_id"); named != nil { // variant: token-org-id
		return *named
	}
	return ""
}
