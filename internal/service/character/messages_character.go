package character

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// Messages of a plan.

// charactersStay says that a destroy only forgets characters.
var charactersStay = fmt.Sprintf(
	"The record, images and models of a character stay at the service if deletion_policy is %q in the state.",
	framework.PolicyKeep,
)

// ownedObjects are the objects of a character that the state and this run know.
type ownedObjects struct {
	faceImages, bodyImages types.Int64
	faceLoRA, bodyLoRA     types.String // the statuses of the LoRAs
	managed                []string     // the objects of this run
}

// isDeletedWith warns that the apply deletes a character, and names the objects
// that may be deleted with it. It quotes the statuses of LoRAs, because some
// words may mean that a LoRA exists.
func isDeletedWith(id string, has ownedObjects) diag.Diagnostic {
	models := 0
	for _, status := range []types.String{has.faceLoRA, has.bodyLoRA} {
		if api.PhaseOfWord(status.ValueString()) == api.Succeeded {
			models++
		}
	}
	managed := ""
	if len(has.managed) > 0 {
		managed = fmt.Sprintf(
			" As far as this run has got, these of it are managed here: %s.",
			framework.Several(has.managed, "; "),
		)
	}
	return diag.NewWarningDiagnostic(summary(id)("Character Will Be Deleted"), fmt.Sprintf(
		"To leave the character at the service, apply deletion_policy = %q first: nothing takes a deletion back.\n\n"+
			"The apply deletes character %q. As far as the state knows, %s, %s and %s (face %q, body %q) may go with "+
			"it, and so may its dataset and its generations: the service does not document what a deletion takes "+
			"along, or that a running training prevents it.%s",
		framework.PolicyKeep,
		id,
		counted(has.faceImages, "face image"),
		counted(has.bodyImages, "body image"),
		framework.Plural(models, "LoRA", "LoRAs"),
		reply.Text(has.faceLoRA.ValueString()),
		reply.Text(has.bodyLoRA.ValueString()),
		managed,
	))
}

// isDeletedUnlessStopped warns of a character whose replacement the CLI may
// stop: see Command.MayBeApply. Only a refresh can tell which objects are
// deleted with it.
func isDeletedUnlessStopped(id string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summary(id)("Plan Deletes Character"), fmt.Sprintf(
		"To leave the character at the service, apply deletion_policy = %q first: nothing takes a deletion back.\n\n"+
			"This deletes character %q. A plan with a refresh says what may go with it. If an apply stops here "+
			"(inconsistent final plan), it was to change the character in place: it is not deleted, and the next "+
			"plan shows what replaces it.",
		framework.PolicyKeep,
		id,
	))
}

func counted(number types.Int64, noun string) string {
	if number.IsNull() {
		return "an unknown number of " + noun + "s"
	}
	return framework.Plural(int(number.ValueInt64()), noun, noun+"s")
}

func nameIsMissing() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(
		path.Root("name"),
		"Missing Name",
		"A character without id is created, and needs a name. Nothing was sent. Set name, or the id of the "+
			"character to adopt.",
	)
}

// nameIsTaken warns that existing characters have the name of a character to be
// created.
func nameIsTaken(namesakes []api.Character) diag.Diagnostic {
	var named []string
	for _, listed := range namesakes {
		created := reply.Text(types.StringPointerValue(listed.CreatedAt).ValueString())
		named = append(named, fmt.Sprintf("%q (created %s)", listed.ID, created.Or("at an unknown time")))
	}
	return diag.NewAttributeWarningDiagnostic(path.Root("name"), "Character Name Already Used", fmt.Sprintf(
		"The plan creates a character, and the service has one of this name already: %s. Names need not be "+
			"unique. If it is the one that you want, set its id to adopt it.",
		framework.Several(named, ", "),
	))
}

// nothingToAdopt refuses an id that no character has.
func nothingToAdopt(id string, listed []api.Character) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("id"), "Character Not Found", fmt.Sprintf(
		"Correct the id, leave it out to create a character where the deployment can, or use a credential of the "+
			"organization that owns the character: the service shows this one no character %q, and an id only "+
			"adopts. Nothing was changed. %s%s",
		id,
		framework.DestroyPlansFirst,
		run.SimilarCharacter(id, listed),
	))
}

