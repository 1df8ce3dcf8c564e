package generation

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var (
	_ run.ManagedResource                 = (*groupResource)(nil)
	_ resource.ResourceWithValidateConfig = (*groupResource)(nil)
)

var operationTimeouts = framework.Timeouts{"create": time.Hour, "update": time.Hour, "delete": 10 * time.Minute}

// groupResource is mediagen_generation_group.
type groupResource struct{ run.Resource }

func newGroupResource() resource.Resource {
	return &groupResource{run.Resource{Name: "generation_group"}}
}

func (r *groupResource) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	r.Resource.Metadata(ctx, req, resp)
	// The identity changes with the generations. An immutable identity would
	// let the apply fail after an added prompt was paid for.
	resp.ResourceBehavior.MutableIdentity = true
}

// ValidateConfig refuses null prompts, and prompts without a text and a photo,
// before anything is sent.
func (r *groupResource) ValidateConfig(
	ctx context.Context,
	req resource.ValidateConfigRequest,
	resp *resource.ValidateConfigResponse,
) {
	var configured types.Map
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("prompts"), &configured)...)
	for key, prompt := range configured.Elements() {
		if prompt.IsNull() {
			resp.Diagnostics.Append(
				framework.InvalidValue(path.Root("prompts").AtMapKey(key), "is null. Leave its key out instead"),
			)
		}
	}
	for key, prompt := range promptElements.decode(configured) {
		if prompt.Text.IsNull() && prompt.SourceImageURL.IsNull() {
			resp.Diagnostics.Append(
				framework.InvalidValue(
					path.Root("prompts").AtMapKey(key),
					"has neither prompt nor source_image_url, and needs one of them",
				),
			)
		}
	}
}

// Create submits and waits. Once a batch may have been accepted, every problem
// is a warning: an error would taint the group, and the next apply would delete
// the group and buy it again.
func (r *groupResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	diags := &resp.Diagnostics
	ctx, end := r.Data.BeginPurchase(ctx, req.Plan, resp.Private, diags)
	defer end()
	g := load(ctx, req.Plan, nil, diags)
	if diags.HasError() {
		return
	}
	none := newGroup()
	plan := newPlan(none, g, false)
	g.begin(none, plan)
	if newExecution(r.operation(g, resp.Private, diags), none, plan).run(ctx, "create") {
		g.store(ctx, r.Data, &resp.State, resp.Identity, resp.Private, diags)
	}
}

// Read refreshes the statuses of the group's generations. A generation that is
// proven gone leaves the state, so that the next plan buys it again; the group
// leaves the state with its last generation.
func (r *groupResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	diags := &resp.Diagnostics
	g := load(ctx, req.State, req.Private, diags)
	if diags.HasError() || !r.Data.Ready(diags) {
		return
	}
	defer r.Data.WarnOfFailedReads(diags)
	r.Data.Refreshed(ctx, req.Private, g.holding())
	g.hold(ctx, r.Data, resp.Private, diags)
	reading := refresh{operation: r.operation(g, nil, diags)}
	if err := reading.run(ctx); err != nil {
		diags.Append(readFailure(g).Error(err))
		return
	}
	if unseen := g.KeysIn(g.GenerationKeys(), prompts.PhaseNotYetSeen); len(unseen) > 0 {
		diags.Append(neverShown(g, unseen))
	}
	warn(g, diags.AddWarning, resultsNotShown(g))
	g.store(ctx, r.Data, &resp.State, resp.Identity, resp.Private, diags)
	if g.WasDeleted() && !diags.HasError() {
		diags.Append(groupIsGone(g)) // the next plan does not know the group
		diags.Append(framework.ForgetPrivate(ctx, resp.Private)...)
		resp.State.RemoveResource(ctx)
	}
}

// Update waits, buys and deletes as the plan has shown, and keeps in the state
// whatever was bought before a failure.
func (r *groupResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	diags := &resp.Diagnostics
	ctx, end := r.Data.BeginPurchase(ctx, req.Plan, resp.Private, diags)
	defer end()
	g := load(ctx, req.Plan, nil, diags)
	prior := load(ctx, req.State, req.Private, diags)
	if diags.HasError() {
		return
	}
	plan := newPlan(prior, g, framework.Imported(ctx, req.Private))
	g.begin(prior, plan)
	applying := newExecution(r.operation(g, resp.Private, diags), prior, plan)
	if plan.HasToSend() && !applying.run(ctx, "update") {
		prior.private.GroupGone = g.private.GroupGone
		diags.Append(framework.StorePrivate(ctx, resp.Private, prior.encodePrivate())...)
		return
	}
	applying.forget()
	g.store(ctx, r.Data, &resp.State, resp.Identity, resp.Private, diags)
	framework.EndImport(ctx, resp.Private, diags)
}

// Delete deletes the group's media, or only forgets them under deletion_policy
// = "keep". Generations that could not be deleted stay in the state, so that a
// second destroy can continue.
func (r *groupResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	diags := &resp.Diagnostics
	defer r.Data.WarnOfUnwrittenEntries(diags)
	g := load(ctx, req.State, req.Private, diags)
	if diags.HasError() || !r.Data.Ready(diags) {
		return
	}
	r.Data.Stored(ctx, req.Private, g.holding())
	own := func(found []purchases.Bought) purchases.GuardedOrder { return guarded(g, g, found) }
	if r.Data.RefuseDeletion(ctx, req.Private, own, diags) {
		return
	}
	g.hold(ctx, r.Data, resp.Private, diags)
	defer r.Data.WarnOfFailedReads(diags)
	ending := newDeletion(r.operation(g, resp.Private, diags))
	if err := ending.run(ctx); err != nil {
		ending.noteDeleted()
		g.store(ctx, r.Data, &resp.State, resp.Identity, resp.Private, diags)
		diags.Append(deleteFailure(g).Error(err))
		return
	}
	shares := len(g.private.Sharers) > 0
	if !shares { // else other objects hold the generations that it has bought
		r.Data.Forgotten(ctx, req.Private, purchases.Holding{})
	}
	warn(g, diags.AddWarning, forgottenMedia(g), unconfirmedStay(g, g.GenerationKeys(), "has forgotten"))
	r.Data.Release(framework.HolderName(ctx, resp.Private, nil, diags), shares)
}

// operation returns the values for an operation on a group.
func (r *groupResource) operation(g *group, private framework.PrivateState, diags *diag.Diagnostics) operation {
	return operation{
		data:    r.Data,
		group:   g,
		private: private,
		diags:   diags,
	}
}
