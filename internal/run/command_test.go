package run_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// All that a provider can see of a command, and each answer. Which commands look
// so is in the table of Command.
func TestCommand_ofEveryCombination(t *testing.T) {
	t.Parallel()
	const (
		none      = ""
		refreshed = "refreshed"
		begun     = "begun"
		both      = "refreshed, then begun"
		before    = "not configured"
	)
	for _, test := range []struct {
		seen     string
		mayDefer bool
		want     string // the questions whose answer is yes
	}{
		{before, false, ""},
		{before, true, "MayDefer PlansInApply"},
		{none, false, "MayBeApply"},
		{none, true, "MayDefer PlansInApply Repeats IsFinal"},
		{refreshed, false, ""},
		{refreshed, true, "MayDefer PlansInApply"},
		{begun, false, "InApply PlansInApply Repeats"},
		{begun, true, "MayDefer InApply PlansInApply Repeats IsFinal"},
		{both, false, "InApply PlansInApply Repeats"},
		{both, true, "MayDefer InApply PlansInApply Repeats IsFinal"},
	} {
		var runs run.Runs
		if test.seen != before {
			runs.Configure(&run.ProviderData{})
		}
		if strings.Contains(test.seen, refreshed) {
			runs.NoteRefresh()
		}
		if strings.Contains(test.seen, begun) {
			runs.NoteApply()
		}
		name := test.seen
		if test.mayDefer {
			name += ", may defer"
		}
		check.Equal(t, name, answers(runs.Command(test.mayDefer)), test.want)
		var req resource.ModifyPlanRequest
		req.ClientCapabilities.DeferralAllowed = test.mayDefer
		if data := runs.Current(); data != nil {
			check.Equal(t, name+", of a plan", data.CommandOf(req), runs.Command(test.mayDefer))
		}
	}
}

// answers names the questions whose answer is yes.
func answers(command framework.Command) string {
	var yes []string
	for _, question := range []struct {
		name string
		is   bool
	}{
		{"MayDefer", command.MayDefer()},
		{"InApply", command.InApply()},
		{"PlansInApply", command.PlansInApply()},
		{"Repeats", command.Repeats()},
		{"IsFinal", command.IsFinal()},
		{"MayBeApply", command.MayBeApply()},
	} {
		if question.is {
			yes = append(yes, question.name)
		}
	}
	return strings.Join(yes, " ")
}
