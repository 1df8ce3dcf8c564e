package inference_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// Null and empty triggers are equal: a change of notation sends no request, and
// the reply stays.
func TestEmptyTriggersAreNone(t *testing.T) {
	t.Parallel()
	none, empty, some := core.Object{}, core.Object{"triggers": core.Object{}}, core.Object{"triggers": core.Object{"round": "1"}}
	for address := range routes {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			write := func(triggers core.Object) *core.Plan {
				b.Resource(address, with(least(address), triggers))
				return b.Plan().Must()
			}
			b.ApplyPlan(write(none)).Must()
			id := b.Value(address, "id")
			for _, triggers := range []core.Object{empty, none} {
				plan := write(triggers)
				check.True(t, "plans", plan.Action(address) == core.Update && len(plan.UnknownIDs(address)) == 0, triggers, plan)
				b.ApplyPlan(plan).Must()
				b.Plan().Must().WantEmpty()
			}
			b.wantAsked(1)
			check.True(t, "the same answer", b.Value(address, "id") == id, b.State(address))
			for asked, triggers := range []core.Object{some, empty, some, none} {
				plan := write(triggers)
				check.True(t, "plans", plan.Action(address) == core.Replace, triggers, plan)
				b.ApplyPlan(plan).Must()
				b.wantAsked(asked + 2)
			}
		})
	}
}
