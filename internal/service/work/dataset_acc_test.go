package work_test

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
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func newDataset(t *testing.T, change ...func(*mockserver.Options)) (*acctest.Service, string) {
	t.Helper()
	service := acctest.NewService(t, change...)
	id := service.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	service.AddDatasetImages(id, 5)
	return service, id
}

func TestAccDatasetImages(t *testing.T) {
	tier.OneCLI(t, "what a data source reads")
	service, id := newDataset(t)
	const all, approved = "data.mediagen_dataset_images.all", "data.mediagen_dataset_images.approved"
	service.Test(t, resource.TestCase{
		Steps: []resource.TestStep{{
			Config: service.Config(`
data "mediagen_dataset_images" "all" { character_id = %[1]q }
data "mediagen_dataset_images" "approved" {
  character_id  = %[1]q
  approved_only = true
}`, id),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(all, tfjsonpath.New("images"), knownvalue.ListSizeExact(5)),
				statecheck.ExpectKnownValue(all, tfjsonpath.New("total"), knownvalue.Int64Exact(5)),
				statecheck.ExpectKnownValue(all, tfjsonpath.New("approved_count"), knownvalue.Int64Exact(3)),
				statecheck.ExpectKnownValue(all, tfjsonpath.New("dataset_status"), knownvalue.StringExact("completed")),
				statecheck.ExpectKnownValue(
					all,
					tfjsonpath.New("images").AtSliceIndex(1).AtMapKey("approved"),
					knownvalue.Bool(false),
				),
				statecheck.ExpectKnownValue(
					all,
					tfjsonpath.New("images").AtSliceIndex(1).AtMapKey("seed"),
					knownvalue.Int64Exact(1001),
				),
				statecheck.ExpectKnownValue(approved, tfjsonpath.New("images"), knownvalue.ListSizeExact(3)),
			},
		}},
	})
}

const regenerationConfig = `
resource "mediagen_dataset_image_regeneration" "r" {
  character_id = %q
  image_id     = %q
  prompt       = %q
}
`

func has(attribute string, value knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(regeneration, tfjsonpath.New(attribute), value)
}

func planned(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{
		PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(regeneration, action)},
	}
}

func TestAccRegeneration_basicAndReplace(t *testing.T) {
	s, character := newDataset(t)
	image := s.DatasetImages(character)[0].ID
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config: s.Config(regenerationConfig, character, image, "in the rain"),
			ConfigStateChecks: []statecheck.StateCheck{
				has("id", knownvalue.StringExact(image)),
				has("approved", knownvalue.Bool(false)),
			},
			PostApplyFunc: s.Sent(t, mockserver.RouteRegenerate, 1),
		},
		{
			PreConfig: func() {
				s.SetDatasetImage(character, image, func(i *mockserver.DatasetImage) { i.Approved = true })
			},
			Config:            s.Config(regenerationConfig, character, image, "in the rain"),
			ConfigPlanChecks:  planned(plancheck.ResourceActionNoop),
			ConfigStateChecks: []statecheck.StateCheck{has("approved", knownvalue.Bool(true))},
		},
		{
			Config: s.Config(
				regenerationConfig,
				character,
				image,
				"in the snow",
			),
			ConfigPlanChecks:  planned(plancheck.ResourceActionReplace),
			ConfigStateChecks: []statecheck.StateCheck{has("approved", knownvalue.Bool(false))},
			PostApplyFunc:     s.Sent(t, mockserver.RouteRegenerate, 2),
		},
	}})
}

func TestAccRegeneration_importByID(t *testing.T) {
	testRegenerationImport(t, `id = "%s/%s"`)
}

func TestAccRegeneration_importByIdentity(t *testing.T) {
	testRegenerationImport(
		t,
		"identity = {\n    character_id = %q\n    image_id     = %q\n  }",
		tfversion.SkipBelow(acctest.WithIdentity),
	)
}

func testRegenerationImport(t *testing.T, what string, versions ...tfversion.TerraformVersionCheck) {
	t.Helper()
	s, character := newDataset(t)
	image := s.DatasetImages(character)[0].ID
	s.Test(t, resource.TestCase{
		TerraformVersionChecks: versions,
		Steps: []resource.TestStep{
			{
				Config: s.Config(
					"import {\n  to = "+regeneration+"\n  "+what+"\n}\n"+regenerationConfig,
					character,
					image,
					character,
					image,
					"Dataset image 1",
				),
				// The dataset shows the prompt in other case: it is the
				// configured one.
				ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					has("prompt", knownvalue.StringExact("Dataset image 1")),
					has("approved", knownvalue.Bool(true)),
				},
				PostApplyFunc: s.Sent(t, mockserver.RouteRegenerate, 0),
			},
		},
	})
}

func TestAccRegeneration_disappears(t *testing.T) {
	tier.OneCLI(t, "what a read finds")
	s, character := newDataset(t)
	config := s.Config(regenerationConfig, character, s.DatasetImages(character)[0].ID, "in the rain")
	gone := acctest.Disappears(config, func() { s.RemoveCharacter(character) })
	gone.ExpectNonEmptyPlan = false
	gone.ExpectError = regexp.MustCompile("Character Not Found") // nothing is bought for none
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config},
		gone, // whose refresh has the image shown
	}})
	s.WantCount(t, mockserver.RouteRegenerate, 1)
}

func TestAccRegeneration_invalid(t *testing.T) {
	tier.OneCLI(t, "what validation refuses")
	s, character := newDataset(t)
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config: s.Config(
				regenerationConfig,
				character,
				"..",
				"in the rain",
			),
			ExpectError: regexp.MustCompile("relative path"),
			PlanOnly:    true,
		},
	}})
	s.WantNoRequests(t)
}
