package generation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// awaitModel is the configuration of the action.
type awaitModel struct {
	GenerationIDs []types.String `tfsdk:"generation_ids"`
	Timeout       types.String   `tfsdk:"timeout"`
}

const exampleOfResults = "https://github.com/mediagen/terraform-provider-mediagen/tree/main/examples/awaited-results"

// newAwaitGenerations describes the action that waits for generations of any
// group. It buys nothing.
func newAwaitGenerations() action.Action {
	return framework.ActionType[awaitModel]{
		Name: "await_generations",
		Description: "Waits until generations have ended, and shows how many have.\n\n" +
			"The action costs no credits, and fails if a generation has no results. It needs Terraform 1.14.\n\n" +
			"If the group itself triggers it, **never set `on_failure = taint`** (Terraform 1.16): after one failed " +
			"prompt, the next apply deletes all media and buys every prompt again. `continue` turns the failure into " +
			"a warning. Refer to the group as `caller` there, as Terraform's warning says.\n\n" +
			"Outputs of the same apply show the group as its create left it. [This " +
			"example](" + exampleOfResults + ") outputs the results.",
		Attributes: map[string]schema.Attribute{
			"generation_ids": schema.ListAttribute{
				Required:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Ids of the generations to wait for, as in a group's `generations`. Nulls, as " +
					"for rejected prompts, are skipped.",
				Validators: []validator.List{listvalidator.ValueStringsAre(attributes.ID())},
			},
			"timeout": attributes.ActionTimeout(
				"How long to wait for all generations, as in `30m`. After that, the action fails and the generations " +
					"go on. Defaults to `60m`.",
			),
		},
		Run: runAwaitGenerations,
	}.New()
}

// runAwaitGenerations waits as a group does whose keys are the ids. What is
// data in the group is an error here: it taints nothing.
func runAwaitGenerations(
	ctx context.Context,
	data *run.ProviderData,
	input awaitModel,
	send func(line string),
) diag.Diagnostics {
	awaited := newGroup()
	skipped := 0
	for _, id := range input.GenerationIDs {
		if id.ValueString() == "" {
			skipped++
			continue
		}
		awaited.Set(id.ValueString(), prompts.NewGeneration(id.ValueString()))
	}
	op := newWaiting(operation{data: data, group: awaited})
	progress := wait.NewProgress(data.Clock, op.statusLine, send)
	if skipped > 0 {
		progress.Say(
			fmt.Sprintf(
				"%s skipped: they were not bought",
				report.Plural(skipped, "generation without an id is", "generations without an id are"),
			),
		)
	}
	if len(awaited.Generations) == 0 {
		progress.Say("There are no generations to wait for")
		return nil
	}
	timeout := attributes.DurationOr(input.Timeout, time.Hour)
	progress.Say(
		fmt.Sprintf(
			"Waiting up to %s for %s",
			attributes.ShortDuration(timeout),
			report.Plural(op.total(), "generation", "generations"),
		),
	)
	err := op.waitAll(wait.WithTimeout(ctx, data.Clock, timeout, "timeout"), progress)
	progress.Say(op.statusLine())
	return op.awaitErrors(err)
}

// awaitErrors says how a wait has ended that brought no results for all: the
// action fails where a resource only warns, because it taints nothing.
func (op *waiting) awaitErrors(err error) diag.Diagnostics {
	var timeout *wait.TimeoutError
	var canceled *wait.CanceledError
	never := op.neverShown()
	goesOn := fmt.Sprintf(
		"%s.%s\nRunning generations continue at the service. Invoking the action again resumes the wait.%s",
		op.statusLine(),
		never,
		op.errorsWhileRunning(),
	)
	var problem diag.Diagnostic
	switch without := op.failures(); {
	case errors.As(err, &timeout):
		after := fmt.Sprintf(
			"The wait was given up after %s (timeout sets the time).",
			attributes.ShortDuration(timeout.After.Round(time.Second)),
		)
		problem = diag.NewErrorDiagnostic("Generations Still Running", after+" "+goesOn)
		if !slices.ContainsFunc(op.group.Running(), func(id string) bool { return op.group.Seen[id] }) {
			problem = diag.NewErrorDiagnostic(
				"Generations Never Shown",
				after+never+"\nWhether they run is not known. Check the ids.",
			)
		}
	case errors.As(err, &canceled):
		problem = diag.NewErrorDiagnostic("Wait for Generations Interrupted", goesOn)
	case err != nil:
		problem = report.Failure{
			Verb:        "Wait for",
			Noun:        "Generations",
			Consequence: goesOn,
		}.Error(err)
	case without != "":
		problem = diag.NewErrorDiagnostic(
			"Generations Without Results",
			"These generations have ended without results:\n"+without,
		)
	default:
		return nil
	}
	return diag.Diagnostics{problem}
}

// neverShown lists those that no status has shown, with what was said instead,
// one per line.
func (op *waiting) neverShown() (lines string) {
	for _, id := range op.group.Running() {
		if failure := op.lastErrors[id]; failure != nil && !op.group.Seen[id] {
			lines += fmt.Sprintf("\n%q was never shown; the last answer: %s", id, failure)
		}
	}
	return lines
}

// failures are the generations without results, one a line, each with its
// reason.
func (op *waiting) failures() string {
	var lines []string
	for _, id := range op.failed() {
		reason := reply.Text(op.group.Generations[id].Error.Get())
		if op.group.Gone[id] {
			reason = "it was deleted during the wait"
		}
		lines = append(lines, fmt.Sprintf("%q: %s", id, reason))
	}
	return report.Several(lines, "\n")
}
