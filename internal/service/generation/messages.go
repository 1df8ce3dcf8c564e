package generation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// notice is a part of the single warning that a plan, or an apply, gives about
// a group: what is bought, what is deleted and what stays, in this order. A
// notice with an empty what only adds its text to the other notices.
type notice struct {
	when       bool
	what, text string
	deletes    bool
}

func (g *group) summary(what string) string {
	of := quoted(g.Keys())
	if character := g.values.CharacterID.ValueString(); character != "" {
		of = fmt.Sprintf("character %s (%s)", character, of)
	}
	return framework.Summary(what, "group", g.values.ID.ValueString(), of)
}

// warn adds the warning, if any notice applies. Its summary is the first notice
// that deletes, because a deletion cannot be undone, else the first notice.
func warn(g *group, add func(summary, detail string), notices ...notice) {
	what := ""
	texts := []string{}
	for _, notice := range notices {
		if !notice.when {
			continue
		}
		texts = append(texts, notice.text)
		if what == "" || notice.deletes {
			what = notice.what
		}
	}
	if what != "" {
		add(g.summary(what), strings.Join(texts, "\n\n"))
	}
}

// withoutText names the generations of a listed group that cannot be written in
// a configuration.
func withoutText(g *group, ids []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.summary("Listed Generations Left Out"), fmt.Sprintf(
		"The generations %s of the group %q have no text, as edits of photos may, and the service does not show the "+
			"photo: no configuration that is made from the list can have them. They are left out, and stay at the "+
			"service.\n\n"+
			"To manage them too, write their prompts with source_image_url, and import them with the others.",
		quoteAll(ids),
		g.values.ID.ValueString(),
	))
}

func onAttribute(name string, diags *diag.Diagnostics) func(summary, detail string) {
	return func(summary, detail string) { diags.AddAttributeWarning(path.Root(name), summary, detail) }
}

// promptsAre begins a sentence about some prompts, with the verb for a single
// prompt or for several.
func promptsAre(keys []string, one, several string) string {
	if len(keys) == 1 {
		return "The prompt " + quoted(keys) + " " + one
	}
	return "The prompts " + quoted(keys) + " " + several
}

// ofPrompts names some prompts within a sentence.
func ofPrompts(keys []string) string {
	if len(keys) == 1 {
		return "prompt " + quoted(keys)
	}
	return "prompts " + quoted(keys)
}

// named names prompts by keys and ids, never by their texts or title.
func named(g *group, keys []string) string {
	text := ofPrompts(keys)
	if id := g.values.ID.ValueString(); id != "" {
		text += fmt.Sprintf(" of the generation group %q", id)
	}
	if character := g.values.CharacterID.ValueString(); character != "" {
		text += fmt.Sprintf(", of the character %q", character)
	}
	return text
}

// quote names the group in an answer that has accepted nothing.
func quote(g *group, id string) string {
	if id == "" || id == g.values.ID.ValueString() {
		return ""
	}
	return fmt.Sprintf(
		" Its answer names the group %q, which may be new and empty. Nothing here uses or deletes that group: look "+
			"at it there, and delete it if it is empty and yours.",
		id,
	)
}

// smallerBatches is the advice after a refusal that may be due to the size of
// the batch. No status says so.
func smallerBatches(count int) string {
	return fmt.Sprintf("The batch had %d prompts. If that is too many for the service, set max_prompts_per_batch, of "+
		"the group or the provider, to fewer: they are then submitted in several batches.", count)
}

// again says how failed prompts are submitted once more. If max_attempts allows
// it, the next apply does so by itself.
func again(g *group, failed []string) string {
	attempts := g.values.MaxAttempts.ValueInt64()
	var due []string
	for _, key := range failed {
		if g.IsToBeBought(key, attempts) {
			due = append(due, key)
		}
	}
	if len(due) == 0 {
		return "To submit them again (and pay again), raise max_attempts; for one of them alone, change its take or " +
			"its text."
	}
	return fmt.Sprintf("max_attempts is %d: the next apply submits %s again, which may cost credits again. Lower it "+
		"first if it should not.", attempts, quoted(due))
}

// resultsNotShown says that results are only in the state. Only a proven 404
// would mean that they are gone.
func resultsNotShown(g *group) notice {
	return notice{
		when: len(g.unshown) > 0,
		what: "Results Are No Longer Shown",
		text: fmt.Sprintf("Nothing is to be done, and nothing is bought: the service shows no results any more of the "+
			"%s of the generation group %q. They stay in the state with their last addresses, which may not work any "+
			"more. To have new pictures, change the take of a prompt, which buys it again.",
			ofPrompts(g.KeysSharing(g.Keys(), g.unshown)), g.values.ID.ValueString()),
	}
}

