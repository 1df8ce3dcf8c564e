package provider_test

import (
	"encoding/json"
	"errors"
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
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

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
				statecheck.ExpectKnownValue(
					echo,
					tfjsonpath.New("data").AtMapKey("fingerprint"),
					knownvalue.StringFunc(func(got string) error {
						if !slices.ContainsFunc(
							bearers(s),
							func(token string) bool { return fingerprint(token) == got },
						) {
							return errors.New("it is of another token than those that the provider used itself")
						}
						return nil
					}),
				),
				statecheck.ExpectKnownValue(
					echo,
					tfjsonpath.New("data").AtMapKey("expires_at"),
					knownvalue.StringFunc(func(got string) error {
						_, err := time.Parse(time.RFC3339, got)
						return err
					}),
				),
			},
			Check: func(state *terraform.State) error {
				content, err := json.Marshal(state)
				if err == nil &&
					slices.ContainsFunc(
						bearers(s),
						func(token string) bool { return strings.Contains(string(content), token) },
					) {
					err = errors.New("the state holds a token")
				}
				return err
			},
		}},
	})
}
