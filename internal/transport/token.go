package transport

import (
	"context"
	"net/url"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// renewEarly is how long before its expiry a token is renewed.
const renewEarly = 60 * time.Second

// TokenProvider is the customer's own token endpoint: a POST without a body
// that returns {accessToken}.
type TokenProvider struct {
	URL *url.URL
	// Headers are sent with every request for a token; their values are
	// secrets.
	Headers map[string]string
	// OIDC proves who asks; nil if the headers do.
	OIDC *OIDC
}

// Token is a bearer token of the service.
type Token struct {
	Value string
	// ExpiresAt is zero if the token does not say.
	ExpiresAt time.Time
}

// issuedToken is a token with the number of its exchange: if the token of many
// requests is rejected, only one renews it.
type issuedToken struct {
	Token
	received time.Time
	exchange int
}

// life returns how long the token lives in all.
func (t issuedToken) life() time.Duration { return t.ExpiresAt.Sub(t.received) }

// endsWithin reports whether the token has expired after d.
func (t issuedToken) endsWithin(d time.Duration, now time.Time) bool {
	return !t.ExpiresAt.IsZero() && !now.Before(t.ExpiresAt.Add(-d))
}

// tokenSource holds the client's token and renews it for all requests.
type tokenSource struct {
	clock wait.Clock
	// name is the provider attribute of the credential.
	name string
	// fetch obtains a token; nil if the credential cannot be exchanged.
	fetch func(context.Context) (Token, error)

	mutex     sync.Mutex
	current   *issuedToken
	exchanges int
	// exchange shares the next exchange, by the number of those so far.
	exchange *Cache[int, issuedToken]
	// caller is the client's identity; claimed is the organization that the
	// token names, owners are those of the characters that were read.
	caller  caller
	claimed string
	owners  map[string]bool
}

func newTokenSource(c *Client) *tokenSource {
	source := &tokenSource{clock: c.clock, owners: map[string]bool{}}
	source.exchange = NewCache(c, source.renew)
	config := c.config
	switch {
	case config.APIKey != "":
		source.name, source.fetch, source.caller = "api_key", c.exchangeKey(), newCaller(config.APIKey)
		c.secrets.add(config.APIKey)
	case config.TokenProvider != nil:
		source.name, source.fetch = "token_provider", c.askProvider()
		source.caller = newCaller(config.TokenProvider.URL.Host + config.TokenProvider.URL.EscapedPath())
		for _, header := range config.TokenProvider.Headers {
			c.secrets.add(header)
		}
		for _, values := range config.TokenProvider.URL.Query() {
			c.secrets.add(values...)
		}
	case config.AccessToken != "":
		source.name = "access_token"
		c.secrets.add(config.AccessToken)
		expires, _ := tokenLife(config.AccessToken)
		source.claimed = organizationOf(config.AccessToken)
		source.current = &issuedToken{Token: Token{Value: config.AccessToken, ExpiresAt: expires}, received: c.clock.Now()}
	}
	source.caller.Address = addressOf(config.BaseURL)
	return source
}

func (s *tokenSource) renewable() bool { return s.fetch != nil }

// AccessToken returns the token that the client uses itself: a fresh one if
// less than minLifeShare (0 to 1) of the cached token's life is left. A
// credential that cannot be exchanged is returned as is.
func (c *Client) AccessToken(ctx context.Context, minLifeShare float64) (Token, error) {
	token, err := c.tokens.get(ctx)
	share := time.Duration(minLifeShare * float64(token.life()))
	if err == nil && c.tokens.renewable() && token.endsWithin(share, c.clock.Now()) {
		c.tokens.reject(token)
		token, err = c.tokens.get(ctx)
	}
	return token.Token, err
}

// get returns the token, or waits for the exchange in progress.
func (s *tokenSource) get(ctx context.Context) (issuedToken, error) {
	if ctx.Err() != nil {
		return issuedToken{}, wait.Ended(ctx)
	}
	s.mutex.Lock()
	current, exchanges := s.current, s.exchanges
	s.mutex.Unlock()
	if current != nil && (s.fetch == nil || !current.endsWithin(min(renewEarly, current.life()/2), s.clock.Now())) {
		return *current, nil
	}
	// There is one exchange at a time, also for what is read afresh.
	shared := context.WithValue(ctx, afreshKey{}, nil)
	return s.exchange.Get(shared, exchanges)
}

// renew exchanges the credential for a token.
func (s *tokenSource) renew(ctx context.Context, _ int) (issuedToken, error) {
	token, err := s.fetch(ctx)
	if err != nil {
		return issuedToken{}, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.exchanges++
	s.current = &issuedToken{Token: token, received: s.clock.Now(), exchange: s.exchanges}
	s.claimed = organizationOf(token.Value)
	return *s.current, nil
}

// reject drops the token that the service rejected, unless another request has
// already renewed it.
func (s *tokenSource) reject(used issuedToken) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.current != nil && s.current.exchange == used.exchange {
		s.current = nil
	}
}