// errorsOfRunning quotes the errors of generations that are still running by
// the service's own status.
func (op *waiting) errorsOfRunning() string {
	var lines []string
	for _, id := range op.group.Running() {
		status := op.statuses[id]
		if status != nil && orEmpty(status.Error) != "" {
			lines = append(lines, fmt.Sprintf("%s; error: %s", op.describe(id), *status.Error))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return fmt.Sprintf(
		"\n\nThe service shows errors, and says that the work goes on, perhaps with another attempt:\n%s\n"+
			"If it says so for ever, each apply waits until the time-out, and buys nothing. A change of the take "+
			"buys the prompt again.",
		framework.Several(lines, "\n"),
	)
}

// quoted names some of the keys. The prompt texts may be sensitive, and so are
// not quoted.
func quoted(keys []string) string { return framework.Several(quoteEach(keys), ", ") }

// quoteAll names all ids. It is for ids that are in no state.
func quoteAll(ids []string) string { return cmp.Or(strings.Join(quoteEach(ids), ", "), "none named") }

func quoteEach(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}
	return quoted
}

// groupIsGone warns of a group of which nothing is left at the service.
func groupIsGone(g *group) diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.summary("Generation Group Is Gone"), fmt.Sprintf(
		"Nothing of the generation group %q is left at the service: it was deleted, and not by this "+
			"configuration. What the configuration still has of its prompts is bought again, which costs "+
			"credits: %s.",
		g.values.ID.ValueString(),
		quoted(g.Keys()),
	))
}

// isInAnotherGroup warns of a batch that the service put into a group of its
// own.
func isInAnotherGroup(g *group, named string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.summary("Generations Are in Another Group"), fmt.Sprintf(
		"The batch was to be added to the generation group %q, and the service answered that it is the group "+
			"%q. Destroy deletes its generations one by one; the other group itself is left alone, and may "+
			"have to be deleted at the service.",
		g.values.ID.ValueString(),
		named,
	))
}

// readFailure describes a refresh that has proven nothing.
func readFailure(g *group) framework.Failure {
	return framework.Failure{
		Verb:        "Read",
		Noun:        "Generation Group",
		Object:      g.name(),
		Consequence: framework.Unchanged,
	}
}

// importedAreLeftover warns of imported generations whose prompts were bought
// again.
func importedAreLeftover(g *group, ids []string) notice {
	return notice{
		when: len(ids) > 0,
		what: "Imported Generations Left at the Service",
		text: fmt.Sprintf(
			"The prompts of the imported generations %s were bought again in the group %q. The imported ones and "+
				"their media are no longer in the state and stay at the service. A destroy does not delete them "+
				"either.",
			quoteAll(ids),
			g.values.ID.ValueString(),
		),
	}
}

// equalPromptsShare warns of equal prompts that the service rendered once. The
// shared generation is correct, and its credits were deducted once.
func equalPromptsShare(shared []prompts.SharedID) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Equal Prompts Share a Generation", fmt.Sprintf(
		"The service's reply names %s. Each of these keys has the generation and its results, which are "+
			"deleted when the last of the keys goes. What was deducted is in credits_deducted as far as the "+
			"service says.",
		haveSeveralKeys(shared),
	))
}

// differentPromptsShare warns of different prompts with a single id. Nobody
// knows to which prompt the generation belongs.
func differentPromptsShare(shared []prompts.SharedID) notice {
	return notice{
		when: len(shared) > 0,
		what: "Different Prompts Were Given One Generation",
		text: fmt.Sprintf(
			"The service's reply names %s. These prompts are different, so it is not known which of them it belongs "+
				"to, nor what became of the others. Those that were just submitted are in the state as unconfirmed, "+
				"and this apply does not send them again; the generation is deleted with the last of the keys, or "+
				"once they have other results. Look at it at the service. %s",
			haveSeveralKeys(shared),
			buyAgain,
		),
	}
}

// hasSeveralKeys names a generation within a sentence, with all its keys.
func hasSeveralKeys(shared prompts.SharedID) string {
	return fmt.Sprintf("the generation %q for the prompts %s", shared.ID, quoted(shared.Keys))
}

// haveSeveralKeys names some of the generations within a sentence.
func haveSeveralKeys(shared []prompts.SharedID) string {
	var lines []string
	for _, generation := range shared {
		lines = append(lines, hasSeveralKeys(generation))
	}
	return framework.Several(lines, "; ")
}

