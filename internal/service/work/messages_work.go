package work

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// subject is the part of a piece of work that messages name.
type subject struct {
	words
	*framework.WorkModel // the part of the model that all kinds have
}

// words are the words by which messages name a kind of work.
type words struct {
	noun     string               // in summaries
	name     string               // in sentences
	jobNoun  string               // in sentences about its job; empty if there are none
	start    string               // the verb of its start, in summaries
	none     string               // the sentence that nothing was started
	inferred string               // the sentence that the interface does not document the start; empty if it does
	fields   map[string]path.Path // the attribute of a field that the service refuses
	// After an import: the inputs that are only taken over, the verb of the
	// work that was done with the former inputs, and the effect of a
	// replacement.
	takesOver, done, again string
}

func (s subject) characterID() string { return s.CharacterID.ValueString() }
func (s subject) jobID() string       { return s.ID.ValueString() }

func (s subject) object() string {
	if s.jobNoun == "" || s.jobID() == "" {
		return s.name + " of " + framework.NameOf(s.CharacterID)
	}
	return fmt.Sprintf("%s %q of character %q", s.jobNoun, s.jobID(), s.characterID())
}

func (s subject) summary(what string) string {
	return report.Summary(what, s.name, s.jobID(), "character "+s.characterID())
}

// failure describes a step that failed, and its consequence.
func (s subject) failure(verb, consequence string) report.Failure {
	return report.Failure{
		Verb:        verb,
		Noun:        s.noun,
		Object:      s.object(),
		Consequence: consequence,
	}
}

// notStarted describes a failure after which nothing is bought, as far as the
// service says.
func (s subject) notStarted(verb, noun string, err error) diag.Diagnostic {
	return framework.NotBought(
		report.Failure{
			Verb:   verb,
			Noun:   noun,
			Fields: s.fields,
		},
		s.WorkModel,
		s.none,
		err,
	)
}

// startIsInferred says that the interface does not document how the work is
// started.
func (s subject) startIsInferred() (diags diag.Diagnostics) {
	if s.inferred != "" {
		diags.AddWarning(s.noun+" Has an Inferred Start", s.inferred)
	}
	return diags
}

// isTakenOver warns of inputs that an import could not read.
func (s subject) isTakenOver() diag.Diagnostic {
	return framework.TakenOverAfterImport(s.takesOver, s.object(), s.done, s.again)
}

// guarded describes the same work, bought by another run.
func (s subject) guarded(found []purchases.Bought) run.Guarded {
	return s.Guarded(s.object(), found, s.summary)
}
