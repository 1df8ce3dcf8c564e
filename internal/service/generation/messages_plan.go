package generation

import (
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// Messages of a plan.

// updateDeletes says which media an update deletes, and why: media of removed
// prompts, of prompts that get a new generation, and of prompts that already
// have a new generation.
func updateDeletes(g *group, removed, superseded, replaced []string) notice {
	var reasons []string
	if len(removed) > 0 {
		reasons = append(
			reasons,
			fmt.Sprintf(
				"%s no longer in the configuration: the generations and media are deleted.",
				promptsAre(removed, "is", "are"),
			),
		)
	}
	if len(superseded) > 0 {
		reasons = append(
			reasons,
			fmt.Sprintf(
				"%s bought anew: what is superseded is deleted, with its media, once the new ones have results.",
				promptsAre(superseded, "is", "are"),
			),
		)
	}
	if len(replaced) > 0 {
		reasons = append(
			reasons,
			fmt.Sprintf(
				"%s bought anew before, and the new ones have results: what is superseded is deleted, with its media.",
				promptsAre(replaced, "was", "were"),
			),
		)
	}
	return notice{
		when:    len(reasons) > 0,
		what:    "Media Will Be Deleted",
		deletes: true,
		text: fmt.Sprintf(
			"To keep the media, apply deletion_policy = %q first: what is deleted of the generation group %q cannot "+
				"be restored.\n\n%s",
			framework.PolicyKeep,
			g.values.ID.ValueString(),
			strings.Join(reasons, "\n"),
		),
	}
}

// updateForgets counts the generations that an update leaves behind and that
// may have media.
func updateForgets(g *group, ids []string) notice {
	var mayHaveMedia []string
	for _, id := range ids {
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
			"%s and all media (known: %s) stay at the service, since deletion_policy is %q: those of the %s "+
				"of the generation group %q, which are no longer in the configuration or are bought anew. %s%s",
			framework.Plural(
				len(mayHaveMedia),
				"generation",
				"generations",
			),
			framework.Plural(g.Media(mayHaveMedia), "result", "results"),
			framework.PolicyKeep,
			ofPrompts(g.KeysSharing(g.Keys(), mayHaveMedia)),
			g.values.ID.ValueString(),
			forgotten,
			later,
		),
	}
}

// promptsAreUnknown says what may be bought and deleted if the prompts are only
// known during the apply. The plan cannot tell which prompts.
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
			g.values.ID.ValueString(),
			fate,
			count,
			more,
		),
	}
}

// groupIsTakenOver warns of inputs that an import could not read.
func groupIsTakenOver(prior *group, inputs []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		"Imported Group Is Taken Over",
		fmt.Sprintf(
			"The import of the group %q could not read these inputs, or not as they are written. They are taken "+
				"over from the configuration: it is not known whether the media were rendered with them, and "+
				"nothing is bought or deleted because of them.\n\n%s",
			prior.values.ID.ValueString(),
			strings.Join(inputs, "\n"),
		),
	)
}

func importedPromptsDiffer(g *group, keys []string) notice {
	return notice{
		when: len(keys) > 0,
		what: "Imported Prompts Differ",
		text: fmt.Sprintf(
			"%s bought again: of the imported group %q the service has rendered other texts than the configuration "+
				"has, or will have.",
			promptsAre(keys, "is", "are"),
			g.values.ID.ValueString(),
		),
	}
}

func importedStay(keys []string) notice {
	return notice{
		when: len(keys) > 0,
		text: "The imported generations of these prompts stay at the service: " + quoted(keys) + ".",
	}
}

// buys says which prompts are bought. It is only shown together with a
// different notice.
func buys(keys []string) notice {
	return notice{
		when: len(keys) > 0,
		text: fmt.Sprintf("The plan buys %s: %s.", framework.Plural(len(keys), "prompt", "prompts"), quoted(keys)),
	}
}

// replacementBuysAll says that a group of a different character buys every
// prompt again. wanted names the prompts of the new group.
func replacementBuysAll(prior *group, wanted string) notice {
	return notice{
		when: true,
		text: fmt.Sprintf(
			"Another character replaces the generation group %q. Every prompt is bought again: %s.",
			prior.values.ID.ValueString(),
			wanted,
		),
	}
}

