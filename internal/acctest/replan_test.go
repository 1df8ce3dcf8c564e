package acctest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// TestPlanAndReplanAgree: a CLI plans again when it applies, and refuses a plan
// that differs from the approved one in anything that was known: "Provider
// produced inconsistent final plan". So no plan may promise what the service
// can change meanwhile.
// Fault F17.
func TestPlanAndReplanAgree(t *testing.T) {
	t.Parallel()
	all := subjects(t)
	for name := range acctest.Schemas(t).ResourceSchemas {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			subject, ok := all[name]
			if !ok {
				t.Fatal("nobody has looked at the type")
			}
			for change, meanwhile := range meanwhiles(subject) {
				t.Run(change, func(t *testing.T) {
					t.Parallel()
					for _, situation := range subject.situations(name + ".x") {
						situation.replan(t, name+".x", subject, meanwhile)
					}
				})
			}
		})
	}
}

// situation is what there is to plan.
type situation struct {
	name      string
	action    core.Action
	edit      core.Object
	imported  bool
	lifecycle []core.ResourceOption
	flags     []core.PlanOption
}

func (s subject) situations(address string) []situation {
	first := []core.ResourceOption{core.CreateBeforeDestroy()}
	again := []core.PlanOption{core.Replacing(address)}
	all := []situation{
		{name: "create", action: core.Create},
		{name: "-replace", action: core.Replace, flags: again},
		{name: "-replace, create_before_destroy", action: core.Replace, flags: again, lifecycle: first},
	}
	for name, edit := range s.updates {
		all = append(all, situation{name: name, action: core.Update, edit: edit})
	}
	for name, edit := range s.replaces {
		all = append(all, situation{name: name, action: core.Replace, edit: edit},
			situation{name: name + ", create_before_destroy", action: core.Replace, edit: edit, lifecycle: first})
	}
	if s.importID != nil {
		all = append(all, situation{name: "import", action: core.Update, imported: true})
	}
	return all
}

// meanwhile is what happens before a plan, and between plan and apply.
type meanwhile struct {
	// to is what it happens to; "" means every type.
	to              string
	before, between func(*acctest.Service)
}

// replan plans in a situation, and applies the plan after the meanwhile.
func (c situation) replan(t *testing.T, address string, of subject, meanwhile meanwhile) {
	t.Helper()
	s := newReplanService(t)
	w := c.prepare(t, s, address, of)
	if meanwhile.before != nil {
		meanwhile.before(s)
	}
	plan := w.Plan(c.flags...)
	if meanwhile.between != nil {
		meanwhile.between(s)
	} else if action := plan.Action(address); action != c.action {
		t.Errorf("%s: the action is %s:\n%s", c.name, action, plan)
	}
	booked := len(s.Ledger().Entries)
	said := w.ApplyPlan(plan).Diagnostics
	for _, diagnostic := range said {
		check.True(t, c.name, !strings.HasPrefix(diagnostic.Summary, "Provider ") && !strings.Contains(diagnostic.Detail, "bug in the provider"), diagnostic)
	}
	// Under create_before_destroy a training does not start beside its predecessor.
	check.True(t, c.name+": an apply after which nothing has happened", meanwhile.between != nil || !said.HasErrors() || len(said.Find("Training Runs Already")) != 0,
		said)
	bought := 0
	for _, entry := range s.Ledger().Entries[booked:] {
		bought += map[string]int{"training": 1, "dataset": 1, "batch": len(entry.Prompts)}[entry.Kind]
	}
	most := announcedBy(plan, address)
	check.True(t, c.name+": all that is bought was announced", bought <= most, bought, plan)
}

// prepare brings a workspace to the point where it is planned.
func (c situation) prepare(t *testing.T, s *acctest.Service, address string, of subject) *acctest.Scenario {
	t.Helper()
	w := s.Scenario(t)
	w.Resource(address, of.config, c.lifecycle...)
	if c.action == core.Create {
		return w
	}
	w.Apply().Must()
	if c.imported {
		id := of.importID(w.State(address))
		w = s.Scenario(t)
		w.Import(address, id).Must()
	}
	config := maps.Clone(of.config)
	maps.Copy(config, c.edit)
	w.Resource(address, config, c.lifecycle...)
	return w
}

// announcedBy counts the unknown ids that say that credits are spent.
func announcedBy(plan *core.Plan, address string) int {
	ids := plan.UnknownIDs(address)
	if strings.HasPrefix(address, "mediagen_generation_group.") {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "id" })
	}
	return len(ids)
}
