package framework

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Failure describes a failed operation for the person who reads it at 2 a.m.:
// what failed, on which object, and what it means for money and state.
type Failure struct {
	// Verb and Noun make the summary, "Unable to <Verb> <Noun>".
	Verb, Noun string
	Object     string // as in `character "ch_1"`
	// Consequence says what it means for money and state, and what to do next.
	Consequence string
	NotFound    path.Path // the attribute that a 404 is about
	// Fields maps the service's field names to the attributes behind them.
	Fields map[string]path.Path
}

// Unchanged is the consequence of a failed read.
const Unchanged = "Nothing was changed."

// Error returns the failure as an error: under the name of its cause where it
// has one, else on the attribute that the service blames, if any.
func (f Failure) Error(err error) diag.Diagnostic {
	if headline := causeOf(err).name; headline != "" {
		return diag.NewErrorDiagnostic(headline, f.detail(err, headline))
	}
	if attribute, ok := f.attribute(err); ok {
		return diag.NewAttributeErrorDiagnostic(attribute, f.summary(), f.detail(err, f.summary()))
	}
	return diag.NewErrorDiagnostic(f.summary(), f.detail(err, f.summary()))
}

// Warning returns the failure as a warning: for all that fails after a
// purchase, since an error would taint what was paid for. Its summary is its
// own: CLIs fold equal ones, and hide its consequence.
func (f Failure) Warning(err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic(f.summary(), f.detail(err, f.summary()))
}

func (f Failure) summary() string { return "Unable to " + f.Verb + " " + f.Noun }

// detail tells all only for the first of several failures with a common cause.
func (f Failure) detail(err error, headline string) string {
	reason := asSentence(Sentence(err.Error()))
	advice := causeOf(err).advice
	if !reply.Tell(err, "") {
		reason = asSentence(reply.ShortCause(err)) + ": the same failure as another object's."
		advice = ""
	}
	switch {
	case headline != f.summary():
		reason += fmt.Sprintf("\nObject: %s (%s %s)", cmp.Or(f.Object, strings.ToLower(f.Noun)), f.Verb, f.Noun)
	case f.Object != "":
		reason += "\nObject: " + f.Object
	}
	if f.Consequence != "" && reply.Tell(err, f.Consequence) {
		reason += "\n\n" + f.Consequence
	}
	if advice != "" {
		reason += "\n\n" + advice
	}
	return reason
}

// asSentence begins a text like a sentence, unless it begins with a setting's
// name.
func asSentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if word, _, _ := strings.Cut(text, " "); strings.Contains(word, "_") {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// attribute is the one that the service blames, or the id that it did not find.
func (f Failure) attribute(err error) (path.Path, bool) {
	failure, is := errors.AsType[*reply.Error](err)
	if !is {
		return path.Empty(), false
	}
	if reply.IsNotFound(err) && !reply.LacksEndpoint(err) && len(f.NotFound.Steps()) > 0 {
		return f.NotFound, true
	}
	for _, field := range failure.Said.Fields {
		for _, v := range slices.Backward(field.Path) {
			if attribute, ok := f.Fields[v]; ok {
				return attribute, true
			}
		}
	}
	return path.Empty(), false
}

// DestroyPlansFirst says why a destroy shows an error of a plan, and what leaves that plan out.
const DestroyPlansFirst = "A destroy plans the configuration first: add -refresh=false to destroy without that."
