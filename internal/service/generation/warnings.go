package generation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// warnOfDestroy says what goes with the group, destroyed by what the text begins with.
func (g *group) warnOfDestroy(by string, diags *diag.Diagnostics) {
	g.warn(diags.AddWarning, g.ending(by), g.lost(g.HeldKeys(), "forgets"))
}

// warnOfReplacement also says what is bought.
func warnOfReplacement(prior, want *group, diags *diag.Diagnostics) {
	again := notice{text: fmt.Sprintf("Another character replaces the generation group %q. Every prompt is bought again: %s.", prior.model.ID.ValueString(), want.asked())}
	add := func(summary, detail string) { diags.AddAttributeWarning(path.Root("character_id"), summary, detail) }
	prior.warn(add, again, prior.ending("This"), prior.lost(prior.HeldKeys(), "forgets"))
}

// asked names all prompts.
func (g *group) asked() string {
	if g.model.PromptMap.IsUnknown() {
		return "they are not known yet"
	}
	return quoted(g.Keys())
}

// warnOfTaint says what goes if the plan replaces a tainted group, of which it is not
// told: the group has been read, and what is planned in its place is a create.
func (r *groupResource) warnOfTaint(want *group, diags *diag.Diagnostics) {
	r.Data.Unplanned.Range(func(holder, read any) bool {
		prior, _ := read.(*group)
		same := maps.EqualFunc(want.Prompts, prior.Prompts, func(a, b prompts.Prompt) bool { return a.Wanted() == b.Wanted() })
		if !same || !want.model.CharacterID.Equal(prior.model.CharacterID) || !want.model.Title.Equal(prior.model.Title) || len(prior.AllIDs()) == 0 {
			return true
		}
		r.Data.Unplanned.Delete(holder)
		prior.warnOfDestroy(fmt.Sprintf("The generation group %q has been read, and the plan creates an equal one: if it is tainted, it is replaced. "+
			"Every prompt is bought again: %s; terraform untaint ADDRESS, with the address of this resource, buys and deletes nothing. Replacing it", prior.model.ID.ValueString(), want.asked()), diags)
		return false
	})
}

// ending says what becomes of the media if the object is destroyed by what the
// text begins with.
func (g *group) ending(by string) notice {
	switch {
	case !g.hasID() && len(g.AllIDs()) == 0:
		return notice{}
	case g.keeps():
		return notice{what: "Media Will Be Forgotten", text: fmt.Sprintf("%s leaves %s at the service, since deletion_policy is %q in the state. %s %s", by, g.contents(), policyKeep, forgotten, takenAlong)}
	}
	return notice{what: "Media Will Be Deleted", deletes: true, text: fmt.Sprintf("%s deletes %s. They cannot be restored. %s", by, g.contents(), g.fate())}
}

// givenUp says after a destroy what stays, and what has gone if no plan was told of it.
func (g *group) givenUp() notice {
	by := fmt.Sprintf("Destroying the generation group %q", g.model.ID.ValueString())
	if !g.private.Told {
		by = fmt.Sprintf("No plan is told of -replace, or of a tainted object: replacing the generation group %q", g.model.ID.ValueString())
	}
	switch {
	case !g.hasID() && len(g.AllIDs()) == 0:
		return notice{}
	case g.keeps():
		return notice{what: "Media Were Forgotten", text: fmt.Sprintf("%s has left %s at the service, since deletion_policy was %q in the state. They have left the state, and their ids have gone to the purchase log (purchase_log), if there is one. %s", by, g.contents(), policyKeep, takenAlong)}
	case g.private.Told:
		return notice{}
	}
	return notice{what: "Media Were Deleted", text: fmt.Sprintf("%s has deleted %s. They cannot be restored.", by, g.contents())}
}

const (
	// forgotten is what it means that media are kept.
	forgotten = "They leave the state, and their ids go to the purchase log (purchase_log), if there is one."
	// takenAlong is true whatever becomes of the character, and when.
	takenAlong = "A deletion of their character may take them along."
)

// contents says what a destroy deletes.
func (g *group) contents() string {
	ids := g.OwnIDs()
	own := framework.Plural(len(ids), "generation", "generations")
	if len(ids) == 0 {
		return own
	}
	return fmt.Sprintf("%s and all media (known: %s)", own, framework.Plural(g.Media(ids), "result", "results"))
}

