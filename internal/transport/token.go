package transport

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	// renewEarly is how long before its expiry a token is renewed.
	renewEarly = 60 * time.Second
	// refusalHolds is how long a rejected credential is not tried again: the
	// next hundred resources would get the same reply.
	refusalHolds = time.Minute
)

// TokenProvider is the customer's own token endpoint: a POST without a body
// that returns {accessToken}.
type TokenProvider struct {
	URL *url.URL
	// Headers are sent with every request for a token; their values are
	// secrets.
	Headers map[string]string
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

// stale reports whether the token must be renewed before it is used again.
func (t issuedToken) stale(now time.Time) bool {
	if t.ExpiresAt.IsZero() {
		return false
	}
	early := min(renewEarly, t.ExpiresAt.Sub(t.received)/2)
	return !now.Before(t.ExpiresAt.Add(-early))
}

// lifeLeft is the share of the token's life that is left, 1 if unknown.
func (t issuedToken) lifeLeft(now time.Time) float64 {
	if t.ExpiresAt.IsZero() {
		return 1
	}
	return float64(t.ExpiresAt.Sub(now)) / float64(max(t.ExpiresAt.Sub(t.received), 1))
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
	flight    *flight
	refusal   error
	refusedAt time.Time
	// caller is the client's identity; claimed is the organization that the
	// token names, owners are those of the characters that were read.
	caller  caller
	claimed string
	owners  map[string]bool
}

// flight is one exchange that any number of callers wait for.
type flight struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	// oneAttempt says that it was started by a request that is sent only once.
	oneAttempt bool
	token      issuedToken
	err        error
}

func newTokenSource(c *Client) *tokenSource {
	source := &tokenSource{clock: c.clock, owners: map[string]bool{}}
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
	return source
}

func (s *tokenSource) renewable() bool { return s.fetch != nil }

// AccessToken returns the token that the client uses itself: a fresh one if
// less than minLifeShare (0 to 1) of the cached token's life is left. A
// credential that cannot be exchanged is returned as is.
func (c *Client) AccessToken(ctx context.Context, minLifeShare float64) (Token, error) {
	token, err := c.tokens.get(ctx)
	if err == nil && c.tokens.renewable() && token.lifeLeft(c.clock.Now()) < minLifeShare {
		c.tokens.reject(token)
		token, err = c.tokens.get(ctx)
	}
	if err != nil && !isError(err) {
		err = &Error{Operation: "access token", Err: err}
	}
	return token.Token, err
}

func isError(err error) bool {
	_, is := errors.AsType[*Error](err)
	return is
}

// get returns the cached token, or waits for the exchange in progress. A caller
// whose ctx ends stops waiting; the exchange continues while anybody else waits
// for it. If an exchange that was sent only once fails, callers that may repeat
// requests start another.
func (s *tokenSource) get(ctx context.Context) (issuedToken, error) {
	if ctx.Err() != nil {
		return issuedToken{}, canceled(ctx)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for {
		now := s.clock.Now()
		switch {
		case s.current != nil && (s.fetch == nil || !s.current.stale(now)):
			return *s.current, nil
		case s.fetch == nil:
			return issuedToken{}, ErrNoCredential
		case s.refusal != nil && now.Sub(s.refusedAt) < refusalHolds:
			return issuedToken{}, s.refusal
		}
		joined := s.flight
		if joined == nil {
			joined = s.depart(ctx)
		}
		token, err := s.await(ctx, joined)
		if err == nil || ctx.Err() != nil || !joined.oneAttempt || isOneAttempt(ctx) {
			return token, err
		}
	}
}

// await is called, and returns, with the mutex held.
func (s *tokenSource) await(ctx context.Context, joined *flight) (issuedToken, error) {
	joined.waiting++
	s.mutex.Unlock()
	select {
	case <-joined.done:
		s.mutex.Lock()
		return joined.token, joined.err
	case <-ctx.Done():
		s.mutex.Lock()
	}
	joined.waiting--
	if joined.waiting == 0 {
		joined.cancel()
		if s.flight == joined {
			s.flight = nil
		}
	}
	return issuedToken{}, canceled(ctx)
}

// depart starts an exchange. It inherits neither the cancellation nor the
// deadline of the caller that happens to be first.
func (s *tokenSource) depart(ctx context.Context) *flight {
	detached, cancel := context.WithCancel(wait.WithDeadline(context.WithoutCancel(ctx), time.Time{}))
	begun := &flight{done: make(chan struct{}), cancel: cancel, oneAttempt: isOneAttempt(ctx)}
	s.flight = begun
	go func() {
		defer cancel()
		token, err := s.fetch(detached)
		s.arrive(begun, token, err)
	}()
	return begun
}

func (s *tokenSource) arrive(ended *flight, token Token, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	now := s.clock.Now()
	ended.err = err
	if err == nil {
		s.exchanges++
		ended.token = issuedToken{Token: token, received: now, exchange: s.exchanges}
		s.current, s.refusal = &ended.token, nil
		s.claimed = organizationOf(token.Value)
	} else if IsUnauthorized(err) {
		s.refusal, s.refusedAt = err, now
	}
	if s.flight == ended {
		s.flight = nil
	}
	close(ended.done)
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
