package transport_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// tokens is a service that issues token-1, token-2 …, and answers each other
// request by its token.
type tokens struct {
	exchanges, requests int
	answer              func(path, token string) (status int, body string)
}

func (s *tokens) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/generate-token") {
		s.exchanges++
		return response(r, http.StatusOK, fmt.Sprintf(`{"accessToken":"token-%d"}`, s.exchanges)), nil
	}
	s.requests++
	status, body := s.answer(r.URL.Path, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	return response(r, status, body), nil
}

func (s *tokens) client() *transport.Client {
	address := &url.URL{Scheme: "https", Host: "api.example.com"}
	return transport.New(transport.Config{
		BaseURL:    address,
		Credential: transport.Credential{AuthURL: address, APIKey: "key-0123456789"},
		Clock:      newClock(),
		MaxRetries: 4,
		Transport:  s,
	})
}

// Some gateways answer an expired token with a 403. A paid request is sent
// again, too: it was refused. Fault F1. Fault F33.
func TestAForbiddenTokenIsRenewed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body     string
		accepted bool
		renewed  bool
	}{
		"accepted before":            {`{"error":"forbidden"}`, true, true},
		"accepted before, and empty": {"", true, true},
		"never accepted":             {`{"error":"forbidden"}`, false, false},
		"told of its token":          {`{"error":"Token expired"}`, false, true},
		"told of its JWT":            {`{"code":"x","message":"the jwt is too old"}`, false, true},
	} {
		for _, request := range []func() *transport.Request{
			func() *transport.Request { return transport.Get("/x") },
			order,
		} {
			expired := false
			s := &tokens{answer: func(_, token string) (int, string) {
				if expired && token == "token-1" {
					return http.StatusForbidden, test.body
				}
				return http.StatusOK, started
			}}
			client := s.client()
			if test.accepted {
				check.NoError(t, check.ErrorOf(client.Do(t.Context(), transport.Get("/y"))))
			}
			expired = true
			s.requests = 0
			_, err := client.Do(t.Context(), request())
			if !test.renewed {
				check.True(
					t,
					name,
					s.exchanges == 1 && s.requests == 1 && !reply.IsEffectUnknown(err) && reply.Status(err) == 403,
					s,
					err,
				)
				continue
			}
			check.True(t, name, err == nil && s.exchanges == 2 && s.requests == 2, s, err)
		}
	}
}

// A 403 for good costs one exchange a run, whatever else succeeds.
// Fault F1.
func TestWhatIsForbiddenForGood(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"error":"forbidden"}`, `{"error":"the token may not"}`} {
		s := &tokens{answer: func(path, _ string) (int, string) {
			if path == "/secret" {
				return http.StatusForbidden, body
			}
			return http.StatusOK, started
		}}
		client := s.client()
		for range 5 {
			check.NoError(t, check.ErrorOf(client.Do(t.Context(), transport.Get("/x"))))
			_, err := client.Do(t.Context(), transport.Get("/secret"))
			check.Equal(t, "the status", reply.Status(err), http.StatusForbidden)
		}
		check.True(t, "exchanges and requests", s.exchanges == 2 && s.requests == 11, body, s.exchanges, s.requests)
	}
}

// What is sent once, and a token that cannot be renewed, stay as they are.
func TestWhatIsForbiddenIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	s := &tokens{answer: func(path, _ string) (int, string) {
		if path == "/secret" {
			return http.StatusForbidden, `{"error":"token expired"}`
		}
		return http.StatusOK, started
	}}
	client := s.client()
	check.NoError(t, check.ErrorOf(client.Do(t.Context(), transport.Get("/x"))))
	_, err := client.Do(transport.OneAttempt(t.Context()), transport.Get("/secret"))
	check.NoError(t, check.ErrorOf(client.Do(t.Context(), transport.Get("/x"))))
	check.True(
		t,
		"exchanges and requests",
		reply.Status(err) == 403 && s.exchanges == 1 && s.requests == 3,
		s.exchanges,
		s.requests,
		err,
	)

	requests := 0
	static := transport.Config{Credential: transport.Credential{AccessToken: "static"}}
	_, err = answering(t, static, func(r *http.Request) *http.Response {
		requests++
		return response(r, http.StatusForbidden, `{"error":"token expired"}`)
	}).Do(t.Context(), order())
	check.True(
		t,
		"a token of the environment",
		reply.Status(err) == 403 && requests == 1 && !reply.IsEffectUnknown(err),
		requests,
		err,
	)
}
