package generation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// submit sends the keys in as many batches as configured, up to the first that
// is not known to be accepted: the rest is planned again. It sends nothing if
// the purchase log guards one of them. It reports false after an error before
// any purchase, which ends the operation.
func (op *operation) submit(ctx context.Context, keys []string) bool {
	if len(keys) == 0 {
		return true
	}
	if found := op.data.Client.PurchaseLog().Find(op.group.toBatch(keys).Entry()); len(found) > 0 {
		op.diags.Append(op.group.guarded(found).Error())
		return false
	}
	if !op.checkCapabilities(ctx, keys) {
		return false
	}
	size := cmp.Or(op.group.model.MaxPromptsPerBatch.ValueInt64(), op.data.MaxPromptsPerBatch, int64(len(keys)))
	for batch := range slices.Chunk(keys, int(size)) {
		op.findGroupID(ctx)
		op.sent = op.data.Clock.Now()
		reply, err := op.data.Client.SubmitBatch(ctx, op.group.toBatch(batch))
		op.record(ctx, batch, reply, err)
		if err != nil {
			break
		}
	}
	return op.paid
}

// record stores what became of a batch, and holds what was bought before the
// next is sent.
func (op *operation) record(ctx context.Context, keys []string, reply *api.BatchReply, err error) {
	if err == nil {
		op.recordBatch(ctx, keys, reply)
	} else {
		op.recordFailure(ctx, keys, reply, err)
	}
	if op.paid {
		op.group.hold(ctx, op.data, op.private, op.diags)
	}
}

