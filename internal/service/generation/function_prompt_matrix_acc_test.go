package generation_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var withFunctions = []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_8_0)}

const matrixConfig = `
resource "mediagen_generation_group" "g" {
  prompts = { for key, text in provider::mediagen::prompt_matrix("Portrait {place}, {light}", {
    light = %s
    place = ["on a stage"]
  }) : key => { prompt = text } }
}
`

// A new value of an axis buys only its own prompts.
func TestAccPromptMatrix_feedsAGroup(t *testing.T) {
	s := acctest.NewService(t)
	prompts := func(key, text string) statecheck.StateCheck {
		return statecheck.ExpectKnownValue(
			groupAddress,
			tfjsonpath.New("prompts").AtMapKey(key).AtMapKey("prompt"),
			knownvalue.StringExact(text),
		)
	}
	s.Test(t, resource.TestCase{
		TerraformVersionChecks: withFunctions,
		Steps: []resource.TestStep{
			{
				Config: s.Config(matrixConfig, `["Red light"]`),
				ConfigStateChecks: []statecheck.StateCheck{
					prompts("on-a-stage-red-light", "Portrait on a stage, Red light"),
				},
			},
			{
				Config: s.Config(matrixConfig, `["dawn", "Red light"]`),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue(
						groupAddress,
						tfjsonpath.New("generations").AtMapKey("on-a-stage-dawn"),
					),
				}},
				ConfigStateChecks: []statecheck.StateCheck{prompts("on-a-stage-dawn", "Portrait on a stage, dawn")},
				PostApplyFunc:     s.Sent(t, mockserver.RouteBatch, 2),
			},
		},
	})
	entries := s.Ledger().Entries
	check.True(t, "one prompt in the second of two batches", len(entries) == 2 && len(entries[1].Prompts) == 1, entries)
}

func TestAccPromptMatrix_needsNoService(t *testing.T) {
	s := acctest.NewService(t)
	checks := withFunctions
	if os.Getenv("TF_ACC_PROVIDER_HOST") == "registry.opentofu.org" { // OpenTofu 1.8 configures the provider first
		checks = []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_12_0)}
	}
	s.Test(t, resource.TestCase{
		TerraformVersionChecks: checks,
		Steps: []resource.TestStep{
			{
				Config: `output "matrix" { value = provider::mediagen::prompt_matrix("{{x}} {a}", { a = ["Zürich", ` +
					`"é"] }) }`,
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValue("matrix", knownvalue.MapExact(map[string]knownvalue.Check{
						"zürich": knownvalue.StringExact("{x} Zürich"), "é": knownvalue.StringExact("{x} é"),
					})),
				},
			},
		},
	})
	s.WantNoRequests(t)
}

func TestAccPromptMatrix_blamesTheArgument(t *testing.T) {
	s := acctest.NewService(t)
	var config string
	var says []string
	for i, wrong := range [][2]string{
		{`"{b}", { a = ["x"] }`, `"template".*placeholder\s+1`},
		{`"{a}", { a = ["x", "X"] }`, `"axes".*same\s+key`},
		{`"{a}", { a = ["x", null] }`, `"axes".*null`},
		{`"{a}", { a = null }`, `"axes".*null`},
		{`"{a}", { a = ["x"], b = [] }`, `"axes".*not\s+used`},
		{`"{a}", { a = [], "b" = ["x"] }`, `"axes".*not\s+used`},
	} {
		config += fmt.Sprintf("output \"o%d\" { value = provider::mediagen::prompt_matrix(%s) }\n", i, wrong[0])
		says = append(says, wrong[1])
	}
	s.Test(t, resource.TestCase{TerraformVersionChecks: withFunctions, Steps: []resource.TestStep{
		{
			Config:      config,
			ExpectError: regexp.MustCompile("(?s)" + strings.Join(says, ".*")),
		}, // in the order of the file
	}})
}
