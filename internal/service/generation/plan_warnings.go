package generation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// warn says what the update buys, deletes and leaves at the service.
func (p *planning) warn() {
	prior := p.prior
	plan := &p.plan
	if plan.Imported {
		p.warnOfTakeover()
	}
	isRenamed := !p.want.model.Title.Equal(prior.model.Title) && !prior.model.ID.IsNull()
	isTakenOver := plan.Imported && prior.model.Title.IsNull()
	if isRenamed && !isTakenOver {
		p.diags.Append(titleIsSentLater(prior))
	}
	changed := plan.BoughtAs(prompts.ReasonChanged)
	otherTexts := p.otherTexts()
	warn(
		prior,
		onAttribute("prompts", p.diags),
		buys(plan.Buy),
		generationsAreGone(prior, prior.KeysIn(plan.Again(), prompts.PhaseGone)),
		importedPromptsDiffer(prior, otherTexts),
		respelled(prior, p.want, changed),
		requeried(prior, p.want, changed),
		deletion(
			prior,
			prior.Sharing(plan.Removed, plan.Delete.Removed),
			prior.Sharing(prior.Keys(), plan.Delete.Superseded),
		),
		keeping(prior, plan.Forget),
		importedStay(otherTexts),
		unconfirmedStay(prior, slices.Concat(plan.Removed, changed, plan.Again()), "forgets"),
	)
	p.want.warnOfUnresolved(p.diags)
}

// deletion says which media an update deletes, and why.
func deletion(g *group, removed, superseded []string) notice {
	var reasons []string
	if len(removed) > 0 {
		reasons = append(
			reasons,
			fmt.Sprintf(
				"The prompts %s are no longer in the configuration: their generations and media are deleted.",
				quoted(removed),
			),
		)
	}
	if len(superseded) > 0 {
		reasons = append(
			reasons,
			fmt.Sprintf(
				"The generations of the prompts %s are superseded: new ones are bought, and the old ones and their "+
					"media are deleted once the new ones have results.",
				quoted(superseded),
			),
		)
	}
	return notice{
		when:    len(reasons) > 0,
		what:    "Media Will Be Deleted",
		deletes: true,
		text: fmt.Sprintf(
			"%s\n\nWhat is deleted of the generation group %q cannot be restored.",
			strings.Join(reasons, "\n\n"),
			g.model.ID.ValueString(),
		),
	}
}

// keeping counts the generations that an update leaves behind, and that may
// have media.
func keeping(g *group, left []string) notice {
	var mayHaveMedia []string
	for _, id := range left {
		if !g.HasFailed(id) {
			mayHaveMedia = append(mayHaveMedia, id)
		}
	}
	later := ""
	if g.goesWhole() {
		later = fmt.Sprintf(
			" They stay in the group: if deletion_policy is %q by then, a destroy deletes them with it.",
			framework.PolicyDelete,
		)
	}
	return notice{
		when: len(mayHaveMedia) > 0,
		what: "Media Will Be Forgotten",
		text: fmt.Sprintf(
			"%s and all media (known: %s) stay at the service, since deletion_policy is %q: those of the prompts %s "+
				"of the generation group %q, which are no longer in the configuration or are bought anew. %s%s",
			framework.Plural(
				len(mayHaveMedia),
				"generation",
				"generations",
			),
			framework.Plural(g.Media(mayHaveMedia), "result", "results"),
			framework.PolicyKeep,
			quoted(g.Sharing(g.Keys(), mayHaveMedia)),
			g.model.ID.ValueString(),
			forgotten,
			later,
		),
	}
}

// promptsAreUnknown says what may be bought and deleted where the prompts are
// only known during the apply. The plan cannot tell which.
func promptsAreUnknown(g *group, keeps bool) notice {
	count := len(g.AllIDs())
	what := "Media May Be Deleted"
	fate := "are deleted with their media"
	more := ""
	if keeps {
		what = "Media May Be Forgotten"
		fate = "stay at the service"
		more = " " + forgotten
	}
	return notice{
		when: count > 0,
		what: what,
		text: fmt.Sprintf(
			"The prompts of the generation group %q are only known during the apply. Prompts that have changed by "+
				"then are bought, and generations whose prompts have changed or are gone %s (generations so far: "+
				"%d).%s",
			g.model.ID.ValueString(),
			fate,
			count,
			more,
		),
	}
}

