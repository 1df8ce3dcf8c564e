package generation_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const studioConfig = `
resource "terraform_data" "place" {
  input = "the sea"
}

resource "mediagen_generation_group" "g" {
  prompts = provider::mediagen::prompts({
    sea  = terraform_data.place.output
    town = { prompt = "a town", take = 2 }
  }, { suffix = ", in oil", face_swap = %s })
}
`

// A common style and options reach each prompt; what is unknown at plan is one
// prompt, and not the map.
func TestAccPrompts_feedAGroup(t *testing.T) {
	s := acctest.NewService(t)
	const address = "mediagen_generation_group.g"
	prompts := tfjsonpath.New("prompts")
	s.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		Steps: []resource.TestStep{
			{
				Config: s.Config(studioConfig, "true"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue(address, prompts.AtMapKey("sea").AtMapKey("prompt")),
					plancheck.ExpectKnownValue(
						address,
						prompts.AtMapKey("town").AtMapKey("prompt"),
						knownvalue.StringExact("a town, in oil"),
					),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(
						address,
						prompts.AtMapKey("sea").AtMapKey("prompt"),
						knownvalue.StringExact("the sea, in oil"),
					),
					statecheck.ExpectKnownValue(
						address,
						prompts.AtMapKey("sea").AtMapKey("face_swap"),
						knownvalue.Bool(true),
					),
					statecheck.ExpectKnownValue(
						address,
						prompts.AtMapKey("town").AtMapKey("take"),
						knownvalue.Int64Exact(2),
					),
				},
				PostApplyFunc: s.Sent(t, mockserver.RouteBatch, 1),
			},
			{
				Config:   s.Config(studioConfig, "true"),
				PlanOnly: true,
			},
		},
	})
}

// A misspelt option is an error of the configuration, before anything is sent.
func TestAccPrompts_refuseAMisspeltOption(t *testing.T) {
	s := acctest.NewService(t)
	s.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)},
		Steps: []resource.TestStep{
			{
				Config: s.Config(`
resource "mediagen_generation_group" "g" {
  prompts = provider::mediagen::prompts({ town = { prompt = "a town", negative_prompt = "rain" } })
}
`),
				ExpectError: regexp.MustCompile(`(?s)prompts\["town"\]\.negative_prompt:\s+the\s+service\s+has\s+no`),
			},
		},
	})
	s.WantNoRequests(t)
}
