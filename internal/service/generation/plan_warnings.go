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

func (g *group) asked() string {
	if g.model.PromptMap.IsUnknown() {
		return "they are not known yet"
	}
	return quoted(g.Keys())
}

// warnOfUpdate returns the generations that the update may delete.
func warnOfUpdate(prior, want *group, diff prompts.Difference, diags *diag.Diagnostics) (deleted []string) {
	var differing, behind notice
	if diff.Imported {
		warnOfTakeover(prior, want, diff, diags)
		differing, behind = otherPrompts(prior, want, diff)
	}
	isRenamed := !want.model.Title.Equal(prior.model.Title) && !prior.model.ID.IsNull()
	isTakenOver := diff.Imported && prior.model.Title.IsNull()
	if isRenamed && !isTakenOver {
		diags.AddAttributeWarning(
			path.Root("title"),
			"Title Is Sent With the Next Batch",
			fmt.Sprintf(
				"The service cannot rename the group %q. The new title goes into the state now and is sent with the "+
					"next batch; the service may keep the old one.",
				prior.model.ID.ValueString(),
			),
		)
	}
	var removed, superseded []string
	if !want.keeps() {
		removed, superseded = prior.DeletedBy(&want.Group, diff)
	}
	gone := prior.KeysIn(diff.Again(), prompts.PhaseGone)
	prior.warn(
		onAttribute("prompts", diags),
		notice{
			when: len(diff.Buy) > 0,
			text: fmt.Sprintf(
				"The plan buys %s: %s.",
				framework.Plural(len(diff.Buy), "prompt", "prompts"),
				quoted(diff.Buy),
			),
		},
		notice{
			when: len(gone) > 0,
			what: "Generations Are Gone",
			text: fmt.Sprintf(
				"The generations of the prompts %s of the generation group %q are gone at the service: deleted, and "+
					"not by this configuration. They are bought again, which costs credits; remove the keys to do "+
					"without them.",
				quoted(gone),
				prior.model.ID.ValueString(),
			),
		},
		differing,
		respelled(prior, want, diff.Changed),
		requeried(prior, want, diff.Changed),
		prior.deletion(prior.Sharing(diff.Removed, removed), prior.Sharing(prior.Keys(), superseded)),
		prior.keeping(
			diff.Forgotten,
		),
		behind,
		prior.lost(slices.Concat(diff.Removed, diff.Changed, diff.Again()), "forgets"),
	)
	want.warnOfUnresolved(diags)
	return slices.Concat(removed, superseded)
}

// deletion says which media an update deletes, and why.
func (g *group) deletion(removed, superseded []string) notice {
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
func (g *group) keeping(left []string) notice {
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

// warnOfUnknownPrompts says what may be bought and deleted where the prompts
// are only known during the apply. The plan cannot tell which.
func (g *group) warnOfUnknownPrompts(keeps bool, diags *diag.Diagnostics) {
	count := len(g.AllIDs())
	may := notice{when: count > 0, what: "Media May Be Deleted"}
	fate := "are deleted with their media"
	more := ""
	if keeps {
		may = notice{when: count > 0, what: "Media May Be Forgotten"}
		fate = "stay at the service"
		more = " " + forgotten
	}
	may.text = fmt.Sprintf(
		"The prompts of the generation group %q are only known during the apply. Prompts that have changed by then "+
			"are bought, and generations whose prompts have changed or are gone %s (generations so far: %d).%s",
		g.model.ID.ValueString(),
		fate,
		count,
		more,
	)
	g.warn(onAttribute("prompts", diags), may)
	g.warnOfUnresolved(diags)
}

// warnOfTakeover names what the update after an import takes over without
// buying: inputs that no reply of the service tells.
func warnOfTakeover(prior, want *group, diff prompts.Difference, diags *diag.Diagnostics) {
	var inputs []string
	if !want.model.CharacterID.Equal(prior.model.CharacterID) {
		inputs = append(inputs, "character_id")
	}
	if prior.model.Title.IsNull() && !want.model.Title.IsNull() {
		inputs = append(inputs, "title")
	}
	for _, input := range promptElements.attributes {
		if keys := keysWithAnother(input, prior, want, diff); len(keys) > 0 {
			inputs = append(inputs, fmt.Sprintf("%s of the keys %s", input.name, quoted(keys)))
		}
	}
	failed := want.KeysIn(prompts.SortedKeys(diff.Kept), prompts.PhaseFailed)
	if len(failed) > 0 && !want.model.MaxAttempts.Equal(prior.model.MaxAttempts) {
		inputs = append(
			inputs,
			fmt.Sprintf("max_attempts: the failed prompts %s count as submitted so often", quoted(failed)),
		)
	}
	if len(inputs) > 0 {
		diags.Append(groupIsTakenOver(prior, inputs))
	}
}

// keysWithAnother are the kept keys whose input differs from what the import
// has read.
func keysWithAnother(
	input nestedAttribute[prompts.Prompt],
	prior, want *group,
	diff prompts.Difference,
) (keys []string) {
	for _, key := range prompts.SortedKeys(diff.Kept) {
		now := want.Prompts[key]
		before := prior.Prompts[diff.Kept[key]]
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

// otherPrompts names what is bought again because the service has rendered
// other texts.
func otherPrompts(prior, want *group, diff prompts.Difference) (differ, stay notice) {
	var differing []string
	for _, key := range diff.Buy {
		_, kept := diff.Kept[key]
		imported, had := prior.Prompts[key]
		isOther := want.Prompts[key].Text != imported.Text
		if had && !kept && isOther {
			differing = append(differing, key)
		}
	}
	differ = notice{
		when: len(differing) > 0,
		what: "Imported Prompts Differ",
		text: fmt.Sprintf(
			"The prompts %s of the imported group %q are bought again, since the service has rendered other texts "+
				"than the configuration has, or will have.",
			quoted(differing),
			prior.model.ID.ValueString(),
		),
	}
	return differ, notice{
		when: len(differing) > 0,
		text: "The imported generations of these prompts stay at the service: " + quoted(differing) + ".",
	}
}
