package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var _ run.ManagedResource = (*workResource[*training])(nil)

// workResource is mediagen_body_lora_training, mediagen_face_lora_training or
// mediagen_dataset.
type workResource[W any] struct {
	run.Identified

	kind *kind[W]
}

// Schema describes a resource of this kind.
func (r *workResource[W]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.kind.schema()
}

// Create starts the work, which is paid for, and waits for its end. Once the
// work may be paid for, nothing is an error: an error would have the work
// destroyed and bought again.
func (r *workResource[W]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, end := r.Data.BeginPurchase(ctx, req.Plan, resp.Private, &resp.Diagnostics)
	defer end()
	planned := run.Configured(req.Plan, tftypes.Value{})
	p := r.kind.load(ctx, r.Data, planned, resp.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	unlock, err := r.Data.Characters.LockCreate(ctx, p.characterID(), r.kind.makes)
	if err != nil {
		resp.Diagnostics.Append(p.notStarted(p.start, p.noun, err))
		return
	}
	defer unlock()
	p.Tally = r.Data.Tally(purchases.Tally{}, p.order().Purchase)
	limited := r.kind.timeouts.Limit(ctx, r.Data.Clock, p.Timeouts, "create")
	resp.Diagnostics.Append(p.buy(limited)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(p.awaitEnd(limited)...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, p.model, p.private)...)
}

// Read refreshes the work, and removes it from the state if it is gone.
func (r *workResource[W]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	p := r.kind.load(ctx, r.Data, req.State, req.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.Data.Refreshed(ctx, req.Private, p.Holding(p.order().Entry))
	imported := framework.Imported(ctx, req.Private)
	existence, err := r.kind.refresh(p.own, ctx, imported, &resp.Diagnostics)
	switch {
	case err != nil:
		failure := p.failure("Read", framework.Unchanged)
		failure.NotFound = path.Root("character_id")
		resp.Diagnostics.Append(failure.Error(err))
	case existence == evidence.Gone:
		r.Data.FoundGone(ctx, req.Private, p.Holding(p.order().Entry))
		r.Forget(ctx, resp, p.model)
	case !resp.Diagnostics.HasError():
		r.Data.Characters.Note(p.characterID(), p.object())
		resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, p.model, p.private)...)
	}
}

// Update stores the planned values, and resumes a wait. It buys nothing.
func (r *workResource[W]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	planned := run.Configured(req.Plan, req.State.Raw)
	p := r.kind.load(ctx, r.Data, planned, req.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || p.needsWait() && !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	limited := r.kind.timeouts.Limit(ctx, r.Data.Clock, p.Timeouts, "update")
	resp.Diagnostics.Append(p.awaitEnd(limited)...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, p.model, p.private)...)
	framework.EndImport(ctx, resp.Private, &resp.Diagnostics)
}

// Delete forgets the work. If the kind can be cancelled, Delete cancels it
// first.
func (r *workResource[W]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	if r.kind.cancel != nil {
		defer r.Data.WarnOfUnwrittenEntries(&resp.Diagnostics)
	}
	p := r.kind.load(ctx, r.Data, req.State, req.Private, nil, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if r.kind.cancel != nil {
		r.cancel(ctx, p, req.Private, resp)
	}
	if !resp.Diagnostics.HasError() {
		r.Data.Forgotten(ctx, req.Private, p.Holding(p.order().Entry))
	}
}

// cancel cancels the work if it runs, unless the purchase log refuses the
// deletion.
func (r *workResource[W]) cancel(
	ctx context.Context,
	p *piece[W],
	private framework.PrivateReader,
	resp *resource.DeleteResponse,
) {
	r.Data.Stored(ctx, private, p.Holding(p.order().Entry))
	if r.Data.RefuseDeletion(ctx, private, p.guarded, &resp.Diagnostics) {
		return
	}
	r.kind.cancel(p.own, r.kind.timeouts.Limit(ctx, r.Data.Clock, p.Timeouts, "delete"), &resp.Diagnostics)
}

// awaitEnd waits for the end of the work. It returns only warnings, because the
// work may be paid for, and an error would have it bought again.
func (p *piece[W]) awaitEnd(ctx context.Context) diag.Diagnostics {
	if !p.needsWait() {
		return nil
	}
	return p.kind.await(p.own, ctx)
}
