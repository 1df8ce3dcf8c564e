package generation

import (
	"fmt"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// warn says what the update buys, deletes and leaves at the service.
func (p *planning) warn() {
	prior := p.prior
	plan := &p.plan
	if plan.Imported {
		p.warnOfTakeover()
	}
	isAnother := p.want.values.Title.IsUnknown() || orEmpty(p.want.title()) != orEmpty(prior.title())
	isTakenOver := plan.Imported && prior.title() == nil
	if isAnother && !isTakenOver && !prior.values.ID.IsNull() {
		p.diags.Append(titleIsSentLater(prior))
	}
	changed := plan.BoughtAs(prompts.ReasonChanged)
	replaced, superseded := p.superseded()
	otherTexts := p.otherTexts()
	warn(
		prior,
		onAttribute("prompts", p.diags),
		buys(plan.Buy),
		generationsAreGone(prior, prior.KeysIn(plan.Again(), prompts.PhaseGone)),
		importedPromptsDiffer(prior, otherTexts),
		respelled(prior, p.want, changed),
		requeried(prior, p.want, changed),
		updateDeletes(prior, prior.KeysSharing(plan.Removed, plan.Delete.Removed), superseded, replaced),
		updateForgets(prior, plan.Forget),
		importedStay(otherTexts),
		unconfirmedStay(prior, slices.Concat(plan.Removed, changed, plan.Again()), "forgets"),
	)
	warnOfUnconfirmed(p.want, p.diags)
}

// superseded returns the keys whose old media the update deletes. The keys in
// replaced already have new results; their deletion failed before, for example.
func (p *planning) superseded() (replaced, superseded []string) {
	deletable := p.prior.Deletable()
	for _, key := range p.prior.KeysSharing(p.prior.Keys(), p.plan.Delete.Superseded) {
		if len(deletable[key]) > 0 && !slices.Contains(p.plan.Buy, key) {
			replaced = append(replaced, key)
		} else {
			superseded = append(superseded, key)
		}
	}
	return replaced, superseded
}

// warnOfTakeover names the values that the update after an import takes over
// without buying: inputs that no reply of the service tells.
func (p *planning) warnOfTakeover() {
	prior := p.prior
	want := p.want
	var inputs []string
	if !want.values.CharacterID.Equal(prior.values.CharacterID) {
		inputs = append(inputs, "character_id")
	}
	isTold := want.values.Title.IsUnknown() || want.title() != nil
	if prior.title() == nil && isTold {
		inputs = append(inputs, "title")
	}
	for _, input := range promptElements.attributes {
		if keys := p.keysWithAnother(input); len(keys) > 0 {
			inputs = append(inputs, fmt.Sprintf("%s of the keys %s", input.name, quoted(keys)))
		}
	}
	failed := want.KeysIn(prompts.SortedKeys(p.plan.Former), prompts.PhaseFailed)
	if len(failed) > 0 && !want.values.MaxAttempts.Equal(prior.values.MaxAttempts) {
		inputs = append(
			inputs,
			fmt.Sprintf("max_attempts: what failed counts as submitted so often (%s)", ofPrompts(failed)),
		)
	}
	if len(inputs) > 0 {
		p.diags.Append(groupIsTakenOver(prior, inputs))
	}
}

// keysWithAnother returns the kept keys whose input differs from the imported
// input.
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

// otherTexts returns the keys that are bought because their configured texts
// differ from the imported texts, which the service has rendered.
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
