package training

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var (
	_ resource.ResourceWithConfigure      = (*bodyLoRATraining)(nil)
	_ resource.ResourceWithIdentity       = (*bodyLoRATraining)(nil)
	_ resource.ResourceWithImportState    = (*bodyLoRATraining)(nil)
	_ resource.ResourceWithModifyPlan     = (*bodyLoRATraining)(nil)
	_ resource.ResourceWithValidateConfig = (*bodyLoRATraining)(nil)
)

const (
	createTimeout = 3 * time.Hour
	updateTimeout = 3 * time.Hour
	deleteTimeout = 10 * time.Minute
)

type bodyLoRATraining struct{ framework.Resource }

func newBodyLoRATraining() resource.Resource { return &bodyLoRATraining{} }

func (r *bodyLoRATraining) walk() *walk { return framework.Recall[walk](r.Data) }

func (r *bodyLoRATraining) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_body_lora_training"
	// The id of a job whose start was not answered is found out later.
	resp.ResourceBehavior.MutableIdentity = true
}

func (r *bodyLoRATraining) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = trainingSchema(ctx)
}

func (r *bodyLoRATraining) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = trainingIdentitySchema()
}

// ValidateConfig refuses time-outs that leave no time.
func (r *bodyLoRATraining) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config trainingModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	framework.CheckTimeouts(config.Timeouts, &resp.Diagnostics)
}

// Create adopts the training that runs, or starts one and pays for it.
func (r *bodyLoRATraining) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan trainingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	timeout, diags := plan.Timeouts.Create(ctx, createTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	model, record := plan.blank(), record{}
	start := &start{bodyLoRATraining: r, walk: r.walk(), model: &model, record: &record, diags: &resp.Diagnostics}
	// Trainings of one character go one after the other, each with its own time.
	turn := start.walk.character(start.characterID()).start
	if err := turn.take(ctx); err != nil {
		resp.Diagnostics.Append(start.refused("Start", "Body LoRA Training").Error(&wait.CanceledError{Cause: err}))
		return
	}
	defer turn.give()
	limited := wait.WithDeadline(ctx, r.Data.Clock.Now().Add(timeout))
	if !start.obtain(ctx, limited) {
		return
	}
	resp.Diagnostics.Append(publish(ctx, &resp.State, resp.Identity, resp.Private, &model, &record)...)
	if resp.Diagnostics.HasError() || !model.WaitForCompletion.ValueBool() || framework.IsUnknownID(model.ID) {
		return
	}
	resp.Diagnostics.Append(waited(&model, r.follow(limited, &model, &record))...)
	resp.Diagnostics.Append(publish(ctx, &resp.State, resp.Identity, resp.Private, &model, &record)...)
}

// Read shows the job as it stands. How it ended, once known, never changes.
func (r *bodyLoRATraining) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model trainingModel
	var record record
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, recordKey, &record)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.walk().store(model.ID.ValueString())
	status, answer := r.walk().status(ctx, r.Data.Client, model.CharacterID.ValueString())
	verdict, err := r.Data.Client.Judge(answer, record.Sighting)
	if verdict == api.Gone {
		// The identity is set all the same: older CLIs have stored none.
		resp.Diagnostics.Append(resp.Identity.Set(ctx, model.identity())...)
		resp.Diagnostics.Append(framework.StorePrivate(ctx, resp.Private, recordKey, nil)...)
		resp.State.RemoveResource(ctx)
		return
	}
	imported := framework.Imported(ctx, req.Private) && !record.Shown
	if verdict == api.Pending && imported {
		err = answer // what is imported must be there
	}
	switch {
	case verdict == api.Pending && !imported:
		resp.Diagnostics.AddWarning("Body LoRA Training Not Shown", fmt.Sprintf(
			"The service does not know character %q, and has never shown its training %q. It is kept in the state.", model.CharacterID.ValueString(), model.ID.ValueString()))
	case err != nil:
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Read", Noun: "Body LoRA Training",
			Object: fmt.Sprintf("training %q of character %q", model.ID.ValueString(), model.CharacterID.ValueString()),
		}.Error(err))
	default:
		r.refresh(ctx, &model, &record, status)
		if imported && !record.Shown {
			resp.Diagnostics.AddError("Body LoRA Training Not Found", fmt.Sprintf(
				"The status of character %q shows no training with the id %q. Nothing was imported.", model.CharacterID.ValueString(), model.ID.ValueString()))
			return
		}
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(framework.CountRefresh(ctx, req.Private, resp.Private)...)
		resp.Diagnostics.Append(publish(ctx, &resp.State, resp.Identity, resp.Private, &model, &record)...)
	}
}

// refresh takes over one status. A job that the status does not show is kept
// as it was.
func (r *bodyLoRATraining) refresh(ctx context.Context, model *trainingModel, record *record, status *api.TrainingStatus) {
	r.identify(model, record, status)
	r.walk().store(model.ID.ValueString())
	// A failed look at the capabilities leaves the end open for the next one.
	_, _, _ = r.look(ctx, model, record, status)
}

// identify gives a training whose start was not answered the id of its job, if
// exactly one job has come up since.
func (r *bodyLoRATraining) identify(model *trainingModel, record *record, status *api.TrainingStatus) {
	if !framework.IsUnknownID(model.ID) || record.Before == nil {
		return
	}
	if found := slices.DeleteFunc(newBodyJobs(status, record.Before), r.walk().taken); len(found) == 1 {
		model.ID = types.StringValue(found[0])
	}
}

// Update writes the flags into the state, and resumes a wait. It buys nothing.
func (r *bodyLoRATraining) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state trainingModel
	var record record
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, recordKey, &record)...)
	timeout, diags := plan.Timeouts.Update(ctx, updateTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	model := state.configured(&plan)
	if model.waits() {
		if !r.Data.Ready(&resp.Diagnostics) {
			return
		}
		limited := wait.WithDeadline(ctx, r.Data.Clock.Now().Add(timeout))
		resp.Diagnostics.Append(waited(&model, r.follow(limited, &model, &record))...)
	}
	resp.Diagnostics.Append(framework.EndImport(ctx, resp.Private)...)
	resp.Diagnostics.Append(publish(ctx, &resp.State, resp.Identity, resp.Private, &model, &record)...)
}

// ImportState takes over an existing job. Nothing is bought, and what the
// service cannot tell comes from the configuration later.
func (r *bodyLoRATraining) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	framework.ImportOfCharacter(ctx, req, resp, "id", "job_id")
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("wait_for_completion"), true)...)
}

// publish stores state, identity and record.
func publish(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private framework.PrivateWriter, model *trainingModel, record *record) diag.Diagnostics {
	diags := framework.Publish(ctx, state, identity, model, model.identity())
	diags.Append(framework.StorePrivate(ctx, private, recordKey, record)...)
	return diags
}
