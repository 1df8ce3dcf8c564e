package generation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// What a group records of a batch, answered or not. Create and Update write the
// records to the state, see resource_group.go.

// submission is the purchase of one batch.
type submission struct {
	*execution
	keys []string
}

var _ purchases.Buyer[*api.BatchReply] = (*submission)(nil)

// Accepted records the deducted credits, the group, and the effect on each
// prompt.
func (s *submission) Accepted(ctx context.Context, answer *api.BatchReply, sent time.Time) {
	s.mayBePaid = true
	s.sent = sent
	s.recordBatch(ctx, s.keys, answer)
}

// Unknown records prompts that may be paid for, because the reply was lost or
// is unclear. arrived is the readable part of the reply; nil if there is none.
func (s *submission) Unknown(ctx context.Context, arrived *api.BatchReply, unconfirmed framework.Unconfirmed) {
	s.mayBePaid = true
	s.sent = unconfirmed.Sent
	for _, key := range s.keys {
		s.group.Set(key, unconfirmedGeneration(s.group.NextAttempt(key), unconfirmed))
	}
	s.lookForCandidates(ctx, unconfirmed)
	s.noteArrived(s.keys, arrived)
	s.diags.Append(unconfirmedPrompts(s.group, s.keys, quote(s.group, api.NamedGroup(unconfirmed.Cause))))
}

// Refused handles a batch that was refused, or not sent, for example because of
// a limit or an interrupt. A group in the service's answer is not adopted,
// because it may belong to anybody.
func (s *submission) Refused(ctx context.Context, err error) {
	consequence := "Nothing was bought by this batch: it was not sent."
	if reply.IsRefused(err) {
		consequence = "The service says that it refused the batch." + quote(s.group, api.NamedGroup(err))
	}
	if mayBeForSize(err) && len(s.keys) > 1 {
		consequence += " " + smallerBatches(len(s.keys))
	}
	if s.group.hasID() {
		existence, unproven := s.judge(ctx, err, s.group.asShown())
		s.group.private.GroupGone = existence == evidence.Gone
		if unproven != nil {
			err = unproven
		}
	}
	if s.mayBePaid {
		consequence += " What earlier batches bought is in the state; the next plan shows these prompts again."
		s.diags.Append(s.batchFailure(s.keys, consequence).Warning(err))
		return
	}
	if s.group.private.GroupGone {
		consequence += " If the group was deleted elsewhere, the next plan finds out and shows what is missing."
	}
	s.diags.Append(s.batchFailure(s.keys, consequence).Error(err))
}

// Guarded handles a batch that another run has sent since this operation began.
// After an earlier batch it is a warning: that batch's generations are in the
// state, and an error would have them destroyed.
func (s *submission) Guarded(_ context.Context, found []purchases.Bought) {
	if s.mayBePaid {
		s.diags.Append(s.guarded(found).Warning())
		return
	}
	s.diags.Append(s.guarded(found).Error())
}

// recordBatch records the reply to an accepted batch: the deducted credits, the
// group, and the effect on each prompt.
func (op *execution) recordBatch(ctx context.Context, keys []string, answer *api.BatchReply) {
	g := op.group
	g.private.By = op.data.Client.Seen(evidence.Evidence{By: g.private.By}).By
	if g.private.Since.IsZero() {
		g.private.Since = op.data.Clock.Now().UTC()
	}
	id := g.values.ID.ValueString()
	namedGroup := orEmpty(answer.GroupID)
	isAnother := namedGroup != "" && namedGroup != id
	switch {
	case !g.hasID():
		op.recordGroup(answer)
	case isAnother && answer.Accepts():
		op.diags.Append(isInAnotherGroup(g, namedGroup))
	}
	if g.values.GenerationType.IsNull() || g.values.GenerationType.IsUnknown() {
		g.values.GenerationType = types.StringPointerValue(answer.GenerationType)
	}
	if answer.EstimatedTime != nil {
		op.estimate = time.Duration(*answer.EstimatedTime * float64(time.Second))
	}
	if answer.CreditsDeducted != nil {
		sum := purchases.AddCredits(g.values.CreditsDeducted.ValueFloat64(), *answer.CreditsDeducted)
		g.values.CreditsDeducted = types.Float64Value(sum)
	}
	if answer.RemainingBalance != nil {
		g.values.RemainingBalance = types.Float64Value(*answer.RemainingBalance)
	}
	op.diags.Append(
		purchases.OddReceipt(
			named(op.group, keys),
			answer.CreditsDeducted,
			answer.Assumed,
			answer.TooLarge,
			op.group.summary,
		)...)
	op.recordEffects(ctx, keys, answer)
}

