package work_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Fault F35.
func TestSame_regenerationBuysNothing(t *testing.T) {
	t.Parallel()
	d := newImageScenario(t)
	d.configure(core.Object{"prompt": "in the rain\nat a caf\u00e9"})
	d.Apply().Must()
	d.configure(core.Object{"prompt": "in the rain\r\nat a cafe\u0301\r\n"})
	d.sent(1)
	d.configure(core.Object{"prompt": "In the rain at a  caf\u00e9"})
	plan := d.Plan().Must()
	check.True(t, "a replacement", plan.Action(regeneration) == core.Replace, plan)
	d.WantWarning(plan.Diagnostics, "Only White Space or Case Has Changed", "Of prompt ")
	d.ApplyPlan(plan).Must()
	d.sent(2)
	d.Want(regeneration, core.Object{"prompt": "In the rain at a  caf\u00e9"})
}

// An import compares with what the service shows, also if that is escaped.
func TestSame_importOfAnEscapedPromptBuysNothing(t *testing.T) {
	t.Parallel()
	d := newImageScenario(t, func(o *mockserver.Options) { o.Variant.Texts = mockserver.TextsEscaped })
	d.configure(core.Object{"prompt": "rain & wind"})
	d.Apply().Must()
	d.Forget(regeneration)
	d.Import(regeneration, d.character+"/"+d.image).Must()
	check.True(t, "no replacement", d.Plan().Must().Action(regeneration) != core.Replace)
	d.Apply().Must()
	d.sent(1)
}
