package training_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const other = "mediagen_body_lora_training.other"

// left is what an apply says of a job that a destroy leaves to another object.
const left = "Running Training Left to Another Resource"

// configureRound writes the training of a round under create_before_destroy.
func (s *scenario) configureRound(n string, wait bool) {
	s.T.Helper()
	config := round(n)
	config["wait_for_completion"] = wait
	s.configure(config, core.CreateBeforeDestroy())
}

// wantHeld checks that the job was bought once and never cancelled.
func (s *scenario) wantHeld() {
	s.T.Helper()
	s.wantPaid(1)
	s.WantCount(s.T, mockserver.RouteCancel, 0)
	if ledger := s.Ledger(); len(ledger.Entries) != 1 {
		s.T.Errorf("the ledger is %v", ledger.Entries)
	}
}

// wantCancelledOnce destroys everything: the last holder of the job cancels it.
func (s *scenario) wantCancelledOnce() {
	s.T.Helper()
	s.Destroy().Must()
	s.WantCount(s.T, mockserver.RouteCancel, 1)
	if job := s.Trainings(s.character)[0]; job.Status != "cancelled" || len(s.Addresses()) > 0 {
		s.T.Errorf("the training is %s, the state has %v", job.Status, s.Addresses())
	}
	s.wantPaid(1)
}

// deposing is a scenario with one running, paid job that two objects hold: a
// replacement under create_before_destroy was interrupted before the destroy of
// its predecessor.
func deposing(t *testing.T, wait bool) *scenario {
	t.Helper()
	s := newScenario(t)
	s.configureRound("1", false)
	s.Apply().Must()
	s.configureRound("2", wait)
	if wait {
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Nth: 4, Reached: s.Interrupt})
	} else {
		s.InterruptAfterNext()
	}
	s.Apply()
	s.ClearFaults()
	if s.Deposed(address) != 1 || s.Tainted(address) {
		t.Fatalf("the state is %v, with %d deposed", s.State(address), s.Deposed(address))
	}
	s.Want(address, core.Object{"id": s.Trainings(s.character)[0].JobID, "succeeded": nil})
	s.wantHeld()
	return s
}

// The job of a deposed training is that of its successor, also in a later run
// than the replacement's, and whichever of the two is read first.
// Fault F20.
func TestDeposedTrainingLeavesItsSuccessorsJob(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		waits   bool
		order   []core.PlanOption
		replans core.Action
	}{
		"waited for":                       {waits: true, replans: core.Update},
		"waited for, deposed first":        {waits: true, order: []core.PlanOption{core.Reversed()}, replans: core.Update},
		"not waited for":                   {replans: core.NoOp},
		"not waited for, deposed first":    {order: []core.PlanOption{core.Reversed()}, replans: core.Update},
		"waited for, without a refresh":    {waits: true, order: []core.PlanOption{core.Refresh(false)}, replans: core.Update},
		"deposed first, without a refresh": {order: []core.PlanOption{core.Refresh(false), core.Reversed()}, replans: core.Update},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := deposing(t, test.waits)
			plan := s.Plan(test.order...).Must()
			if plan.Action(address) != test.replans || len(plan.UnknownIDs(address)) != 0 {
				t.Errorf("want the action %s, which buys nothing, got:\n%s", test.replans, plan)
			}
			s.ResetJournal()
			s.WantWarning(s.ApplyPlan(plan).Must().Diagnostics, left, s.Trainings(s.character)[0].JobID)
			s.WantCount(t, mockserver.RouteCancel, 0)
			if !test.waits {
				s.WantCount(t, mockserver.RouteTraining, 0)
			}
			if s.Deposed(address) != 0 {
				t.Error("the predecessor is still there")
			}
			s.Plan().WantEmpty()
			if succeeded := s.Value(address, "succeeded"); (succeeded == true) != test.waits {
				t.Errorf("succeeded is %v", succeeded)
			}
			s.Apply().Must()
			s.Plan().WantEmpty()
			s.WantCount(t, mockserver.RouteStartTraining, 0)
		})
	}
}