// recordGroup stores the group that the reply to a batch without a group's id
// names. The group belongs to this object only if the reply names a generation
// in it, and if no import and no earlier batch came before. If the reply
// accepts nothing, its group id is ignored.
func (op *execution) recordGroup(answer *api.BatchReply) {
	g := op.group
	id := orEmpty(answer.GroupID)
	before := g.AllIDs()
	g.private.Created = answer.Names() && len(before) == 0
	if id != "" && answer.Accepts() {
		g.values.ID = types.StringValue(id)
		g.private.Apart = before
	}
}

// recordEffects records the effect on each key, and warns of every question
// that the reply leaves open. A reply that names ids which no key holds
// contradicts itself.
func (op *execution) recordEffects(ctx context.Context, keys []string, answer *api.BatchReply) {
	g := op.group
	for i, key := range keys {
		g.Set(key, fromEffect(answer.Effects[i], g.NextAttempt(key), op.sent))
		if id := g.Generations[key].ID.Get(); id != "" {
			op.recordBought(key, id, orEmpty(answer.GroupID))
		}
	}
	if answer.IsOpen {
		op.recordOpen(keys)
	}
	if inDoubt := g.KeysIn(keys, prompts.PhaseUnconfirmed); len(inDoubt) > 0 {
		op.lookForCandidates(ctx, framework.Unconfirmed{Sent: op.sent})
		also := quote(g, orEmpty(answer.GroupID))
		if len(answer.OtherIDs) > 0 {
			also += fmt.Sprintf(
				" The reply contradicts itself about the generations %s, which are in no state.",
				quoteAll(answer.OtherIDs),
			)
		}
		op.diags.Append(unconfirmedPrompts(g, inDoubt, also))
	}
	warn(g, op.diags.AddWarning, g.warnOfUnmatched(answer.UnmatchedIDs))
	op.recordShared(keys)
}

// recordBought ties a generation to the group that the reply names. A service
// may retry a failed prompt under its old id; such a generation is no longer
// superseded.
func (op *execution) recordBought(key, id, group string) {
	g := op.group
	g.tie(id, group)
	op.bought[id] = true
	former := g.Superseded[key]
	if slices.Contains(former, id) { // variant: failed-retaken
		g.Superseded[key] = prompts.Without(former, id)
	}
}

// recordOpen remembers generations if the reply does not say to which keys they
// belong. Their statuses may tell, unless two keys share a generation.
func (op *execution) recordOpen(keys []string) {
	g := op.group
	ids := g.IDsOf(keys)
	g.Open = append(g.Open, ids...)
	isShared := func(id string) bool { return len(g.KeysOf(id)) > 1 }
	if !slices.ContainsFunc(ids, isShared) {
		op.openBatches = append(op.openBatches, keys)
	}
}

// warnOfUnmatched names the generations in a reply that belong to no prompt.
func (g *group) warnOfUnmatched(named []string) notice {
	var surplus []string
	for _, id := range named {
		if len(g.KeysOf(id)) == 0 {
			surplus = append(surplus, id)
		}
	}
	return namesUnmatched(g, surplus)
}

// recordShared handles generations that the service gave to several prompts.
// Equal prompts may share a generation. Among different prompts nobody knows to
// which it belongs: each prompt that was just submitted supersedes the
// generation, which is deleted with the last of them.
func (op *execution) recordShared(keys []string) {
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
		doubt := framework.Unconfirmed{
			Sent:   op.sent,
			Reason: "the service's reply names " + line + ", which are different",
		}
		g.noteLost(doubt)
		for _, owner := range owners {
			if slices.Contains(keys, owner) {
				g.Set(owner, unconfirmedGeneration(g.Generations[owner].Attempts.Get(), doubt))
				g.Superseded[owner] = append(prompts.Without(g.Superseded[owner], id), id)
			}
		}
	}
	if len(equal) > 0 {
		op.diags.Append(equalPromptsShare(equal))
	}
	warn(g, op.diags.AddWarning, differentPromptsShare(different))
}
