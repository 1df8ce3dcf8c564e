// Command token-provider is a token provider: it keeps the API key, and hands
// access tokens to runs that prove who they are by a token (OIDC) of their CI
// system.
//
//	OIDC_ISSUER        who signs the proofs
//	                   GitHub: https://token.actions.githubusercontent.com
//	                   GitLab: https://gitlab.com   HCP Terraform: https://app.terraform.io
//	OIDC_AUDIENCE      whom they must be for: the address of this program
//	OIDC_SUBJECTS      which runs may have a token, separated by commas
//	                   GitHub: repo:studio/media:environment:production
//	                   GitLab: project_path:studio/media:ref_type:branch:ref:main
//	                   HCP Terraform: organization:studio:project:media:workspace:main:run_phase:plan
//	OIDC_REFS          which protected branches they may run for, separated by commas; a
//	                   proof that names another, or one that is not protected, is refused
//	                   GitHub: refs/heads/main   GitLab: main   HCP Terraform names none
//	MEDIAGEN_AUTH_URL  the service's host, as in https://api.example.com
//	MEDIAGEN_API_KEY   the key, from your secret store
//	LISTEN             where it listens; default :8080
//
// It speaks http: run it behind what serves your https.
package main

import (
	"context"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func main() {
	p := &provider{
		issuer:   os.Getenv("OIDC_ISSUER"),
		audience: os.Getenv("OIDC_AUDIENCE"),
		subjects: strings.Split(os.Getenv("OIDC_SUBJECTS"), ","),
		refs:     strings.Split(os.Getenv("OIDC_REFS"), ","),
		authURL:  os.Getenv("MEDIAGEN_AUTH_URL"),
		key:      os.Getenv("MEDIAGEN_API_KEY"),
	}
	if slices.Contains([]string{p.issuer, p.audience, p.subjects[0], p.authURL, p.key}, "") {
		log.Fatal("OIDC_ISSUER, OIDC_AUDIENCE, OIDC_SUBJECTS, MEDIAGEN_AUTH_URL and MEDIAGEN_API_KEY must be set")
	}
	address := os.Getenv("LISTEN")
	if address == "" {
		address = ":8080"
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listening on %s", listener.Addr())
	log.Fatal((&http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}).Serve(listener))
}

// client follows no redirect: that would hand the key to another host.
var client = &http.Client{
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

type provider struct {
	issuer, audience string
	subjects, refs   []string
	authURL, key     string

	mutex sync.Mutex
	// keys are the issuer's, by their names, as they were at a time.
	keys map[string]*rsa.PublicKey
	read time.Time
}

// ServeHTTP answers a POST with {accessToken}; a 401 {error} says that the
// caller may not have one, a 500 {error} that there is none now.
func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		reply(w, http.StatusMethodNotAllowed, "error", "this is for POST")
		return
	}
	subject, err := p.verify(r)
	if err != nil {
		log.Printf("refused %q: %s", subject, err)
		reply(w, http.StatusUnauthorized, "error", "the run is not accepted: "+err.Error())
		return
	}
	token, err := p.exchange(r.Context())
	if err != nil {
		log.Printf("no token for %q: %s", subject, err)
		reply(w, http.StatusInternalServerError, "error", "token generation failed")
		return
	}
	log.Printf("a token for %q", subject)
	reply(w, http.StatusOK, "accessToken", token)
}

func reply(w http.ResponseWriter, status int, name, value string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{name: value})
}

// claims are what a proof says of its run. Ref and Protected are missing in proofs of
// HCP Terraform, which runs no branches.
type claims struct {
	jwt.RegisteredClaims
	Ref       *string `json:"ref"`
	Protected string  `json:"ref_protected"` // "true" or "false"
}

// verify checks signature, issuer, audience, expiry, subject and branch of the proof.
func (p *provider) verify(r *http.Request) (subject string, err error) {
	proof, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !isBearer {
		return "", errors.New("there is no bearer")
	}
	said := claims{}
	key := func(token *jwt.Token) (any, error) { return p.publicKey(r.Context(), token) }
	_, err = jwt.ParseWithClaims(proof, &said, key, jwt.WithValidMethods([]string{"RS256"}),
		jwt.WithIssuer(p.issuer), jwt.WithAudience(p.audience), jwt.WithExpirationRequired())
	if err == nil {
		err = p.mayHaveToken(said)
	}
	return said.Subject, err
}

// mayHaveToken decides by subject and branch. The subject of a GitHub environment says
// nothing of the branch, and anybody who may push can push another one.
func (p *provider) mayHaveToken(said claims) error {
	switch {
	case !slices.Contains(p.subjects, said.Subject):
		return errors.New("its subject may not have a token")
	case said.Ref == nil && p.refs[0] != "":
		return errors.New("it names no branch")
	case said.Ref != nil && (*said.Ref == "" || !slices.Contains(p.refs, *said.Ref)):
		return errors.New("its branch may not have a token")
	case said.Ref != nil && said.Protected != "true":
		return errors.New("its branch is not protected")
	default:
		return nil
	}
}

// publicKey is the issuer's key that a proof names. Issuers change theirs: an
// unknown name has them read again, at most once a minute.
func (p *provider) publicKey(ctx context.Context, token *jwt.Token) (*rsa.PublicKey, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	name, _ := token.Header["kid"].(string)
	if p.keys[name] == nil && time.Since(p.read) > time.Minute {
		if err := p.readKeys(ctx); err != nil {
			return nil, err
		}
	}
	if p.keys[name] == nil {
		return nil, errors.New("the issuer has no such key")
	}
	return p.keys[name], nil
}

func (p *provider) readKeys(ctx context.Context) error {
	var about struct {
		Keys string `json:"jwks_uri"`
	}
	if err := get(ctx, p.issuer+"/.well-known/openid-configuration", &about); err != nil {
		return err
	}
	var set struct {
		Keys []struct{ Kid, Kty, N, E string }
	}
	if err := get(ctx, about.Keys, &set); err != nil {
		return err
	}
	p.keys = map[string]*rsa.PublicKey{}
	p.read = time.Now()
	for _, key := range set.Keys {
		n, wrongN := base64.RawURLEncoding.DecodeString(key.N)
		e, wrongE := base64.RawURLEncoding.DecodeString(key.E)
		if key.Kty == "RSA" && wrongN == nil && wrongE == nil {
			p.keys[key.Kid] = &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
		}
	}
	return nil
}

func get(ctx context.Context, address string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	return send(request, into)
}

// exchange asks the service for an access token. The key goes nowhere else.
func (p *provider) exchange(ctx context.Context) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.authURL+"/auth/generate-token", http.NoBody)
	if err != nil {
		return "", err
	}
	request.Header.Set("apikey", p.key)
	request.Header.Set("Content-Type", "application/json")
	var answer struct {
		AccessToken string `json:"accessToken"`
	}
	if err := send(request, &answer); err != nil {
		return "", err
	}
	if answer.AccessToken == "" {
		return "", errors.New("the service's reply has no token")
	}
	return answer.AccessToken, nil
}

func send(request *http.Request, into any) error {
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", request.URL.Host, response.Status)
	}
	return json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(into)
}
