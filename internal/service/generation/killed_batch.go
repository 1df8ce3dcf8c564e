package generation

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// takenOver also names what no prompt asks for any more: nothing will delete it.
func (g *group) takenOver(batch api.KilledBatch) diag.Diagnostic {
	taken := framework.TakenOver(g.named(batch.Keys), batch.Killed, g.summary)
	var left []string
	for _, key := range sortedKeys(batch.Generations) {
		if !slices.Contains(batch.Keys, key) && !g.Has(batch.Generations[key]) {
			left = append(left, fmt.Sprintf("%q for %q", batch.Generations[key], key))
		}
	}
	if len(left) == 0 || batch.Elsewhere != "" {
		return taken
	}
	return diag.NewWarningDiagnostic(taken.Summary(), taken.Detail()+" It had also bought generations that no prompt asks for now, which are in no state: "+framework.Several(left, ", ")+".")
}

// warnOfKilled says at plan which of the keys that it buys other runs have bought.
func (r *groupResource) warnOfKilled(ctx context.Context, want *group, keys []string, diags *diag.Diagnostics) {
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !want.Prompts[key].IsKnown() })
	if len(keys) == 0 || !r.Data.Known() || want.model.CharacterID.IsUnknown() || want.model.Title.IsUnknown() {
		return
	}
	batches, err := r.Data.Client.KilledBatches(ctx, newOperation(r.Data, want, nil, diags).toBatch(keys), want.Has, false)
	if err != nil {
		return // the purchase log's own warning says it
	}
	for _, batch := range batches {
		diags.Append(framework.KilledPurchase(want.named(batch.Keys), batch.Killed, framework.ImportBlock(pairsOf(batch)), want.summary))
	}
}

// pairsOf writes the id of an import of what a batch has bought.
func pairsOf(batch api.KilledBatch) string {
	ids := map[string]string{}
	for _, key := range batch.Keys {
		ids[key] = cmp.Or(batch.Generations[key], noID)
	}
	return encodedPairs(ids)
}
