package dataset_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Fault F35.
func TestSame_regenerationBuysNothing(t *testing.T) {
	t.Parallel()
	d := newScenario(t)
	d.configure(core.Object{"prompt": "in the rain\nat a caf\u00e9"})
	d.Apply().Must()
	d.configure(core.Object{"prompt": "in the rain\r\nat a cafe\u0301\r\n"})
	d.sent(1)
	d.configure(core.Object{"prompt": "In the rain at a  caf\u00e9"})
	plan := d.Plan().Must()
	check.True(t, "a replacement", plan.Action(regeneration) == core.Replace, plan)
	d.WantWarning(plan.Diagnostics, "Only White Space or Case Has Changed", "Of prompt only white space")
	d.ApplyPlan(plan).Must()
	d.sent(2)
	d.Want(regeneration, core.Object{"prompt": "In the rain at a  caf\u00e9"})
}

// An import compares with what the service shows, also if that is escaped.
func TestSame_importOfAnEscapedPromptBuysNothing(t *testing.T) {
	t.Parallel()
	d := newScenario(t, func(o *mockserver.Options) { o.Variant.Texts = mockserver.TextsEscaped })
	d.configure(core.Object{"prompt": "rain & wind"})
	d.Apply().Must()
	d.Forget(regeneration)
	d.Import(regeneration, d.character+"/"+d.image).Must()
	check.True(t, "no replacement", d.Plan().Must().Action(regeneration) != core.Replace)
	d.Apply().Must()
	d.sent(1)
}

// A seed of 64 bits without a sign is exact.
func TestAccSame_seedsAreExact(t *testing.T) {
	d := newScenario(t)
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
