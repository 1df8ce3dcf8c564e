package generation

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var (
	_ resource.ResourceWithConfigure      = (*groupResource)(nil)
	_ resource.ResourceWithIdentity       = (*groupResource)(nil)
	_ resource.ResourceWithImportState    = (*groupResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*groupResource)(nil)
	_ resource.ResourceWithValidateConfig = (*groupResource)(nil)
)

func newGroupResource() resource.Resource { return &groupResource{} }

// groupResource is mediagen_generation_group.
type groupResource struct{ framework.Resource }

func (r *groupResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_generation_group"
	// The identity names the generations: without this an added prompt would
	// fail after it was paid for.
	resp.ResourceBehavior.MutableIdentity = true
}

// ValidateConfig refuses what the attributes' own validators cannot see.
func (r *groupResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var prompts types.Map
	var limits timeouts.Value
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("prompts"), &prompts)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("timeouts"), &limits)...)
	framework.CheckTimeouts(limits, &resp.Diagnostics)
	for key, prompt := range prompts.Elements() {
		if prompt.IsNull() {
			resp.Diagnostics.AddAttributeError(path.Root("prompts").AtMapKey(key), "Invalid Value", "The prompt is null. Leave its key out instead.")
		}
	}
}

// Create submits the prompts and waits. Once a batch was accepted, or may have
// been, nothing is an error any more: an error would taint the group, and the
// next apply would delete it and buy it again.
func (r *groupResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	diags := &resp.Diagnostics
	g := load(ctx, req.Plan, nil, diags)
	limit, more := g.model.Timeouts.Create(ctx, defaultCreateTimeout)
	diags.Append(more...)
	if diags.HasError() || !r.Data.Ready(diags) {
		return
	}
	ctx = r.within(ctx, limit)
	g.begin()
	for key := range g.prompts {
		g.generations[key] = unsubmitted(0)
	}
	bought := purchase{data: r.Data, group: &g, diags: diags}
	if !bought.submit(ctx, sortedKeys(g.prompts)) {
		return
	}
	g.publish(ctx, &resp.State, resp.Identity, resp.Private, diags)
	r.finish(ctx, &g, sortedKeys(g.prompts), r.remover(&g, diags))
	g.warnOfOmitted(nil, diags)
	g.publish(ctx, &resp.State, resp.Identity, resp.Private, diags)
}

// begin makes what a new group does not have yet null instead of unknown.
func (g *group) begin() {
	g.model.ID, g.model.GenerationType = types.StringNull(), types.StringNull()
	g.model.CreditsDeducted, g.model.RemainingBalance = types.Float64Null(), types.Float64Null()
	g.generations, g.batches = map[string]generationModel{}, []batchModel{}
}

// Read refreshes each generation: one request each.
func (r *groupResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	diags := &resp.Diagnostics
	g := load(ctx, req.State, req.Private, diags)
	if diags.HasError() || !r.Data.Ready(diags) {
		return
	}
	before := g.addresses()
	reader := refresher{client: r.Data.Client, group: &g, importing: g.model.ID.IsNull()}
	if err := reader.refresh(ctx); err != nil {
		diags.Append(framework.Failure{
			Verb: "Read", Noun: "Generation Group", Object: fmt.Sprintf("generation group %q", g.model.ID.ValueString()),
			Consequence: "The state stays as it was.",
		}.Error(err))
		return
	}
	diags.Append(framework.CountRefresh(ctx, req.Private, resp.Private)...)
	g.warnOfOmitted(before, diags)
	g.publish(ctx, &resp.State, resp.Identity, resp.Private, diags)
	if reader.allGone() && !diags.HasError() {
		resp.State.RemoveResource(ctx)
	}
}

// Update buys what the plan showed, then deletes what was removed, then waits,
// and last deletes what was superseded. Buying comes first because a service
// may drop a group with its last generation.
func (r *groupResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	diags := &resp.Diagnostics
	g := load(ctx, req.Plan, nil, diags)
	prior := load(ctx, req.State, req.Private, diags)
	limit, more := g.model.Timeouts.Update(ctx, defaultUpdateTimeout)
	diags.Append(more...)
	if diags.HasError() {
		return
	}
	ctx = r.within(ctx, limit)
	diff := g.continueFrom(&prior, framework.Imported(ctx, req.Private))
	if diff.needsService(&g) {
		if !r.Data.Ready(diags) {
			return
		}
		bought := purchase{data: r.Data, group: &g, diags: diags}
		if !bought.submit(ctx, diff.buy) {
			prior.private.Doubted = g.private.Doubted
			diags.Append(framework.StorePrivate(ctx, resp.Private, privateStateKey, prior.private)...)
			return
		}
		warnOfLeftBehind(diff.leftBehind(&prior), &g, diags)
		g.publish(ctx, &resp.State, resp.Identity, resp.Private, diags)
		remover := r.remover(&g, diags)
		remover.removed(ctx, &prior, diff.removed)
		r.finish(ctx, &g, diff.buy, remover)
		g.warnOfOmitted(prior.addresses(), diags)
	}
	diags.Append(framework.EndImport(ctx, resp.Private)...)
	g.publish(ctx, &resp.State, resp.Identity, resp.Private, diags)
}