// adoptionOverwrites names the texts that the apply replaces. The plan of a
// create does not show them.
func adoptionOverwrites(id, texts string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Adoption Overwrites Character", fmt.Sprintf(
		"To keep the %s of character %q, leave %[1]s out: the adoption replaces what the service has, which the "+
			"data source mediagen_character shows. If you configured no name, your tool made it up, as Pulumi "+
			"does unless its autonaming is disabled.",
		texts,
		id,
	))
}

// isAdoptedTwice warns of two resources that write different texts.
func isAdoptedTwice(id, texts string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Character Adopted Twice", fmt.Sprintf(
		"Two resources manage character %q with different texts: %s. Each apply changes the texts again, and no "+
			"plan will be empty. Keep one of the resources, or give both the same texts.",
		id,
		texts,
	))
}

// isManagedTwice warns of two resources for a character that do not write
// different texts.
func isManagedTwice(id string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Character Adopted Twice", fmt.Sprintf(
		"Keep one of the resources, and use its id where the other's is used: two resources of this plan are of the "+
			"character %q. What one changes, the other shows as changed; and if the deletion_policy of one is %q, "+
			"its destroy deletes the character of both. terraform state rm gives a resource up and deletes nothing.",
		id,
		framework.PolicyDelete,
	))
}

// Messages of an adoption or a creation.

// adoptedUnlisted warns of a character that exists although the list does not
// show it.
func adoptedUnlisted(id string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Character Not Listed", fmt.Sprintf(
		"Character %q exists, but the list of characters does not show it to this credential. What the "+
			"service did not say about it is null.",
		id,
	))
}

// unlistedTextIsUnknown refuses an update that would overwrite an unknown text.
func unlistedTextIsUnknown(id, text string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root(text), "Character Not Listed", fmt.Sprintf(
		"Character %q exists, but the list of characters does not show it to this credential, so its %s is not "+
			"known and an update would overwrite it. Set both name and description, or neither, or use a "+
			"credential that lists the character. Nothing was changed.",
		id,
		text,
	))
}

// message names the objects that have appeared since the request.
func (u unconfirmed) message(since []evidence.Candidate) diag.Diagnostic {
	id := "ID"
	shown := "The service lists nothing new so far, or could not be asked."
	if len(since) == 1 {
		id = since[0].ID
	}
	var named []string
	for _, seen := range since {
		named = append(named, fmt.Sprintf("%q (created %s)", seen.ID, seen.CreatedAt.Or("at a time that is not known")))
	}
	if len(named) > 0 {
		shown = "The service lists what this run had not seen before: " + framework.Several(named, ", ") + "."
	}
	return diag.NewErrorDiagnostic(u.title+" Unconfirmed", fmt.Sprintf(
		"%s If one was made, %s\n\nIf none was made, apply again: it costs nothing, and nothing is in the state.\n\n"+
			"%s was sent at %s, and no answer has settled what became of it (%s).",
		shown,
		u.take(id),
		u.request,
		u.sent.UTC().Format(time.RFC3339),
		u.cause,
	))
}

// Messages of a data source.

func listIsInconsistent(id string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("id"), "Character List Incomplete", fmt.Sprintf(
		"The service's list of characters was inconsistent and did not show character %q. Try again.",
		id,
	))
}

func idNotFound(id string, listed []api.Character) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("id"), "Character Not Found", fmt.Sprintf(
		"No character that this credential can list has the id %q.%s",
		id,
		run.SimilarCharacter(id, listed),
	))
}

func nameIsNotUnique(id, other string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("name"), "Character Name Not Unique", fmt.Sprintf(
		"The characters %q and %q both have this name. Give the id of the one that you want instead.",
		id,
		other,
	))
}

func nameNotFound(name string, listed []api.Character) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("name"), "Character Not Found", fmt.Sprintf(
		"No character that this credential can list has this name. Names must match exactly, upper and lower "+
			"case too.%s",
		run.SimilarCharacter(name, listed),
	))
}

// Messages of a refresh, an update and a deletion.

