package generation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
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
	size := op.data.MaxPromptsPerBatch
	if limit := op.group.model.MaxPromptsPerBatch; !limit.IsNull() {
		size = limit.ValueInt64()
	}
	if size <= 0 {
		size = int64(len(keys))
	}
	for batch := range slices.Chunk(keys, int(size)) {
		op.findGroupID(ctx, keys)
		if !op.submitBatch(ctx, op.begin(batch)) {
			break
		}
	}
	for _, id := range op.group.idsOf(keys) {
		op.bought[id] = true
	}
	return op.paid
}

// submitBatch sends one batch, once, and reports whether it is known to be accepted.
func (op *operation) submitBatch(ctx context.Context, batch sentBatch) bool {
	result, err := op.data.Client.SubmitBatch(ctx, op.toBatch(batch.keys))
	if err == nil {
		err = op.recordBatch(ctx, batch, result)
	}
	if err != nil {
		op.recordFailure(ctx, batch, err)
	}
	if op.paid {
		op.group.hold(ctx, op.data, op.private, op.diags)
	}
	if len(op.group.keysIn(batch.keys, phaseUnknown)) == 0 { // else it may have made what others seem to have
		op.data.Batches.Release(batch.likeness, batch.name)
	}
	return err == nil
}

// findGroupID reads a generation of an earlier batch to find the group's id if
// the reply did not name it: the next batch would create another group. If one
// status does not contain it, the others do not either.
func (op *operation) findGroupID(ctx context.Context, keys []string) {
	for _, key := range keys {
		id := op.group.generations[key].ID.ValueString()
		if id == "" || op.group.hasID() {
			continue
		}
		status, failure := op.data.Client.Generation(ctx, id)
		if existence, _ := op.judge(ctx, failure, op.group.private.Of(id)); existence == api.Present {
			op.group.recordStatus(id, status, true)
			return
		}
	}
}

// toBatch returns the request for some keys.
func (op *operation) toBatch(keys []string) api.Batch {
	batch := api.Batch{
		CharacterID: op.group.model.CharacterID.ValueStringPointer(),
		GroupTitle:  op.group.model.Title.ValueStringPointer(),
		Match: func(result *api.BatchResult) (map[string]string, bool, int64) {
			assigned := assign(result.Results, len(keys))
			ids, certain := assigned.ids(keys, op.group.prompts)
			return ids, certain, assigned.refused(result)
		},
	}
	if op.group.hasID() {
		batch.GroupID = op.group.model.ID.ValueStringPointer()
	}
	for _, key := range keys {
		prompt := op.group.prompts[key]
		batch.Prompts = append(batch.Prompts, api.Prompt{
			Key:      key,
			Prompt:   prompt.Prompt.ValueString(),
			FaceSwap: prompt.FaceSwap.ValueBoolPointer(), UseFaceLoRA: prompt.UseFaceLoRA.ValueBoolPointer(),
			UseBodyLoRA: prompt.UseBodyLoRA.ValueBoolPointer(), SourceImageURL: prompt.SourceImageURL.ValueStringPointer(),
		})
	}
	return batch
}

// recordBatch records a batch and what became of each prompt. A reply that
// rejects every prompt is a refusal.
func (op *operation) recordBatch(ctx context.Context, batch sentBatch, result *api.BatchResult) error {
	keys := batch.keys
	assigned := assign(result.Results, len(keys))
	if reason, rejected := allRejected(assigned, result); rejected {
		return result.Rejected(reason)
	}
	op.paid = true
	g := op.group
	g.private.By = op.data.Client.Seen(api.Evidence{By: g.private.By}).By
	if g.private.Since.IsZero() {
		g.private.Since = op.data.Clock.Now().UTC()
	}
	g.private.Created = g.private.Created || !g.hasID() && len(g.allIDs()) == 0
	op.recordGroupID(result.GroupID)
	if g.model.GenerationType.IsNull() || g.model.GenerationType.IsUnknown() {
		g.model.GenerationType = types.StringPointerValue(result.GenerationType)
	}
	if result.EstimatedTime != nil {
		op.estimate = time.Duration(*result.EstimatedTime * float64(time.Second))
	}
	if result.CreditsDeducted != nil {
		g.model.CreditsDeducted = types.Float64Value(g.model.CreditsDeducted.ValueFloat64() + *result.CreditsDeducted)
	}
	if result.RemainingBalance != nil {
		g.model.RemainingBalance = types.Float64Value(*result.RemainingBalance)
	}
	op.diags.Append(framework.PriceDiffers(op.object(keys), result.CreditsDeducted, result.Assumed)...)
	if len(result.BeyondReason) > 0 {
		op.diags.Append(framework.BeyondReason(op.object(keys), result.BeyondReason))
	}
	op.recordResults(ctx, batch, assigned, result.OtherIDs)
	return nil
}