// warnOfTakeover names what the update after an import takes over without
// buying: inputs that no reply of the service tells.
func (p *planning) warnOfTakeover() {
	prior := p.prior
	want := p.want
	var inputs []string
	if !want.model.CharacterID.Equal(prior.model.CharacterID) {
		inputs = append(inputs, "character_id")
	}
	if prior.model.Title.IsNull() && !want.model.Title.IsNull() {
		inputs = append(inputs, "title")
	}
	for _, input := range promptElements.attributes {
		if keys := p.keysWithAnother(input); len(keys) > 0 {
			inputs = append(inputs, fmt.Sprintf("%s of the keys %s", input.name, quoted(keys)))
		}
	}
	failed := want.KeysIn(prompts.SortedKeys(p.plan.Former), prompts.PhaseFailed)
	if len(failed) > 0 && !want.model.MaxAttempts.Equal(prior.model.MaxAttempts) {
		inputs = append(
			inputs,
			fmt.Sprintf("max_attempts: the failed prompts %s count as submitted so often", quoted(failed)),
		)
	}
	if len(inputs) > 0 {
		p.diags.Append(groupIsTakenOver(prior, inputs))
	}
}

// keysWithAnother are the kept keys whose input differs from what the import
// has read.
func (p *planning) keysWithAnother(input nestedAttribute[prompts.Prompt]) (keys []string) {
	for _, key := range prompts.SortedKeys(p.plan.Former) {
		now := p.want.Prompts[key]
		before := p.prior.Prompts[p.plan.Former[key]]
		if !input.get(&now).Equal(input.get(&before)) {
			keys = append(keys, key)
		}
	}
	return keys
}

// groupIsTakenOver is about inputs that an import could not read.
func groupIsTakenOver(prior *group, inputs []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		"Imported Group Is Taken Over",
		fmt.Sprintf(
			"The import of the group %q could not read these inputs, or not as they are written. They are taken "+
				"over from the configuration: it is not known whether the media were rendered with them, and "+
				"nothing is bought or deleted because of them.\n\n%s",
			prior.model.ID.ValueString(),
			strings.Join(inputs, "\n"),
		),
	)
}

// otherTexts are the keys that are bought since the service has rendered other
// texts than those of their import.
func (p *planning) otherTexts() (keys []string) {
	if !p.plan.Imported {
		return nil
	}
	for _, key := range p.plan.BoughtAs(prompts.ReasonAdded, prompts.ReasonChanged) {
		imported, had := p.prior.Prompts[key]
		if had && p.want.Prompts[key].Text != imported.Text {
			keys = append(keys, key)
		}
	}
	return keys
}

func importedPromptsDiffer(g *group, keys []string) notice {
	return notice{
		when: len(keys) > 0,
		what: "Imported Prompts Differ",
		text: fmt.Sprintf(
			"The prompts %s of the imported group %q are bought again, since the service has rendered other texts "+
				"than the configuration has, or will have.",
			quoted(keys),
			g.model.ID.ValueString(),
		),
	}
}

func importedStay(keys []string) notice {
	return notice{
		when: len(keys) > 0,
		text: "The imported generations of these prompts stay at the service: " + quoted(keys) + ".",
	}
}

// buys says what is bought, where the warning has something else to say.
func buys(keys []string) notice {
	return notice{
		when: len(keys) > 0,
		text: fmt.Sprintf("The plan buys %s: %s.", framework.Plural(len(keys), "prompt", "prompts"), quoted(keys)),
	}
}

// replacementBuysAll says that a group of another character has nothing of
// this one.
func replacementBuysAll(prior, want *group) notice {
	asked := "they are not known yet"
	if !want.model.PromptMap.IsUnknown() {
		asked = quoted(want.Keys())
	}
	return notice{
		when: true,
		text: fmt.Sprintf(
			"Another character replaces the generation group %q. Every prompt is bought again: %s.",
			prior.model.ID.ValueString(),
			asked,
		),
	}
}

// generationsAreGone says what is bought again because somebody deleted it.
func generationsAreGone(g *group, keys []string) notice {
	return notice{
		when: len(keys) > 0,
		what: "Generations Are Gone",
		text: fmt.Sprintf(
			"The generations of the prompts %s of the generation group %q are gone at the service: deleted, and "+
				"not by this configuration. They are bought again, which costs credits; remove the keys to do "+
				"without them.",
			quoted(keys),
			g.model.ID.ValueString(),
		),
	}
}

// titleIsSentLater is about a title that changes in the state alone.
func titleIsSentLater(g *group) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(
		path.Root("title"),
		"Title Is Sent With the Next Batch",
		fmt.Sprintf(
			"The service cannot rename the group %q. The new title goes into the state now and is sent with the "+
				"next batch; the service may keep the old one.",
			g.model.ID.ValueString(),
		),
	)
}