func readFailure(id string) framework.Failure {
	return framework.Failure{
		Verb:        "Read",
		Noun:        "Character",
		Object:      object(id),
		Consequence: framework.Unchanged,
	}
}

func isGone(id string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summary(id)("Character Is Gone"), fmt.Sprintf(
		"Character %q is gone at the service: it was deleted, and not by this configuration. This refresh "+
			"removes it from the state.\n\n"+
			"Where the configuration names its id, the apply will fail, since an id only adopts: correct the id, "+
			"leave it out to create a character where the deployment can, or remove the resource. Where it does "+
			"not, the plan creates another character, and buys anew what the configuration has of this one: "+
			"images, datasets, models and pictures do not come with it.",
		id,
	))
}

// staysUnread warns of a list whose pages contradict each other.
func staysUnread(id string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Character List Incomplete", fmt.Sprintf(
		"The service's list of characters was inconsistent and did not show character %q. It is kept as it was.",
		id,
	))
}

// staysUnlisted warns of a character that exists although the list no longer
// shows it.
func staysUnlisted(id string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Character Not Listed", fmt.Sprintf(
		"Character %q exists, but the list of characters does not show it to this credential. It is kept as "+
			"it was; use the credential of its creator to refresh it.",
		id,
	))
}

// updateFailure describes a failed update, on the attribute that the service
// blames.
func updateFailure(id string) framework.Failure {
	return framework.Failure{
		Verb:        "Update",
		Noun:        "Character",
		Object:      object(id),
		NotFound:    path.Root("id"),
		Consequence: "An update costs nothing; applying again repeats it.",
		Fields:      map[string]path.Path{"name": path.Root("name"), "description": path.Root("description")},
	}
}

// errStillShown is the error of a deletion that found nothing although the
// service still shows the character. The advice is the same as for a deployment
// without deletions.
var errStillShown = errors.New("the service says that it did not find the character to delete, and it still shows " +
	"its capabilities. If the deployment cannot delete characters, apply deletion_policy = \"keep\", then destroy: " +
	"that only forgets it")

func deleteFailure(id string, err error) framework.Failure {
	consequence := "The character may still be at the service, and stays in the state; destroy again to finish."
	if reply.LacksEndpoint(err) {
		consequence = "The character stays at the service and in the state."
	}
	return framework.Failure{
		Verb:        "Delete",
		Noun:        "Character",
		Object:      object(id),
		Consequence: consequence,
	}
}

// shownChanged warns of texts that the service shows in a changed form.
func shownChanged(id string, names []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summary(id)("Character Text Is Shown Changed"), fmt.Sprintf(
		"The service shows of character %q another %s than it was sent: with escapes, trimmed or cut off. The state "+
			"keeps what was sent, and as long as the service shows this, no plan has a difference.\n\n"+
			"Look at it with the data source mediagen_character. If it is cut off, shorten the text.",
		id, strings.Join(names, " and ")))
}

func creationFailure() framework.Failure {
	return framework.Failure{
		Verb:        "Create",
		Noun:        "Character",
		Consequence: "No character was created.",
		Fields:      map[string]path.Path{"name": path.Root("name"), "description": path.Root("description")},
	}
}

// characterExists explains a 409: the character may exist already. id is the id
// of the existing character, if the service names it.
func characterExists(id string) string {
	return alreadyThere("character", id, "mediagen_characters", cmp.Or(id, "ID"))
}

// alreadyThere explains a 409 to a request that would have added an object. It
// names the object, or the data source that lists the ids, and the import.
func alreadyThere(noun, id, dataSource, importID string) string {
	found := fmt.Sprintf("If there is one already, the data source %s lists its id.", dataSource)
	if id != "" {
		found = fmt.Sprintf("The service says that %s %q exists already.", noun, id)
	}
	return fmt.Sprintf(
		"Nothing was added. %s To manage it, import it:\n\n%s",
		found,
		framework.ImportBlock(framework.Quote(importID)),
	)
}

func adoptionFailure(id string) framework.Failure {
	return framework.Failure{
		Verb:        "Adopt",
		Noun:        "Character",
		Object:      object(id),
		NotFound:    path.Root("id"),
		Consequence: "Nothing was changed.",
	}
}
