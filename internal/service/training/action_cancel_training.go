package training

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var _ action.ActionWithConfigure = (*cancelTraining)(nil)

type cancelTraining struct{ framework.Action }

func newCancelTraining() action.Action { return &cancelTraining{} }

type cancelTrainingModel struct {
	CharacterID types.String `tfsdk:"character_id"`
	JobID       types.String `tfsdk:"job_id"`
}

func (a *cancelTraining) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_cancel_training"
}

func (a *cancelTraining) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Cancels a training and waits, up to 10 minutes, until it has ended. A training that has ended already is left alone. " +
			"Whether the service gives credits back is not documented. Terraform 1.14 or later.",
		Attributes: map[string]schema.Attribute{
			"character_id": schema.StringAttribute{
				Required: true, MarkdownDescription: "Character that is trained.",
				Validators: []validator.String{framework.ID()},
			},
			"job_id": schema.StringAttribute{
				Required: true, MarkdownDescription: "Training to cancel: the `id` of a `mediagen_body_lora_training`, or any other of the character's jobs.",
				Validators: []validator.String{framework.ID()},
			},
		},
	}
}

// Invoke cancels.
func (a *cancelTraining) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var config cancelTrainingModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || !a.Data.Ready(&resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(runCancelTraining(ctx, a.Data, config, framework.Progress(ctx, resp))...)
}

// runCancelTraining cancels the job as a destroy of the resource does, if it
// still runs.
func runCancelTraining(ctx context.Context, data *framework.Data, input cancelTrainingModel, send func(line string)) diag.Diagnostics {
	w := watch(data, input.CharacterID.ValueString(), input.JobID.ValueString(), send)
	if framework.IsUnknownID(w.model.ID) {
		return diag.Diagnostics{jobUnknown(w, "cancelled")}
	}
	w.Say("Cancelling " + w.object())
	ctx = wait.WithDeadline(ctx, data.Clock.Now().Add(deleteTimeout))
	ended, err := w.gone(ctx, &w.model, &w.record, false)
	if err == nil && ended && w.record.Shown {
		w.Say(w.line() + "; it had ended already, and nothing was cancelled")
		return nil
	}
	if err == nil && !ended {
		err = w.stop(ctx, &w.model, &w.record)
	}
	switch {
	case err != nil && api.IsCanceled(err):
		return diag.Diagnostics{diag.NewErrorDiagnostic("Cancellation of Body LoRA Training Interrupted", fmt.Sprintf(
			"It is not known whether the %s has ended. Last seen: %s. Invoking the action again finishes it.", w.object(), w.line()))}
	case err != nil:
		return diag.Diagnostics{framework.Failure{
			Verb: "Cancel", Noun: "Body LoRA Training", Object: w.object(),
			Consequence: "The training may still run; invoking the action again cancels it.",
		}.Error(err)}
	case !w.record.Shown:
		return diag.Diagnostics{diag.NewErrorDiagnostic("Body LoRA Training Not Found", fmt.Sprintf("The service does not know the %s. Nothing was cancelled.", w.object()))}
	}
	w.Say(w.line() + "; it was cancelled")
	return nil
}
