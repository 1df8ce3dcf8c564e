package generation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// What may have come of prompts whose outcome is not confirmed. A deployment
// with extended_reads lists it, for a person to import: nothing of it is taken.

const (
	// clocksDiffer is by how much the service's clock may be behind ours.
	clocksDiffer = 5 * time.Minute
	// noID stands in an import for what a person has to find.
	noID = "GENERATION_ID"
)

// noteMade looks once, where the deployment lists groups, for what a lost reply
// may have been about. What it finds is only named to the user.
func (op *execution) noteMade(ctx context.Context) {
	g := op.group
	if g.private.Unconfirmed.Sent.IsZero() {
		g.private.Unconfirmed.Sent = op.sent
	}
	g.nameless()
	op.data.LookOnce(ctx, func(ctx context.Context) error {
		if !g.hasID() {
			return op.noteGroups(ctx)
		}
		listed, err := op.data.Client.Groups.GetOptional(ctx, g.values.ID.ValueString())
		op.noteListed(listed)
		return err
	})
}

// noteGroups notes, of one page of groups, those of the title that nothing of
// the run holds.
func (op *operation) noteGroups(ctx context.Context) error {
	g := op.group
	groups, err := op.data.Client.Groups.Some(ctx, g.values.CharacterID.ValueString())
	if err != nil || groups == nil {
		return err
	}
	g.private.Unconfirmed.MayBe = nil
	for _, made := range groups {
		isOther := made.Title != nil && !g.values.Title.IsNull() &&
			!prompts.SameWords(*made.Title, g.values.Title.ValueString())
		if !isOther && op.mayBe(&op.data.Groups, made.ID, made.CreatedAt) {
			g.private.Unconfirmed.MayBe = append(g.private.Unconfirmed.MayBe, made.ID)
		}
	}
	return nil
}

// noteListed notes, of the group's own list, the generations of the texts in
// question that no resource of the run holds. A key is paired with one if it
// can be no other's.
func (op *operation) noteListed(listed *api.Group) {
	g := op.group
	if listed == nil || len(g.Unconfirmed()) == 0 {
		return
	}
	held := g.AllIDs()
	ids := map[string][]string{}
	for _, made := range listed.Generations {
		id := *made.GenerationID
		if made.Prompt != nil && !slices.Contains(held, id) &&
			op.mayBe(&op.data.Generations.Holders, id, made.CreatedAt) {
			text := g.WordsShown(*made.Prompt)
			ids[text] = append(ids[text], id)
		}
	}
	g.private.Unconfirmed.MayBe, g.private.Pairs = g.MayHave(ids)
}

// noteArrived notes, of a reply that was cut off or broken, the generations
// that it gives to a prompt without doubt, for the import that settles them.
// Nothing else of it is taken.
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

// mayBe reports whether something may have come of the batches: nothing of the
// run holds it, and it was not certainly made before the first of them.
func (op *operation) mayBe(held *run.Holders, id string, created *string) bool {
	at, known := run.CreatedAt(created)
	isOlder := known && at.Before(op.group.private.Unconfirmed.Sent.Add(-clocksDiffer))
	return !isOlder && len(held.Others(id, "")) == 0
}

// warnOfUnresolved says at every plan what is still unconfirmed, and how to
// settle it.
func warnOfUnresolved(g *group, diags *diag.Diagnostics) {
	warnOfOpen(g, diags)
	keys := g.Unconfirmed()
	switch {
	case len(keys) > 0:
		warnOfUnconfirmed(g, keys, "", diags)
	case run.IsUnconfirmedID(g.values.ID):
		diags.AddWarning(
			g.summary("Generation Group Has No Id"),
			fmt.Sprintf(
				"The service has not told the id of the generation group that the state calls %q. Prompts that are "+
					"added make another group, and a destroy deletes the generations one by one; the group itself "+
					"may stay at the service.",
				g.values.ID.ValueString(),
			),
		)
	}
}

// warnOfOpen is about generations of which it is not certain whose they are.
// What they supersede stays until all have results.
func warnOfOpen(g *group, diags *diag.Diagnostics) {
	if open := g.OpenKeys(g.HeldKeys()); len(open) > 0 {
		id, _ := importID(g)
		diags.AddWarning(
			g.summary("Generations May Be Another Key's"),
			fmt.Sprintf(
				"The service has not told which of the generations is whose.\nObject: %s\n\nThey are in the state in "+
					"the order of its reply, and what they supersede stays until all of them have results. Look at "+
					"them. If one is another key's, import the group in place of this resource, with the right ids; "+
					"that buys nothing:\n\n%s",
				named(g, open),
				report.ImportLines(id),
			),
		)
	}
}

// warnOfUnconfirmed also says what the service has named without accepting
// anything.
func warnOfUnconfirmed(g *group, keys []string, also string, diags *diag.Diagnostics) {
	diags.AddWarning(
		g.summary("Unconfirmed Prompts"),
		fmt.Sprintf(
			"%s\n\nObject: %s\nReason: %s%s",
			toConfirm(g),
			named(g, keys),
			whyUnconfirmed(g.Generations[keys[0]]),
			also,
		),
	)
}

// whyUnconfirmed is the reason that the state has, without what the message has
// said by then.
func whyUnconfirmed(generation prompts.Generation) reply.Text {
	reason, _, _ := strings.Cut(generation.Error.Get(), reply.UnknownEffect)
	if sent, is := strings.CutPrefix(reason, notConfirmed); is {
		reason = "sent at " + sent
	}
	return reply.Text(reason)
}

// toConfirm says how a person settles prompts: by an import of all of the
// group, or a purchase.
func toConfirm(g *group) string {
	found := "Look for them at the service: they may be paid for, and are not sent again."
	if seen := g.private.Unconfirmed.MayBe; len(seen) > 0 {
		found = fmt.Sprintf(
			"Look at what the service has listed since then, and nothing in this run holds: %s.",
			everyOf(seen),
		)
	}
	id, asks := importID(g)
	if asks != "" {
		asks = " Put in what is left open: " + asks + "."
	}
	return fmt.Sprintf(
		"%s If they were made, import them in place of this resource; what an import leaves out is bought "+
			"again.%s\n\n%s\n\n%s",
		found,
		asks,
		report.ImportLines(id),
		buyAgain,
	)
}

// importID returns the id of an import of the whole group, and what is left to
// put in.
func importID(g *group) (id, asks string) {
	pairs := g.IDs()
	open := []string{}
	if seen := g.private.Unconfirmed.MayBe; len(pairs) == 0 && !g.hasID() && len(seen) > 0 {
		if len(seen) == 1 {
			return report.Quote(seen[0]), ""
		}
		return report.Quote("GROUP_ID"), "one of these groups for GROUP_ID"
	}
	for _, key := range g.Unconfirmed() {
		pairs[key] = g.private.Pairs[key]
		if pairs[key] == "" {
			pairs[key] = noID
			open = append(open, key)
		}
	}
	if len(open) > 0 {
		asks = fmt.Sprintf("the generations of %s for %s", quoted(open), noID)
	}
	return encodedPairs(pairs), asks
}

// encodedPairs writes the id of an import as an expression of the configuration.
func encodedPairs(ids map[string]string) string {
	var lines []string
	for _, key := range prompts.SortedKeys(ids) {
		lines = append(lines, report.Quote(key)+": "+report.Quote(ids[key]))
	}
	return "jsonencode({" + strings.Join(lines, ", ") + "})"
}
