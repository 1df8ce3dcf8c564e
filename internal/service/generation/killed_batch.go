package generation

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// takeKilled gives to keys what runs that were killed have bought of them, by the
// purchase log, and returns the rest, which is to be sent. It reports false after an
// error, with which nothing was sent.
func (op *operation) takeKilled(ctx context.Context, keys []string) (rest []string, ok bool) {
	batches, err := op.data.Client.KilledBatches(ctx, op.toBatch(keys), op.group.Has, true)
	if err != nil {
		op.diags.Append(op.batchFailure(keys, "Nothing was bought.").Error(err))
		return nil, false
	}
	rest = slices.Clone(keys)
	for _, batch := range batches {
		op.diags.Append(op.group.takenOver(batch))
		if batch.Elsewhere != "" {
			continue
		}
		rest = prompts.Without(rest, batch.Keys...)
		op.sent = batch.SentAt()
		op.record(ctx, batch.Keys, batch.Reply, batch.Unconfirmed)
	}
	return rest, true
}

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
