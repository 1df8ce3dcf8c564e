package generation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Warnings of plans after an import, and of the update that ends it.

// warnOfTakeover names the inputs taken over from the configuration, since the
// import could not read them.
func warnOfTakeover(prior, want *group, diff difference, diags *diag.Diagnostics) {
	var inputs []string
	if !want.model.CharacterID.Equal(prior.model.CharacterID) {
		inputs = append(inputs, "character_id")
	}
	if prior.model.Title.IsNull() && !want.model.Title.IsNull() {
		inputs = append(inputs, "title")
	}
	for _, input := range promptElements.attributes {
		var keys []string
		for _, key := range sortedKeys(diff.kept) {
			now, before := want.prompts[key], prior.prompts[diff.kept[key]]
			if !input.get(&now).Equal(input.get(&before)) {
				keys = append(keys, key)
			}
		}
		switch {
		case len(keys) == 1:
			inputs = append(inputs, fmt.Sprintf("%s of the key %q", input.name, keys[0]))
		case len(keys) > 1:
			inputs = append(inputs, fmt.Sprintf("%s of the keys %s", input.name, quoted(keys)))
		}
	}
	if failed := want.keysIn(sortedKeys(diff.kept), phaseFailed); len(failed) > 0 && !want.model.MaxAttempts.Equal(prior.model.MaxAttempts) {
		inputs = append(inputs, fmt.Sprintf("max_attempts: the failed prompts %s count as submitted so often", quoted(failed)))
	}
	if len(inputs) > 0 {
		diags.AddWarning("Imported Group Is Taken Over",
			fmt.Sprintf("The import of the group %q could not read these inputs, or not as they are written. They are taken over from the configuration: whether the media were rendered with them is not known, and nothing is bought or deleted for them.\n\n%s",
				prior.model.ID.ValueString(), strings.Join(inputs, "\n")))
	}
}

// warnOfOtherPrompts shows which prompts are bought again because they differ
// from those that the service has rendered.
func warnOfOtherPrompts(prior, want *group, diff difference, diags *diag.Diagnostics) {
	differing := slices.DeleteFunc(slices.Clone(diff.buy), func(key string) bool {
		_, kept := diff.kept[key]
		_, imported := prior.prompts[key]
		return kept || !imported || want.prompts[key].Prompt.Equal(prior.prompts[key].Prompt)
	})
	if len(differing) == 0 {
		return
	}
	var lines []string
	for _, key := range differing {
		if want.prompts[key].Prompt.IsUnknown() {
			lines = append(lines, fmt.Sprintf("%q: the service has rendered %q, what the configuration says is known during the apply", key, beginning(prior.prompts[key])))
			continue
		}
		rendered, wanted := fromDifference(prior.prompts[key].Prompt.ValueString(), want.prompts[key].Prompt.ValueString())
		lines = append(lines, fmt.Sprintf("%q: the service has rendered %q, the configuration says %q", key, rendered, wanted))
	}
	diags.AddAttributeWarning(path.Root("prompts"), "Imported Prompts Differ",
		fmt.Sprintf("These prompts of the imported group %q are bought again, since the import read other texts. The imported generations stay at the service.\n\n%s", prior.model.ID.ValueString(), framework.Several(lines, "\n")))
}

// fromDifference returns the beginnings of two texts, or what follows a common
// beginning.
func fromDifference(one, other string) (string, string) {
	a, b := []rune(one), []rune(other)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if same < 50 {
		return abridged(one), abridged(other)
	}
	from := same - 20
	return "…" + abridged(string(a[from:])), "…" + abridged(string(b[from:]))
}

// warnOfLeftBehind names imported generations that a purchase has replaced.
func warnOfLeftBehind(ids []string, g *group, diags *diag.Diagnostics) {
	if len(ids) > 0 {
		diags.AddWarning("Imported Generations Left at the Service",
			fmt.Sprintf("The prompts of the imported generations %s were bought again in the group %q. The imported ones and their media are no longer in the state and stay at the service. A destroy does not delete them either.", everyOf(ids), g.model.ID.ValueString()))
	}
}