// recordBatch stores the reply to a batch that was accepted: what was deducted,
// the group, and what became of each prompt.
func (op *operation) recordBatch(ctx context.Context, keys []string, reply *api.BatchReply) {
	op.paid = true
	g := op.group
	g.private.By = op.data.Client.Seen(api.Evidence{By: g.private.By}).By
	if g.private.Since.IsZero() {
		g.private.Since = op.data.Clock.Now().UTC()
	}
	id := g.model.ID.ValueString()
	namedGroup := orEmpty(reply.GroupID)
	isAnother := namedGroup != "" && namedGroup != id
	switch {
	case !g.hasID():
		g.recordGroup(reply)
	case isAnother && reply.Accepts():
		op.diags.Append(isInAnotherGroup(g, namedGroup))
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
	op.diags.Append(
		framework.OddReceipt(
			named(op.group, keys),
			reply.CreditsDeducted,
			reply.Assumed,
			reply.BeyondReason,
			op.group.summary,
		)...)
	op.recordEffects(ctx, keys, reply)
}

// recordGroup stores what the reply to a batch that was sent without a group's
// id tells of one. The group is this object's only if the reply names a
// generation in it and nothing came before, by an import or another batch. Of a
// reply that accepts nothing not even its id is taken.
func (g *group) recordGroup(reply *api.BatchReply) {
	id := orEmpty(reply.GroupID)
	before := g.AllIDs()
	g.private.Created = reply.Names() && len(before) == 0
	if id != "" && reply.Accepts() {
		g.model.ID = types.StringValue(id)
		g.private.Apart = before
	}
}

// recordEffects records what became of each key, and warns of what the reply
// leaves open: about others, which no key holds, it contradicts itself.
func (op *operation) recordEffects(ctx context.Context, keys []string, reply *api.BatchReply) {
	g := op.group
	for i, key := range keys {
		g.Set(key, fromEffect(reply.Effects[i], g.NextAttempt(key), op.data.Clock.Now()))
		if id := g.Generations[key].ID.Get(); id != "" {
			op.recordBought(key, id, orEmpty(reply.GroupID))
		}
	}
	if reply.IsOpen {
		op.recordOpen(keys)
	}
	if left := g.KeysIn(keys, prompts.PhaseUnconfirmed); len(left) > 0 {
		op.noteMade(ctx)
		also := quote(g, orEmpty(reply.GroupID))
		if len(reply.OtherIDs) > 0 {
			also += fmt.Sprintf(
				" The reply contradicts itself about the generations %s, which are in no state.",
				everyOf(reply.OtherIDs),
			)
		}
		g.warnOfUnconfirmed(left, also, op.diags)
	}
	warn(g, op.diags.AddWarning, g.unrequested(reply.Surplus))
	op.recordShared(keys)
}

// recordBought ties a generation to the group that the reply names. A service
// may retry a failed prompt under its id: that is superseded by nothing.
func (op *operation) recordBought(key, id, group string) {
	g := op.group
	g.tie(id, group)
	op.bought[id] = true
	former := g.Superseded[key]
	if slices.Contains(former, id) { // variant: failed-retaken
		g.Superseded[key] = prompts.Without(former, id)
	}
}

// recordOpen remembers generations of which the reply does not say whose they
// are. Statuses may tell, unless two keys share one.
func (op *operation) recordOpen(keys []string) {
	g := op.group
	ids := g.IDsOf(keys)
	g.Open = append(g.Open, ids...)
	isShared := func(id string) bool { return len(g.KeysOf(id)) > 1 }
	if !slices.ContainsFunc(ids, isShared) {
		op.openBatches = append(op.openBatches, keys)
	}
}

// unrequested names the generations of a reply that no prompt can have.
func (g *group) unrequested(named []string) notice {
	var surplus []string
	for _, id := range named {
		if len(g.KeysOf(id)) == 0 {
			surplus = append(surplus, id)
		}
	}
	return namesMoreThanPrompts(g, surplus)
}

// recordShared handles generations that the service gave to several prompts.
// Equal prompts may share one. Among different ones nobody knows whose it is:
// each that was just submitted supersedes it, and it is deleted with the last.
func (op *operation) recordShared(keys []string) {
	g := op.group
	var equal, different []string
	for _, id := range g.IDsOf(keys) {
		owners := g.KeysOf(id)
		if len(owners) < 2 {
			continue
		}
		line := fmt.Sprintf("the generation %q for the prompts %s", id, quoted(owners))
		if g.AreEqual(owners) { // variant: equal-shared
			equal = append(equal, line)
			continue
		}
		different = append(different, line) // variant: one-id
		for _, owner := range owners {
			if slices.Contains(keys, owner) {
				reason := "the service's reply names " + line + ", which are different"
				g.Set(owner, unconfirmed(g.Generations[owner].Attempts.Get(), reason, op.data.Clock.Now()))
				g.Superseded[owner] = append(prompts.Without(g.Superseded[owner], id), id)
			}
		}
	}
	if len(equal) > 0 {
		op.diags.Append(equalPromptsShare(equal))
	}
	warn(g, op.diags.AddWarning, differentPromptsShare(different))
}

// recordFailure handles a batch that was not accepted, or not known to be. No
// group that its answer names becomes this one: it may be anybody's. arrived is
// what could be read of a reply that was cut off or broken, nil if nothing.
func (op *operation) recordFailure(ctx context.Context, keys []string, arrived *api.BatchReply, err error) {
	if bought, is := errors.AsType[*purchases.BoughtError](err); is {
		op.recordGuarded(bought.Found)
		return
	}
	if reply.IsEffectUnknown(err) {
		op.paid = true
		for _, key := range keys {
			op.group.Set(key, unconfirmed(op.group.NextAttempt(key), err.Error(), op.data.Clock.Now()))
		}
		op.noteMade(ctx)
		op.noteArrived(keys, arrived)
		op.group.warnOfUnconfirmed(keys, quote(op.group, api.NamedGroup(err)), op.diags)
		return
	}
	consequence := "Nothing was bought by this batch: it was not sent."
	if reply.IsRefused(err) {
		consequence = "The service says that it refused the batch." + quote(op.group, api.NamedGroup(err))
	}
	if mayBeForItsSize(err) && len(keys) > 1 {
		consequence += " " + smallerBatches(len(keys))
	}
	if op.group.hasID() {
		existence, unproven := op.judge(ctx, err, op.group.asShown())
		op.group.private.GroupGone = existence == api.Gone
		if unproven != nil {
			err = unproven
		}
	}
	if op.paid {
		consequence += " What earlier batches bought is in the state; the next plan shows these prompts again."
		op.diags.Append(op.batchFailure(keys, consequence).Warning(err))
		return
	}
	if op.group.private.GroupGone {
		consequence += " If the group was deleted elsewhere, the next plan finds out and shows what is missing."
	}
	op.diags.Append(op.batchFailure(keys, consequence).Error(err))
}

// mayBeForItsSize reports whether a refusal may be about how many prompts the
// batch has. One that blames other fields is not.
func mayBeForItsSize(err error) bool {
	failure := reply.ErrorOf(err)
	if !reply.IsRefused(err) || !slices.Contains(sizeStatuses, failure.Status) {
		return false
	}
	isWhole := func(field reply.FieldError) bool { return slices.Index(field.Path, "prompts") == len(field.Path)-1 }
	return len(failure.Fields) == 0 || slices.ContainsFunc(failure.Fields, isWhole)
}

// sizeStatuses are the statuses of what is too large.
var sizeStatuses = []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}

