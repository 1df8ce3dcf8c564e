package auth_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { acctest.Main(m) }

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

// TestAccAccessToken_nothingInState lets another provider compute with the
// token: it gets the one that this provider uses itself, and no file keeps it.
func TestAccAccessToken_nothingInState(t *testing.T) {
	s := acctest.NewService(t)
	id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	factories := s.Factories()
	factories["echo"] = echoprovider.NewProviderServer()
	const echo = "echo.out"
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_10_0)},
		Steps: []resource.TestStep{{
			Config: s.Config(`
ephemeral "mediagen_access_token" "t" {}

resource "mediagen_character" "ada" {
  id = %q
}

provider "echo" {
  data = {
    fingerprint = sha256(ephemeral.mediagen_access_token.t.access_token)
    expires_at  = ephemeral.mediagen_access_token.t.expires_at
  }
}

resource "echo" "out" {}
`, id),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(echo, tfjsonpath.New("data").AtMapKey("fingerprint"), knownvalue.StringFunc(func(got string) error {
					if !slices.ContainsFunc(bearers(s), func(token string) bool { return fingerprint(token) == got }) {
						return errors.New("it is of another token than those that the provider used itself")
					}
					return nil
				})),
				statecheck.ExpectKnownValue(echo, tfjsonpath.New("data").AtMapKey("expires_at"), knownvalue.StringFunc(func(got string) error {
					_, err := time.Parse(time.RFC3339, got)
					return err
				})),
			},
			Check: func(state *terraform.State) error {
				content, err := json.Marshal(state)
				if err == nil && slices.ContainsFunc(bearers(s), func(token string) bool { return strings.Contains(string(content), token) }) {
					err = errors.New("the state holds a token")
				}
				return err
			},
		}},
	})
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
				return core.Object{"token_provider": core.Object{"url": s.Host + "/token-provider", "headers": core.Object{"X-Mock-User": "alice"}}}
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
	check.True(t, "the error names the credential", len(found) == 1 && strings.Contains(found[0].Detail, "api_key"), messages)
	check.True(t, "no key in the error", !strings.Contains(messages.String(), "a-wrong-key"), messages)
}

func TestAccessTokenOfAnUnknownConfiguration(t *testing.T) {
	t.Parallel()
	s := acctest.NewService(t)
	_, messages := core.New(t, s.Provider, core.Object{"base_url": s.URL, "api_key": core.Unknown}).Open(ephemeralToken, nil)
	check.True(t, "the one error", len(messages.Errors().Find("Provider Configuration Not Known Yet")) == 1, messages)
	s.WantNoRequests(t)
}
