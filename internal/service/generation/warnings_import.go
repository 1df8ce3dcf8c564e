package generation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// Warnings of plans after an import, and of the update that ends it.

// warnOfTakeover names the inputs taken over from the configuration, since the
// import could not read them.
func warnOfTakeover(prior, want *group, diff prompts.Difference, diags *diag.Diagnostics) {
	var inputs []string
	if !want.model.CharacterID.Equal(prior.model.CharacterID) {
		inputs = append(inputs, "character_id")
	}
	if prior.model.Title.IsNull() && !want.model.Title.IsNull() {
		inputs = append(inputs, "title")
	}
	for _, input := range promptElements.attributes {
		var keys []string
		for _, key := range sortedKeys(diff.Kept) {
			now, before := want.Prompts[key], prior.Prompts[diff.Kept[key]]
			if !input.get(&now).Equal(input.get(&before)) {
				keys = append(keys, key)
			}
		}
		if len(keys) > 0 {
			inputs = append(inputs, fmt.Sprintf("%s of the keys %s", input.name, quoted(keys)))
		}
	}
	if failed := want.KeysIn(sortedKeys(diff.Kept), prompts.PhaseFailed); len(failed) > 0 && !want.model.MaxAttempts.Equal(prior.model.MaxAttempts) {
		inputs = append(inputs, fmt.Sprintf("max_attempts: the failed prompts %s count as submitted so often", quoted(failed)))
	}
	if len(inputs) > 0 {
		diags.AddWarning("Imported Group Is Taken Over",
			fmt.Sprintf("The import of the group %q could not read these inputs, or not as they are written. They are taken over from the configuration: whether the media were rendered with them is not known, and nothing is bought or deleted for them.\n\n%s",
				prior.model.ID.ValueString(), strings.Join(inputs, "\n")))
	}
}

// otherPrompts names the prompts that are bought again because they differ from those
// that the service has rendered, and says what stays.
func otherPrompts(prior, want *group, diff prompts.Difference) (differ, stay notice) {
	differing := slices.DeleteFunc(slices.Clone(diff.Buy), func(key string) bool {
		_, kept := diff.Kept[key]
		_, imported := prior.Prompts[key]
		return kept || !imported || want.Prompts[key].Text == prior.Prompts[key].Text
	})
	if len(differing) == 0 {
		return differ, stay
	}
	differ = notice{what: "Imported Prompts Differ", text: fmt.Sprintf("The prompts %s of the imported group %q are bought again, since the service has rendered other texts than the configuration has, or will have.",
		quoted(differing), prior.model.ID.ValueString())}
	return differ, notice{text: "The imported generations of these prompts stay at the service: " + quoted(differing) + "."}
}

// warnOfLeftBehind names imported generations that a purchase has replaced.
func warnOfLeftBehind(ids []string, g *group, diags *diag.Diagnostics) {
	if len(ids) > 0 {
		diags.AddWarning(g.summary("Imported Generations Left at the Service"),
			fmt.Sprintf("The prompts of the imported generations %s were bought again in the group %q. The imported ones and their media are no longer in the state and stay at the service. A destroy does not delete them either.", everyOf(ids), g.model.ID.ValueString()))
	}
}