// generationsAreGone says which prompts are bought again because somebody
// deleted their generations.
func generationsAreGone(g *group, keys []string) notice {
	return notice{
		when: len(keys) > 0,
		what: "Generations Are Gone",
		text: fmt.Sprintf(
			"To do without them, remove their keys: else they are bought again, which costs credits. The generations "+
				"of the %s of the generation group %q are gone at the service: deleted, and not by this configuration.",
			ofPrompts(keys),
			g.values.ID.ValueString(),
		),
	}
}

// isListedAlready warns of texts that the plan buys although the group's list
// shows generations with these texts that no object of the run holds. The
// suggested import has all generations of the group.
func isListedAlready(g, prior *group, found map[string]string) diag.Diagnostic {
	pairs := prior.IDs()
	maps.Copy(pairs, found)
	var lines []string
	for _, key := range prompts.SortedKeys(found) {
		lines = append(lines, fmt.Sprintf("- %q = %q", key, found[key]))
	}
	return diag.NewWarningDiagnostic(g.summary("Prompts Are Made Already"), fmt.Sprintf(
		"To have what is there, import it in place of what the state has now, which buys nothing:\n\n%s\n\n"+
			"Otherwise do nothing: the apply buys the prompts once more, as the plan shows.\n\n"+
			"The list of the generation group %q shows generations with the texts of these prompts, and no resource "+
			"of this run holds them:\n%s",
		framework.ImportLines(encodedPairs(pairs)),
		prior.values.ID.ValueString(),
		framework.Several(lines, "\n"),
	))
}

// titleIsSentLater warns of a title that changes only in the state.
func titleIsSentLater(g *group) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(
		path.Root("title"),
		"Title Is Sent With the Next Batch",
		fmt.Sprintf(
			"The service cannot rename the group %q. The new title goes into the state now and is sent with the "+
				"next batch; the service may keep the old one.",
			g.values.ID.ValueString(),
		),
	)
}

// respelled names the prompts that are bought because only white space or case
// has changed.
func respelled(prior, want *group, changed []string) notice {
	var keys []string
	for _, key := range changed {
		if want.Prompts[key].IsRespelled(prior.Prompts[key]) {
			keys = append(keys, key)
		}
	}
	return notice{when: len(keys) > 0, text: fmt.Sprintf(
		"Of the %s only white space, or upper and lower case, has changed. Put it back to buy nothing.",
		ofPrompts(keys),
	)}
}

// requeried names the prompts that are bought because only the query of their
// photo's address has changed.
func requeried(prior, want *group, changed []string) notice {
	var keys []string
	for _, key := range changed {
		if want.Prompts[key].IsRequeried(prior.Prompts[key]) {
			keys = append(keys, key)
		}
	}
	return notice{when: len(keys) > 0, text: fmt.Sprintf(
		"Of the %s only the query of source_image_url has changed, and more of it than a signature. Put it "+
			"back to buy nothing.", ofPrompts(keys))}
}

// generationsOfAnother refuses a plan that deletes generations of a second
// resource.
func generationsOfAnother(ids []string) diag.Diagnostic {
	return mediaOfAnother("the generations " + quoted(ids))
}

// groupOfAnother refuses a plan that deletes a whole group although this
// resource holds some of its generations.
func groupOfAnother(id string, count int) diag.Diagnostic {
	return mediaOfAnother(fmt.Sprintf(
		"the whole generation group %q, with %s of this resource",
		id,
		framework.Plural(count, "generation", "generations"),
	))
}

// mediaOfAnother refuses a plan that deletes media of a second resource.
func mediaOfAnother(what string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Media of Another Resource Would Be Deleted", fmt.Sprintf(
		"Nothing was changed. Plan again, and not with -refresh=false: resources that are read at the same time see "+
			"each other. If that says the same, let the resource that gives them up depend on the other (depends_on), "+
			"or remove it from the state (terraform state rm). To destroy both, add -refresh=false.\n\n"+
			"The plan deletes %s, with all media, and two resources hold them: the one that gives them up was planned "+
			"before it could know of the other.",
		what,
	))
}

// cannotGenerate warns of a character that the service calls unready. The
// prompts are submitted nevertheless, because the service decides.
func cannotGenerate(character string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("character_id"), "Character Cannot Generate", fmt.Sprintf(
		"The service says that the character %q cannot generate yet (can_generate is false). The apply "+
			"submits the prompts anyway: they may be paid for and fail.",
		character,
	))
}
