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

const (
	compact  = `jsonencode({ type = "object", properties = { city = { type = "string" } } })`
	spacious = `"{ \"type\":  \"object\", \"properties\": { \"city\": { \"type\": \"string\" } } }"`
)

// lives are configurations of the snapshots: one, the same in other notation, and
// another, with what the first and the last of them put out.
var lives = map[string]struct {
	config            func(input string) string
	input             [3]string
	output            tfjsonpath.Path
	answer, successor knownvalue.Check
}{
	// A message is sensitive and not known at the first plan; the parameters of a
	// tool are sensitive too.
	chat: {
		config: func(input string) string {
			return `
resource "terraform_data" "said" {
  input = "the weather, please"
}

resource "mediagen_chat_completion" "c" {
  temperature = 0.1
  min_p       = 0.05
  messages = [
    { role = "system", content = "Be brief." },
    { role = "user", content = sensitive(terraform_data.said.output) },
  ]
  tools = [{
    name       = "weather"
    parameters = sensitive(` + input + `
}`
		},
		input: [3]string{compact + ")\n}]", spacious + ")\n}]", compact + ")\n}]\ntool_choice = \"none\""},
		output: tfjsonpath.New("choices").
			AtSliceIndex(0).
			AtMapKey("tool_calls"),
		answer:    knownvalue.ListSizeExact(1),
		successor: knownvalue.ListSizeExact(0),
	},
	vision: {
		config: func(input string) string {
			return `
resource "mediagen_vision_completion" "v" {
  model       = ` + input + `
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
		},
		input: [3]string{`"see-1"`, `format("see-%d", 1)`, `"see-2"`},
		output: tfjsonpath.New(
			"response_model",
		),
		answer:    knownvalue.StringExact("see-1"),
		successor: knownvalue.StringExact("see-2"),
	},
	categories: {
		config: func(input string) string {
			return "\nresource \"mediagen_media_categorization\" \"m\" {\n  media_url = " +
				"\"https://media.example.com/a.png\"\n  metadata  = " + input + "\n}"
		},
		input:  [3]string{`["tags", "scene"]`, `["scene", "tags", "scene"]`, `["scene"]`},
		output: tfjsonpath.New("tags"), answer: knownvalue.ListSizeExact(2), successor: knownvalue.ListSizeExact(0),
	},
	image: {
		config: func(input string) string {
			return "\nresource \"mediagen_image\" \"i\" {\n  prompt   = \"a castle\"\n  triggers = " + input + "\n}"
		},
		input:  [3]string{`{ a = "1", b = "2" }`, `{ b = 2, a = 1 }`, `{ a = "1" }`},
		output: tfjsonpath.New("output"), answer: knownvalue.ListSizeExact(1), successor: knownvalue.ListSizeExact(1),
	},
}

// TestAccSnapshots is the life of all snapshots on the real CLI: create,
// refresh and plan, a change of notation, replacement by another input, refused
// imports, and destroy. Each sends two requests.
func TestAccSnapshots(t *testing.T) {
	s := acctest.NewService(t)
	var configs [3]string
	var created, replaced []plancheck.PlanCheck
	var answers, successors []statecheck.StateCheck
	var imports []resource.TestStep
	for address, life := range lives {
		for i, input := range life.input {
			configs[i] += life.config(input)
		}
		unknown := plancheck.ExpectUnknownValue(address, tfjsonpath.New("id"))
		created = append(created, plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate), unknown)
		replaced = append(replaced, plancheck.ExpectResourceAction(address, plancheck.ResourceActionReplace), unknown)
		answers = append(
			answers,
			statecheck.ExpectKnownValue(address, life.output, life.answer),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.NotNull()),
		)
		successors = append(successors, statecheck.ExpectKnownValue(address, life.output, life.successor))
		imports = append(imports, resource.TestStep{
			ResourceName:  address,
			ImportState:   true,
			ImportStateId: "chat_000001",
			ExpectError:   regexp.MustCompile("Import Not Possible"),
		})
	}
	asked := func(times int) func() {
		return func() {
			for address := range lives {
				s.WantCount(t, routes[address], times)
			}
		}
	}
	s.Test(t, resource.TestCase{Steps: append([]resource.TestStep{
		{
			Config: s.Config("%s", configs[0]), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: created},
			ConfigStateChecks: answers, PostApplyFunc: asked(1),
		},
		{Config: s.Config("%s", configs[1]), PlanOnly: true, PostApplyFunc: asked(1)},
		{
			Config: s.Config("%s", configs[2]), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: replaced},
			ConfigStateChecks: successors, PostApplyFunc: asked(2),
		},
	}, imports...)})
	asked(2)()
}
