package training

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var _ action.ActionWithConfigure = (*cancelTraining)(nil)

type cancelTraining struct{ framework.Action }

func newCancelTraining() action.Action { return &cancelTraining{} }

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
	defer a.Data.WarnOfUnwrittenLines(&resp.Diagnostics)
	t := namedTraining(ctx, a.Data, req, resp, "cancelled")
	if t == nil {
		return
	}
	t.progress.Say("Cancelling " + t.model.object())
	sent, err := t.cancel(wait.WithDeadline(ctx, a.Data.Clock.Now().Add(deleteTimeout)))
	switch {
	case err != nil && api.IsCanceled(err):
		resp.Diagnostics.AddError("Cancellation of Body LoRA Training Interrupted", fmt.Sprintf(
			"It is not known whether the %s has ended. Last seen: %s. Invoking the action again finishes it.", t.model.object(), t.statusLine()))
	case err != nil:
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Cancel", Noun: "Body LoRA Training", Object: t.model.object(),
			Consequence: "The training may still run; invoking the action again cancels it.",
		}.Error(err))
	case !t.private.Shown:
		resp.Diagnostics.AddError("Body LoRA Training Not Found", fmt.Sprintf("The service does not know the %s. Nothing was cancelled.", t.model.object()))
	case sent:
		t.progress.Say(t.statusLine() + "; it was cancelled")
	default:
		t.progress.Say(t.statusLine() + "; it had ended already, and nothing was cancelled")
	}
}
