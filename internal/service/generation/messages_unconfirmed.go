package generation

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// Messages about prompts and generations of which a reply does not tell
// everything: whether they were bought, or which of them is whose.

// notConfirmed begins the error of an unconfirmed prompt. The time of the
// request and the reason follow.
const notConfirmed = "It is not confirmed whether this prompt was bought at "

// isUnconfirmed is the error of a prompt that may be paid for. It says when the
// batch was sent, so that a person can look for it at the service.
func isUnconfirmed(unconfirmed framework.Unconfirmed) string {
	return fmt.Sprintf(
		notConfirmed+"%s: %s.",
		unconfirmed.Sent.UTC().Format(time.RFC3339),
		strings.TrimSuffix(unconfirmed.Reason, "."),
	)
}

// isOfDifferentPrompts is the reason why prompts with one generation are
// unconfirmed.
func isOfDifferentPrompts(shared prompts.SharedID) string {
	return "the service's reply names " + hasSeveralKeys(shared) + ", which are different"
}

// promptsInDoubt warns of the prompts of an accepted batch that may be paid for.
func promptsInDoubt(g *group, batch accepted) diag.Diagnostic {
	also := quote(g, batch.group)
	if len(batch.answer.OtherIDs) > 0 {
		also += fmt.Sprintf(
			" The reply contradicts itself about the generations %s, which are in no state.",
			quoteAll(batch.answer.OtherIDs),
		)
	}
	return unconfirmedPrompts(g, batch.InDoubt, also)
}

// buyAgain says how to buy an unconfirmed prompt again. The provider never does
// so by itself.
const buyAgain = "To buy one again, and perhaps twice, change its take: max_attempts does not."

// unconfirmedPrompts warns of prompts that may be paid for. also names objects
// in the service's answer, which accepted nothing.
func unconfirmedPrompts(g *group, keys []string, also string) diag.Diagnostic {
	doubt := framework.Doubt{
		Summary: g.summary("Unconfirmed Prompts"),
		Again:   buyAgain,
		Object:  named(g, keys),
		Also:    also,
	}
	doubt.Look, doubt.Import = toConfirm(g)
	return doubtAbout(g.Generations[keys[0]]).Warning(doubt)
}

// groupHasNoID warns of a group whose id no reply has told.
func groupHasNoID(g *group) diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.summary("Generation Group Has No Id"), fmt.Sprintf(
		"The service has not told the id of the generation group that the state calls %q. Prompts that are "+
			"added make another group, and a destroy deletes the generations one by one; the group itself "+
			"may stay at the service.",
		g.values.ID.ValueString(),
	))
}

// mayBeOfAnotherKey warns of generations that may belong to a different key.
// The generations that they supersede stay until all have results.
func mayBeOfAnotherKey(g *group, open []string) diag.Diagnostic {
	id, _ := importID(g)
	return diag.NewWarningDiagnostic(g.summary("Generations May Be Another Key's"), fmt.Sprintf(
		"The service has not told which of the generations is whose.\nObject: %s\n\nThey are in the state in "+
			"the order of its reply, and what they supersede stays until all of them have results. Look at "+
			"them. If one is another key's, import the group in place of this resource, with the right ids; "+
			"that buys nothing:\n\n%s",
		named(g, open),
		framework.ImportLines(id),
	))
}

// neverShown warns of generations that were bought and that no status has shown
// since. A long time proves nothing: they may wait in a queue.
func neverShown(g *group, keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Generations Never Shown", fmt.Sprintf(
		"No status has shown the generations of the %s of the generation group %q since %s, when the "+
			"first of them was bought. They stay in the state, and nothing is bought for them: they may wait in "+
			"a queue, so that time proves nothing.\n\n"+
			"If they do not exist, set trust_not_found (MEDIAGEN_TRUST_NOT_FOUND=true) for one run, whose plan "+
			"buys them again.",
		ofPrompts(keys),
		g.values.ID.ValueString(),
		g.private.Since.Format(time.RFC3339),
	))
}

// doubtAbout returns the facts that the state has of an unconfirmed prompt.
// They are read from its error.
func doubtAbout(generation prompts.Generation) framework.Unconfirmed {
	reason := generation.Error.Get()
	said, isOurs := strings.CutPrefix(reason, notConfirmed)
	at, why, _ := strings.Cut(said, ": ")
	sent, err := time.Parse(time.RFC3339, at)
	if !isOurs || err != nil {
		return framework.Unconfirmed{Reason: reason}
	}
	return framework.Unconfirmed{Sent: sent, Reason: why}
}

// toConfirm says how a person settles unconfirmed prompts: by an import of the
// whole group. lines is that import.
func toConfirm(g *group) (look, lines string) {
	found := "Look for them at the service: they may be paid for, and are not sent again."
	if seen := g.private.FirstUnconfirmed.MayBe; len(seen) > 0 {
		found = fmt.Sprintf(
			"Look at what the service has listed since then, and nothing in this run holds: %s.",
			quoteAll(seen),
		)
	}
	id, asks := importID(g)
	if asks != "" {
		asks = " Put in what is left open: " + asks + "."
	}
	look = fmt.Sprintf(
		"%s If they were made, import them in place of this resource; what an import leaves out is bought again.%s",
		found,
		asks,
	)
	return look, framework.ImportLines(id)
}

// importID returns the id of an import of the whole group, and asks for the
// parts that a person has to fill in.
func importID(g *group) (id, asks string) {
	pairs := g.IDs()
	missing := []string{}
	if seen := g.private.FirstUnconfirmed.MayBe; len(pairs) == 0 && !g.hasID() && len(seen) > 0 {
		if len(seen) == 1 {
			return framework.Quote(seen[0]), ""
		}
		return framework.Quote("GROUP_ID"), "one of these groups for GROUP_ID"
	}
	for _, key := range g.Unconfirmed() {
		pairs[key] = g.private.Pairs[key]
		if pairs[key] == "" {
			pairs[key] = noID
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		asks = fmt.Sprintf("the generations of %s for %s", quoted(missing), noID)
	}
	return encodedPairs(pairs), asks
}

// encodedPairs writes the id of an import as an expression of the configuration.
func encodedPairs(ids map[string]string) string {
	var lines []string
	for _, key := range prompts.SortedKeys(ids) {
		lines = append(lines, framework.Quote(key)+": "+framework.Quote(ids[key]))
	}
	return "jsonencode({" + strings.Join(lines, ", ") + "})"
}