// namesUnmatched warns of generations in a reply that belong to no prompt.
func namesUnmatched(g *group, surplus []string) notice {
	return notice{
		when: len(surplus) > 0,
		what: "Unrequested Generations in a Reply",
		text: fmt.Sprintf(
			"The reply to the batch names more generations than prompts. These are in no state: %s. A destroy "+
				"deletes them only with the whole group %q; else delete them at the service.",
			quoteAll(surplus),
			g.values.ID.ValueString(),
		),
	}
}

// notSent warns of prompts that were not sent because of an interrupt.
func notSent(keys []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Prompts Not Submitted", fmt.Sprintf(
		"These prompts were not submitted: %s. They cost nothing; the next apply submits them.",
		quoted(keys),
	))
}

// listedNotFound warns of a group that was listed and then not found.
func listedNotFound(id string, err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Listed Group Not Found", fmt.Sprintf(
		"The service has listed the generation group %q, and a moment later has not found it. It is left "+
			"out. Reason: %s",
		id,
		framework.Sentence(err.Error()),
	))
}

// invalidImport refuses an import whose id names no group or generations in a
// valid form.
func invalidImport(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		"Invalid Import Id",
		framework.Sentence("The import is not valid: "+err.Error())+" Nothing was sent.",
	)
}

// capabilitiesFailure describes a failed read of the capabilities before a
// batch.
func capabilitiesFailure(character string) framework.Failure {
	return framework.Failure{
		Verb:        "Read",
		Noun:        "Generation Capabilities",
		Object:      fmt.Sprintf("character %q", character),
		Consequence: "The capabilities are read before a batch is paid for. Nothing was bought.",
		NotFound:    path.Root("character_id"),
	}
}

// earlierBatchesStay and groupMayBeGone complete the failure of a batch.
const (
	earlierBatchesStay = "What earlier batches bought is in the state; the next plan shows these prompts again."
	groupMayBeGone     = "If the group was deleted elsewhere, the next plan finds out and shows what is missing."
)

// notAccepted says what a batch of count prompts has cost that was refused, or
// not sent, and what may help.
func notAccepted(g *group, err error, count int) string {
	consequence := "Nothing was bought by this batch: it was not sent."
	if reply.IsRefused(err) {
		consequence = "The service says that it refused the batch." + quote(g, api.NamedGroup(err))
	}
	if mayBeForSize(err) && count > 1 {
		consequence += " " + smallerBatches(count)
	}
	return consequence
}

// batchFailure describes a batch that was not accepted, on the attribute that
// the service blames.
func batchFailure(g *group, keys []string, consequence string) framework.Failure {
	at := path.Root("prompts")
	fields := map[string]path.Path{
		"prompts":          at,
		"prompt":           at,
		"source_image_url": at,
		"face_swap":        at,
		"use_face_lora":    at,
		"use_body_lora":    at,
		"character_id":     path.Root("character_id"),
		"group_title":      path.Root("title"),
	}
	return framework.Failure{
		Verb:        "Submit",
		Noun:        "Generation Batch",
		Object:      named(g, keys),
		Consequence: consequence,
		Fields:      fields,
	}
}

// guarded describes the prompts that the purchase log guards, and suggests an
// import of their group. The import also names the generations that the state
// already has in this group, because an import replaces the state. It cannot
// name generations of a second group: they would be in no state after the
// import.
func guarded(g, prior *group, found []purchases.Bought) purchases.GuardedOrder {
	var keys []string
	pairs := map[string]string{}
	stored := prior.knownID()
	imported := groupToImport(stored, found)
	if imported == stored {
		pairs = g.IDs()
	}
	for _, bought := range found {
		for _, key := range bought.Keys {
			if bought.GroupID == imported {
				pairs[key] = cmp.Or(bought.Generations[key], noID)
			}
		}
		keys = append(keys, bought.Keys...)
	}
	leaves := quoteEach(prompts.Without(prior.AllIDs(), slices.Collect(maps.Values(pairs))...))
	slices.Sort(keys)
	return purchases.GuardedOrder{
		Object:    named(g, slices.Compact(keys)),
		Found:     found,
		Import:    encodedPairs(pairs),
		IsInState: prior.values.ID.ValueString() != "" || len(prior.AllIDs()) > 0,
		Leaves:    leaves,
		Again:     "take",
		Summary:   g.summary,
	}
}

// groupToImport returns the group to import: the group of the state, if any of
// the found purchases are in it, else the group of the last purchase.
func groupToImport(stored string, found []purchases.Bought) (group string) {
	for _, bought := range found {
		group = bought.GroupID
		if group == stored {
			break
		}
	}
	return group
}

func (op *execution) guarded(found []purchases.Bought) purchases.GuardedOrder {
	return guarded(op.group, op.prior, found)
}

func (p *planning) guarded(found []purchases.Bought) purchases.GuardedOrder {
	return guarded(p.want, p.prior, found)
}
