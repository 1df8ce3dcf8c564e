package training

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var _ action.ActionWithConfigure = (*awaitTraining)(nil)

type awaitTraining struct{ framework.Action }

func newAwaitTraining() action.Action { return &awaitTraining{} }

type awaitTrainingModel struct {
	CharacterID types.String `tfsdk:"character_id"`
	JobID       types.String `tfsdk:"job_id"`
	Timeout     types.String `tfsdk:"timeout"`
}

func (a *awaitTraining) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_await_training"
}

func (a *awaitTraining) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Waits for the end of a training and shows how it goes: phase, percent and time left. Fails if the training does not succeed. " +
			"Together with `wait_for_completion = false` it makes the apply of a `mediagen_body_lora_training` show its progress. " +
			"Outputs that use the training's attributes are then as old as its create; read `data.mediagen_training_status` after the wait, as `mediagen_await_generations` shows for its results. Costs no credits. Terraform 1.14 or later.",
		Attributes: map[string]schema.Attribute{
			"character_id": schema.StringAttribute{
				Required: true, MarkdownDescription: "Character that is trained.",
				Validators: []validator.String{framework.ID()},
			},
			"job_id": schema.StringAttribute{
				Required: true, MarkdownDescription: "Body training to wait for: the `id` of a `mediagen_body_lora_training`.",
				Validators: []validator.String{framework.ID()},
			},
			"timeout": schema.StringAttribute{
				Optional: true, MarkdownDescription: "How long to wait, as in `90m`; default `3h`. When it runs out the action fails and the training goes on.",
				Validators: []validator.String{framework.Duration()},
			},
		},
	}
}

// Invoke waits.
func (a *awaitTraining) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var config awaitTrainingModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || !a.Data.Ready(&resp.Diagnostics) {
		return
	}
	t, diags := watchedTraining(a.Data, config.CharacterID, config.JobID, framework.Progress(ctx, resp), "awaited")
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	timeout := framework.DurationOr(config.Timeout, createTimeout)
	t.progress.Say(fmt.Sprintf("Waiting up to %s for %s", framework.ShortDuration(timeout), t.model.object()))
	err := t.waitForCompletion(wait.WithTimeout(ctx, a.Data.Clock, timeout, "timeout"))
	resp.Diagnostics.Append(awaitErrors(t, err)...)
}

// awaitErrors says how the wait ended. What the resource warns of is an error
// here: it taints nothing.
func awaitErrors(t *training, err error) diag.Diagnostics {
	var timeout *wait.TimeoutError
	var canceled *wait.CanceledError
	last := t.statusLine() + "."
	fail := func(summary, detail string) diag.Diagnostics {
		t.progress.Say(last)
		return diag.Diagnostics{diag.NewErrorDiagnostic(summary, detail)}
	}
	switch {
	case err == nil && t.model.Succeeded.ValueBool():
		t.progress.Say(fmt.Sprintf("Training %q has succeeded", t.jobID()))
		return nil
	case err == nil && t.model.isRunning():
		return fail("End of Body LoRA Training Unknown", fmt.Sprintf("The %s has ended, but neither its status nor the capabilities of the character tell how.", t.model.object()))
	case err == nil:
		return fail("Body LoRA Training Failed", fmt.Sprintf("The %s has not succeeded: its status is %q.", t.model.object(), t.model.Status.ValueString()))
	case errors.Is(err, errJobNotShown):
		return fail("Body LoRA Training Not Shown", fmt.Sprintf(
			"The service has not shown the %s, or shows it no more: %s Whether it runs is not known. Check both ids.", t.model.object(), framework.Sentence(err.Error())))
	case errors.As(err, &timeout):
		return fail("Body LoRA Training Still Running",
			fmt.Sprintf("The %s has not ended, and goes on at the service: %s Last seen: %s", t.model.object(), framework.Sentence(err.Error()), last))
	case errors.As(err, &canceled):
		return fail("Wait for Body LoRA Training Interrupted", fmt.Sprintf("The wait for the %s was interrupted, which does not end it. Last seen: %s", t.model.object(), last))
	}
	return diag.Diagnostics{framework.Failure{
		Verb: "Follow", Noun: "Body LoRA Training", Object: t.model.object(), Consequence: "The wait has ended; the training may go on at the service. Invoking the action again resumes it.",
	}.Error(err)}
}
