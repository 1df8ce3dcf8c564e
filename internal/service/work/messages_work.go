package work

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// subject is the part of a piece of work that messages name.
type subject struct {
	words
	*Model // the part of the model that all kinds have
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
		return s.name + " of " + run.NameOf(s.CharacterID)
	}
	return fmt.Sprintf("%s %q of character %q", s.jobNoun, s.jobID(), s.characterID())
}

func (s subject) summary(what string) string {
	return framework.Summary(what, s.name, s.jobID(), "character "+s.characterID())
}

// failure describes a step that failed, and its consequence.
func (s subject) failure(verb, consequence string) framework.Failure {
	return framework.Failure{
		Verb:        verb,
		Noun:        s.noun,
		Object:      s.object(),
		Consequence: consequence,
	}
}

// notStarted describes a failure after which nothing is bought, as far as the
// service says.
func (s subject) notStarted(verb, noun string, err error) diag.Diagnostic {
	return notBought(
		framework.Failure{
			Verb:   verb,
			Noun:   noun,
			Fields: s.fields,
		},
		s.Model,
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
	return run.TakenOverAfterImport(s.takesOver, s.object(), s.done, s.again)
}

// guarded describes the same work, bought by another run.
func (s subject) guarded(found []purchases.Bought) purchases.GuardedOrder {
	return s.Guarded(s.object(), found, s.summary)
}

// NotBought completes the failure to begin work, as far as the service says.
func notBought(failure framework.Failure, work *Model, not string, err error) diag.Diagnostic {
	failure.Object = run.NameOf(work.CharacterID)
	failure.NotFound = path.Root("character_id")
	failure.Consequence = not + ", and nothing was bought."
	if failure.Verb != "Read" && reply.IsRefused(err) && !reply.LacksEndpoint(err) {
		failure.Consequence = "The service says that it refused to " + strings.ToLower(failure.Verb) + " it."
	}
	return failure.Error(err)
}

// Resumes is what a wait of a resource leads to that has ended early.
const resumes = "It is in the state; the next apply resumes the wait and buys nothing."

// EndedEarly warns that a wait has ended before the work, called noun in
// summaries. It is no error: that would have what was paid for destroyed and
// bought again.
func endedEarly(err error, noun, doing, object, next string) diag.Diagnostic {
	switch {
	case wait.IsTimeout(err):
		return diag.NewWarningDiagnostic(
			noun+" Still "+doing,
			fmt.Sprintf(
				"The %s has not ended, and goes on at the service: %s %s",
				object,
				framework.Sentence(err.Error()),
				next,
			),
		)
	case wait.IsCanceled(err):
		return diag.NewWarningDiagnostic(
			"Wait for "+noun+" Interrupted",
			fmt.Sprintf(
				"The wait for the %s was interrupted, which does not end it: it goes on at the service. %s",
				object,
				next,
			),
		)
	}
	return framework.Failure{
		Verb:        "Follow",
		Noun:        noun,
		Object:      object,
		Consequence: "It may go on at the service. " + next,
	}.Warning(err)
}
