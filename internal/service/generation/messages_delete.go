package generation

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// Messages of a destroy and of its plan. For an update see updateDeletes.

const (
	forgotten = "They leave the state, and their ids go to the purchase log (purchase_log), if there is one."
	// deletedWithCharacter holds whether or not the service ever deletes the
	// character.
	deletedWithCharacter = "A deletion of their character may take them along."
)

// onlyRenamed is for a group that leaves the configuration. A renamed resource
// is a new group to the CLI, and its prompts are bought again.
const onlyRenamed = " A moved block keeps what was only renamed."

// ending says what happens to the media if the object is destroyed. by names
// the cause of the destroy and begins the sentence; keepsToo names a second way
// to keep the media, beside deletion_policy.
func ending(g *group, by, keepsToo string) notice {
	if g.keeps() {
		return notice{
			when: exists(g),
			what: "Media Will Be Forgotten",
			text: fmt.Sprintf(
				"Nothing is deleted: %s leaves %s at the service, since deletion_policy is %q in the state. %s %s",
				by,
				contents(g),
				framework.PolicyKeep,
				forgotten,
				deletedWithCharacter,
			),
		}
	}
	return notice{
		when:    exists(g),
		what:    "Media Will Be Deleted",
		deletes: true,
		text: fmt.Sprintf(
			"To keep the media, apply deletion_policy = %q first: what is deleted cannot be restored.%s\n\n"+
				"%s deletes %s. %s",
			framework.PolicyKeep,
			keepsToo,
			by,
			contents(g),
			groupConsequence(g),
		),
	}
}

// deletesUnlessStopped says what the destroy of a replaced group deletes if the
// CLI may stop the replacement: see Command.MayBeApply. A refresh is
// needed to tell what else is deleted with the media.
func deletesUnlessStopped(g *group) notice {
	return notice{
		when:    exists(g),
		what:    "Plan Deletes Media",
		deletes: true,
		text: fmt.Sprintf(
			"To keep the media, apply deletion_policy = %q first: what is deleted cannot be restored.\n\n"+
				"This deletes %s. A plan with a refresh says what goes with them. If an apply stops here "+
				"(inconsistent final plan), it was to change the group in place: nothing of the group is bought or "+
				"deleted, and the next plan shows what replaces it.",
			framework.PolicyKeep,
			contents(g),
		),
	}
}

func destroying(g *group) string {
	return fmt.Sprintf("Destroying the generation group %q", g.values.ID.ValueString())
}

// forgottenMedia says after a destroy which media deletion_policy has kept.
func forgottenMedia(g *group) notice {
	return notice{
		when: g.keeps() && exists(g),
		what: "Media Were Forgotten",
		text: fmt.Sprintf(
			"Destroying the generation group %q has left %s at the service, since deletion_policy was %q in the "+
				"state. They have left the state, and their ids have gone to the purchase log (purchase_log), if "+
				"there is one. %s",
			g.values.ID.ValueString(),
			contents(g),
			framework.PolicyKeep,
			deletedWithCharacter,
		),
	}
}

func contents(g *group) string {
	ids := g.OwnIDs()
	own := framework.Plural(len(ids), "generation", "generations")
	if len(ids) == 0 {
		return own
	}
	return fmt.Sprintf("%s and all media (known: %s)", own, framework.Plural(g.Media(ids), "result", "results"))
}

// groupConsequence says what happens to the group itself when its generations
// are deleted, and why.
func groupConsequence(g *group) string {
	id := g.values.ID.ValueString()
	var why string
	switch {
	case g.goesWhole():
		kept := ""
		if g.private.Forgotten > 0 {
			kept = fmt.Sprintf(
				"%s that deletion_policy had kept, and ",
				framework.Plural(g.private.Forgotten, "generation", "generations"),
			)
		}
		return "The group is deleted with all else that is in it: " + kept +
			"pictures of other states, of other aliases of the provider, or of resources that -target or " +
			"-refresh=false leaves out, which this run cannot see. Where extended_reads lists the group, and the " +
			"list has more than this resource, the rest and the group stay."
	case !g.hasID():
		return "The group itself may stay at the service, since its id is not known."
	case g.private.Shared || len(g.SharedIDs) > 0:
		why = "another resource of this run holds it too, or did so in an earlier run"
	default:
		why = "nothing shows that this resource created it: it was imported, or no reply has named a generation in it"
	}
	text := fmt.Sprintf(
		"The group %q stays, maybe empty: %s. Where extended_reads lists the group, and the list has nothing else, "+
			"it is deleted too.",
		id,
		why,
	)
	if kept := g.SharedIDs; len(kept) > 0 {
		text += fmt.Sprintf(
			" Of its generations those that another resource holds, or held in an earlier run, go with the last of "+
				"these resources: %s.",
			quoted(kept),
		)
	}
	return text
}

// unconfirmedStay names prompts that may have been bought. Without an id they
// cannot be deleted.
func unconfirmedStay(g *group, keys []string, forgets string) notice {
	inDoubt := g.KeysIn(keys, prompts.PhaseUnconfirmed)
	if len(inDoubt) == 0 {
		return notice{}
	}
	return notice{
		when: true,
		what: "Unconfirmed Generations Are Left Behind",
		text: fmt.Sprintf(
			"Look for them at the service: the state %s them, and they may be paid for. They stay there unless their "+
				"group is deleted.\n\nObject: %s\nReason: %s",
			forgets,
			named(g, inDoubt),
			doubtAbout(g.Generations[inDoubt[0]]).Why(),
		),
	}
}

// groupStays warns of a group whose generations were deleted one by one,
// because nothing proves that the group has no others.
func groupStays(g *group) diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.summary("Generation Group Stays"), fmt.Sprintf(
		"Its generations were deleted one by one, and the group %q stays at the service: its list "+
			"(extended_reads) could not be read, or does not prove that nothing else is in it. If it is empty, "+
			"delete it there.",
		g.values.ID.ValueString(),
	))
}

// groupStaysWith warns of a group that the service did not delete because it
// has generations that are not this resource's to delete.
func groupStaysWith(g *group, others []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.summary("Generation Group Stays"), fmt.Sprintf(
		"The generation group %q has generations that are not in the state of this resource, and the service "+
			"did not delete them with it: %s. They and the group stay at the service; nothing more was sent "+
			"about them.",
		g.values.ID.ValueString(),
		quoteAll(others),
	))
}

// deleteFailure describes a destroy that has left generations at the service.
func deleteFailure(g *group) framework.Failure {
	return framework.Failure{
		Verb:   "Delete",
		Noun:   "Generation Group",
		Object: g.name(),
		Consequence: "What was deleted has left the state, the rest stays in it. Destroy again to delete what is " +
			"left.",
	}
}

// removedFailure describes a failed deletion of a removed prompt's generation.
func removedFailure(id, key string) framework.Failure {
	return framework.Failure{
		Verb:   "Delete",
		Noun:   "Generation",
		Object: fmt.Sprintf("generation %q of the prompt %q", id, key),
		Consequence: "Its media are still at the service. The prompt stays in the state, and the next apply tries " +
			"again.",
	}
}

// supersededFailure describes a failed deletion of a superseded generation.
func supersededFailure(id, key string) framework.Failure {
	return framework.Failure{
		Verb:   "Delete",
		Noun:   "Superseded Generation",
		Object: fmt.Sprintf("generation %q, formerly of the prompt %q", id, key),
		Consequence: "Its successor is finished and paid for; the old media are still at the service. The next apply " +
			"tries again.",
	}
}
