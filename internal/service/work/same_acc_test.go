package work_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A seed of 64 bits without a sign is exact.
func TestAccSame_seedsAreExact(t *testing.T) {
	tier.Long(t, "texts that differ in notation, through all outputs")
	d := newImageScenario(t)
	d.Fault(mockserver.Fault{Route: mockserver.RouteDataset, Times: 100, Rewrite: func(reply map[string]any) {
		reply["images"].([]any)[0].(map[string]any)["seed"] = uint64(math.MaxUint64)
	}})
	d.Test(t, resource.TestCase{Steps: []resource.TestStep{{
		Config: d.Config("data \"mediagen_dataset_images\" \"all\" {\n  character_id = %q\n}\n", d.character),
		ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue("data.mediagen_dataset_images.all",
			tfjsonpath.New("images").AtSliceIndex(0).AtMapKey("seed"),
			knownvalue.NumberExact(new(big.Float).SetUint64(math.MaxUint64)))},
	}}})
}
