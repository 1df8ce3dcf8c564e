package mockserver

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// userHeader is how the customer's token provider knows its user.
const userHeader = "X-Mock-User"

// User is the only user that the token provider knows, by the header X-Mock-User.
const User = "alice"

// account is whose credential it is.
type account struct {
	organization string
	creator      string // "" is the whole organization
}

// token is an access token that the service has issued and not revoked.
type token struct {
	account
	expires time.Time
}

// IssueToken makes an access token without the exchange. Its character list
// holds what creatorID has made; "" is the whole organization.
func (s *Server) IssueToken(creatorID string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.issue(account{s.opts.OrganizationID, creatorID})
}

// RevokeTokens makes every token issued so far invalid.
func (s *Server) RevokeTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.world.tokens)
}

// AddAPIKey lets the exchange accept another key, whose tokens see the
// characters of one creator only.
func (s *Server) AddAPIKey(key, creatorID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.keys[key] = account{s.opts.OrganizationID, creatorID}
}

// AddOrganization lets the exchange accept a key of another organization, to
// whose tokens nothing of the others exists. Its characters are those that are
// added with its id. What it buys is booked in the same ledger.
func (s *Server) AddOrganization(key, organizationID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.keys[key] = account{organization: organizationID}
}

// generateToken is the exchange of an API key for an access token.
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
	return accessTokenBody{s.issue(owner)}, nil
}

// tokenProvider is the endpoint of a customer's backend, which knows its users.
func (s *Server) tokenProvider(c *call) (any, error) {
	if c.r.Header.Get(userHeader) != User {
		return nil, &problem{status: http.StatusUnauthorized, code: "the user is not logged in"}
	}
	return accessTokenBody{s.issue(account{organization: s.opts.OrganizationID})}, nil
}

func (s *Server) authenticate(c *call) (account, error) {
	bearer := strings.TrimPrefix(c.r.Header.Get("Authorization"), "Bearer ")
	if s.opts.Variant.KeyIsToken && bearer == s.opts.APIKey {
		return account{organization: s.opts.OrganizationID}, nil
	}
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
	return &problem{status: http.StatusUnauthorized, code: "unauthorized", message: message}
}

func (s *Server) issue(owner account) string {
	now := s.now()
	expires := now.Add(s.opts.TokenLifetime)
	value := s.world.nextID("token")
	if s.opts.Variant.Token != TokenOpaque {
		value = s.sign(s.claims(owner, value, now, expires))
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

// sign makes a JWT (HS256).
func (s *Server) sign(claims map[string]any) string {
	payload, _ := json.Marshal(claims) // strings and numbers
	signed := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) +
		"." + base64.RawURLEncoding.EncodeToString(payload)
	mac := hmac.New(sha256.New, []byte("the key of the mock service"))
	mac.Write([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
