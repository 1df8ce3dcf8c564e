package transport

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// renewEarly is how long before its expiry a token is renewed.
const renewEarly = 60 * time.Second

// Credential proves to the service who sends a request. Exactly one of APIKey,
// AccessToken and TokenProvider is set.
type Credential struct {
	APIKey        string // exchanged for tokens at AuthURL
	AuthURL       *url.URL
	AccessToken   string // used unchanged; cannot be renewed
	TokenProvider *TokenProvider
}

// Token is a bearer token of the service.
type Token struct {
	Value     string
	ExpiresAt time.Time // zero if the token does not say
	received  time.Time
	exchange  int // number of the exchange; of many requests with a rejected token, only the first renews it
}

func (t Token) life() time.Duration { return t.ExpiresAt.Sub(t.received) }

func (t Token) endsWithin(d time.Duration, now time.Time) bool {
	return !t.ExpiresAt.IsZero() && !now.Before(t.ExpiresAt.Add(-d))
}

// MustRenew reports whether less than minLifeShare (0 to 1) of the token's life
// is left.
func (t Token) MustRenew(minLifeShare float64, now time.Time) bool {
	return t.endsWithin(time.Duration(minLifeShare*float64(t.life())), now)
}

// Offline is the access token for a plan without the service. No request is
// sent with it.
const Offline = "offline"

// IsOffline reports whether no request may be sent.
func (c Credential) IsOffline() bool { return c.AccessToken == Offline }

// TokenSource holds the token of a credential for all requests. It is safe for
// concurrent use.
type TokenSource struct {
	Name     string // the provider attribute of the credential
	clock    wait.Clock
	identity string // see Fingerprint
	// fetch obtains a token; nil if the credential cannot be exchanged.
	fetch func(context.Context) (string, error)

	mutex         sync.Mutex
	current       *Token
	exchangeCount int
	organization  string
	// accepted is the last token that the service has accepted. refused is the
	// last new token that was still answered with a 403: a newer token would
	// not help.
	accepted, refused int
}

// NewTokenSource returns the token source of a credential. The source requests
// tokens with ask. The credential's secrets are added to secrets.
func NewTokenSource(config Credential, clock wait.Clock, secrets *Secrets, ask askForToken) *TokenSource {
	s := &TokenSource{clock: clock}
	switch provider := config.TokenProvider; {
	case config.APIKey != "":
		s.Name = "api_key"
		s.identity = config.APIKey
		s.fetch = ask(exchangeOf(config))
		secrets.Add(config.APIKey)
	case provider != nil:
		s.Name = "token_provider"
		s.identity = provider.URL.Host + provider.URL.EscapedPath()
		s.fetch = ask(provider.request(clock, secrets, ask))
		for _, header := range provider.Headers {
			secrets.Add(header)
		}
		for _, values := range provider.URL.Query() {
			secrets.Add(values...)
		}
	case config.AccessToken != "":
		s.Name = "access_token"
		secrets.Add(config.AccessToken)
		expires, _ := tokenLife(config.AccessToken)
		s.organization = organizationOf(config.AccessToken)
		s.current = &Token{
			Value:     config.AccessToken,
			ExpiresAt: expires,
			received:  clock.Now(),
		}
	}
	return s
}

// CanRenew reports whether the credential can be exchanged for a new token.
func (s *TokenSource) CanRenew() bool { return s.fetch != nil }

// Current returns the token, unless it must be renewed, and the number of
// exchanges so far.
func (s *TokenSource) Current() (token Token, isCurrent bool, exchanges int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.current == nil || s.fetch != nil && s.current.endsWithin(min(renewEarly, s.current.life()/2), s.clock.Now()) {
		return Token{}, false, s.exchangeCount
	}
	return *s.current, true, s.exchangeCount
}

// Renew exchanges the credential for a token.
func (s *TokenSource) Renew(ctx context.Context) (Token, error) {
	text, err := s.fetch(ctx)
	if err != nil {
		return Token{}, err
	}
	now := s.clock.Now()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.exchangeCount++
	s.current = &Token{
		Value:     text,
		ExpiresAt: expiry(text, now),
		received:  now,
		exchange:  s.exchangeCount,
	}
	s.organization = organizationOf(text)
	return *s.current, nil
}

// Reject drops the token that the service rejected, unless another request has
// already renewed it.
func (s *TokenSource) Reject(used Token) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.current != nil && s.current.exchange == used.exchange {
		s.current = nil
	}
}

// Accept notes that the service has accepted the token.
func (s *TokenSource) Accept(used Token) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.accepted = max(s.accepted, used.exchange)
}

// NoteStillRefused notes that the answer is still a 403 after the token was
// renewed because of a 403.
func (s *TokenSource) NoteStillRefused(used Token) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.refused = used.exchange
}

// MayRenew reports whether a new token may change a 403: the token was accepted
// before, or the reply mentions the token. A token is renewed only once for
// that, so that a permanent 403 costs one exchange.
func (s *TokenSource) MayRenew(used Token, isSpokenOf bool) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return (used.exchange <= s.accepted || isSpokenOf) && used.exchange != s.refused
}

// Fingerprint is a salted hash of the credential: of the API key, or of the
// token provider's address. It is empty for an access token, which differs in
// every run.
func (s *TokenSource) Fingerprint(salt string) string {
	if s.identity == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(salt + "\x00" + s.identity))
	return hex.EncodeToString(sum[:16])
}

// Organization returns the organization that the token names; empty if it names
// none.
func (s *TokenSource) Organization() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.organization
}
