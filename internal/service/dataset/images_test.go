package dataset_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
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
				statecheck.ExpectKnownValue(all, tfjsonpath.New("images").AtSliceIndex(1).AtMapKey("approved"), knownvalue.Bool(false)),
				statecheck.ExpectKnownValue(all, tfjsonpath.New("images").AtSliceIndex(1).AtMapKey("seed"), knownvalue.Int64Exact(1001)),
				statecheck.ExpectKnownValue(approved, tfjsonpath.New("images"), knownvalue.ListSizeExact(3)),
			},
		}},
	})
}
