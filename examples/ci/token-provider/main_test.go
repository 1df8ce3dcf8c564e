package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestTokenProvider(t *testing.T) {
	t.Parallel()
	const audience = "https://tokens.example.com"
	s := acctest.NewService(t)
	issuer := acctest.NewIssuer(t, time.Now)
	stranger := acctest.NewIssuer(t, time.Now)
	p := &provider{
		issuer:   issuer.URL,
		audience: audience,
		subjects: []string{"another", "repo:studio/media:environment:production"},
		refs:     []string{"refs/heads/main", "main"},
		authURL:  s.Host,
		key:      acctest.APIKey,
	}
	tampered := strings.Split(issuer.Token(audience), ".")
	tampered[1] = strings.Split(issuer.Token(audience, jwt.MapClaims{"sub": "another"}), ".")[1]
	unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{"iss": issuer.URL, "aud": audience}).
		SignedString(jwt.UnsafeAllowNoneSignatureType)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		method, authorization string
		status                int
		says                  string
	}{
		"a run":               {"POST", "Bearer " + issuer.Token(audience), 200, `{"accessToken":"ey`},
		"one audience of two": {"POST", "Bearer " + issuer.Token([]string{"aws", audience}), 200, `{"accessToken":"ey`},
		"nobody":              {"POST", "", 401, "there is no bearer"},
		"no JWT":              {"POST", "Bearer secret", 401, `{"error":"the run is not accepted`},
		"another audience":    {"POST", "Bearer " + issuer.Token("aws"), 401, "audience"},
		"another issuer":      {"POST", "Bearer " + stranger.Token(audience), 401, "issuer"},
		"another subject": {
			"POST",
			"Bearer " + issuer.Token(audience, jwt.MapClaims{"sub": "repo:studio/media:environment:production2"}),
			401,
			"its subject may not have a token",
		},
		"another branch": {
			"POST", "Bearer " + issuer.Token(audience, jwt.MapClaims{"ref": "refs/heads/topic"}), 401,
			"its branch may not have a token",
		},
		"an empty branch": {
			"POST", "Bearer " + issuer.Token(audience, jwt.MapClaims{"ref": ""}), 401,
			"its branch may not have a token",
		},
		"no branch": {
			"POST", "Bearer " + issuer.Token(audience, jwt.MapClaims{"ref": nil}), 401, "it names no branch",
		},
		"an unprotected branch": {
			"POST", "Bearer " + issuer.Token(audience, jwt.MapClaims{"ref_protected": "false"}), 401,
			"its branch is not protected",
		},
		"a branch of which nothing is known": {
			"POST", "Bearer " + issuer.Token(audience, jwt.MapClaims{"ref_protected": nil}), 401,
			"its branch is not protected",
		},
		"GitLab's branch": {
			"POST", "Bearer " + issuer.Token(audience, jwt.MapClaims{"ref": "main"}), 200, `{"accessToken":"ey`,
		},
		"expired":       {"POST", "Bearer " + issuer.Token(audience, jwt.MapClaims{"exp": 1}), 401, "expired"},
		"never expires": {"POST", "Bearer " + issuer.Token(audience, jwt.MapClaims{"exp": nil}), 401, "exp"},
		"tampered with": {"POST", "Bearer " + strings.Join(tampered, "."), 401, "signature"},
		"unsigned":      {"POST", "Bearer " + unsigned, 401, "signing method"},
		"a browser":     {"GET", "Bearer " + issuer.Token(audience), 405, "this is for POST"},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(test.method, "/", http.NoBody)
		r.Header.Set("Authorization", test.authorization)
		p.ServeHTTP(w, r)
		body, _ := io.ReadAll(w.Body)
		if w.Code != test.status || !strings.Contains(string(body), test.says) {
			t.Errorf("%s: %d %s, want %d with %q", name, w.Code, body, test.status, test.says)
		}
	}
	s.WantCount(t, mockserver.RouteToken, 3)

	p.refs = []string{""} // as for HCP Terraform
	wantAnswer(t, p, issuer.Token(audience), 401, "its branch may not have a token")
	wantAnswer(t, p, issuer.Token(audience, jwt.MapClaims{"ref": nil}), 200, `{"accessToken":"ey`)
	p.refs = []string{"refs/heads/main"}

	p.key = "wrong"
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
	r.Header.Set("Authorization", "Bearer "+issuer.Token(audience))
	p.ServeHTTP(w, r)
	said := strings.TrimSpace(w.Body.String())
	if w.Code != http.StatusInternalServerError || said != `{"error":"token generation failed"}` {
		t.Errorf("a key that is refused: %d %s", w.Code, w.Body)
	}
}

func wantAnswer(t *testing.T, p *provider, proof string, status int, says string) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
	r.Header.Set("Authorization", "Bearer "+proof)
	p.ServeHTTP(w, r)
	if w.Code != status || !strings.Contains(w.Body.String(), says) {
		t.Errorf("%d %s, want %d with %q", w.Code, w.Body, status, says)
	}
}
