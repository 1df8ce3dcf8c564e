package acctest

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// RequestToken is the token with which a job asks its issuer for a proof.
const RequestToken = "the-request-token-of-the-job-0123456789"

// signingKey is the key of all issuers of a test run, because making a key
// takes long.
var signingKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// Issuer signs workload identities like a CI system. At /id-token it issues
// them to requests with RequestToken, as GitHub does, and at the usual
// addresses it serves its keys.
type Issuer struct {
	// URL is the issuer's name.
	URL string
	// Answer answers a request to /id-token, if it returns true.
	Answer func(w http.ResponseWriter, r *http.Request) bool
	// Claims are in each proof, in place of the usual claims; nil removes a
	// claim.
	Claims jwt.MapClaims

	t   testing.TB
	key *rsa.PrivateKey
	now func() time.Time

	mutex  sync.Mutex
	asked  []*http.Request
	issued []string
}

// NewIssuer starts an issuer with a clock.
func NewIssuer(t testing.TB, now func() time.Time) *Issuer {
	t.Helper()
	key, err := signingKey()
	if err != nil {
		t.Fatal(err)
	}
	i := &Issuer{
		t:   t,
		key: key,
		now: now,
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /id-token", i.idToken)
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		i.reply(w, map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		exponent := big.NewInt(int64(key.E)).Bytes()
		i.reply(w, map[string]any{"keys": []any{
			map[string]any{
				"kid": "k1",
				"kty": "RSA",
				"alg": "RS256",
				"use": "sig",
				"n": base64.RawURLEncoding.EncodeToString(
					key.N.Bytes(),
				),
				"e": base64.RawURLEncoding.EncodeToString(exponent),
			},
		}})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

func (i *Issuer) reply(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		i.t.Error(err)
	}
}

// Token issues a proof for an audience, a text or a list. The proof lives five
// minutes. Further claims come last; nil removes a claim.
func (i *Issuer) Token(audience any, further ...jwt.MapClaims) string {
	claims := jwt.MapClaims{
		"iss": i.URL, "aud": audience, "sub": "repo:studio/media:environment:production", "jti": rand.Text(),
		"ref": "refs/heads/main", "ref_protected": "true",
		"iat": i.now().Unix(), "exp": i.now().Add(5 * time.Minute).Unix(),
	}
	for _, more := range append([]jwt.MapClaims{i.Claims}, further...) {
		for name, value := range more {
			claims[name] = value
			if value == nil {
				delete(claims, name)
			}
		}
	}
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	token.Header["kid"] = "k1"
	text, err := token.SignedString(i.key)
	if err != nil {
		i.t.Error(err)
	}
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.issued = append(i.issued, text)
	return text
}

func (i *Issuer) idToken(w http.ResponseWriter, r *http.Request) {
	i.mutex.Lock()
	i.asked = append(i.asked, r)
	i.mutex.Unlock()
	switch {
	case i.Answer != nil && i.Answer(w, r):
	case r.Header.Get("Authorization") != "Bearer "+RequestToken:
		w.WriteHeader(http.StatusUnauthorized)
	default:
		i.reply(w, map[string]any{"count": 1, "value": i.Token(r.URL.Query().Get("audience"))})
	}
}

// Asked returns the requests to /id-token.
func (i *Issuer) Asked() []*http.Request {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	return slices.Clone(i.asked)
}

// Issued returns all proofs so far.
func (i *Issuer) Issued() []string {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	return slices.Clone(i.issued)
}

// TokenProvider is a customer's token provider that trusts an issuer: it
// verifies signature, issuer, audience and expiry of the proof.
type TokenProvider struct {
	// URL is its address.
	URL string
	// Audience is the audience that proofs must have.
	Audience string
	// Answer answers the nth request, from 1, if it returns true.
	Answer func(w http.ResponseWriter, n int) bool

	service *Service
	issuer  *Issuer
	mutex   sync.Mutex
	proofs  []string
}

// NewTokenProvider starts a token provider.
func NewTokenProvider(t testing.TB, service *Service, issuer *Issuer, audience string) *TokenProvider {
	t.Helper()
	p := &TokenProvider{
		Audience: audience,
		service:  service,
		issuer:   issuer,
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL + "/mediagen/token"
	return p
}

// ServeHTTP implements http.Handler.
func (p *TokenProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	proof, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	p.mutex.Lock()
	p.proofs = append(p.proofs, proof)
	n := len(p.proofs)
	p.mutex.Unlock()
	if p.Answer != nil && p.Answer(w, n) {
		return
	}
	_, err := jwt.Parse(proof, func(*jwt.Token) (any, error) { return &p.issuer.key.PublicKey, nil },
		jwt.WithValidMethods([]string{"RS256"}), jwt.WithIssuer(p.issuer.URL), jwt.WithAudience(p.Audience),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(p.issuer.now))
	if err != nil {
		w.WriteHeader(http.StatusUnauthorized)
		p.issuer.reply(w, map[string]string{"error": "the identity is not accepted"})
		return
	}
	p.issuer.reply(w, map[string]string{"accessToken": p.service.IssueToken("")})
}

// Proofs returns the bearers of all requests so far.
func (p *TokenProvider) Proofs() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.Clone(p.proofs)
}
