package generation

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// What a group records of a batch, answered or not. Create and Update write the
// records to the state, see resource_group.go.

// submission is the purchase of one batch.
type submission struct {
	*execution
	keys []string
}

var _ purchases.Buyer[*api.BatchReply] = (*submission)(nil)

// Accepted records the reply, and then reports it.
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
	reason := isUnconfirmed(unconfirmed)
	for _, key := range s.keys {
		s.group.Set(key, prompts.Unconfirmed(s.group.NextAttempt(key), reason))
	}
	s.lookForCandidates(ctx, unconfirmed)
	s.noteArrived(s.keys, arrived)
	s.diags.Append(unconfirmedPrompts(s.group, s.keys, quote(s.group, api.NamedGroup(unconfirmed.Cause))))
}

// Refused handles a batch that was refused, or not sent, for example because of
// a limit or an interrupt. A group in the service's answer is not adopted,
// because it may belong to anybody.
func (s *submission) Refused(ctx context.Context, err error) {
	reason := err
	if s.group.hasID() {
		existence, unproven := s.judge(ctx, err, s.group.asShown())
		s.group.private.GroupGone = existence == evidence.Gone
		if unproven != nil {
			reason = unproven
		}
	}
	failure := batchFailure(s.group, s.keys, notAccepted(s.group, err, len(s.keys)))
	switch {
	case s.mayBePaid:
		failure.Consequence += " " + earlierBatchesStay
		s.diags.Append(failure.Warning(reason))
	case s.group.private.GroupGone:
		failure.Consequence += " " + groupMayBeGone
		s.diags.Append(failure.Error(reason))
	default:
		s.diags.Append(failure.Error(reason))
	}
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

// accepted is the reply to an accepted batch, with all that the recording has
// decided about it. The reports need nothing else but the group.
type accepted struct {
	prompts.Effects
	answer *api.BatchReply
	keys   []string
	// group is the group that the reply names; "" if it names none. isOther is
	// true if the batch was sent to a different group.
	group   string
	isOther bool
	// surplus are the generations in the reply that belong to no key.
	surplus []string
}

// recordBatch records the reply to an accepted batch, and then reports it. The
// receipt is reported first: the search for candidates may name the group.
func (op *execution) recordBatch(ctx context.Context, keys []string, answer *api.BatchReply) {
	batch := op.record(keys, answer)
	op.reportReceipt(batch)
	if len(batch.InDoubt) > 0 {
		op.lookForCandidates(ctx, framework.Unconfirmed{Sent: op.sent})
		op.diags.Append(promptsInDoubt(op.group, batch))
	}
	warn(op.group, op.diags.AddWarning, namesUnmatched(op.group, batch.surplus))
	op.disown(batch.Different)
	if len(batch.Equal) > 0 { // variant: equal-shared
		op.diags.Append(equalPromptsShare(batch.Equal))
	}
	warn(op.group, op.diags.AddWarning, differentPromptsShare(batch.Different))
}

// record stores the group, the receipt and the generations that the reply to an
// accepted batch names, and decides everything about them.
func (op *execution) record(keys []string, answer *api.BatchReply) accepted {
	g := op.group
	batch := accepted{
		answer: answer,
		keys:   keys,
		group:  orEmpty(answer.GroupID),
	}
	batch.isOther = g.hasID() && batch.group != "" && batch.group != g.values.ID.ValueString() && answer.Accepts()
	g.private.By = op.data.Client.Seen(evidence.Evidence{By: g.private.By}).By
	if g.private.Since.IsZero() {
		g.private.Since = op.data.Clock.Now().UTC()
	}
	if !g.hasID() {
		g.recordGroup(batch)
	}
	op.recordReceipt(answer)
	made := make([]prompts.Generation, len(keys))
	for i, key := range keys {
		made[i] = fromEffect(answer.Effects[i], g.NextAttempt(key), op.sent)
		if id := made[i].ID.Get(); id != "" {
			g.tie(id, batch.group)
			op.bought[id] = true
		}
	}
	batch.Effects = g.RecordEffects(keys, made, answer.IsOpen) // variant: failed-retaken
	if answer.IsOpen && !batch.HasShared() {
		op.unsettled = append(op.unsettled, keys)
	}
	for _, id := range answer.UnmatchedIDs {
		if len(g.KeysOf(id)) == 0 {
			batch.surplus = append(batch.surplus, id)
		}
	}
	return batch
}

// recordGroup stores the group that the reply to a batch without a group's id
// names. The group belongs to this object only if the reply names a generation
// in it, and if no import and no earlier batch came before. If the reply
// accepts nothing, its group id is ignored.
func (g *group) recordGroup(batch accepted) {
	before := g.AllIDs()
	g.private.Created = batch.answer.Names() && len(before) == 0
	if batch.group != "" && batch.answer.Accepts() {
		g.values.ID = types.StringValue(batch.group)
		g.private.Apart = before
	}
}

// recordReceipt stores the reply's facts about the batch as a whole.
func (op *execution) recordReceipt(answer *api.BatchReply) {
	values := &op.group.values
	if values.GenerationType.IsNull() || values.GenerationType.IsUnknown() {
		values.GenerationType = types.StringPointerValue(answer.GenerationType)
	}
	if answer.EstimatedTime != nil {
		op.estimate = time.Duration(*answer.EstimatedTime * float64(time.Second))
	}
	if answer.CreditsDeducted != nil {
		sum := purchases.AddCredits(values.CreditsDeducted.ValueFloat64(), *answer.CreditsDeducted)
		values.CreditsDeducted = types.Float64Value(sum)
	}
	if answer.RemainingBalance != nil {
		values.RemainingBalance = types.Float64Value(*answer.RemainingBalance)
	}
}

// reportReceipt warns of a group or a price that was not expected.
func (op *execution) reportReceipt(batch accepted) {
	if batch.isOther {
		op.diags.Append(isInAnotherGroup(op.group, batch.group))
	}
	op.diags.Append(
		purchases.OddReceipt(
			named(op.group, batch.keys),
			batch.answer.CreditsDeducted,
			batch.answer.Assumed,
			batch.answer.TooLarge,
			op.group.summary,
		)...)
}

// disown gives up the generations that the service gave to different prompts,
// because nobody knows to which of them each belongs.
func (op *execution) disown(different []prompts.SharedID) {
	for _, shared := range different { // variant: one-id
		doubt := framework.Unconfirmed{Sent: op.sent, Reason: isOfDifferentPrompts(shared)}
		op.group.noteUnconfirmed(doubt)
		op.group.Disown(shared, isUnconfirmed(doubt))
	}
}
