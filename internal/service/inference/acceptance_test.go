package inference_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
)

var importRefused = regexp.MustCompile("Import Not Possible")

// life tests a snapshot on the real CLI: create, refresh and plan, a change of
// notation, replacement by another input, a refused import, and destroy. It
// sends two requests.
func life(t *testing.T, address, config, same, other string, output tfjsonpath.Path, first, second knownvalue.Check) {
	t.Helper()
	s := acctest.NewService(t)
	asks := func(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
		return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction(address, action), plancheck.ExpectUnknownValue(address, tfjsonpath.New("id")),
		}}
	}
	empty := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config: s.Config("%s", config), ConfigPlanChecks: asks(plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, output, first), statecheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.NotNull()),
			},
			Check: s.CheckCount(routes[address], 1),
		},
		{
			RefreshState: true, Check: s.CheckCount(routes[address], 1),
			RefreshPlanChecks: resource.RefreshPlanChecks{PostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
		},
		{Config: s.Config("%s", same), ConfigPlanChecks: empty, Check: s.CheckCount(routes[address], 1)},
		{
			Config: s.Config("%s", other), ConfigPlanChecks: asks(plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue(address, output, second)},
			Check:             s.CheckCount(routes[address], 2),
		},
		{Config: s.Config("%s", other), ResourceName: address, ImportState: true, ImportStateId: "chat_000001", ExpectError: importRefused},
		{Config: s.Config("%s", other), ConfigPlanChecks: empty, Check: s.CheckCount(routes[address], 2)},
	}})
	s.WantCount(t, routes[address], 2)
}

// A message is sensitive and not known at the first plan; the parameters of a
// tool are sensitive too.
func TestAccChatCompletion_life(t *testing.T) {
	config := func(parameters, more string) string {
		return `
resource "terraform_data" "said" {
  input = "the weather, please"
}

resource "mediagen_chat_completion" "c" {
  temperature = 0.1
  min_p       = 0.05
  stream      = true
  messages = [
    { role = "system", content = "Be brief." },
    { role = "user", content = sensitive(terraform_data.said.output) },
  ]
  tools = [{
    name       = "weather"
    parameters = sensitive(` + parameters + `)
  }]
  ` + more + `
}`
	}
	const compact = `jsonencode({ type = "object", properties = { city = { type = "string" } } })`
	const spacious = `"{ \"type\":  \"object\", \"properties\": { \"city\": { \"type\": \"string\" } } }"`
	life(t, chat, config(compact, ""), config(spacious, ""), config(compact, "tool_choice = \"none\""),
		tfjsonpath.New("choices").AtSliceIndex(0).AtMapKey("tool_calls"), knownvalue.ListSizeExact(1), knownvalue.ListSizeExact(0))
}

func TestAccVisionCompletion_life(t *testing.T) {
	config := func(model string) string {
		return `
resource "mediagen_vision_completion" "v" {
  model       = "` + model + `"
  temperature = 0.1
  messages = [{
    role = "user"
    content = [
      { text = "What?" },
      { image_url = "https://media.example.com/a.png" },
      { image_url = "data:image/png;base64,iVBORw0KGgo=" },
    ]
  }]
}`
	}
	life(t, vision, config("see-1"), "\n"+config("see-1"), config("see-2"),
		tfjsonpath.New("response_model"), knownvalue.StringExact("see-1"), knownvalue.StringExact("see-2"))
}

func TestAccMediaCategorization_life(t *testing.T) {
	config := func(metadata string) string {
		return `
resource "mediagen_media_categorization" "m" {
  media_url = "https://media.example.com/a.png"
  metadata  = ` + metadata + `
}`
	}
	life(t, categories, config(`["tags", "scene"]`), config(`["scene", "tags", "scene"]`), config(`["scene"]`),
		tfjsonpath.New("tags"), knownvalue.ListSizeExact(2), knownvalue.ListSizeExact(0))
}

func TestAccImage_life(t *testing.T) {
	config := func(triggers string) string {
		return `
resource "mediagen_image" "i" {
  prompt   = "a castle"
  triggers = ` + triggers + `
}`
	}
	life(t, image, config(`{ a = "1", b = "2" }`), config(`{ b = 2, a = 1 }`), config(`{ a = "1" }`),
		tfjsonpath.New("output"), knownvalue.ListSizeExact(1), knownvalue.ListSizeExact(1))
}
