package api_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ownError is the interface's own error body.
const ownError = `{"error":"not_found","message":"no such generation","character_id":"","group_id":""}`

// lists answers the list of characters, and leaves other requests to another
// answer.
func lists(characters string, other answer) answer {
	return on("/characters", always(200, `{"characters":[`+characters+`],"pagination":{"has_more":false}}`), other)
}

// Fault F13.
func TestProofIsTheServicesOwnError(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		contentType, body string
		want              api.Existence
	}{
		"own error":             {"application/json", ownError, api.Gone},
		"own error, other type": {"text/plain", ownError, api.Gone},
		"own error with a BOM":  {"application/json", "\ufeff" + ownError, api.Gone},
		"error text alone":      {"application/json", `{"error":"gone"}`, api.Gone},
		"no body":               {"", "", api.Undecided},
		"text":                  {"text/plain", "404 page not found\n", api.Undecided},
		"HTML": {
			"text/html",
			"<html><h1>404 Not Found</h1><center>nginx</center></html>",
			api.Undecided,
		},
		"detail": {"application/json", `{"detail":"Not Found"}`, api.Undecided},
		"a gateway's message": {
			"application/json",
			`{"message":"no Route matched with those values"}`,
			api.Undecided,
		},
		"error object":           {"application/json", `{"error":{"code":"not_found"}}`, api.Undecided},
		"empty error":            {"application/json", `{"error":" ","message":"x"}`, api.Undecided},
		"null error":             {"application/json", `{"error":null}`, api.Undecided},
		"number for an error":    {"application/json", `{"error":404}`, api.Undecided},
		"list":                   {"application/json", `[{"error":"not_found"}]`, api.Undecided},
		"JSON text":              {"application/json", `"not_found"`, api.Undecided},
		"cut off":                {"application/json", ownError[:30], api.Undecided},
		"something after itself": {"application/json", ownError + "<p>", api.Undecided},
	} {
		for _, status := range []int{404, 410} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := newService(t, lists("", func(w http.ResponseWriter, _ *http.Request, _ int) {
					w.Header().Set("Content-Type", test.contentType)
					w.WriteHeader(status)
					_, _ = w.Write([]byte(test.body))
				}))
				client := s.client(t)
				_, answer := client.Generations.Get(t.Context(), "g1")
				existence, err := client.Judge(t.Context(), answer, api.Evidence{Shown: true})
				if existence != test.want || (err == nil) != (existence == api.Gone) {
					t.Fatalf("the existence is %d, %v, want %d", existence, err, test.want)
				}
				check.True(
					t,
					"the error",
					err == nil ||
						(errors.Is(err, wait.ErrInconclusive) && strings.Contains(err.Error(), "127.0.0.1") &&
							strings.Contains(err.Error(), "proxy")),
					err,
				)
				existence, err = client.Judge(t.Context(), answer, api.Evidence{})
				check.True(t, "unseen", existence == api.NotYetSeen && err == nil, existence, err)
				trusting := s.client(t, func(c *api.Config) { c.TrustNotFound = true })
				existence, err = trusting.Judge(t.Context(), answer, api.Evidence{Shown: true})
				check.True(t, "trusted", existence == api.Gone && err == nil, existence, err)
			})
		}
	}
}

// Other failures say nothing of an object, and no word in a 2xx says that it is
// gone.
func TestExistenceOfOtherAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		body   string
		want   api.Existence
	}{
		"shown":       {200, `{"generation_id":"g1","status":"completed","result_urls":["https://a/b"]}`, api.Present},
		"deleted":     {200, `{"generation_id":"g1","status":"DELETED","result_urls":[]}`, api.Present},
		"removed":     {200, `{"generation_id":"g1","status":"removed"}`, api.Present},
		"purged":      {200, `{"generation_id":"g1","status":"purged","result_urls":null}`, api.Present},
		"forbidden":   {403, ownError, api.Undecided},
		"bad request": {400, ownError, api.Undecided},
		"broken":      {501, ownError, api.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newService(t, always(test.status, test.body)).client(t)
			_, answer := client.Generations.Get(t.Context(), "g1")
			for _, last := range []api.Evidence{{}, {Shown: true}} {
				existence, err := client.Judge(t.Context(), answer, last)
				check.True(
					t,
					"existence",
					existence == test.want && (err != nil) == (existence == api.Undecided) &&
						!errors.Is(err, wait.ErrInconclusive),
					last,
					existence,
					err,
					test.want,
				)
			}
		})
	}
}