// recordGroupID stores the group's id from a batch's reply. A service may put a
// batch into another group than the requested one.
func (op *operation) recordGroupID(named *string) {
	g := op.group
	switch {
	case named == nil || *named == "" || g.model.ID.ValueString() == *named:
	case !g.hasID():
		g.model.ID = types.StringValue(*named)
	default:
		g.private.Leftovers = true
		op.diags.AddWarning("Generations Are in Another Group",
			fmt.Sprintf("The batch was to be added to the generation group %q, and the service answered that it is the group %q. "+
				"Destroy deletes its generations one by one; the other group itself is left alone, and may have to be deleted at the service.", g.model.ID.ValueString(), *named))
	}
}

// nextAttempt returns the attempt number of the key's next submission.
func (g *group) nextAttempt(key string) int64 { return g.generations[key].Attempts.ValueInt64() + 1 }

// recordResults records what became of each key, and warns of what the reply
// leaves open: about others, which no key holds, it contradicts itself.
func (op *operation) recordResults(ctx context.Context, batch sentBatch, assigned assignment, others []string) {
	g, keys := op.group, batch.keys
	for i, key := range keys {
		g.set(key, fromEntry(assigned.entries[i], g.nextAttempt(key), op.data.Clock.Now()))
		if id := g.generations[key].ID.ValueString(); id != "" {
			if !assigned.certain {
				g.private.Open[id] = batch.name
			}
			if former := g.private.Superseded[key]; slices.Contains(former, id) {
				// The service retried the failed prompt under its id.
				g.private.Superseded[key] = without(former, id)
			}
		}
	}
	if batch.keys = g.keysIn(keys, phaseUnknown); len(batch.keys) > 0 && g.hasID() {
		op.find(ctx, batch)
	}
	op.warnOfUnnamed(g.keysIn(keys, phaseUnknown), others)
	op.warnOfSurplus(slices.DeleteFunc(assigned.surplus, func(id string) bool { return len(g.keysOf(id)) > 0 }))
	op.recordShared(keys)
}

// recordShared handles generations that the service gave to several prompts.
// Equal prompts may share one. Among different ones nobody knows whose it is:
// each that was just submitted supersedes it, and it is deleted with the last.
func (op *operation) recordShared(keys []string) {
	g := op.group
	var equal, different []string
	for _, id := range g.idsOf(keys) {
		holders := g.keysOf(id)
		if len(holders) < 2 {
			continue
		}
		line := fmt.Sprintf("the generation %q for the prompts %s", id, g.described(holders))
		if !slices.ContainsFunc(holders, func(key string) bool { return g.prompts[key].sent() != g.prompts[holders[0]].sent() }) {
			equal = append(equal, line)
			continue
		}
		different = append(different, line)
		reason := "the service's reply names " + line + ", which are different"
		for _, holder := range holders {
			if slices.Contains(keys, holder) {
				g.set(holder, outcomeUnknown(g.generations[holder].Attempts.ValueInt64(), reason, op.data.Clock.Now()))
				g.private.Superseded[holder] = append(without(g.private.Superseded[holder], id), id)
			}
		}
	}
	op.warnOfShared(equal, different)
}

// recordFailure handles a batch that was not accepted, or not known to be. No
// group that its answer names becomes this one: it may be anybody's.
func (op *operation) recordFailure(ctx context.Context, batch sentBatch, err error) {
	keys := batch.keys
	if api.IsOutcomeUnknown(err) {
		op.paid = true
		for _, key := range keys {
			op.group.set(key, outcomeUnknown(op.group.nextAttempt(key), err.Error(), op.data.Clock.Now()))
		}
		if candidates, found := op.find(ctx, batch); found {
			op.warnOfFound(keys, candidates[0], err)
		} else {
			op.warnOfUnknown(batch, candidates, err)
		}
		return
	}
	named := op.namedGroup(err)
	consequence := "Nothing was bought by this batch: it was not sent."
	if api.IsRefused(err) {
		consequence = "The service says that it refused the batch." + named
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
		Verb: "Submit", Noun: "Generation Batch", Object: op.object(keys), Consequence: consequence, Fields: fields,
	}
}
