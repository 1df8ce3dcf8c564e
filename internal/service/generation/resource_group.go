package generation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

var (
	_ framework.Managed                   = (*groupResource)(nil)
	_ resource.ResourceWithValidateConfig = (*groupResource)(nil)
)

var operationTimeouts = framework.Timeouts{"create": time.Hour, "update": time.Hour, "delete": 10 * time.Minute}

// groupResource is mediagen_generation_group.
type groupResource struct{ framework.Resource }

func newGroupResource() resource.Resource {
	return &groupResource{framework.Resource{Name: "generation_group"}}
}

func (r *groupResource) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	r.Resource.Metadata(ctx, req, resp)
	// The identity has the generations: else adding a prompt would fail once it
	// is paid for.
	resp.ResourceBehavior.MutableIdentity = true
}

// ValidateConfig refuses prompts without a text and a photo, and null ones,
// before anything is sent.
func (r *groupResource) ValidateConfig(
	ctx context.Context,
	req resource.ValidateConfigRequest,
	resp *resource.ValidateConfigResponse,
) {
	var prompts types.Map
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("prompts"), &prompts)...)
	for key, prompt := range prompts.Elements() {
		if prompt.IsNull() {
			resp.Diagnostics.Append(
				framework.InvalidValue(path.Root("prompts").AtMapKey(key), "is null. Leave its key out instead"),
			)
		}
	}
	for key, prompt := range promptElements.decode(prompts) {
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
// it and buy it again.
func (r *groupResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	diags := &resp.Diagnostics
	ctx, end := r.Data.Purchasing(ctx, resp.Private, diags)
	defer end()
	g := load(ctx, req.Plan, nil, diags)
	none := newGroup()
	if !diags.HasError() && r.apply(ctx, "create", &g, &none, g.continueFrom(&none, false), resp.Private, diags) {
		g.store(ctx, r.Data, &resp.State, resp.Identity, resp.Private, diags)
	}
}

// Read refreshes the statuses of the group's generations. A generation that is
// proven gone leaves the state, so that the next plan buys it again; with the
// last one the group goes.
func (r *groupResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	diags := &resp.Diagnostics
	g := load(ctx, req.State, req.Private, diags)
	if diags.HasError() || !r.Data.Ready(diags) {
		return
	}
	defer r.Data.WarnOfFailedReads(diags)
	r.Data.Stored(ctx, req.Private, g.holding())
	g.hold(ctx, r.Data, resp.Private, diags)
	if err := newOperation(r.Data, &g, nil, diags).refresh(ctx); err != nil {
		diags.Append(framework.Failure{
			Verb:        "Read",
			Noun:        "Generation Group",
			Object:      g.name(),
			Consequence: framework.Unchanged,
		}.Error(err))
		return
	}
	g.warnOfUnseen(diags)
	g.warn(diags.AddWarning, g.noLongerShown())
	g.store(ctx, r.Data, &resp.State, resp.Identity, resp.Private, diags)
	if g.WasDeleted() && !diags.HasError() {
		diags.Append(g.groupIsGone()) // the next plan knows nothing of it
		diags.Append(framework.ForgetPrivateState(ctx, resp.Private)...)
		resp.State.RemoveResource(ctx)
		return
	}
}

// Update waits, buys and deletes what the plan has shown, and keeps in the
// state whatever was bought before it failed.
func (r *groupResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	diags := &resp.Diagnostics
	ctx, end := r.Data.Purchasing(ctx, resp.Private, diags)
	defer end()
	g := load(ctx, req.Plan, nil, diags)
	prior := load(ctx, req.State, req.Private, diags)
	if diags.HasError() {
		return
	}
	diff := g.continueFrom(&prior, framework.Imported(ctx, req.Private))
	waits := g.model.WaitForCompletion.ValueBool() && len(g.Awaited()) > 0
	hasToSend := waits || len(diff.Buy) > 0 || len(diff.Removed) > 0 || len(g.Deletable()) > 0
	if hasToSend && !r.apply(ctx, "update", &g, &prior, diff, resp.Private, diags) {
		prior.private.GroupGone = g.private.GroupGone
		diags.Append(framework.StorePrivateState(ctx, resp.Private, prior.memory())...)
		return
	}
	g.keep(r.Data, slices.DeleteFunc(diff.Forgotten, g.Needed())) // the service may have taken up a failed one again
	g.store(ctx, r.Data, &resp.State, resp.Identity, resp.Private, diags)
	framework.EndImport(ctx, resp.Private, diags)
}

// Delete deletes the group's media, or only forgets them if deletion_policy
// keeps them. What still stands stays in the state, and another destroy goes
// on.
func (r *groupResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	diags := &resp.Diagnostics
	defer r.Data.WarnOfUnwrittenEntries(diags)
	g := load(ctx, req.State, req.Private, diags)
	if diags.HasError() || !r.Data.Ready(diags) {
		return
	}
	r.Data.Stored(ctx, req.Private, g.holding())
	g.hold(ctx, r.Data, resp.Private, diags)
	defer r.Data.WarnOfFailedReads(diags)
	op := newOperation(r.Data, &g, resp.Private, diags)
	var err error
	if g.keeps() {
		g.keep(r.Data, g.OwnIDs())
	} else {
		err = op.destroy(operationTimeouts.Limit(ctx, r.Data.Clock, g.model.Timeouts, "delete"))
		op.warnOfLeftoverImages()
	}
	if err == nil {
		r.Data.Forgotten(ctx, req.Private, purchases.Holding{})
		g.warn(diags.AddWarning, g.forgottenMedia(), g.lost(g.HeldKeys(), "has forgotten"))
		r.Data.Groups.Release(g.model.ID.ValueString(), framework.HolderName(ctx, resp.Private, nil, diags))
		return
	}
	op.dropDeleted()
	g.store(ctx, r.Data, &resp.State, resp.Identity, resp.Private, diags)
	diags.Append(framework.Failure{
		Verb:        "Delete",
		Noun:        "Generation Group",
		Object:      g.name(),
		Consequence: "What was deleted has left the state, the rest stays in it. Destroy again to delete what is left.",
	}.Error(err))
}

// apply sends what a create or an update has to, and reports false after an
// error that has changed nothing. It buys first: a service may delete a group
// with its last generation.
func (r *groupResource) apply(
	ctx context.Context,
	what string,
	g, prior *group,
	diff prompts.Difference,
	private framework.PrivateData,
	diags *diag.Diagnostics,
) bool {
	if !r.Data.Ready(diags) {
		return false
	}
	defer r.Data.WarnOfFailedReads(diags)
	g.model.Tally = r.Data.Tally(
		prior.model.Tally,
		purchases.Purchase{Kind: purchases.KindGeneration, Count: int64(len(diff.Buy))},
	)
	op := newOperation(r.Data, g, private, diags)
	ctx = operationTimeouts.Limit(ctx, r.Data.Clock, g.model.Timeouts, what)
	if !op.submit(ctx, diff.Buy) {
		return false
	}
	leftover := diff.Leftover(&prior.Group)
	g.warn(diags.AddWarning, notice{
		when: len(leftover) > 0,
		what: "Imported Generations Left at the Service",
		text: fmt.Sprintf(
			"The prompts of the imported generations %s were bought again in the group %q. The imported ones and "+
				"their media are no longer in the state and stay at the service. A destroy does not delete them "+
				"either.",
			everyOf(leftover),
			g.model.ID.ValueString(),
		),
	})
	g.hold(ctx, r.Data, private, diags)
	op.deleteRemoved(ctx, prior, diff.Removed)
	op.wait(ctx)
	if ctx.Err() == nil {
		op.deleteSuperseded(ctx)
		op.warnOfLeftoverImages()
	}
	op.warnOfFailures(diff.Buy)
	return true
}
