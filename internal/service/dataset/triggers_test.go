package dataset_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// Null and empty triggers are equal: a change of notation regenerates nothing.
func TestEmptyTriggersAreNone(t *testing.T) {
	t.Parallel()
	none, empty, some := core.Object{}, core.Object{"triggers": core.Object{}}, core.Object{"triggers": core.Object{"round": "1"}}
	for name, test := range map[string]struct {
		before, after core.Object
		want          core.Action
	}{
		"removed":    {empty, none, core.Update},
		"added":      {none, empty, core.Update},
		"emptied":    {some, empty, core.Replace},
		"taken away": {some, none, core.Replace},
		"filled":     {empty, some, core.Replace},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newScenario(t)
			d.configure(test.before)
			d.Apply().Must()
			d.configure(test.after)
			plan := d.Plan().Must()
			if asked := len(plan.UnknownIDs(regeneration)) > 0; plan.Action(regeneration) != test.want || asked != (test.want == core.Replace) {
				t.Errorf("want %s, got:\n%s", test.want, plan)
			}
			d.ApplyPlan(plan).Must()
			d.sent(map[core.Action]int{core.Update: 1, core.Replace: 2}[test.want])
		})
	}
	for name, before := range map[string]int{"right after an import": 0, "after an import and an apply": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newScenario(t)
			d.configure(core.Object{"prompt": "dataset image 1"})
			d.Import(regeneration, d.character+"/"+d.image).Must()
			for range before {
				d.Apply().Must()
			}
			for _, triggers := range []any{core.Object{}, nil} {
				d.configure(core.Object{"prompt": "dataset image 1", "triggers": triggers})
				plan := d.Plan().Must()
				if plan.Action(regeneration) != core.Update || len(plan.UnknownIDs(regeneration)) > 0 || len(plan.Warnings()) > 0 {
					t.Errorf("want an update without a word, got:\n%s", plan)
				}
				d.ApplyPlan(plan).Must()
				d.sent(0)
			}
		})
	}
}
