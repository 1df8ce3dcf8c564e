package run_test

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/run"

	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// A run is what one plan or apply does, and in a test file of Terraform 1.16
// also what comes after an apply. Objects that a run has destroyed would
// otherwise hold their group or job for good, and a created job would pass for
// that of another.
func TestRuns(t *testing.T) {
	t.Parallel()
	var runs run.Runs
	runs.NoteApply()
	runs.NoteRefresh()
	check.True(t, "there is no run before any was configured", runs.Current() == nil)
	first := &run.ProviderData{MaxPromptsPerBatch: 7}
	runs.Configure(first)
	runs.NoteRefresh()
	runs.NoteRefresh()
	first.Groups.Hold("g1", "destroyed by the first run")
	first.Trainings.Hold("job1", "destroyed by the first run")
	check.True(t, "a refresh is no apply", !first.InApply())
	runs.NoteApply()
	runs.NoteApply()
	check.Equal(t, "an apply's data sources are read in its run", runs.Current() == first && first.InApply(), true)
	runs.NoteRefresh()
	second := runs.Current()
	runs.NoteRefresh()
	check.True(
		t,
		"the first refresh after an apply begins another run",
		second != first && runs.Current() == second && !second.InApply(),
	)
	check.True(
		t,
		"the second run does not know what the first one held",
		len(second.Groups.Others("g1", "another")) == 0 && !second.Trainings.HasHeld("job1", ""),
	)
	check.Equal(t, "the configuration of the second run", second.MaxPromptsPerBatch, 7)
	runs.NoteApply()
	third := &run.ProviderData{}
	runs.Configure(third)
	runs.NoteRefresh()
	check.True(t, "what was configured anew does not begin anew once more", runs.Current() == third)
}

// An apply's plan tells nothing new; a stack's, in which a deferral is allowed
// too, has refreshed.
func TestRunsRepeatPlans(t *testing.T) {
	t.Parallel()
	var runs run.Runs
	check.True(t, "no run repeats nothing", !runs.Repeats(true))
	runs.Configure(&run.ProviderData{})
	check.True(
		t,
		"an apply that tells, and a plan or an apply that does not",
		runs.Repeats(true) && !runs.Repeats(false),
	)
	runs.NoteRefresh()
	check.True(t, "the plan of a stack", !runs.Repeats(true))
	runs.NoteApply()
	check.True(t, "after the first change", runs.Repeats(true) && runs.Repeats(false))
	runs.NoteRefresh()
	check.True(t, "the next plan", !runs.Repeats(true) && !runs.Repeats(false))
}

// Only a plan that an apply certainly makes refuses what turns out other than
// planned.
func TestRunsAreFinal(t *testing.T) {
	t.Parallel()
	var runs run.Runs
	check.True(t, "no run", !runs.IsFinal(true))
	runs.Configure(&run.ProviderData{})
	check.True(t, "an apply, and a plan that refreshes nothing", runs.IsFinal(true) && !runs.IsFinal(false))
	runs.NoteRefresh()
	check.True(t, "the plan of a stack", !runs.IsFinal(true))
	runs.NoteApply()
	check.True(t, "after the first change, and OpenTofu's", runs.IsFinal(true) && !runs.IsFinal(false))
}

func TestRunsServeObjectsAtOnce(t *testing.T) {
	t.Parallel()
	var runs run.Runs
	check.AtOnce(
		func() { runs.Configure(&run.ProviderData{}) },
		func() { runs.Current() },
		runs.NoteApply,
		runs.NoteRefresh,
	)
}
