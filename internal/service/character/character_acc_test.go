package character_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	ada   = "mediagen_character.ada"
	image = "mediagen_face_image.front"
)

// newAda is a service with one character.
func newAda(t *testing.T, change ...func(*mockserver.Options)) (*acctest.Service, string) {
	t.Helper()
	service := acctest.NewService(t, change...)
	return service, service.AddCharacter(mockserver.CharacterSeed{Name: "Ada", Description: "counts", FaceImages: 2})
}

func newWorkspace(t *testing.T, change ...func(*mockserver.Options)) (*acctest.Service, string, *acctest.Scenario) {
	t.Helper()
	service, id := newAda(t, change...)
	return service, id, service.Scenario(t)
}

func wantUpdates(t *testing.T, service *acctest.Service, want ...map[string]any) {
	t.Helper()
	var got []map[string]any
	for _, request := range service.Requests(mockserver.RouteUpdate) {
		var body map[string]any
		check.Must(t, json.Unmarshal(request.Body, &body))
		got = append(got, body)
	}
	check.Equal(t, "the updates", got, want)
}

func TestAccCharacter(t *testing.T) {
	service, id := newAda(t)
	other := service.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
	service.Test(t, resource.TestCase{
		Steps: []resource.TestStep{
			{
				Config:        service.Config(`resource "mediagen_character" "ada" { id = %q }`, id),
				PostApplyFunc: service.Sent(t, mockserver.RouteUpdate, 0),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(ada, tfjsonpath.New("name"), knownvalue.StringExact("Ada")),
					statecheck.ExpectKnownValue(ada, tfjsonpath.New("description"), knownvalue.StringExact("counts")),
					statecheck.ExpectKnownValue(ada, tfjsonpath.New("face_images_count"), knownvalue.Int64Exact(2)),
					statecheck.ExpectKnownValue(ada, tfjsonpath.New("created_at"), knownvalue.NotNull()),
				},
			},
			{
				Config: service.Config(`resource "mediagen_character" "ada" {
  id          = %q
  name        = "Ada L."
  description = "counts\nand sings "
}`, id),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(ada, plancheck.ResourceActionUpdate),
					plancheck.ExpectKnownValue(ada, tfjsonpath.New("organization_id"), knownvalue.NotNull()),
					plancheck.ExpectUnknownValue(ada, tfjsonpath.New("updated_at")),
				}},
				PostApplyFunc: service.Sent(t, mockserver.RouteUpdate, 1),
			},
			{
				ResourceName: ada, ImportState: true, ImportStateVerify: true,
			},
			{
				// The description is cleared; the name, not configured any
				// more, stays.
				Config: service.Config(`resource "mediagen_character" "ada" {
  id          = %q
  description = ""
}`, id),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(ada, tfjsonpath.New("name"), knownvalue.StringExact("Ada L.")),
					statecheck.ExpectKnownValue(ada, tfjsonpath.New("description"), knownvalue.StringExact("")),
				},
			},
			{
				Config: service.Config(`resource "mediagen_character" "ada" { id = %q }`, other),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(ada, plancheck.ResourceActionDestroyBeforeCreate),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(ada, tfjsonpath.New("name"), knownvalue.StringExact("Grace")),
				},
			},
		},
	})
	wantUpdates(t, service,
		map[string]any{"name": "Ada L.", "description": "counts\nand sings "},
		map[string]any{"name": "Ada L.", "description": ""})
	_, kept := service.Character(other)
	check.True(t, "destroy leaves the record", kept)
}

// What is gone is in nobody's way, not even in that of a destroy.
func TestAccCharacter_disappears(t *testing.T) {
	tier.Long(t, "a further story of characters")
	tier.OneCLI(t, "what a read finds")
	service, id := newAda(t)
	config := service.Config(`resource "mediagen_character" "ada" { id = %q }`, id)
	service.Test(t, resource.TestCase{Steps: []resource.TestStep{
		acctest.Disappears(config, func() { service.RemoveCharacter(id) }),
		{Config: config, Destroy: true},
	}})
}