// continueFrom makes the planned group a working copy that begins with what
// the prior one has, and says what is to be done.
func (g *group) continueFrom(prior *group, imported bool) difference {
	diff := compare(prior, g.prompts, g.model.MaxAttempts.ValueInt64(), imported)
	g.model.ID, g.model.GenerationType = prior.model.ID, prior.model.GenerationType
	g.model.CreditsDeducted, g.model.RemainingBalance, g.batches = prior.model.CreditsDeducted, prior.model.RemainingBalance, prior.batches
	g.private = prior.private
	g.generations, g.private.Superseded = diff.carry(prior, g.prompts)
	return diff
}

// needsService reports whether the update has to send anything.
func (d difference) needsService(g *group) bool {
	return len(d.buy) > 0 || len(d.removed) > 0 || len(g.deletable()) > 0 ||
		g.model.WaitForCompletion.ValueBool() && len(g.keysWhere(generationModel.isRunning)) > 0
}

// finish waits, deletes what was superseded, and says what did not succeed.
func (r *groupResource) finish(ctx context.Context, g *group, bought []string, remover *remover) {
	fresh := map[string]bool{}
	for _, key := range bought {
		if id := g.generations[key].ID.ValueString(); id != "" {
			fresh[id] = true
		}
	}
	(&waiter{data: r.Data, group: g, fresh: fresh, gone: map[string]bool{}}).settle(ctx, remover.diags)
	if ctx.Err() == nil {
		remover.superseded(ctx)
		remover.warnOfLost()
	}
	warnOfFailures(g, bought, remover.diags)
}

// remover deletes generations that the group can do without.
func (r *groupResource) remover(g *group, diags *diag.Diagnostics) *remover {
	return &remover{client: r.Data.Client, group: g, diags: diags}
}

// Delete deletes the group, its generations and their media, checks every
// count, and keeps in the state what still stands.
func (r *groupResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	diags := &resp.Diagnostics
	g := load(ctx, req.State, req.Private, diags)
	limit, more := g.model.Timeouts.Delete(ctx, defaultDeleteTimeout)
	diags.Append(more...)
	if diags.HasError() || !r.Data.Ready(diags) {
		return
	}
	remover := remover{client: r.Data.Client, group: &g, everything: true, diags: diags}
	standing, err := remover.all(r.within(ctx, limit))
	remover.warnOfLost()
	failure := framework.Failure{
		Verb: "Delete", Noun: "Generation Group", Object: fmt.Sprintf("generation group %q", g.model.ID.ValueString()),
		Consequence: "The group stays in the state. Destroy again to delete what is left.",
	}
	switch {
	case err != nil:
		diags.Append(failure.Error(err))
	case len(standing) > 0:
		var reasons []string
		for _, id := range sortedKeys(standing) {
			reasons = append(reasons, fmt.Sprintf("generation %s still stands: %s", id, standing[id]))
		}
		g.private.Leftovers = true
		diags.Append(framework.StorePrivate(ctx, resp.Private, privateStateKey, g.private)...)
		diags.Append(failure.Error(fmt.Errorf("%s", strings.Join(reasons, "; "))))
	}
}

// within bounds an operation by its time-out, on the provider's clock.
func (r *groupResource) within(ctx context.Context, limit time.Duration) context.Context {
	return wait.WithDeadline(ctx, r.Data.Clock.Now().Add(limit))
}

// warnOfFailures says which of the prompts that were bought have no results to
// show, now that nothing can be done about it in this run.
func warnOfFailures(g *group, bought []string, diags *diag.Diagnostics) {
	var lines []string
	for _, key := range sortedKeys(g.prompts) {
		generation := g.generations[key]
		if !generation.isRetryable() || generation.isUnknown() {
			continue
		}
		line := fmt.Sprintf("%q: %s", key, generation.Error.ValueString())
		if old := g.private.Superseded[key]; len(old) > 0 {
			line += fmt.Sprintf(" (the former generation %s and its media are kept)", listed(old))
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 {
		diags.AddWarning("Generations Failed",
			fmt.Sprintf("In the generation group %q these prompts have no results; what was deducted for them is in credits_deducted as far as the service says. "+
				"To submit them again (and pay again), raise max_attempts or change the prompt.\n\n%s", g.model.ID.ValueString(), strings.Join(lines, "\n")))
	}
	var left []string
	for _, key := range bought {
		if g.generations[key].isUnsubmitted() {
			left = append(left, key)
		}
	}
	if len(left) > 0 {
		diags.AddWarning("Prompts Not Submitted", fmt.Sprintf("These prompts were not submitted and cost nothing; the next apply submits them: %s.", quoted(left)))
	}
}