// Without a refresh a deposed training may not know its successor at apply: the
// plan says so.
// Fault F20.
func TestDeposedTrainingWithoutARefresh(t *testing.T) {
	t.Parallel()
	s := deposing(t, false)
	s.WantWarning(s.Plan(core.Refresh(false)).Diagnostics, "Running Training of Another Resource", "with -refresh=false", "may cancel it")
}

// Who holds the job alone, in the end, cancels it.
// Fault F20.
func TestLastHolderCancelsTheJob(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(s *scenario){
		"after its predecessor was destroyed": func(s *scenario) { s.Apply().Must() },
		"together with its predecessor":       func(*scenario) {},
		"together, both known":                func(s *scenario) { s.Refresh().Must() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := deposing(t, false)
			prepare(s)
			s.wantCancelledOnce()
		})
	}
}

// sharing is a scenario with two resources that hold one running, paid job.
func sharing(t *testing.T) *scenario {
	t.Helper()
	s := beginRunning(t)
	s.Resource(other, core.Object{"character_id": s.character, "wait_for_completion": false})
	s.Apply().Must()
	if s.Value(other, "id") != s.Value(address, "id") {
		t.Fatalf("the trainings are %v and %v", s.State(address), s.State(other))
	}
	return s
}

// Two resources may hold one job for long: each plan says so, and is empty.
// Fault F20.
func TestSharedTrainingPlansNothing(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]core.PlanOption{
		"in order": nil, "reversed": {core.Reversed()}, "without a refresh": {core.Refresh(false)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sharing(t)
			for range 3 {
				plan := s.Plan(order...)
				plan.WantEmpty()
				if len(plan.Warnings().Find("Running Training of Another Resource")) == 0 {
					t.Errorf("the plan does not say that the job is shared:\n%s", plan)
				}
				s.Apply(order...).Must()
			}
			s.wantPaid(0)
		})
	}
}

// The destroy of one of two resources leaves the job to the other, that of both
// cancels it once.
// Fault F20.
func TestOneOfTwoResourcesLeavesTheJob(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		remove  func(s *scenario)
		cancels int
	}{
		"the first":  {remove: func(s *scenario) { s.Remove(address) }},
		"the second": {remove: func(s *scenario) { s.Remove(other) }},
		"the first is replaced": {remove: func(s *scenario) {
			s.configure(core.Object{"wait_for_completion": false, "triggers": core.Object{"round": "2"}}, core.CreateBeforeDestroy())
		}},
		"both": {remove: func(s *scenario) { s.Remove(address); s.Remove(other) }, cancels: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sharing(t)
			s.Refresh().Must()
			test.remove(s)
			result := s.Apply().Must()
			s.WantCount(t, mockserver.RouteCancel, test.cancels)
			if found := result.Diagnostics.Find(left); len(found) != 1-test.cancels {
				t.Errorf("want one job left, got:\n%s", result.Diagnostics)
			}
			if job := s.Trainings(s.character)[0]; (job.Status == "cancelled") != (test.cancels > 0) {
				t.Errorf("the training is %s", job.Status)
			}
			s.Plan().WantEmpty()
			s.Destroy().Must()
			s.WantCount(t, mockserver.RouteCancel, 1)
			s.wantPaid(0)
		})
	}
}

// Whichever of the two is planned first, one of them names the other.
func TestSharedTrainingIsSaidInBothDirections(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]core.PlanOption{"the holder first": nil, "the new one first": {core.Reversed()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := beginRunning(t)
			s.Resource(other, core.Object{"character_id": s.character, "wait_for_completion": false})
			plan := s.Plan(order...)
			s.WantWarning(plan.Diagnostics, "Running Training of Another Resource", s.Trainings(s.character)[0].JobID, "the destroy of the last")
			if ids := plan.UnknownIDs(other); len(ids) != 1 || plan.Action(address) != core.NoOp {
				t.Errorf("want one create, which promises nothing, got:\n%s", plan)
			}
		})
	}
}
