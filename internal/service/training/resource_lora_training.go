package training

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ framework.Managed = (*trainingResource)(nil)

// The default timeouts, of the actions too.
const (
	waitTimeout   = 3 * time.Hour
	cancelTimeout = 10 * time.Minute
)

var operationTimeouts = framework.Timeouts{"create": waitTimeout, "update": waitTimeout, "delete": cancelTimeout}

type trainingResource struct {
	framework.Identified
	kind kind
}

func (r *trainingResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = trainingSchema(r.kind)
}

// Create starts a training, which costs credits, unless one runs. Once it may be paid
// for, nothing is an error: that would have it destroyed and bought again.
func (r *trainingResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, returned := r.Data.Purchasing(ctx, &resp.Diagnostics)
	defer returned()
	var plan trainingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	t := &training{data: r.Data, kind: r.kind, model: trainingModel{}.withConfigOf(&plan), holder: framework.HolderName(ctx, nil, resp.Private, &resp.Diagnostics)}
	// One training of a character at a time, each with its own timeout.
	mutex := r.Data.Characters.CreateMutex(t.characterID(), framework.LoRA)
	if err := mutex.Lock(ctx); err != nil {
		resp.Diagnostics.Append(t.notStartedError("Start", r.kind.title+" Training", err))
		return
	}
	defer mutex.Unlock()
	limited := operationTimeouts.Limit(ctx, r.Data.Clock, plan.Timeouts, "create")
	t.logProgress(ctx)

	diags := t.takeKilled(limited)
	if t.jobID() == "" && !diags.HasError() {
		status, more := t.waitUntilStartable(limited)
		if diags.Append(more...); !diags.HasError() {
			diags.Append(t.start(limited, status)...)
		}
	}
	if resp.Diagnostics.Append(diags...); diags.HasError() {
		return
	}
	resp.Diagnostics.Append(t.awaitEnd(limited)...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &t.model, &t.private)...)
}

// Update stores the flags, and resumes a wait. It buys nothing.
func (r *trainingResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan trainingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	t, diags := loadTraining(ctx, r, req.State, req.Private, resp.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	t.model = t.model.withConfigOf(&plan)
	if t.model.needsWait() && !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	t.logProgress(ctx)
	resp.Diagnostics.Append(t.awaitEnd(operationTimeouts.Limit(ctx, r.Data.Clock, plan.Timeouts, "update"))...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &t.model, &t.private)...)
	framework.EndImport(ctx, resp.Private, &resp.Diagnostics)
}
