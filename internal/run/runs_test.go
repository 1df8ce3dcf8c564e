package run_test

import (
	"net/url"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
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
	check.True(t, "a refresh is no apply", !hasBegun(first))
	runs.NoteApply()
	runs.NoteApply()
	check.Equal(t, "an apply's data sources are read in its run", runs.Current() == first && hasBegun(first), true)
	runs.NoteRefresh()
	second := runs.Current()
	runs.NoteRefresh()
	check.True(
		t,
		"the first refresh after an apply begins another run",
		second != first && runs.Current() == second && !hasBegun(second),
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

func hasBegun(data *run.ProviderData) bool {
	return data.CommandOf(resource.ModifyPlanRequest{}).InApply()
}

// An apply's plan tells nothing new; a stack's, in which a deferral is allowed
// too, has refreshed.
func TestRunsRepeatPlans(t *testing.T) {
	t.Parallel()
	var runs run.Runs
	check.True(t, "no run repeats nothing", !runs.Command(true).Repeats())
	runs.Configure(&run.ProviderData{})
	check.True(
		t,
		"an apply that tells, and a plan or an apply that does not",
		runs.Command(true).Repeats() && !runs.Command(false).Repeats(),
	)
	runs.NoteRefresh()
	check.True(t, "the plan of a stack", !runs.Command(true).Repeats())
	runs.NoteApply()
	check.True(t, "after the first change", runs.Command(true).Repeats() && runs.Command(false).Repeats())
	runs.NoteRefresh()
	check.True(t, "the next plan", !runs.Command(true).Repeats() && !runs.Command(false).Repeats())
}

// Only a plan that an apply certainly makes refuses what turns out other than
// planned.
func TestRunsAreFinal(t *testing.T) {
	t.Parallel()
	var runs run.Runs
	check.True(t, "no run", !runs.Command(true).IsFinal())
	runs.Configure(&run.ProviderData{})
	check.True(
		t,
		"an apply, and a plan that refreshes nothing",
		runs.Command(true).IsFinal() && !runs.Command(false).IsFinal(),
	)
	runs.NoteRefresh()
	check.True(t, "the plan of a stack", !runs.Command(true).IsFinal())
	runs.NoteApply()
	check.True(
		t,
		"after the first change, and OpenTofu's",
		runs.Command(true).IsFinal() && !runs.Command(false).IsFinal(),
	)
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

// Requests are counted then; the next run begins at zero.
// Fault F28.
func TestPlansRefuseNothingDuringAnApply(t *testing.T) {
	t.Parallel()
	var runs run.Runs
	plan := func() (diags diag.Diagnostics) {
		runs.Current().
			PlanPurchase(
				t.Context(),
				resource.ModifyPlanRequest{},
				purchases.PlannedPurchase{Purchase: purchases.Purchase{Kind: purchases.KindGeneration, Count: 1}},
				&diags,
			)
		return diags
	}
	runs.NoteApply() // of nothing
	data := &run.ProviderData{}
	data.Clock = wait.System
	config := evidence.Config{}
	config.BaseURL = &url.URL{}
	config.AccessToken = "static"
	terms := purchases.Terms{MaxPurchases: new(int64(1))}
	check.Must(t, data.Connect(evidence.New(config), purchases.Config{Terms: terms}))
	runs.Configure(data)
	check.True(t, "the first", !plan().HasError())
	check.True(t, "the second, beyond a limit of 1", plan().HasError())
	runs.NoteApply()
	check.True(t, "during the apply", !plan().HasError())
	runs.NoteRefresh()
	check.True(t, "in the next run", !plan().HasError())
	check.True(t, "the second of the next run", plan().HasError())
}