// warnOfUpdate warns, in the plan of an update, of what it takes over, deletes
// and buys again, and what stays unresolved. It returns the generations that the
// update may delete.
func warnOfUpdate(prior, want *group, diff prompts.Difference, diags *diag.Diagnostics) (deleted []string) {
	var differing, behind notice
	if diff.Imported {
		warnOfTakeover(prior, want, diff, diags)
		differing, behind = otherPrompts(prior, want, diff)
	}
	if !want.model.Title.Equal(prior.model.Title) && !prior.model.ID.IsNull() && (!diff.Imported || !prior.model.Title.IsNull()) {
		diags.AddAttributeWarning(path.Root("title"), "Title Is Sent With the Next Batch",
			fmt.Sprintf("The service cannot rename the group %q. The new title goes into the state now and is sent with the next batch; the service may keep the old one.", prior.model.ID.ValueString()))
	}
	respaced := slices.DeleteFunc(slices.Clone(diff.Changed), func(key string) bool { return !want.Prompts[key].IsRespaced(prior.Prompts[key]) })
	var removed, superseded []string
	if !want.keeps() {
		removed, superseded = prior.DeletedBy(&want.Group, diff)
	}
	prior.warn(onPrompts(diags), bought(diff.Buy), prior.gone(diff), differing, ofWhiteSpace(respaced),
		prior.deletion(prior.Sharing(diff.Removed, removed), prior.Sharing(prior.Keys(), superseded)),
		prior.keeping(diff.Forgotten), behind, prior.lost(slices.Concat(diff.Removed, diff.Changed, diff.Again()), "forgets"))
	want.warnOfUnresolved(diags)
	return slices.Concat(removed, superseded)
}

// bought names what a plan buys beside what it warns of.
func bought(keys []string) notice {
	if len(keys) == 0 {
		return notice{}
	}
	return notice{text: fmt.Sprintf("The plan buys %s: %s.", framework.Plural(len(keys), "prompt", "prompts"), quoted(keys))}
}

// warnOfUnknownPrompts is for a plan that cannot tell what will be deleted.
func (g *group) warnOfUnknownPrompts(keeps bool, diags *diag.Diagnostics) {
	if ids := g.AllIDs(); len(ids) > 0 {
		may, fate, more := notice{what: "Media May Be Deleted"}, "are deleted with their media", ""
		if keeps {
			may, fate, more = notice{what: "Media May Be Forgotten"}, "stay at the service", " "+forgotten
		}
		may.text = fmt.Sprintf("The prompts of the generation group %q are only known during the apply. Prompts that have changed by then are bought, and generations whose prompts have changed or are gone %s (generations so far: %d).%s",
			g.model.ID.ValueString(), fate, len(ids), more)
		g.warn(onPrompts(diags), may)
	}
	g.warnOfUnresolved(diags)
}

// deletion names the keys whose generations and media an update deletes.
func (g *group) deletion(removed, superseded []string) (deleted notice) {
	var reasons []string
	if len(removed) > 0 {
		reasons = append(reasons, fmt.Sprintf("The prompts %s are no longer in the configuration: their generations and media are deleted.", quoted(removed)))
	}
	if len(superseded) > 0 {
		reasons = append(reasons, fmt.Sprintf("The generations of the prompts %s are superseded: new ones are bought, and the old ones and their media are deleted once the new ones have results.", quoted(superseded)))
	}
	if len(reasons) > 0 {
		deleted = notice{what: "Media Will Be Deleted", deletes: true, text: fmt.Sprintf("%s\n\nWhat is deleted of the generation group %q cannot be restored.", strings.Join(reasons, "\n\n"), g.model.ID.ValueString())}
	}
	return deleted
}

// keeping counts the generations that an update leaves at the service, and that may
// have media.
func (g *group) keeping(left []string) notice {
	left = slices.DeleteFunc(slices.Clone(left), g.HasFailed)
	if len(left) == 0 {
		return notice{}
	}
	later := ""
	if g.goesWhole() {
		later = fmt.Sprintf(" They stay in the group: if deletion_policy is %q by then, a destroy deletes them with it.", policyDelete)
	}
	return notice{what: "Media Will Be Forgotten", text: fmt.Sprintf("%s and all media (known: %s) stay at the service, since deletion_policy is %q: those of the prompts %s of the generation group %q, which are no longer in the configuration or are bought anew. %s%s",
		framework.Plural(len(left), "generation", "generations"), framework.Plural(g.Media(left), "result", "results"), policyKeep,
		quoted(g.Sharing(g.Keys(), left)), g.model.ID.ValueString(), forgotten, later)}
}

