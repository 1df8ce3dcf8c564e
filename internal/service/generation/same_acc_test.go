package generation_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func emptyPlan(config string) resource.TestStep {
	empty := []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}
	return resource.TestStep{
		Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: empty, PostApplyPostRefresh: empty},
	}
}

func stored(key, attribute, want string) statecheck.StateCheck {
	at := tfjsonpath.New("prompts").AtMapKey(key).AtMapKey(attribute)
	return statecheck.ExpectKnownValue(groupAddress, at, knownvalue.StringExact(want))
}

// Another checkout and another signature plan nothing; beside a purchase, they
// stay as stored. Fault F35.
func TestAccSame_group(t *testing.T) {
	tier.Long(t, "texts that differ in notation, through all outputs")
	s := newAccService(t)
	config := func(title, text, query, more string) string {
		return s.Config(`
resource "mediagen_generation_group" "g" {
  character_id = "ch_1"
  title        = "%s"
  prompts = {
    a = { prompt = "%s" }
    p = { source_image_url = "https://images.example.com/chair.jpg?%s" }
    %s
  }
}
`, title, text, query, more)
	}
	const old, fresh = "X-Goog-Date=1&X-Goog-Signature=a", "X-Goog-Date=2&X-Goog-Signature=b"
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config:        config("Portraits", `first\nsecond`, old, ""),
			PostApplyFunc: s.Sent(t, mockserver.RouteBatch, 1),
		},
		emptyPlan(config("Portraits", `first\r\nsecond\r\n`, fresh, "")),
		emptyPlan(config(`Portraits\n`, `first\rsecond`, fresh, "")),
		{
			Config:           config("Portraits", `first\r\nsecond`, fresh, `c = { prompt = "C" }`),
			ConfigPlanChecks: buysOnly(plancheck.ResourceActionUpdate, []string{"c"}, []string{"a", "p"}),
			PostApplyFunc:    s.Sent(t, mockserver.RouteBatch, 2),
			ConfigStateChecks: []statecheck.StateCheck{
				stored("a", "prompt", "first\nsecond"), stored("p", "source_image_url", photo+"?"+old),
			},
		},
		{
			Config:           config("Portraits", `first \r\nsecond`, fresh+"&w=1", `c = { prompt = "C" }`),
			ConfigPlanChecks: buysOnly(plancheck.ResourceActionUpdate, []string{"a", "p"}, []string{"c"}),
			PostApplyFunc:    s.Sent(t, mockserver.RouteBatch, 3),
			ConfigStateChecks: []statecheck.StateCheck{
				stored("a", "prompt", "first \r\nsecond"), stored("p", "source_image_url", photo+"?"+fresh+"&w=1"),
			},
		},
	}})
}

// Beside a prompt that is the same, one that only the apply knows plans as it
// does alone.
func TestAccSame_groupBesideAnUnknownText(t *testing.T) {
	tier.Long(t, "texts that differ in notation, through all outputs")
	s := newAccService(t)
	config := func(text, later string) string {
		return s.Config(`
resource "terraform_data" "later" {
  input = "%s"
}

resource "mediagen_generation_group" "g" {
  character_id = "ch_1"
  prompts = {
    a = { prompt = "%s" }
    b = { prompt = terraform_data.later.output, take = 2 }
  }
}
`, later, text)
	}
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config(`A\nB`, "B1"), PostApplyFunc: s.Sent(t, mockserver.RouteBatch, 1)},
		{
			Config:            config(`A\r\nB\r\n`, "B2"),
			ConfigPlanChecks:  buysOnly(plancheck.ResourceActionUpdate, []string{"b"}, []string{"a"}),
			ConfigStateChecks: []statecheck.StateCheck{stored("a", "prompt", "A\nB"), stored("b", "prompt", "B2")},
			PostApplyFunc:     s.Sent(t, mockserver.RouteBatch, 2),
		},
		emptyPlan(config(`A\r\nB\r\n`, "B2")),
	}})
}

// What the service shows escaped is imported as what it was.
func TestAccSame_importOfEscapedTexts(t *testing.T) {
	tier.Long(t, "texts that differ in notation, through all outputs")
	s := newAccService(t, func(o *mockserver.Options) { o.Variant.Texts = mockserver.TextsEscaped })
	other := s.Scenario(t) // somebody made the group by hand
	other.Resource(groupAddress, core.Object{
		"character_id": "ch_1", "prompts": core.Object{"a": core.Object{"prompt": `Ada & <Eve>`}},
	})
	other.Apply().Must()
	id := other.Value(groupAddress, `generations["a"].id`)
	s.ResetJournal()
	s.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_5_0)},
		Steps: []resource.TestStep{{
			Config: s.Config(`
import {
  to = mediagen_generation_group.g
  id = jsonencode({ a = %q })
}

resource "mediagen_generation_group" "g" {
  character_id = "ch_1"
  prompts      = { a = { prompt = "Ada & <Eve>" } }
}
`, fmt.Sprint(id)),
			ConfigStateChecks: []statecheck.StateCheck{stored("a", "prompt", "Ada & <Eve>")},
			PostApplyFunc:     s.Sent(t, mockserver.RouteBatch, 0),
		}},
	})
}
