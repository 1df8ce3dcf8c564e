package work

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// work is what every piece of work has, during one operation of its resource,
// of the list or of an action.
type work struct {
	words
	*framework.WorkModel // the part of its model that all kinds have

	data     *run.ProviderData
	progress *wait.Progress // nil if nobody watches
	// holder is its name among the holders of its job; empty for work that no
	// destroy cancels, or that an action or a list names.
	holder string
}

// words are how messages name a kind of work.
type words struct {
	noun     string               // in summaries
	name     string               // in sentences
	jobNoun  string               // in sentences that name its job; empty if they name none
	start    string               // the verb of its start, in summaries
	none     string               // that nothing was started
	inferred string               // that the interface does not document the start; empty if it does
	fields   map[string]path.Path // the attribute of a field that the service refuses
	// What is only taken over after an import, what was done with it before, and
	// what a replacement does.
	takesOver, done, again string
}

func (w *work) characterID() string { return w.CharacterID.ValueString() }
func (w *work) jobID() string       { return w.ID.ValueString() }

func (w *work) object() string {
	if w.jobNoun == "" || w.jobID() == "" {
		return w.name + " of " + framework.NameOf(w.CharacterID)
	}
	return fmt.Sprintf("%s %q of character %q", w.jobNoun, w.jobID(), w.characterID())
}

func (w *work) summary(what string) string {
	return report.Summary(what, w.name, w.jobID(), "character "+w.characterID())
}

// failure says what could not be done to the work, and what follows.
func (w *work) failure(verb, consequence string) report.Failure {
	return report.Failure{
		Verb:        verb,
		Noun:        w.noun,
		Object:      w.object(),
		Consequence: consequence,
	}
}

// notStarted is a failure after which nothing is bought, as far as the service
// says.
func (w *work) notStarted(verb, noun string, err error) diag.Diagnostic {
	return framework.NotBought(
		report.Failure{
			Verb:   verb,
			Noun:   noun,
			Fields: w.fields,
		},
		w.WorkModel,
		w.none,
		err,
	)
}

// startIsInferred says that the interface does not document how the work is
// started.
func (w *work) startIsInferred() (diags diag.Diagnostics) {
	if w.inferred != "" {
		diags.AddWarning(w.noun+" Has an Inferred Start", w.inferred)
	}
	return diags
}

// isTakenOver is about inputs that an import could not read.
func (w *work) isTakenOver() diag.Diagnostic {
	return framework.TakenOverAfterImport(w.takesOver, w.object(), w.done, w.again)
}

// guarded is about the same work, which another run has bought.
func (w *work) guarded(found []purchases.Bought) run.Guarded {
	return w.Guarded(w.object(), found, w.summary)
}

// hold records that this object holds the job of its work, and returns who else
// does.
func (w *work) hold() (others []string) {
	if w.jobID() == "" {
		return nil
	}
	return w.data.Trainings.Hold(w.heldAs(w.jobID()), w.holder)
}

// heldAs is the name that a job is held by: two characters may have jobs of the
// same id.
func (w *work) heldAs(job string) string { return framework.ImportID(w.characterID(), job) }

// isHeld reports whether an object of this run holds a job of the character, or
// has released it.
func (w *work) isHeld(job string) bool { return w.data.Trainings.HasHeld(w.heldAs(job), "") }
