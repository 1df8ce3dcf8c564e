package training_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// Null and empty triggers are equal: a change of notation trains and costs
// nothing.
func TestEmptyTriggersAreNone(t *testing.T) {
	t.Parallel()
	none, empty, some := core.Object{}, core.Object{"triggers": core.Object{}}, round("1")
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
			s := newScenario(t)
			s.configure(test.before)
			s.Apply().Must()
			s.configure(test.after)
			plan := s.Plan().Must()
			if bought := len(plan.UnknownIDs(address)) > 0; plan.Action(address) != test.want || bought != (test.want == core.Replace) {
				t.Errorf("want %s, got:\n%s", test.want, plan)
			}
			if said := plan.Warnings(); test.want == core.Update && len(said) > 0 {
				t.Errorf("nothing happens, and the plan says:\n%s", said)
			}
			s.ApplyPlan(plan).Must()
			s.wantPaid(map[core.Action]int{core.Update: 1, core.Replace: 2}[test.want])
			s.Plan().WantEmpty()
		})
	}
}

// The import ends with the first update, and empty triggers stay none.
func TestEmptyTriggersAfterAnImport(t *testing.T) {
	t.Parallel()
	for _, applies := range []int{0, 1, 2} {
		t.Run(fmt.Sprint(applies), func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			job := s.StartTrainingElsewhere(s.character)
			s.Clock.Advance(time.Hour)
			s.configure(nil)
			s.Import(address, s.character+"/"+job).Must()
			for range applies {
				s.Apply().Must()
			}
			for _, triggers := range []any{core.Object{}, nil} {
				s.configure(core.Object{"triggers": triggers})
				plan := s.Plan().Must()
				if plan.Action(address) != core.Update || len(plan.UnknownIDs(address)) > 0 || len(plan.Warnings()) > 0 {
					t.Errorf("want an update without a word, got:\n%s", plan)
				}
				s.ApplyPlan(plan).Must()
				s.Plan().WantEmpty()
			}
			s.Want(address, core.Object{"id": job})
			s.wantPaid(0)
		})
	}
}
