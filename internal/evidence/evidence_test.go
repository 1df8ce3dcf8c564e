package evidence_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ownError is the interface's own error body.
const ownError = `{"error":"not_found","message":"no such generation","character_id":"","group_id":""}`

// lists answers the list of characters, and leaves other requests to another
// answer.
func lists(characters string, other stub.Answer) stub.Answer {
	return stub.On(
		"/characters",
		stub.Always(200, `{"characters":[`+characters+`],"pagination":{"has_more":false}}`),
		other,
	)
}

// Fault F13.
func TestProofIsTheServicesOwnError(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		contentType, body string
		want              evidence.Existence
	}{
		"own error":             {"application/json", ownError, evidence.Gone},
		"own error, other type": {"text/plain", ownError, evidence.Gone},
		"own error with a BOM":  {"application/json", "\ufeff" + ownError, evidence.Gone},
		"error text alone":      {"application/json", `{"error":"gone"}`, evidence.Gone},
		"no body":               {"", "", evidence.Undecided},
		"text":                  {"text/plain", "404 page not found\n", evidence.Undecided},
		"HTML": {
			"text/html",
			"<html><h1>404 Not Found</h1><center>nginx</center></html>",
			evidence.Undecided,
		},
		"detail": {"application/json", `{"detail":"Not Found"}`, evidence.Undecided},
		"a gateway's message": {
			"application/json",
			`{"message":"no Route matched with those values"}`,
			evidence.Undecided,
		},
		"error object":           {"application/json", `{"error":{"code":"not_found"}}`, evidence.Undecided},
		"empty error":            {"application/json", `{"error":" ","message":"x"}`, evidence.Undecided},
		"null error":             {"application/json", `{"error":null}`, evidence.Undecided},
		"number for an error":    {"application/json", `{"error":404}`, evidence.Undecided},
		"list":                   {"application/json", `[{"error":"not_found"}]`, evidence.Undecided},
		"JSON text":              {"application/json", `"not_found"`, evidence.Undecided},
		"cut off":                {"application/json", ownError[:30], evidence.Undecided},
		"something after itself": {"application/json", ownError + "<p>", evidence.Undecided},
	} {
		for _, status := range []int{404, 410} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := stub.NewService(t, lists("", func(w http.ResponseWriter, _ *http.Request, _ int) {
					w.Header().Set("Content-Type", test.contentType)
					w.WriteHeader(status)
					_, _ = w.Write([]byte(test.body))
				}))
				client := s.Client(t)
				_, answer := client.Generations.Get(t.Context(), "g1")
				existence, err := client.Judge(t.Context(), answer, evidence.Evidence{Shown: true})
				if existence != test.want || (err == nil) != (existence == evidence.Gone) {
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
				existence, err = client.Judge(t.Context(), answer, evidence.Evidence{})
				check.True(t, "unseen", existence == evidence.NotYetSeen && err == nil, existence, err)
				trusting := s.Client(t, func(c *stub.Config) { c.TrustNotFound = true })
				existence, err = trusting.Judge(t.Context(), answer, evidence.Evidence{Shown: true})
				check.True(t, "trusted", existence == evidence.Gone && err == nil, existence, err)
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
		want   evidence.Existence
	}{
		"shown": {
			200,
			`{"generation_id":"g1","status":"completed","result_urls":["https://a/b"]}`,
			evidence.Present,
		},
		"deleted":     {200, `{"generation_id":"g1","status":"DELETED","result_urls":[]}`, evidence.Present},
		"removed":     {200, `{"generation_id":"g1","status":"removed"}`, evidence.Present},
		"purged":      {200, `{"generation_id":"g1","status":"purged","result_urls":null}`, evidence.Present},
		"forbidden":   {403, ownError, evidence.Undecided},
		"bad request": {400, ownError, evidence.Undecided},
		"broken":      {501, ownError, evidence.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := stub.NewService(t, stub.Always(test.status, test.body)).Client(t)
			_, answer := client.Generations.Get(t.Context(), "g1")
			for _, last := range []evidence.Evidence{{}, {Shown: true}} {
				existence, err := client.Judge(t.Context(), answer, last)
				check.True(
					t,
					"existence",
					existence == test.want && (err != nil) == (existence == evidence.Undecided) &&
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

func (w who) judge(t *testing.T, last evidence.Evidence) (evidence.Existence, evidence.Evidence) {
	t.Helper()
	s := stub.NewService(t, lists(`{"character_id":"c1","organization_id":"`+w.owner+`"}`, stub.Always(404, ownError)))
	token := w.token
	if w.claims != nil {
		token = check.JWT(t, w.claims)
	}
	if token != "" {
		s.OnExchange(stub.Always(200, `{"accessToken":"`+token+`"}`))
	}
	client := s.Client(t, func(c *stub.Config) {
		c.APIKey = w.key
		switch {
		case w.provider != "":
			c.TokenProvider = &transport.TokenProvider{URL: s.Address(t, "/root/"+w.provider)}
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
		want      evidence.Existence
	}{
		"the same key": {who{key: "key-one-0123"}, who{key: "key-one-0123"}, evidence.Gone},
		"another key":  {who{key: "key-one-0123"}, who{key: "key-two-0123"}, evidence.Undecided},
		"another key of the organization": {
			who{key: "key-one-0123", claims: org("o1")},
			who{key: "key-two-0123", claims: org("o1")},
			evidence.Gone,
		},
		"the key, moved to another organization": {
			who{key: "key-one-0123", claims: org("o1")},
			who{key: "key-one-0123", claims: org("o2")},
			evidence.Undecided,
		},
		"organizations by their characters": {
			who{key: "key-one-0123", owner: "o1"},
			who{key: "key-two-0123", owner: "o1"},
			evidence.Gone,
		},
		"another organization by its characters": {
			who{key: "key-one-0123", owner: "o1"},
			who{key: "key-two-0123", owner: "o2"},
			evidence.Undecided,
		},
		"by token, then by characters": {
			who{key: "key-one-0123", claims: org("o1")},
			who{key: "key-two-0123", owner: "o1"},
			evidence.Gone,
		},
		"organization_id as a claim": {
			who{key: "key-one-0123", claims: map[string]any{"organization_id": "o1"}},
			who{key: "key-two-0123", claims: org("o1")},
			evidence.Gone,
		},
		"organization not known the second time": {
			who{key: "key-one-0123", claims: org("o1")},
			who{key: "key-two-0123"},
			evidence.Undecided,
		},
		"the same key, organization known once": {
			who{key: "key-one-0123"},
			who{key: "key-one-0123", claims: org("o1")},
			evidence.Gone,
		},
		"other claims are no identity": {
			who{key: "key-one-0123", claims: map[string]any{"sub": "a", "org": "o1"}},
			who{key: "key-one-0123", claims: map[string]any{"sub": "b", "org": "o2"}},
			evidence.Gone,
		},
		"equal claims do not make up for a key": {
			who{key: "key-one-0123", claims: map[string]any{"sub": "a"}},
			who{key: "key-two-0123", claims: map[string]any{"sub": "a"}},
			evidence.Undecided,
		},
		"two access tokens": {
			who{token: "token-one-0123"},
			who{token: "token-two-0123"},
			evidence.Undecided,
		},
		"access tokens of two organizations": {who{claims: org("o1")}, who{claims: org("o2")}, evidence.Undecided},
		"a key, then a token provider":       {who{key: "key-one-0123"}, who{provider: "one"}, evidence.Undecided},
		"a key, then an access token": {
			who{key: "key-one-0123"},
			who{token: "token-one-0123"},
			evidence.Undecided,
		},
		"a key, then a provider of the same owner": {
			who{key: "key-one-0123", claims: org("o1")},
			who{provider: "one", claims: org("o1")},
			evidence.Gone,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, seen := test.saw.judge(t, evidence.Evidence{})
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
	s := stub.NewService(t, lists("", stub.Always(404, ownError)))
	judge := func(path, header string, last evidence.Evidence) (evidence.Existence, evidence.Evidence) {
		client := s.Client(t, func(c *stub.Config) {
			c.APIKey = ""
			c.TokenProvider = &transport.TokenProvider{
				URL:     s.Address(t, path),
				Headers: map[string]string{"X-Run": header},
			}
		})
		_, answer := client.Generations.Get(t.Context(), "g1")
		existence, _ := client.Judge(t.Context(), answer, last)
		return existence, client.Seen(last)
	}
	_, seen := judge("/root/one", "first run", evidence.Evidence{})
	for path, want := range map[string]evidence.Existence{
		"/root/one":        evidence.Gone,
		"/root/one?user=2": evidence.Gone,
		"/root/two":        evidence.Undecided,
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
	want := func(r row) evidence.Existence {
		switch r.notFound {
		case reply.NotFoundNone:
			if r.failed {
				return evidence.Undecided
			}
			return evidence.Present
		case reply.NotFoundUnproven, reply.NotFoundProven:
		}
		proven := r.notFound == reply.NotFoundProven && !r.stranger && !r.moved
		switch {
		case r.trusted:
			return evidence.Gone
		case !r.shown && !r.moved:
			return evidence.NotYetSeen
		case r.shown && proven:
			return evidence.Gone
		}
		return evidence.Undecided
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
								evidence.ExistenceOf(r.notFound, r.failed, r.shown, r.stranger, r.moved, r.trusted),
								want(r),
							)
						}
					}
				}
			}
		}
	}
}
