package provider_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const ephemeralToken = "mediagen_access_token"

// bearers are the tokens that requests were authorised with.
func bearers(s *acctest.Service) (tokens []string) {
	for _, request := range s.Requests(mockserver.RouteCharacters) {
		tokens = append(tokens, strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer "))
	}
	return tokens
}

func fingerprint(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func TestAccessToken(t *testing.T) {
	t.Parallel()
	type row struct {
		provider  func(*acctest.Service) core.Object
		exchanges int
		want      func(*acctest.Service, core.Object) bool
	}
	check.Each(t, map[string]row{
		"an exchanged one": {
			provider:  func(s *acctest.Service) core.Object { return core.Object{"api_key": acctest.APIKey} },
			exchanges: 1,
			want: func(s *acctest.Service, got core.Object) bool {
				want := s.Clock.Now().Add(24 * time.Hour).UTC()
				expires, err := time.Parse(time.RFC3339, fmt.Sprint(got["expires_at"]))
				return err == nil && expires.Location() == time.UTC && want.Sub(expires).Abs() < 2*time.Second
			},
		},
		"a token provider's": {
			provider: func(s *acctest.Service) core.Object {
				return core.Object{
					"token_provider": core.Object{
						"url":     s.Host + "/token-provider",
						"headers": core.Object{"X-Mock-User": "alice"},
					},
				}
			},
			want: func(s *acctest.Service, got core.Object) bool {
				return s.Count(mockserver.RouteTokenProvider) == 1 && got["expires_at"] != nil
			},
		},
		"the configured one": {
			provider: func(*acctest.Service) core.Object { return core.Object{"access_token": "opaque"} },
			want: func(_ *acctest.Service, got core.Object) bool {
				return got["access_token"] == "opaque" && got["expires_at"] == nil
			},
		},
	}, func(t *testing.T, test row) {
		s := acctest.NewService(t)
		config := test.provider(s)
		config["base_url"] = s.URL
		got, messages := core.New(t, s.Provider, config).Open(ephemeralToken, nil)
		check.True(t, "no message", len(messages) == 0, messages)
		check.True(t, "the answer", test.want(s, got), got)
		s.WantCount(t, mockserver.RouteToken, test.exchanges)
	})
}

func TestAccessTokenThatIsRefused(t *testing.T) {
	t.Parallel()
	s := acctest.NewService(t)
	w := core.New(t, s.Provider, core.Object{"base_url": s.URL, "api_key": "a-wrong-key-0123456789"})
	_, messages := w.Open(ephemeralToken, nil)
	found := messages.Errors().Find("API Key Rejected (401)")
	check.True(
		t,
		"the error names the credential",
		len(found) == 1 && strings.Contains(found[0].Detail, "api_key"),
		messages,
	)
	check.True(t, "no key in the error", !strings.Contains(messages.String(), "a-wrong-key"), messages)
}

func TestAccessTokenOfAnUnknownConfiguration(t *testing.T) {
	t.Parallel()
	s := acctest.NewService(t)
	_, messages := core.New(t, s.Provider, core.Object{"base_url": s.URL, "api_key": core.Unknown}).
		Open(ephemeralToken, nil)
	check.True(t, "the one error", len(messages.Errors().Find("Provider Configuration Not Known Yet")) == 1, messages)
	s.WantNoRequests(t)
}
