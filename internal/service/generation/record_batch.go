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
)

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

// recordGroup stores what the reply to a batch that was sent without a group's id tells
// of one. The group is this object's only if the reply names a generation in it and
// nothing came before, by an import or another batch. Of a reply that accepts nothing not
// even its id is taken.
func (g *group) recordGroup(reply *api.BatchReply) {
	id, before := orEmpty(reply.GroupID), g.AllIDs()
	g.private.Created = reply.Names() && len(before) == 0
	if id != "" && reply.Accepts() {
		g.model.ID, g.private.Apart = types.StringValue(id), before
	}
}

// warnOfOtherGroup: a service may put a batch into another group than requested.
func (op *operation) warnOfOtherGroup(reply *api.BatchReply) {
	id, named := op.group.model.ID.ValueString(), orEmpty(reply.GroupID)
	op.group.warn(op.diags.AddWarning, notice{when: named != "" && named != id && reply.Accepts(), what: "Generations Are in Another Group",
		text: fmt.Sprintf("The batch was to be added to the generation group %q, and the service answered that it is the group %q. "+
			"Destroy deletes its generations one by one; the other group itself is left alone, and may have to be deleted at the service.", id, named)})
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

// leaveOpen records that the reply to a batch does not tell whose its generations
// are. If it names one twice, no status will.
func (op *operation) leaveOpen(keys []string) {
	g, ids := op.group, op.group.IDsOf(keys)
	g.Open = append(g.Open, ids...)
	if !slices.ContainsFunc(ids, func(id string) bool { return len(g.KeysOf(id)) > 1 }) {
		op.openBatches = append(op.openBatches, keys)
	}
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
		op.unconfirm(owners, keys, id, "the service's reply names "+line+", which are different")
	}
	op.warnOfShared(equal, different)
}

// unconfirm takes a generation from those of its owners that were just submitted.
func (op *operation) unconfirm(owners, submitted []string, id, reason string) {
	g := op.group
	for _, owner := range owners {
		if slices.Contains(submitted, owner) {
			g.Set(owner, unconfirmed(g.Generations[owner].Attempts.Get(), reason, op.data.Clock.Now()))
			g.Superseded[owner] = append(prompts.Without(g.Superseded[owner], id), id)
		}
	}
}

func (op *operation) warnOfShared(equal, different []string) {
	if len(equal) > 0 {
		op.diags.AddWarning("Equal Prompts Share a Generation",
			fmt.Sprintf("The service's reply names %s. Each of these keys has the generation and its results, which are deleted when the last of the keys goes. "+
				"What was deducted is in credits_deducted as far as the service says.", framework.Several(equal, "; ")))
	}
	op.group.warn(op.diags.AddWarning, notice{when: len(different) > 0, what: "Different Prompts Were Given One Generation",
		text: fmt.Sprintf("The service's reply names %s. These prompts are different, so it is not known which of them it belongs to, nor what became of the others. "+
			"Those that were just submitted are in the state as unconfirmed, and this apply does not send them again; the generation is deleted with the last of the keys, or once they have other results. "+
			"Look at it at the service. %s", framework.Several(different, "; "), op.group.again(op.group.Unconfirmed(), buyAgain))})
}

func (op *operation) warnOfSurplus(ids []string) {
	op.group.warn(op.diags.AddWarning, notice{when: len(ids) > 0, what: "Unrequested Generations in a Reply",
		text: fmt.Sprintf("The reply to the batch names more generations than prompts. These are in no state: %s. A destroy deletes them only with the whole group %q; else delete them at the service.", everyOf(ids), op.group.model.ID.ValueString())})
}
