package training

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var _ action.ActionWithConfigure = (*awaitTraining)(nil)

type awaitTraining struct{ framework.Action }

func newAwaitTraining() action.Action { return &awaitTraining{} }

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

// Invoke waits. What the resource warns of is an error here: it taints nothing.
func (a *awaitTraining) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var text types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("timeout"), &text)...)
	t := namedTraining(ctx, a.Data, req, resp, "awaited")
	if t == nil {
		return
	}
	timeout := framework.DurationOr(text, createTimeout)
	t.progress.Say(fmt.Sprintf("Waiting up to %s for %s", framework.ShortDuration(timeout), t.model.object()))
	err := t.waitForCompletion(wait.WithTimeout(ctx, a.Data.Clock, timeout, "timeout"))
	next := fmt.Sprintf("Last seen: %s. Invoking the action again resumes the wait.", t.statusLine())
	if errors.Is(err, errJobNotShown) {
		next = "Check both ids."
	}
	for _, warning := range t.endOfWait(err, next) {
		resp.Diagnostics.AddError(warning.Summary(), warning.Detail())
	}
	if !resp.Diagnostics.HasError() {
		t.progress.Say(fmt.Sprintf("Training %q of character %q has succeeded", t.jobID(), t.characterID()))
	}
}

// namedTraining returns the training that an action names, and shows its progress.
// An action has no state: it reads all it knows. It returns nil after an error,
// also for a job that is unknown; does is what the action does.
func namedTraining(ctx context.Context, data *framework.Data, req action.InvokeRequest, resp *action.InvokeResponse, does string) *training {
	t := &training{data: data, named: true}
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("character_id"), &t.model.CharacterID)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("job_id"), &t.model.ID)...)
	if resp.Diagnostics.HasError() || !data.Ready(&resp.Diagnostics) {
		return nil
	}
	if framework.IsUnknownID(t.model.ID) {
		resp.Diagnostics.AddError("Body LoRA Training Unknown", fmt.Sprintf(
			"The start of the %s was never answered, and its job has not been found, so it cannot be %s. Nothing was sent; refreshing the resource looks for the job again.", t.model.object(), does))
		return nil
	}
	t.progress = wait.NewProgress(data.Clock, t.statusLine, framework.Progress(ctx, resp))
	return t
}