// who asks for something that is not there, and for a character first if its
// organization is given.
type who struct {
	key, provider, token string
	claims               map[string]any
	owner                string
}

func (w who) judge(t *testing.T, last api.Evidence) (api.Existence, api.Evidence) {
	t.Helper()
	s := newService(t, lists(`{"character_id":"c1","organization_id":"`+w.owner+`"}`, always(404, ownError)))
	token := w.token
	if w.claims != nil {
		token = check.JWT(t, w.claims)
	}
	if token != "" {
		s.onExchange(always(200, `{"accessToken":"`+token+`"}`))
	}
	client := s.client(t, func(c *api.Config) {
		c.APIKey = w.key
		switch {
		case w.provider != "":
			c.TokenProvider = &transport.TokenProvider{URL: s.url(t, "/root/"+w.provider)}
		case w.key == "":
			c.AccessToken = token
		}
	})
	if w.owner != "" {
		if _, _, err := client.Characters.Find(t.Context(), "c1"); err != nil {
			t.Fatal(err)
		}
	}
	_, answer := client.Generations.Get(t.Context(), "g1")
	if last.Shown {
		last.By.Address = client.Made().By.Address // each service has another
	}
	existence, _ := client.Judge(t.Context(), answer, last)
	seen := client.Seen(last)
	seen.By.Address = "any"
	return existence, seen
}

// Fault F13.
func TestAStrangersProofIsNone(t *testing.T) {
	t.Parallel()
	org := func(name string) map[string]any { return map[string]any{"org_id": name, "jti": name} }
	for name, test := range map[string]struct {
		saw, asks who
		want      api.Existence
	}{
		"the same key": {who{key: "key-one-0123"}, who{key: "key-one-0123"}, api.Gone},
		"another key":  {who{key: "key-one-0123"}, who{key: "key-two-0123"}, api.Undecided},
		"another key of the organization": {
			who{key: "key-one-0123", claims: org("o1")},
			who{key: "key-two-0123", claims: org("o1")},
			api.Gone,
		},
		"the key, moved to another organization": {
			who{key: "key-one-0123", claims: org("o1")},
			who{key: "key-one-0123", claims: org("o2")},
			api.Undecided,
		},
		"organizations by their characters": {
			who{key: "key-one-0123", owner: "o1"},
			who{key: "key-two-0123", owner: "o1"},
			api.Gone,
		},
		"another organization by its characters": {
			who{key: "key-one-0123", owner: "o1"},
			who{key: "key-two-0123", owner: "o2"},
			api.Undecided,
		},
		"by token, then by characters": {
			who{key: "key-one-0123", claims: org("o1")},
			who{key: "key-two-0123", owner: "o1"},
			api.Gone,
		},
		"organization_id as a claim": {
			who{key: "key-one-0123", claims: map[string]any{"organization_id": "o1"}},
			who{key: "key-two-0123", claims: org("o1")},
			api.Gone,
		},
		"organization not known the second time": {
			who{key: "key-one-0123", claims: org("o1")},
			who{key: "key-two-0123"},
			api.Undecided,
		},
		"the same key, organization known once": {
			who{key: "key-one-0123"},
			who{key: "key-one-0123", claims: org("o1")},
			api.Gone,
		},
		"other claims are no identity": {
			who{key: "key-one-0123", claims: map[string]any{"sub": "a", "org": "o1"}},
			who{key: "key-one-0123", claims: map[string]any{"sub": "b", "org": "o2"}},
			api.Gone,
		},
		"equal claims do not make up for a key": {
			who{key: "key-one-0123", claims: map[string]any{"sub": "a"}},
			who{key: "key-two-0123", claims: map[string]any{"sub": "a"}},
			api.Undecided,
		},
		"two access tokens": {
			who{token: "token-one-0123"},
			who{token: "token-two-0123"},
			api.Undecided,
		},
		"access tokens of two organizations": {who{claims: org("o1")}, who{claims: org("o2")}, api.Undecided},
		"a key, then a token provider":       {who{key: "key-one-0123"}, who{provider: "one"}, api.Undecided},
		"a key, then an access token": {
			who{key: "key-one-0123"},
			who{token: "token-one-0123"},
			api.Undecided,
		},
		"a key, then a provider of the same owner": {
			who{key: "key-one-0123", claims: org("o1")},
			who{provider: "one", claims: org("o1")},
			api.Gone,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, seen := test.saw.judge(t, api.Evidence{})
			existence, _ := test.asks.judge(t, seen)
			check.True(t, "existence", existence == test.want, existence, test.want, seen.By)
			_, again := test.saw.judge(t, seen)
			check.True(t, "a refresh stores nothing anew", again == seen, again, seen)
			for _, secret := range []string{test.saw.key, test.saw.token} {
				check.True(
					t,
					"the record holds no secret",
					secret == "" || !strings.Contains(seen.By.Credential+seen.By.Salt, secret),
					seen,
				)
			}
		})
	}
}

