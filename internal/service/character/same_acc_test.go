package character_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// emptyAfter expects that the plan of a step, and the one after its apply, are
// empty.
func emptyAfter(config string) resource.TestStep {
	empty := []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}
	return resource.TestStep{
		Config: config, ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: empty, PostApplyPostRefresh: empty},
	}
}

// Fault F35.
func TestAccSame_character(t *testing.T) {
	tier.Long(t, "texts that differ in notation, through all outputs")
	service, id := newAda(t, func(o *mockserver.Options) { o.Variant.Texts = mockserver.TextsEscaped })
	config := func(name, description string) string {
		return service.Config(`resource "mediagen_character" "ada" {
  id          = %q
  name        = "%s"
  description = "%s"
}
`, id, name, description)
	}
	service.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config("Ada & Eve", `counts\nand sings`), PostApplyFunc: service.Sent(t, mockserver.RouteUpdate, 1)},
		emptyAfter(config("Ada & Eve", `counts\nand sings`)),
		emptyAfter(config("Ada & Eve", `counts\r\nand sings\r\n`)),
		{
			Config: config(
				"Ada & Adam",
				`counts\r\nand sings\r\n`,
			),
			PostApplyFunc: service.Sent(t, mockserver.RouteUpdate, 2),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(ada, plancheck.ResourceActionUpdate),
			}},
		},
		emptyAfter(config("Ada & Adam", `counts\nand sings`)),
	}})
}

// An output of what other resources change is one apply late; the data source
// is not.
func TestAccSame_outputOfOthersWork(t *testing.T) {
	tier.Long(t, "texts that differ in notation, through all outputs")
	testOutput(t, "data.mediagen_character.ada", false)
}

func TestAccSame_outputOfTheResource(t *testing.T) {
	tier.Long(t, "texts that differ in notation, through all outputs")
	testOutput(t, ada, true)
}

func testOutput(t *testing.T, of string, isLate bool) {
	t.Helper()
	service, id := newAda(t)
	step := resource.TestStep{ExpectNonEmptyPlan: isLate, Config: service.Config(`
resource "mediagen_character" "ada" {
  id = %q
}

resource "mediagen_face_image" "front" {
  character_id = mediagen_character.ada.id
  source       = %q
}

data "mediagen_character" "ada" {
  id         = mediagen_character.ada.id
  depends_on = [mediagen_face_image.front]
}

output "count" {
  value = %s.face_images_count
}
`, id, write(t, "front.png", png), of)}
	if !isLate {
		step.ConfigStateChecks = []statecheck.StateCheck{
			statecheck.ExpectKnownOutputValue("count", knownvalue.Int64Exact(3)),
		}
	}
	service.Test(t, resource.TestCase{Steps: []resource.TestStep{step}})
}
