package mockserver

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// userHeader identifies the user to the customer's token provider.
const userHeader = "X-Mock-User"

// User is the only user of the token provider, in the header X-Mock-User.
const User = "alice"

// account is the owner of a credential.
type account struct {
	organization string
	creator      string // "" is the whole organization
}

// token is an access token that the service has issued and not revoked.
type token struct {
	account
	expires time.Time
}

// IssueToken returns an access token without an exchange. Its character list
// contains the characters that creatorID created; "" means the whole
// organization.
func (s *Server) IssueToken(creatorID string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.issue(account{s.opts.OrganizationID, creatorID})
}

// RevokeTokens invalidates all tokens issued so far.
func (s *Server) RevokeTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.world.tokens)
}

// AddAPIKey makes the exchange accept an additional key, whose tokens see only
// the characters of one creator.
func (s *Server) AddAPIKey(key, creatorID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.keys[key] = account{s.opts.OrganizationID, creatorID}
}

// AddOrganization makes the exchange accept a key of an additional
// organization, whose tokens see no objects of the others. Its characters are
// those that are added with its id. All organizations share a ledger.
func (s *Server) AddOrganization(key, organizationID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.keys[key] = account{organization: organizationID}
}

// generateToken exchanges an API key for an access token.
func (s *Server) generateToken(c *call) (any, error) {
	key := c.r.Header.Get("apikey")
	owner, known := s.world.keys[key]
	switch {
	case known:
	case key == s.opts.APIKey:
		owner.organization = s.opts.OrganizationID
	default:
		return nil, unauthorized("the API key is not valid")
	}
	return s.exchange(c, owner), nil
}

// tokenProvider is the endpoint of a customer's backend, which authenticates
// its users.
func (s *Server) tokenProvider(c *call) (any, error) {
	if c.r.Header.Get(userHeader) != User {
		return nil, &problem{status: http.StatusUnauthorized, code: "the user is not logged in"}
	}
	return s.exchange(c, account{organization: s.opts.OrganizationID}), nil
}

func (s *Server) exchange(c *call, owner account) accessTokenBody {
	issued := s.issue(owner)
	s.journal.change(c.entry, func(e *Entry) { e.issued = "Bearer " + issued })
	return accessTokenBody{issued}
}

func (s *Server) authenticate(c *call) (account, error) {
	bearer := strings.TrimPrefix(c.r.Header.Get("Authorization"), "Bearer ")
	known, ok := s.world.tokens[bearer]
	switch {
	case !ok:
		return account{}, unauthorized("the access token is not valid")
	case !c.now.Before(known.expires):
		return account{}, unauthorized("the access token has expired")
	}
	return known.account, nil
}

func unauthorized(message string) *problem {
	return &problem{
		status:  http.StatusUnauthorized,
		code:    "unauthorized",
		message: message,
	}
}

func (s *Server) issue(owner account) string {
	now := s.now()
	expires := now.Add(s.opts.TokenLifetime)
	id := s.world.nextID("token")
	value := s.sign(s.claims(owner, id, now, expires))
	if s.opts.Variant.Token == TokenOpaque {
		sum := sha256.Sum256([]byte(id)) // no part of it is in any id, unlike half of a counted token
		value = "opaque-" + hex.EncodeToString(sum[:20])
	}
	s.world.tokens[value] = token{owner, expires}
	return value
}

func (s *Server) claims(owner account, id string, now, expires time.Time) map[string]any {
	claims := map[string]any{
		"iss": "mock", "creator": owner.creator, "jti": id,
		"iat": now.Unix(), "exp": expires.Unix(),
	}
	claims[cmp.Or(s.opts.Variant.OrganizationClaim, "org")] = owner.organization
	switch s.opts.Variant.Token {
	case TokenWithoutExp:
		delete(claims, "exp")
	case TokenExpInPast:
		claims["exp"] = now.Add(-time.Hour).Unix()
	case TokenJWT, TokenOpaque:
	}
	return claims
}

// sign returns a JWT (HS256).
func (s *Server) sign(claims map[string]any) string {
	payload, _ := json.Marshal(claims) // strings and numbers
	signed := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) +
		"." + base64.RawURLEncoding.EncodeToString(payload)
	mac := hmac.New(sha256.New, []byte("the key of the mock service"))
	mac.Write([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
