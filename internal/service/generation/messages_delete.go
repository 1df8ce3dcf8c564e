package generation

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
)

// What a destroy says, and its plan. For an update see updateDeletes.

const (
	forgotten = "They leave the state, and their ids go to the purchase log (purchase_log), if there is one."
	// deletedWithCharacter is true whatever becomes of the character, and when.
	deletedWithCharacter = "A deletion of their character may take them along."
)

// onlyRenamed is for a group that leaves the configuration: for the CLI a new name is
// another group, whose prompts are bought again.
const onlyRenamed = " A moved block keeps what was only renamed."

// ending says what becomes of the media if the object is destroyed by what the
// text begins with, and what keeps them beside deletion_policy.
func ending(g *group, by, keepsToo string) notice {
	if g.keeps() {
		return notice{
			when: exists(g),
			what: "Media Will Be Forgotten",
			text: fmt.Sprintf(
				"Nothing is deleted: %s leaves %s at the service, since deletion_policy is %q in the state. %s %s",
				by,
				contents(g),
				attributes.PolicyKeep,
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
			attributes.PolicyKeep,
			keepsToo,
			by,
			contents(g),
			groupConsequence(g),
		),
	}
}

// deletesUnlessStopped is the end of a group whose replacement the CLI may stop:
// see run.Command.MayBeApply. What else goes with the media takes a refresh.
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
			attributes.PolicyKeep,
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
			attributes.PolicyKeep,
			deletedWithCharacter,
		),
	}
}

func contents(g *group) string {
	ids := g.OwnIDs()
	own := report.Plural(len(ids), "generation", "generations")
	if len(ids) == 0 {
		return own
	}
	return fmt.Sprintf("%s and all media (known: %s)", own, report.Plural(g.Media(ids), "result", "results"))
}

// groupConsequence says what becomes of the group itself when its generations
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
				report.Plural(g.private.Forgotten, "generation", "generations"),
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

// unconfirmedStay names what may have been bought, and cannot be deleted
// without an id.
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

// groupStays is about a group whose generations were deleted one by one, since
// nothing proves that it has no others.
func groupStays(g *group) diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.summary("Generation Group Stays"), fmt.Sprintf(
		"Its generations were deleted one by one, and the group %q stays at the service: its list "+
			"(extended_reads) could not be read, or does not prove that nothing else is in it. If it is empty, "+
			"delete it there.",
		g.values.ID.ValueString(),
	))
}

// groupStaysWith is about a group that the service did not delete, because of
// generations that are not this resource's to delete.
func groupStaysWith(g *group, others []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.summary("Generation Group Stays"), fmt.Sprintf(
		"The generation group %q has generations that are not in the state of this resource, and the service "+
			"did not delete them with it: %s. They and the group stay at the service; nothing more was sent "+
			"about them.",
		g.values.ID.ValueString(),
		quoteAll(others),
	))
}

// deleteFailure is about a destroy that has left something.
func deleteFailure(g *group) report.Failure {
	return report.Failure{
		Verb:   "Delete",
		Noun:   "Generation Group",
		Object: g.name(),
		Consequence: "What was deleted has left the state, the rest stays in it. Destroy again to delete what is " +
			"left.",
	}
}

// removedFailure is about a generation of a removed prompt that could not be
// deleted.
func removedFailure(id, key string) report.Failure {
	return report.Failure{
		Verb:   "Delete",
		Noun:   "Generation",
		Object: fmt.Sprintf("generation %q of the prompt %q", id, key),
		Consequence: "Its media are still at the service. The prompt stays in the state, and the next apply tries " +
			"again.",
	}
}

// supersededFailure is about a superseded generation that could not be deleted.
func supersededFailure(id, key string) report.Failure {
	return report.Failure{
		Verb:   "Delete",
		Noun:   "Superseded Generation",
		Object: fmt.Sprintf("generation %q, formerly of the prompt %q", id, key),
		Consequence: "Its successor is finished and paid for; the old media are still at the service. The next apply " +
			"tries again.",
	}
}
