package generation

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// submit sends the keys in as many batches as configured, up to the first that is not
// known to be accepted: the rest is planned again. It reports false after an error
// before anything was bought, which must end the operation.
func (op *operation) submit(ctx context.Context, keys []string) bool {
	if len(keys) == 0 {
		return true
	}
	if !op.checkCapabilities(ctx, keys) {
		return false
	}
	rest, ok := op.takeKilled(ctx, keys)
	if !ok {
		return false
	}
	size := cmp.Or(op.group.model.MaxPromptsPerBatch.ValueInt64(), op.data.MaxPromptsPerBatch, int64(len(keys)))
	for batch := range slices.Chunk(rest, int(size)) {
		op.findGroupID(ctx)
		op.sent = op.data.Clock.Now()
		reply, err := op.data.Client.SubmitBatch(ctx, op.group.toBatch(batch))
		if !op.record(ctx, batch, reply, err) {
			break
		}
	}
	return op.paid
}

// takeKilled gives to keys what runs that were killed have bought of them, by the
// purchase log, and returns the rest, which is to be sent. It reports false after an
// error, with which nothing was sent.
func (op *operation) takeKilled(ctx context.Context, keys []string) (rest []string, ok bool) {
	batches, err := op.data.Client.KilledBatches(ctx, op.group.toBatch(keys), op.group.Has, true)
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

// record records what became of a batch, and reports whether it is known to be accepted.
func (op *operation) record(ctx context.Context, keys []string, reply *api.BatchReply, err error) (accepted bool) {
	if err == nil {
		op.recordBatch(ctx, keys, reply)
	} else {
		op.recordFailure(ctx, keys, err)
	}
	if op.paid {
		op.group.hold(ctx, op.data, op.private, op.diags)
	}
	return err == nil
}

// recordFailure handles a batch that was not accepted, or not known to be. No
// group that its answer names becomes this one: it may be anybody's.
func (op *operation) recordFailure(ctx context.Context, keys []string, err error) {
	if reply.IsEffectUnknown(err) {
		op.paid = true
		for _, key := range keys {
			op.group.Set(key, unconfirmed(op.group.NextAttempt(key), err.Error(), op.data.Clock.Now()))
		}
		op.noteMade(ctx)
		op.group.warnOfUnconfirmed(keys, op.group.quote(api.NamedGroup(err)), op.diags)
		return
	}
	consequence := "Nothing was bought by this batch: it was not sent."
	if reply.IsRefused(err) {
		consequence = "The service says that it refused the batch." + op.group.quote(api.NamedGroup(err))
	}
	if op.group.hasID() {
		existence, unproven := op.judge(ctx, err, op.group.private.asShown())
		if op.group.private.GroupMissing = existence == api.Gone; unproven != nil {
			err = unproven
		}
	}
	if op.paid {
		consequence += " What earlier batches bought is in the state; the next plan shows these prompts again."
		op.diags.Append(op.batchFailure(keys, consequence).Warning(err))
		return
	}
	if op.group.private.GroupMissing {
		consequence += " If the group was deleted elsewhere, the next plan finds out and shows what is missing."
	}
	op.diags.Append(op.batchFailure(keys, consequence).Error(err))
}

func (op *operation) batchFailure(keys []string, consequence string) framework.Failure {
	prompts := path.Root("prompts")
	fields := map[string]path.Path{
		"prompts": prompts, "prompt": prompts, "source_image_url": prompts, "face_swap": prompts, "use_face_lora": prompts, "use_body_lora": prompts,
		"character_id": path.Root("character_id"), "group_title": path.Root("title"),
	}
	return framework.Failure{
		Verb: "Submit", Noun: "Generation Batch", Object: op.group.named(keys), Consequence: consequence, Fields: fields,
	}
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
func (g *group) warnOfKilled(ctx context.Context, data *framework.ProviderData, keys []string, diags *diag.Diagnostics) {
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !g.Prompts[key].IsKnown() })
	if len(keys) == 0 || !data.Known() || g.model.CharacterID.IsUnknown() || g.model.Title.IsUnknown() {
		return
	}
	batches, err := data.Client.KilledBatches(ctx, g.toBatch(keys), g.Has, false)
	if err != nil {
		return // the purchase log's own warning says it
	}
	for _, batch := range batches {
		diags.Append(framework.KilledPurchase(g.named(batch.Keys), batch.Killed, framework.ImportBlock(pairsOf(batch)), g.summary))
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