// The headers of a token provider may change with every run, its address not.
// Fault F13.
func TestATokenProviderIsItsAddress(t *testing.T) {
	t.Parallel()
	s := newService(t, lists("", always(404, ownError)))
	judge := func(path, header string, last api.Evidence) (api.Existence, api.Evidence) {
		client := s.client(t, func(c *api.Config) {
			c.APIKey = ""
			c.TokenProvider = &transport.TokenProvider{
				URL:     s.url(t, path),
				Headers: map[string]string{"X-Run": header},
			}
		})
		_, answer := client.Generations.Get(t.Context(), "g1")
		existence, _ := client.Judge(t.Context(), answer, last)
		return existence, client.Seen(last)
	}
	_, seen := judge("/root/one", "first run", api.Evidence{})
	for path, want := range map[string]api.Existence{
		"/root/one":        api.Gone,
		"/root/one?user=2": api.Gone,
		"/root/two":        api.Undecided,
	} {
		existence, _ := judge(path, "second run", seen)
		check.True(t, path, existence == want, existence, want)
	}
}

// TestVerdict is the whole rule of what a 404 means.
// Fault F13.
func TestVerdict(t *testing.T) {
	t.Parallel()
	type row struct {
		notFound                                reply.NotFound
		failed, shown, stranger, moved, trusted bool
	}
	both := []bool{false, true}
	want := func(r row) api.Existence {
		switch r.notFound {
		case reply.NotFoundNone:
			if r.failed {
				return api.Undecided
			}
			return api.Present
		case reply.NotFoundUnproven, reply.NotFoundProven:
		}
		proven := r.notFound == reply.NotFoundProven && !r.stranger && !r.moved
		switch {
		case r.trusted:
			return api.Gone
		case !r.shown && !r.moved:
			return api.NotYetSeen
		case r.shown && proven:
			return api.Gone
		}
		return api.Undecided
	}
	for notFound := reply.NotFoundNone; notFound <= reply.NotFoundProven; notFound++ {
		for _, failed := range both {
			for _, shown := range both {
				for _, stranger := range both {
					for _, moved := range both {
						for _, trusted := range both {
							r := row{notFound, failed, shown, stranger, moved, trusted}
							check.Equal(
								t,
								fmt.Sprintf("%+v", r),
								api.ExistenceOf(r.notFound, r.failed, r.shown, r.stranger, r.moved, r.trusted),
								want(r),
							)
						}
					}
				}
			}
		}
	}
}
