package generation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// What a group has of a batch once it was answered, or not. Create and Update
// write it to the state, see resource_group.go.

// submission is the purchase of one batch.
type submission struct {
	*execution
	keys []string
}

var _ run.Buyer[*api.BatchReply] = (*submission)(nil)

// Accepted records what was deducted, the group, and what became of each prompt.
func (s *submission) Accepted(ctx context.Context, answer *api.BatchReply, sent time.Time) {
	s.mayBePaid = true
	s.sent = sent
	s.recordBatch(ctx, s.keys, answer)
}

// Unknown records prompts that may be paid for, since the reply was lost or is
// unclear. arrived is what could be read of it, nil if nothing.
func (s *submission) Unknown(ctx context.Context, arrived *api.BatchReply, unconfirmed run.Unconfirmed) {
	s.mayBePaid = true
	s.sent = unconfirmed.Sent
	for _, key := range s.keys {
		s.group.Set(key, unconfirmedGeneration(s.group.NextAttempt(key), unconfirmed))
	}
	s.lookForCandidates(ctx, unconfirmed)
	s.noteArrived(s.keys, arrived)
	s.diags.Append(unconfirmedPrompts(s.group, s.keys, quote(s.group, api.NamedGroup(unconfirmed.Cause))))
}

// Refused handles a batch that was refused, or not sent, as by a limit or after
// an interrupt. No group that its answer names becomes this one: it may be
// anybody's.
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
		s.group.private.GroupGone = existence == api.Gone
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
// What earlier batches bought is in the state, and an error would have it
// destroyed.
func (s *submission) Guarded(_ context.Context, found []purchases.Bought) {
	if s.mayBePaid {
		s.diags.Append(s.guarded(found).Warning())
		return
	}
	s.diags.Append(s.guarded(found).Error())
}

// recordBatch records the reply to a batch that was accepted: what was deducted,
// the group, and what became of each prompt.
func (op *execution) recordBatch(ctx context.Context, keys []string, answer *api.BatchReply) {
	g := op.group
	g.private.By = op.data.Client.Seen(api.Evidence{By: g.private.By}).By
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
		framework.OddReceipt(
			named(op.group, keys),
			answer.CreditsDeducted,
			answer.Assumed,
			answer.TooLarge,
			op.group.summary,
		)...)
	op.recordEffects(ctx, keys, answer)
}

// recordGroup stores what the reply to a batch that was sent without a group's
// id tells of one. The group is this object's only if the reply names a
// generation in it and nothing came before, by an import or another batch. Of a
// reply that accepts nothing not even its id is taken.
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

// recordEffects records what became of each key, and warns of what the reply
// leaves open: about others, which no key holds, it contradicts itself.
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
		op.lookForCandidates(ctx, run.Unconfirmed{Sent: op.sent})
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
// may retry a failed prompt under its id: that is superseded by nothing.
func (op *execution) recordBought(key, id, group string) {
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
func (op *execution) recordOpen(keys []string) {
	g := op.group
	ids := g.IDsOf(keys)
	g.Open = append(g.Open, ids...)
	isShared := func(id string) bool { return len(g.KeysOf(id)) > 1 }
	if !slices.ContainsFunc(ids, isShared) {
		op.openBatches = append(op.openBatches, keys)
	}
}

// warnOfUnmatched names the generations of a reply that no prompt can have.
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
// Equal prompts may share one. Among different ones nobody knows whose it is:
// each that was just submitted supersedes it, and it is deleted with the last.
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
		doubt := run.Unconfirmed{
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
