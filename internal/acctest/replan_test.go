package acctest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
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
