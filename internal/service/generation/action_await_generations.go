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

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// awaitModel is the configuration of the action.
type awaitModel struct {
	GenerationIDs []types.String `tfsdk:"generation_ids"`
	Timeout       types.String   `tfsdk:"timeout"`
}

// newAwaitGenerations describes the action that waits for generations of any
// group. It buys nothing.
func newAwaitGenerations() action.Action {
	return run.ActionType[awaitModel]{
		Name: "await_generations",
		Description: "Waits until generations have ended, and shows how many have.\n\n" +
			"The action costs no credits, and fails if a generation has no results. It needs Terraform 1.14.\n\n" +
			"If the group itself triggers it, **never set `on_failure = taint`** (Terraform 1.16): after one failed " +
			"prompt, the next apply deletes all media and buys every prompt again. `continue` turns the failure into " +
			"a warning. Refer to the group as `caller` there, as Terraform's warning says.\n\n" +
			"Outputs of the same apply show the group as its create left it. In the provider's repository, " +
			"`examples/awaited-results` outputs the results.",
		Attributes: map[string]schema.Attribute{
			"generation_ids": schema.ListAttribute{
				Required:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Ids of the generations to wait for, as in a group's `generations`. Nulls, as " +
					"for rejected prompts, are skipped.",
				Validators: []validator.List{listvalidator.ValueStringsAre(framework.ID())},
			},
			"timeout": framework.ActionTimeout(
				"How long to wait for all generations, as in `30m`. After that, the action fails and the generations " +
					"go on. Defaults to `60m`.",
			),
		},
		Run: runAwaitGenerations,
	}.New()
}

// runAwaitGenerations waits for a group whose keys are the ids. A generation
// without results is an error here, because an action taints nothing; a
// resource only warns.
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
				framework.Plural(skipped, "generation without an id is", "generations without an id are"),
			),
		)
	}
	if len(awaited.Generations) == 0 {
		progress.Say("There are no generations to wait for")
		return nil
	}
	timeout := framework.DurationOr(input.Timeout, time.Hour)
	progress.Say(
		fmt.Sprintf(
			"Waiting up to %s for %s",
			wait.ShortDuration(timeout),
			framework.Plural(op.total(), "generation", "generations"),
		),
	)
	err := op.waitAll(wait.WithTimeout(ctx, data.Clock, timeout, "timeout"), progress)
	progress.Say(op.statusLine())
	return op.endOfWait(err)
}

// endOfWait returns the error of a wait that ended before every generation had
// results. A resource only warns there, because an error would taint the group;
// an action taints nothing.
func (op *waiting) endOfWait(err error) diag.Diagnostics {
	timeout, isTimeout := errors.AsType[*wait.TimeoutError](err)
	isShown := func(id string) bool { return op.group.Seen[id] }
	switch {
	case isTimeout && slices.ContainsFunc(op.group.Running(), isShown):
		return diag.Diagnostics{op.stillRunning(timeout.After)}
	case isTimeout:
		return diag.Diagnostics{op.generationsNeverShown(timeout.After)}
	case wait.IsCanceled(err):
		return diag.Diagnostics{op.waitInterrupted()}
	case err != nil:
		return diag.Diagnostics{op.awaitFailure().Error(err)}
	case len(op.failed()) > 0:
		return diag.Diagnostics{op.withoutResults()}
	default:
		return nil
	}
}
