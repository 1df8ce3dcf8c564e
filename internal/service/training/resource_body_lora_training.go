package training

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var (
	_ resource.ResourceWithConfigure   = (*bodyLoRATraining)(nil)
	_ resource.ResourceWithIdentity    = (*bodyLoRATraining)(nil)
	_ resource.ResourceWithImportState = (*bodyLoRATraining)(nil)
	_ resource.ResourceWithModifyPlan  = (*bodyLoRATraining)(nil)
)

const (
	createTimeout = 3 * time.Hour
	updateTimeout = 3 * time.Hour
	deleteTimeout = 10 * time.Minute
)

type bodyLoRATraining struct{ framework.Resource }

func newBodyLoRATraining() resource.Resource { return &bodyLoRATraining{} }

func (r *bodyLoRATraining) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_body_lora_training"
	// The id of a job whose start got no reply is found later.
	resp.ResourceBehavior.MutableIdentity = true
}

func (r *bodyLoRATraining) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = trainingSchema(ctx)
}

func (r *bodyLoRATraining) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = trainingIdentitySchema()
}

// Create adopts the running training, or starts one and pays for it. Once it
// may be paid for, nothing is an error: that would have it destroyed and bought
// again.
func (r *bodyLoRATraining) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	defer r.Data.WarnOfUnwrittenLines(&resp.Diagnostics)
	var plan trainingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	timeout := framework.Timeout(plan.Timeouts, "create", createTimeout)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	t := &training{data: r.Data, model: plan.withoutComputed(), holder: framework.HolderName(ctx, nil, resp.Private, &resp.Diagnostics)}
	// One training of a character at a time, each with its own timeout.
	mutex := r.Data.Jobs.CreateMutex(t.characterID())
	if err := mutex.Lock(ctx); err != nil {
		resp.Diagnostics.Append(t.notStartedError("Start", "Body LoRA Training", err))
		return
	}
	defer mutex.Unlock()
	limited := wait.WithTimeout(ctx, r.Data.Clock, timeout, "timeouts.create")

	status, running, err := t.waitUntilStartable(limited)
	if err != nil {
		resp.Diagnostics.Append(t.notStartedError("Read", "Training Status", err))
		return
	}
	if running != "" {
		t.adopt(ctx, running, status)
		resp.Diagnostics.Append(t.adoptionWarning())
	} else {
		receipt, err := r.Data.Client.StartBodyTraining(limited, t.characterID()) // paid, sent once
		if err != nil && !api.IsOutcomeUnknown(err) {
			resp.Diagnostics.Append(t.notStartedError("Start", "Body LoRA Training", err))
			return
		}
		if err == nil {
			t.model.startFromAPI(receipt)
			t.private.By = r.Data.Client.Seen(t.private.Sighting).By
			if len(receipt.BeyondReason) > 0 {
				resp.Diagnostics.Append(framework.BeyondReason(t.model.object(), receipt.BeyondReason))
			}
		}
		if t.jobID() == "" { // found even after the deadline: it may be paid for
			resp.Diagnostics.Append(t.findStartedJob(ctx, status, err))
		}
		t.claim(framework.ByCreate)
	}
	t.hold()

	resp.Diagnostics.Append(t.publish(ctx, &resp.State, resp.Identity, resp.Private)...)
	if resp.Diagnostics.HasError() || !t.model.WaitForCompletion.ValueBool() || framework.IsUnknownID(t.model.ID) {
		return
	}
	defer t.logProgress(ctx)()
	resp.Diagnostics.Append(waitWarnings(&t.model, t.waitForCompletion(limited))...)
	resp.Diagnostics.Append(t.publish(ctx, &resp.State, resp.Identity, resp.Private)...)
}

// Read refreshes the training. Its outcome, once known, never changes.
func (r *bodyLoRATraining) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	t, diags := loadTraining(ctx, r.Data, req.State, req.Private, resp.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	t.claim(framework.ByState)
	t.hold()
	var status *api.TrainingStatus
	verdict, answer, err := r.Data.Client.Find(ctx, t.private.Sighting, func(ctx context.Context) (answer error) {
		status, answer = r.Data.Client.TrainingStatusOnce(ctx, t.characterID())
		return answer
	})
	imported := framework.Imported(ctx, req.Private) && !t.private.Shown
	if verdict == api.Pending && imported {
		err = answer // what is imported must exist
	}
	switch {
	case verdict == api.Gone:
		// Set the identity all the same: older CLIs have stored none.
		resp.Diagnostics.Append(resp.Identity.Set(ctx, t.model.identity())...)
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, nil)...)
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		resp.Diagnostics.Append(framework.Failure{Verb: "Read", Noun: "Body LoRA Training", Object: t.model.object()}.Error(err))
		return
	case verdict == api.Pending:
		resp.Diagnostics.AddWarning("Body LoRA Training Not Shown", fmt.Sprintf(
			"The service does not know character %q, and has never shown its training %q. It is kept in the state.", t.characterID(), t.jobID()))
	default:
		if doubtful := t.identify(status); len(doubtful) > 0 {
			resp.Diagnostics.Append(t.notAdoptedWarning(doubtful))
		}
		t.claim(framework.ByState)
		t.refreshFrom(ctx, status)
		if imported && !t.private.Shown {
			resp.Diagnostics.AddError("Body LoRA Training Not Found", fmt.Sprintf(
				"The status of character %q shows no training with the id %q. Nothing was imported.", t.characterID(), t.jobID()))
			return
		}
	}
	t.private.Shared = t.hold() // again: others may have been read meanwhile
	resp.Diagnostics.Append(t.publish(ctx, &resp.State, resp.Identity, resp.Private)...)
}

// Update stores the flags, and resumes a wait. It buys nothing.
func (r *bodyLoRATraining) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan trainingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	t, diags := loadTraining(ctx, r.Data, req.State, req.Private, resp.Private)
	resp.Diagnostics.Append(diags...)
	timeout := framework.Timeout(plan.Timeouts, "update", updateTimeout)
	if resp.Diagnostics.HasError() {
		return
	}
	t.model = t.model.withConfigOf(&plan)
	if t.model.needsWait() {
		if !r.Data.Ready(&resp.Diagnostics) {
			return
		}
		limited := wait.WithTimeout(ctx, r.Data.Clock, timeout, "timeouts.update")
		defer t.logProgress(ctx)()
		resp.Diagnostics.Append(waitWarnings(&t.model, t.waitForCompletion(limited))...)
	}
	resp.Diagnostics.Append(t.publish(ctx, &resp.State, resp.Identity, resp.Private)...)
	framework.EndImport(ctx, resp.Private, &resp.Diagnostics)
}

// ImportState imports an existing job. Nothing is bought, and what the service
// cannot tell comes from the configuration later.
func (r *bodyLoRATraining) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	framework.ImportOfCharacter(ctx, req, resp, "id", "job_id")
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("wait_for_completion"), true)...)
}
