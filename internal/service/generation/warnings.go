package generation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func warnOfDestroy(prior *group, diags *diag.Diagnostics) {
	if prior.hasID() || len(prior.allIDs()) > 0 {
		diags.AddWarning("Media Will Be Deleted",
			fmt.Sprintf("Destroying the generation group %q deletes its %d generations and their media (%d results known). They cannot be restored.",
				prior.model.ID.ValueString(), len(prior.allIDs()), prior.media()))
	}
	prior.warnOfLost(sortedKeys(prior.generations), diags)
}

func warnOfReplacement(prior *group, diags *diag.Diagnostics) {
	diags.AddAttributeWarning(path.Root("character_id"), "Media Will Be Deleted",
		fmt.Sprintf("Another character replaces the generation group %q: its %d generations and their media (%d results known) are deleted, and every prompt is bought again.",
			prior.model.ID.ValueString(), len(prior.allIDs()), prior.media()))
	prior.warnOfLost(sortedKeys(prior.generations), diags)
}

func warnOfUpdate(prior, want *group, diff difference, imported bool, diags *diag.Diagnostics) {
	if imported {
		warnOfTakeover(prior, want, diff, diags)
	} else if !want.model.Title.Equal(prior.model.Title) {
		diags.AddAttributeWarning(path.Root("title"), "Title Is Sent With the Next Batch",
			fmt.Sprintf("The interface cannot rename the group %q. The new title goes into state now and is sent with the next batch; the service may keep the old one.", prior.model.ID.ValueString()))
	}
	needed := want.needed()
	deleted := slices.DeleteFunc(slices.Clone(diff.removed), func(key string) bool {
		return !slices.ContainsFunc(prior.withSuperseded(key), func(id string) bool { return !needed(id) })
	})
	if len(deleted) > 0 {
		diags.AddAttributeWarning(path.Root("prompts"), "Media Will Be Deleted",
			fmt.Sprintf("The keys %s are no longer in the configuration of the group %q: their generations and media are deleted.", quoted(deleted), prior.model.ID.ValueString()))
	}
	prior.warnOfLost(diff.ended(), diags)
}

// warnOfLost: what may have been bought, and whose id nobody knows, cannot be
// deleted by whoever ends it.
func (g *group) warnOfLost(keys []string, diags *diag.Diagnostics) {
	lost := g.keysIn(keys, phaseUnknown)
	if len(lost) > 0 {
		diags.AddWarning("Generations of Unknown Outcome Are Left Behind",
			fmt.Sprintf("The state forgets the prompts %s, of which it is unknown whether they were bought. If they were, they were paid for and stay at the service, unless their group is deleted; look for them there.\n\n%s",
				g.described(lost), g.generations[lost[0]].Error.ValueString()))
	}
}

// warnOfTakeover says what of an import comes from the configuration, and which
// prompts are not those that the service has rendered: they are bought.
func warnOfTakeover(prior, want *group, diff difference, diags *diag.Diagnostics) {
	taken := !want.model.Title.Equal(prior.model.Title) || !want.model.CharacterID.Equal(prior.model.CharacterID)
	for key, former := range diff.kept {
		taken = taken || want.prompts[key] != prior.prompts[former]
	}
	if taken {
		diags.AddWarning("Imported Group Is Taken Over",
			fmt.Sprintf("The service cannot tell all of how the imported group %q was asked for. Its character, its title and the options of its prompts are taken over from the configuration. Nothing is bought or deleted for them.", prior.model.ID.ValueString()))
	}
	if len(diff.changed) > 0 {
		var lines []string
		for _, key := range diff.changed {
			lines = append(lines, fmt.Sprintf("%q: the service has rendered %q, the configuration says %q",
				key, beginning(prior.prompts[key]), beginning(want.prompts[key])))
		}
		diags.AddAttributeWarning(path.Root("prompts"), "Imported Prompts Differ",
			fmt.Sprintf("These prompts of the imported group %q are bought anew, since the import has read other ones. The imported generations stay at the service.\n\n%s", prior.model.ID.ValueString(), strings.Join(lines, "\n")))
	}
}

// warnOfLeftBehind names what an import brought and a purchase has replaced.
func warnOfLeftBehind(ids []string, g *group, diags *diag.Diagnostics) {
	if len(ids) > 0 {
		diags.AddWarning("Imported Generations Left at the Service",
			fmt.Sprintf("The prompts of the imported generations %s were bought anew in the group %q. The imported ones and their media are no longer in the state and stay at the service until their group is deleted.", quoted(ids), g.model.ID.ValueString()))
	}
}

// described are keys with the beginnings of their prompts, unless there are too
// many to read.
func (g *group) described(keys []string) string {
	if len(keys) > 20 {
		return quoted(keys)
	}
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = fmt.Sprintf("%q (%q)", key, beginning(g.prompts[key]))
	}
	return strings.Join(texts, ", ")
}

func beginning(prompt promptModel) string {
	text := []rune(prompt.Prompt.ValueString())
	if len(text) > 60 {
		text = append(text[:60:60], '…')
	}
	return string(text)
}

// warnOfOmitted says which results the state cannot hold, if they are new.
func (g *group) warnOfOmitted(before []string, diags *diag.Diagnostics) {
	framework.WarnOfOmitted(diags, g.name(), before, g.addresses())
}

func quoted(keys []string) string {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = fmt.Sprintf("%q", key)
	}
	return strings.Join(texts, ", ")
}