// batchFailure says that a batch was not accepted, on the attribute that the
// service blames.
func (op *operation) batchFailure(keys []string, consequence string) framework.Failure {
	prompts := path.Root("prompts")
	fields := map[string]path.Path{
		"prompts":          prompts,
		"prompt":           prompts,
		"source_image_url": prompts,
		"face_swap":        prompts,
		"use_face_lora":    prompts,
		"use_body_lora":    prompts,
		"character_id":     path.Root("character_id"),
		"group_title":      path.Root("title"),
	}
	return framework.Failure{
		Verb:        "Submit",
		Noun:        "Generation Batch",
		Object:      named(op.group, keys),
		Consequence: consequence,
		Fields:      fields,
	}
}

// recordGuarded handles a batch that another run has sent since this operation
// began. What earlier batches bought is in the state, and an error would have
// it destroyed.
func (op *operation) recordGuarded(found []purchases.Bought) {
	if op.paid {
		op.diags.Append(op.group.guarded(found).Warning())
		return
	}
	op.diags.Append(op.group.guarded(found).Error())
}

// guarded says what the purchase log guards. The import that it names has all
// of the group: what the state holds by now, too.
func (g *group) guarded(found []purchases.Bought) framework.Guarded {
	var keys []string
	pairs := g.IDs()
	isStored := len(pairs) > 0 || g.model.ID.ValueString() != ""
	for _, bought := range found {
		for _, key := range bought.Keys {
			pairs[key] = cmp.Or(bought.Generations[key], noID)
		}
		keys = append(keys, bought.Keys...)
	}
	slices.Sort(keys)
	lines := framework.ImportBlock(encodedPairs(pairs))
	if isStored {
		lines = framework.ImportLines(encodedPairs(pairs))
	}
	return framework.Guarded{
		Object:  named(g, slices.Compact(keys)),
		Found:   found,
		Import:  lines,
		Again:   "take",
		Summary: g.summary,
	}
}

// warnOfGuarded says at plan which of the keys that it buys the purchase log
// guards.
func (g *group) warnOfGuarded(data *framework.ProviderData, keys []string, diags *diag.Diagnostics) {
	var known []string
	for _, key := range keys {
		if g.Prompts[key].IsKnown() {
			known = append(known, key)
		}
	}
	isKnown := !g.model.CharacterID.IsUnknown() && !g.model.Title.IsUnknown()
	if len(known) == 0 || !isKnown || !data.Known() {
		return
	}
	if found := data.Client.PurchaseLog().Find(g.toBatch(known).Entry()); len(found) > 0 {
		diags.Append(g.guarded(found).Warning())
	}
}

// holding is what a state has of the group's purchases.
func (g *group) holding() purchases.Holding { return purchases.Holding{Generations: g.AllIDs()} }

// imports is what an import has brought of the group, as it is planned now: an
// entry of the purchase log that names no ids may have bought it.
func (g *group) imports(prior *group) *purchases.Entry {
	var keys []string
	for key, prompt := range g.Prompts {
		id := prior.Generations[key].ID.Get()
		if id != "" && prompt.IsKnown() && g.Generations[key].ID.Get() == id {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 || g.model.CharacterID.IsUnknown() || g.model.Title.IsUnknown() {
		return nil
	}
	return g.toBatch(keys).Entry()
}

// toBatch is the batch of these keys. A key's take is not sent: it only makes
// equal prompts different purchases.
func (g *group) toBatch(keys []string) api.Batch {
	batch := api.Batch{
		CharacterID: g.model.CharacterID.ValueStringPointer(),
		GroupTitle:  g.model.Title.ValueStringPointer(),
	}
	if g.hasID() {
		batch.GroupID = g.model.ID.ValueStringPointer()
	}
	for _, key := range keys {
		prompt := g.Prompts[key]
		batch.Prompts = append(batch.Prompts, api.Prompt{
			Key:            key,
			Take:           prompt.Wanted().Take.Get() - 1,
			Prompt:         prompt.Text.Get(),
			FaceSwap:       prompt.FaceSwap.Pointer(),
			UseFaceLoRA:    prompt.UseFaceLoRA.Pointer(),
			UseBodyLoRA:    prompt.UseBodyLoRA.Pointer(),
			SourceImageURL: prompt.SourceImageURL.Pointer(),
		})
	}
	return batch
}
