package generation

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// Candidates are generations that may have been made for prompts whose purchase
// is unconfirmed. A deployment with extended_reads lists them, and a person may
// import them. The provider never adopts a candidate by itself.

const (
	// maxClockOffset is the longest time by which the service's clock may be
	// behind the provider's.
	maxClockOffset = 5 * time.Minute
	// noID stands in an import for an id that a person has to find.
	noID = "GENERATION_ID"
)

// lookForCandidates looks once for generations that may have been made by a
// batch whose reply was lost. It only looks if the deployment lists groups and
// the apply was not interrupted. Candidates are only named to the user.
func (op *execution) lookForCandidates(ctx context.Context, unconfirmed framework.Unconfirmed) {
	g := op.group
	g.noteUnconfirmed(unconfirmed)
	g.ensureID()
	op.data.LookOnce(ctx, func(ctx context.Context) error {
		if !g.hasID() {
			return op.noteCandidateGroups(ctx)
		}
		listed, err := op.data.Client.Groups.GetOptional(ctx, g.values.ID.ValueString())
		op.noteListed(listed)
		return err
	})
}

// noteUnconfirmed remembers the first unconfirmed batch.
func (g *group) noteUnconfirmed(unconfirmed framework.Unconfirmed) {
	if g.private.FirstUnconfirmed.IsZero() {
		g.private.FirstUnconfirmed = unconfirmed
	}
}

// noteCandidateGroups reads one page of groups, and notes the groups with this
// title that no object of the run holds.
func (op *operation) noteCandidateGroups(ctx context.Context) error {
	g := op.group
	groups, err := op.data.Client.Groups.Some(ctx, g.values.CharacterID.ValueString())
	if err != nil || groups == nil {
		return err
	}
	g.private.FirstUnconfirmed.MayBe = nil
	for _, made := range groups {
		title := g.title()
		isOther := made.Title != nil && title != nil && !prompts.SameWords(*made.Title, *title)
		if !isOther && op.mayBe(&op.data.Groups, made.ID, made.CreatedAt) {
			g.private.FirstUnconfirmed.MayBe = append(g.private.FirstUnconfirmed.MayBe, made.ID)
		}
	}
	return nil
}

// noteListed reads the group's own list, and notes the generations with the
// texts of unconfirmed prompts that no resource of the run holds. A key is
// paired with a generation only if no other pairing is possible.
func (op *operation) noteListed(listed *api.Group) {
	g := op.group
	if listed == nil || len(g.Unconfirmed()) == 0 {
		return
	}
	own := g.AllIDs()
	ids := map[string][]string{}
	for _, made := range listed.Generations {
		id := *made.GenerationID
		if made.Prompt != nil && !slices.Contains(own, id) &&
			op.mayBe(&op.data.Generations.Holders, id, made.CreatedAt) {
			text := g.WordsShown(*made.Prompt)
			ids[text] = append(ids[text], id)
		}
	}
	g.private.FirstUnconfirmed.MayBe, g.private.Pairs = g.MayHave(ids)
}

// noteArrived evaluates a reply that was cut off or broken. It notes the
// generations that certainly belong to a prompt, for the import that settles
// the prompt. Everything else in the reply is ignored.
func (op *execution) noteArrived(keys []string, arrived *api.BatchReply) {
	if arrived == nil || arrived.IsOpen {
		return
	}
	pairs := maps.Clone(op.group.private.Pairs)
	if pairs == nil {
		pairs = map[string]string{}
	}
	for i, key := range keys {
		if id := arrived.Effects[i].GenerationID; id != "" && !op.group.Has(id) {
			pairs[key] = id
		}
	}
	op.group.private.Pairs = pairs
}

// mayBe reports whether an unconfirmed batch may have made an object: no object
// of the run holds it, and it is not certainly older than the first unconfirmed
// batch.
func (op *operation) mayBe(holders *run.Holders, id string, created *string) bool {
	at, known := framework.CreatedAt(created)
	isOlder := known && at.Before(op.group.private.FirstUnconfirmed.Sent.Add(-maxClockOffset))
	return !isOlder && len(holders.Others(id, "")) == 0
}

// warnOfUnconfirmed says at every plan which prompts are still unconfirmed, and
// how to settle them.
func warnOfUnconfirmed(g *group, diags *diag.Diagnostics) {
	warnOfOpen(g, diags)
	keys := g.Unconfirmed()
	switch {
	case len(keys) > 0:
		diags.Append(unconfirmedPrompts(g, keys, ""))
	case framework.IsUnconfirmedID(g.values.ID):
		diags.Append(groupHasNoID(g))
	}
}

// warnOfOpen warns of generations that may belong to a different key.
func warnOfOpen(g *group, diags *diag.Diagnostics) {
	if open := g.OpenKeys(g.GenerationKeys()); len(open) > 0 {
		diags.Append(mayBeOfAnotherKey(g, open))
	}
}
