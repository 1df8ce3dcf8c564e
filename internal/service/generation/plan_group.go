package generation

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// replaceUnlessImported: an import cannot read character_id, so the first plan
// after it takes it over from the configuration.
func replaceUnlessImported(ctx context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !framework.Imported(ctx, req.Private)
}

// ModifyPlan says exactly what will be bought: the generations with an unknown
// id. Everything else keeps its known value, attribute by attribute.
func (r *groupResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	if req.Plan.Raw.IsNull() {
		if prior := load(ctx, req.State, req.Private, diags); !diags.HasError() {
			warnOfDestroy(&prior, diags)
		}
		return
	}
	want := load(ctx, req.Plan, nil, diags)
	if diags.HasError() {
		return
	}
	if req.State.Raw.IsNull() {
		if !want.Prompts.IsUnknown() {
			planned := map[string]generationModel{}
			for key := range want.prompts {
				planned[key] = toBeBought()
			}
			diags.Append(resp.Plan.SetAttribute(ctx, path.Root("generations"), mapValue(ctx, generationType, planned, diags))...)
		}
		return
	}
	prior := load(ctx, req.State, req.Private, diags)
	if diags.HasError() {
		return
	}
	imported := framework.Imported(ctx, req.Private)
	if !imported && !want.CharacterID.Equal(prior.CharacterID) {
		warnOfReplacement(&prior, diags)
		return
	}
	planUpdate(ctx, &prior, &want, imported, diags)
	if !diags.HasError() {
		diags.Append(resp.Plan.Set(ctx, want.groupModel)...)
	}
}

// planUpdate replaces what the framework has planned for the computed
// attributes, all unknown after any change, with what will really change.
func planUpdate(ctx context.Context, prior, want *group, imported bool, diags *diag.Diagnostics) {
	want.ID, want.GenerationType, want.Batches = prior.ID, prior.GenerationType, prior.Batches
	want.CreditsDeducted, want.RemainingBalance = prior.CreditsDeducted, prior.RemainingBalance
	if want.Prompts.IsUnknown() {
		want.Generations = types.MapUnknown(generationType)
		want.planPurchase()
		return
	}
	attempts := want.MaxAttempts.ValueInt64()
	if want.MaxAttempts.IsUnknown() {
		// Announce too much rather than buy what was not announced.
		attempts = math.MaxInt64
	}
	diff := compare(prior, want.prompts, attempts, imported)
	want.notes = prior.notes
	want.generations, want.notes.Superseded = diff.carry(prior, want.prompts)
	want.count()
	want.planOutcomes(diff)
	want.Generations = mapValue(ctx, generationType, want.generations, diags)
	warnOfUpdate(prior, want, diff, imported, diags)
}

// planOutcomes marks as unknown what the update will find out.
func (g *group) planOutcomes(diff difference) {
	var awaited bool
	if g.WaitForCompletion.ValueBool() || g.WaitForCompletion.IsUnknown() {
		for _, key := range g.keysWhere(generationModel.isRunning) {
			g.generations[key] = toBeAwaited(g.generations[key])
			awaited = true
		}
	}
	if awaited {
		g.planEnd()
	}
	if len(g.deletable()) > 0 {
		g.Complete = types.BoolUnknown()
	}
	for _, key := range diff.buy {
		g.generations[key] = toBeBought()
		if !g.prompts[key].known() {
			// It may turn out to be the generation that another key seems to take
			// over, and an apply must not break what the plan has promised.
			for _, renamed := range diff.renamed() {
				g.generations[renamed] = toBeBought()
			}
		}
	}
	if len(diff.buy) > 0 {
		g.planPurchase()
	}
}

// planEnd: the wait will tell how many succeeded.
func (g *group) planEnd() {
	g.Complete = types.BoolUnknown()
	g.SucceededCount, g.FailedCount = types.Int64Unknown(), types.Int64Unknown()
	g.PendingCount, g.UnknownCount = types.Int64Unknown(), types.Int64Unknown()
	if g.GenerationType.IsNull() {
		g.GenerationType = types.StringUnknown()
	}
}

// planPurchase: a batch will be submitted. A group that the service has not
// named cannot be added to, so that another one is made.
func (g *group) planPurchase() {
	g.planEnd()
	g.Batches = types.ListUnknown(batchType)
	g.CreditsDeducted, g.RemainingBalance = types.Float64Unknown(), types.Float64Unknown()
	if !g.hasID() {
		g.ID = types.StringUnknown()
	}
}

func warnOfDestroy(prior *group, diags *diag.Diagnostics) {
	diags.AddWarning("Media Will Be Deleted",
		fmt.Sprintf("Destroying the generation group %q deletes its %d generations and their media (%d results known). They cannot be restored.",
			prior.ID.ValueString(), len(prior.ids()), prior.media()))
	if unknown := prior.keysWhere(generationModel.isUnknown); len(unknown) > 0 {
		diags.AddWarning("Generations of Unknown Outcome Are Left Behind",
			fmt.Sprintf("It is unknown whether the prompts %s were bought. If they were and the service never named them, they stay at the service; look for them there.", quoted(unknown)))
	}
}

func warnOfReplacement(prior *group, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("character_id"), "Media Will Be Deleted",
		fmt.Sprintf("Another character replaces the generation group %q: its %d generations and their media (%d results known) are deleted, and every prompt is bought again.",
			prior.ID.ValueString(), len(prior.ids()), prior.media()))
}

func warnOfUpdate(prior, want *group, diff difference, imported bool, diags *diag.Diagnostics) {
	if imported {
		warnOfTakeover(prior, want, diff, diags)
	} else if !want.Title.Equal(prior.Title) {
		diags.AddAttributeWarning(path.Root("title"), "Title Is Sent With the Next Batch",
			fmt.Sprintf("The interface cannot rename the group %q. The new title goes into state now and is sent with the next batch; the service may keep the old one.", prior.ID.ValueString()))
	}
	if len(diff.removed) > 0 {
		diags.AddAttributeWarning(path.Root("prompts"), "Media Will Be Deleted",
			fmt.Sprintf("The keys %s are no longer in the configuration of the group %q: their generations and media are deleted.", quoted(diff.removed), prior.ID.ValueString()))
	}
}

func warnOfTakeover(prior, want *group, diff difference, diags *diag.Diagnostics) {
	taken := !want.Title.Equal(prior.Title) || !want.CharacterID.Equal(prior.CharacterID)
	for key, former := range diff.kept {
		taken = taken || want.prompts[key] != prior.prompts[former]
	}
	if taken {
		diags.AddWarning("Imported Group Is Taken Over",
			fmt.Sprintf("The service cannot tell how the imported group %q was asked for, so its character, title and prompts are taken over from the configuration. Nothing is bought or deleted for it. "+
				"To generate one of its prompts anew, change that prompt after this apply.", prior.ID.ValueString()))
	}
}

func quoted(keys []string) string {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = fmt.Sprintf("%q", key)
	}
	return strings.Join(texts, ", ")
}
