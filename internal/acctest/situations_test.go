package acctest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A CLI plans again when it applies, and refuses a plan that differs in anything that was known. So
// no plan may promise what the service can change meanwhile. Fault F17.
func TestPlanAndReplanAgree(t *testing.T) {
	t.Parallel()
	all := acctest.Subjects(t)
	for name := range acctest.Schemas(t).ResourceSchemas {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			subject, ok := all[name]
			if !ok {
				t.Fatal("nobody has looked at the type")
			}
			for change, meanwhile := range subject.Meanwhiles() {
				t.Run(change, func(t *testing.T) {
					t.Parallel()
					for _, situation := range subject.Situations(name + ".x") {
						replan(t, situation, name+".x", subject, meanwhile)
					}
				})
			}
		})
	}
}

func replan(t *testing.T, c acctest.Situation, address string, of acctest.Subject, meanwhile acctest.Meanwhile) {
	t.Helper()
	s := acctest.NewForSubjects(t)
	w := c.Prepare(t, s, address, of)
	if meanwhile.Before != nil {
		meanwhile.Before(s)
	}
	plan := w.Plan(c.Flags...)
	if meanwhile.Between != nil {
		meanwhile.Between(s)
	} else if action := plan.Action(address); action != c.Action {
		t.Errorf("%s: the action is %s:\n%s", c.Name, action, plan)
	}
	booked := len(s.Ledger().Entries)
	said := w.ApplyPlan(plan).Diagnostics
	for _, diagnostic := range said {
		check.True(t, c.Name, !strings.HasPrefix(diagnostic.Summary, "Provider ") && !strings.Contains(diagnostic.Detail, "bug in the provider"), diagnostic)
	}
	// Under create_before_destroy a training does not start beside its predecessor.
	check.True(t, c.Name+": an apply after which nothing has happened", meanwhile.Between != nil || !said.HasErrors() || len(said.Find("Training Runs Already")) != 0,
		said)
	bought := 0
	for _, entry := range s.Ledger().Entries[booked:] {
		bought += map[string]int{"training": 1, "dataset": 1, "batch": len(entry.Prompts)}[entry.Kind]
	}
	most := announcedBy(plan, address)
	check.True(t, c.Name+": all that is bought was announced", bought <= most, bought, plan)
}

// announcedBy counts the unknown ids that say that credits are spent.
func announcedBy(plan *core.Plan, address string) int {
	ids := plan.UnknownIDs(address)
	if strings.HasPrefix(address, "mediagen_generation_group.") {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "id" })
	}
	return len(ids)
}

// Each plan says how much is bought in a life: an apply buys no more. Of a replacement it is not
// known, else the plan would show nothing. Fault F28.
func TestTally(t *testing.T) {
	t.Parallel()
	all, tallied := acctest.Subjects(t), 0
	for name, resource := range acctest.Schemas(t).ResourceSchemas {
		if !slices.ContainsFunc(resource.Block.Attributes, func(a *tfprotov6.SchemaAttribute) bool { return a.Name == "purchases" }) {
			continue
		}
		tallied++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, situation := range all[name].Situations(name + ".x") {
				t.Run(situation.Name, func(t *testing.T) {
					t.Parallel()
					tally(t, situation, name+".x", all[name])
				})
			}
		})
	}
	check.Equal(t, "types that buy", tallied, 6)
}

func tally(t *testing.T, c acctest.Situation, address string, of acctest.Subject) {
	t.Helper()
	s := acctest.NewForSubjects(t)
	w := c.Prepare(t, s, address, of)
	before := tallyOf(w.State(address))
	if c.Imported {
		check.Equal(t, "purchases after an import", before, 0)
	}
	plan := w.Plan(c.Flags...)
	booked := purchasedOf(s, of)
	said := w.ApplyPlan(plan).Diagnostics
	if len(said.Find("Training Runs Already")) > 0 {
		return // under create_before_destroy
	}
	check.True(t, "the apply", !said.HasErrors(), said)
	bought, after := purchasedOf(s, of)-booked, tallyOf(w.State(address))
	if planned := plan.Change(address).After; c.Action == core.Replace {
		check.True(t, "the plan of a replacement", planned["purchases"] == core.Unknown && planned["cost"] == core.Unknown, plan)
		before = 0
	} else {
		check.Equal(t, "what the plan says", tallyOf(planned), after)
	}
	check.Equal(t, "purchases of its life", after, before+bought)
	cost := map[bool]any{true: int64(0), false: float64(after) / 10}[after == 0]
	check.True(t, "the cost", w.State(address)["cost"] == cost, w.State(address)["cost"], cost)
	if next := w.Plan(); announcedBy(next, address) == 0 && next.Action(address) != core.NoOp {
		check.Equal(t, "what a plan says that buys nothing", tallyOf(next.Change(address).After), after)
	}
}

func tallyOf(object core.Object) int {
	count, _ := object["purchases"].(int64)
	return int(count)
}

func purchasedOf(service *acctest.Service, of acctest.Subject) (count int) {
	if of.Makes != mockserver.RouteBatch {
		return service.Count(of.Makes)
	}
	for _, entry := range service.Ledger().Entries {
		count += len(entry.Prompts)
	}
	return count
}
