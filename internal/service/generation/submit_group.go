package generation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// submit sends the keys in as many batches as configured. It stops at the first
// batch that is not known to be accepted: the rest stays unsubmitted and is
// planned again. It reports false after an error before anything was bought,
// which must end the operation.
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
		reply, err := op.data.Client.SubmitBatch(ctx, op.toBatch(batch))
		if !op.record(ctx, batch, reply, err) {
			break
		}
	}
	return op.paid
}

// record records what became of a batch, and reports whether it is known to be accepted.
func (op *operation) record(ctx context.Context, keys []string, reply *api.BatchReply, err error) (accepted bool) {
	if err == nil {
		op.recordBatch(ctx, keys, reply)
	} else {
		op.recordFailure(ctx, keys, err)
	}
	if op.paid {
		op.group.markShared(op.group.hold(ctx, op.data, op.private, op.diags))
	}
	return err == nil
}

// findGroupID reads a generation of an earlier batch to find the group's id if
// the reply did not name it: the next batch would create another group. If one
// status does not contain it, the others do not either.
func (op *operation) findGroupID(ctx context.Context) {
	for _, id := range sortedKeys(op.bought) {
		if op.group.hasID() || op.statuses[id] != nil {
			return
		}
		if _ = op.readAwaited(ctx, []string{id}); op.statuses[id] != nil {
			return
		}
	}
}

// toBatch returns the request for some keys.
func (op *operation) toBatch(keys []string) api.Batch {
	batch := api.Batch{
		CharacterID: op.group.model.CharacterID.ValueStringPointer(),
		GroupTitle:  op.group.model.Title.ValueStringPointer(),
	}
	if op.group.hasID() {
		batch.GroupID = op.group.model.ID.ValueStringPointer()
	}
	for _, key := range keys {
		prompt := op.group.Prompts[key]
		batch.Prompts = append(batch.Prompts, api.Prompt{
			Key:      key,
			Take:     prompt.Wanted().Take.Get() - 1,
			Prompt:   prompt.Text.Get(),
			FaceSwap: pointerOf(prompt.FaceSwap), UseFaceLoRA: pointerOf(prompt.UseFaceLoRA),
			UseBodyLoRA: pointerOf(prompt.UseBodyLoRA), SourceImageURL: pointerOf(prompt.SourceImageURL),
		})
	}
	return batch
}

// recordBatch records an accepted batch and what became of each prompt.
func (op *operation) recordBatch(ctx context.Context, keys []string, reply *api.BatchReply) {
	op.paid = true
	g := op.group
	g.private.By = op.data.Client.Seen(api.Evidence{By: g.private.By}).By
	if g.private.Since.IsZero() {
		g.private.Since = op.data.Clock.Now().UTC()
	}
	if g.hasID() {
		op.warnOfOtherGroup(reply)
	} else {
		g.recordGroup(reply)
	}
	if g.model.GenerationType.IsNull() || g.model.GenerationType.IsUnknown() {
		g.model.GenerationType = types.StringPointerValue(reply.GenerationType)
	}
	if reply.EstimatedTime != nil {
		op.estimate = time.Duration(*reply.EstimatedTime * float64(time.Second))
	}
	if reply.CreditsDeducted != nil {
		g.model.CreditsDeducted = types.Float64Value(g.model.CreditsDeducted.ValueFloat64() + *reply.CreditsDeducted)
	}
	if reply.RemainingBalance != nil {
		g.model.RemainingBalance = types.Float64Value(*reply.RemainingBalance)
	}
	op.diags.Append(framework.OddReceipt(op.group.named(keys), reply.CreditsDeducted, reply.Assumed, reply.BeyondReason, op.group.summary)...)
	op.recordEffects(ctx, keys, reply)
}

// recordGroup stores what the reply to a batch that was sent without a group's id
// tells of one. The group is this object's only if it names a generation in it and
// nothing came before it, by an import or another batch; and not even known if it
// accepts nothing.
func (g *group) recordGroup(reply *api.BatchReply) {
	id, before := orEmpty(reply.GroupID), g.AllIDs()
	g.private.Created = reply.Names() && len(before) == 0
	if id != "" && reply.Accepts() {
		g.model.ID, g.private.Apart = types.StringValue(id), before
	}
}

// warnOfOtherGroup: a service may put a batch into another group than the requested
// one.
func (op *operation) warnOfOtherGroup(reply *api.BatchReply) {
	if id, named := op.group.model.ID.ValueString(), orEmpty(reply.GroupID); named != "" && named != id && reply.Accepts() {
		op.diags.AddWarning(op.group.summary("Generations Are in Another Group"),
			fmt.Sprintf("The batch was to be added to the generation group %q, and the service answered that it is the group %q. "+
				"Destroy deletes its generations one by one; the other group itself is left alone, and may have to be deleted at the service.", id, named))
	}
}

// tie records which group a reply shows a generation in. The deletion of the whole
// group covers only its own.
func (g *group) tie(id, group string) {
	if g.private.Apart = prompts.Without(g.private.Apart, id); group == "" || group != g.model.ID.ValueString() {
		g.private.Apart = append(g.private.Apart, id)
	}
}

// recordEffects records what became of each key, and warns of what the reply
// leaves open: about others, which no key holds, it contradicts itself.
func (op *operation) recordEffects(ctx context.Context, keys []string, reply *api.BatchReply) {
	g := op.group
	for i, key := range keys {
		g.Set(key, fromEffect(reply.Effects[i], g.NextAttempt(key), op.data.Clock.Now()))
		if id := g.Generations[key].ID.Get(); id != "" {
			g.tie(id, orEmpty(reply.GroupID))
			op.bought[id] = true
			if former := g.Superseded[key]; slices.Contains(former, id) { // variant: failed-retaken
				// The service retried the failed prompt under its id.
				g.Superseded[key] = prompts.Without(former, id)
			}
		}
	}
	if reply.IsOpen {
		op.leaveOpen(keys)
	}
	if left := g.KeysIn(keys, prompts.PhaseUnconfirmed); len(left) > 0 {
		op.noteMade(ctx)
		also := g.quote(orEmpty(reply.GroupID))
		if len(reply.OtherIDs) > 0 {
			also += fmt.Sprintf(" The reply contradicts itself about the generations %s, which are in no state.", everyOf(reply.OtherIDs))
		}
		g.warnOfUnconfirmed(left, also, op.diags)
	}
	op.warnOfSurplus(slices.DeleteFunc(reply.Surplus, func(id string) bool { return len(g.KeysOf(id)) > 0 }))
	op.recordShared(keys)
}

// recordShared handles generations that the service gave to several prompts.
// Equal prompts may share one. Among different ones nobody knows whose it is:
// each that was just submitted supersedes it, and it is deleted with the last.
func (op *operation) recordShared(keys []string) {
	g := op.group
	var equal, different []string
	for _, id := range g.IDsOf(keys) {
		holders := g.KeysOf(id)
		if len(holders) < 2 {
			continue
		}
		line := fmt.Sprintf("the generation %q for the prompts %s", id, quoted(holders))
		if g.AreEqual(holders) { // variant: equal-shared
			equal = append(equal, line)
			continue
		}
		different = append(different, line) // variant: one-id
		reason := "the service's reply names " + line + ", which are different"
		for _, holder := range holders {
			if slices.Contains(keys, holder) {
				g.Set(holder, unconfirmed(g.Generations[holder].Attempts.Get(), reason, op.data.Clock.Now()))
				g.Superseded[holder] = append(prompts.Without(g.Superseded[holder], id), id)
			}
		}
	}
	op.warnOfShared(equal, different)
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