// ofWhiteSpace names the prompts that may not have been changed on purpose.
func ofWhiteSpace(respaced []string) notice {
	if len(respaced) == 0 {
		return notice{}
	}
	return notice{text: fmt.Sprintf("Of the prompts %s only the white space has changed. Put it back to buy nothing.", quoted(respaced))}
}

// gone names the purchases that repeat what was deleted elsewhere.
func (g *group) gone(diff prompts.Difference) notice {
	gone := g.KeysIn(diff.Again(), prompts.PhaseGone)
	if len(gone) == 0 {
		return notice{}
	}
	return notice{what: "Generations Are Gone", text: fmt.Sprintf("The generations of the prompts %s of the generation group %q are gone at the service: deleted, and not by this configuration. They are bought again, which costs credits; remove the keys to do without them.",
		quoted(gone), g.model.ID.ValueString())}
}

// warnOfEnd is for a refresh: the next plan knows nothing of a group that has
// left the state.
func (g *group) warnOfEnd(diags *diag.Diagnostics) {
	diags.AddWarning(g.summary("Generation Group Is Gone"),
		fmt.Sprintf("Nothing of the generation group %q is left at the service: it was deleted, and not by this configuration. What the configuration still has of its prompts is bought again, which costs credits: %s.",
			g.model.ID.ValueString(), quoted(g.Keys())))
}

// warnOfUnseen warns, at every refresh, of what no status has ever shown.
func (g *group) warnOfUnseen(diags *diag.Diagnostics) {
	if unseen := g.KeysIn(g.HeldKeys(), prompts.PhaseNotYetSeen); len(unseen) > 0 {
		diags.AddWarning("Generations Never Shown", fmt.Sprintf(
			"No status has shown the generations of the prompts %s of the generation group %q since %s, when the first of them was bought. They stay in the state, and nothing is bought for them: they may wait in a queue, so that time proves nothing. "+
				"If they do not exist, set trust_not_found (MEDIAGEN_TRUST_NOT_FOUND=true) for one run, whose plan buys them again.",
			quoted(unseen), g.model.ID.ValueString(), g.private.Since.Format(time.RFC3339)))
	}
}

// warnOfOpen names the keys whose generations may be another key's.
func (g *group) warnOfOpen(diags *diag.Diagnostics) {
	if open := g.OpenKeys(g.HeldKeys()); len(open) > 0 {
		id, _ := g.importID()
		diags.AddWarning(g.summary("Generations May Be Another Key's"),
			fmt.Sprintf("The service has not told which of the generations is whose.\nObject: %s\n\nThey are in the state in the order of its reply, and what they supersede stays until all of them have results. "+
				"Look at them. If one is another key's, import the group in place of this resource, with the right ids; that buys nothing:\n\n%s", g.named(open), framework.ImportLines(id)))
	}
}

// warnOfUnresolved warns, in every plan, of what is not confirmed.
func (g *group) warnOfUnresolved(diags *diag.Diagnostics) {
	g.warnOfOpen(diags)
	keys := g.Unconfirmed()
	switch {
	case len(keys) > 0:
		g.warnOfUnconfirmed(keys, "", diags)
	case framework.IsUnconfirmedID(g.model.ID):
		diags.AddWarning(g.summary("Generation Group Has No Id"),
			fmt.Sprintf("The service has not told the id of the generation group that the state calls %q. Prompts that are added make another group, and a destroy deletes the generations one by one; the group itself may stay at the service.",
				g.model.ID.ValueString()))
	}
}

// lost: what may have been bought, and has no known id, cannot be deleted by an update
// or a destroy.
func (g *group) lost(keys []string, forgets string) notice {
	lost := g.KeysIn(keys, prompts.PhaseUnconfirmed)
	if len(lost) == 0 {
		return notice{}
	}
	return notice{what: "Unconfirmed Generations Are Left Behind", text: fmt.Sprintf("%s\nObject: %s\n\nThe state %s them. If they were bought, they were paid for and stay at the service, unless their group is deleted; look for them there.",
		g.Generations[lost[0]].Error.Get(), g.named(lost), forgets)}
}

// quoted names keys, as far as a message should: never their texts, which may be
// sensitive.
func quoted(keys []string) string { return framework.Several(inQuotes(keys), ", ") }

// everyOf names ids that are in no state.
func everyOf(ids []string) string { return cmp.Or(strings.Join(inQuotes(ids), ", "), "none named") }

func inQuotes(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}
	return quoted
}