func TestAccCharacterDataSources(t *testing.T) {
	tier.OneCLI(t, "what a data source reads")
	service, id := newAda(t)
	service.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
	service.AddBodyLoRA(id)
	service.AddAsset(id, "body_image", "body.png", []byte("not really a PNG"))
	service.Test(t, resource.TestCase{
		Steps: []resource.TestStep{{
			Config: service.Config(`
data "mediagen_character" "by_id" { id = %[1]q }
data "mediagen_character" "by_name" { name = "Grace" }
data "mediagen_characters" "all" {}
data "mediagen_characters" "second" {
  limit  = 1
  offset = 1
}
data "mediagen_assets" "faces" {
  character_id = %[1]q
  asset_type   = "face_image"
}
data "mediagen_assets" "all" { character_id = %[1]q }
data "mediagen_generation_capabilities" "ada" { character_id = %[1]q }
`, id),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(
					"data.mediagen_character.by_id",
					tfjsonpath.New("name"),
					knownvalue.StringExact("Ada"),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_character.by_name",
					tfjsonpath.New("id"),
					knownvalue.NotNull(),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_characters.all",
					tfjsonpath.New("characters"),
					knownvalue.ListSizeExact(2),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_characters.all",
					tfjsonpath.New("pagination").AtMapKey("has_more"),
					knownvalue.Bool(false),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_characters.all",
					tfjsonpath.New("filters").AtMapKey("organization_id"),
					knownvalue.NotNull(),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_characters.second",
					tfjsonpath.New("characters").AtSliceIndex(0).AtMapKey("name"),
					knownvalue.StringExact("Grace"),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_characters.second",
					tfjsonpath.New("pagination").AtMapKey("offset"),
					knownvalue.Int64Exact(1),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_assets.faces",
					tfjsonpath.New("assets"),
					knownvalue.ListSizeExact(2),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_assets.all",
					tfjsonpath.New("total"),
					knownvalue.Int64Exact(3),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_assets.all",
					tfjsonpath.New("assets").AtSliceIndex(2).AtMapKey("filename"),
					knownvalue.StringExact("body.png"),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_generation_capabilities.ada",
					tfjsonpath.New("body_lora").AtMapKey("available"),
					knownvalue.Bool(true),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_generation_capabilities.ada",
					tfjsonpath.New("can_generate"),
					knownvalue.Bool(true),
				),
			},
		}},
	})
}

func TestAccDataSourcesSeeChangesOfTheSameApply(t *testing.T) {
	tier.Long(t, "data sources in an apply")
	tier.OneCLI(t, "what a data source reads")
	service, id := newAda(t)
	service.Test(t, resource.TestCase{
		Steps: []resource.TestStep{{
			Config: service.Config(`
resource "mediagen_character" "ada" {
  id   = %[1]q
  name = "Ada L."
}

resource "mediagen_face_image" "front" {
  character_id = mediagen_character.ada.id
  source       = %[2]q
}

data "mediagen_character" "ada" {
  id         = %[1]q
  depends_on = [mediagen_face_image.front]
}`, id, write(t, "front.png", png)),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(
					"data.mediagen_character.ada",
					tfjsonpath.New("name"),
					knownvalue.StringExact("Ada L."),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_character.ada",
					tfjsonpath.New("face_images_count"),
					knownvalue.Int64Exact(3),
				),
			},
		}},
	})
}

// A life from nothing to nothing. An id that is not known at plan is one to
// adopt: that there is none at apply, the CLI itself refuses, by what the plan
// said of deletion_policy.
func TestAccCharacterCreated(t *testing.T) {
	service := acctest.NewService(t, func(o *mockserver.Options) { o.Extended = true })
	const first, later = `resource "mediagen_character" "ada" { name = "Ada" }`, `resource "mediagen_character" "ada" {
  name            = "Ada L."
  deletion_policy = "delete"
}`
	service.Test(t, resource.TestCase{
		Steps: []resource.TestStep{
			{
				Config: service.Config(first),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectUnknownValue(ada, tfjsonpath.New("id")),
					plancheck.ExpectKnownValue(
						ada,
						tfjsonpath.New("deletion_policy"),
						knownvalue.StringExact("delete"),
					),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(ada, tfjsonpath.New("id"), knownvalue.StringExact("char_000001")),
				},
			},
			{Config: service.Config(later), PostApplyFunc: service.Sent(t, mockserver.RouteUpdate, 1)},
			{
				ResourceName:            ada,
				ImportState:             true,
				ImportStateVerify:       true,
				ImportStateVerifyIgnore: []string{"deletion_policy"},
			},
			{
				Config: service.Config(later + `
resource "terraform_data" "later" {}
resource "mediagen_character" "other" {
  id   = terraform_data.later.id == "" ? "char_000001" : null
  name = "Eve"
}`),
				ExpectError: regexp.MustCompile(`(?s)inconsistent final plan.*deletion_policy`),
			},
		},
	})
	left := service.State().Characters
	check.True(
		t,
		"one was created, and none is left",
		len(left) == 0 && service.Count(mockserver.RouteCreate) == 1,
		left,
	)
}
