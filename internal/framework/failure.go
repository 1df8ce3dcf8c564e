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

// Failure describes a failed operation for the person who reads the message at
// 2 a.m.: the operation, its object, and the consequences for money and state.
type Failure struct {
	// Verb and Noun form the summary, "Unable to <Verb> <Noun>".
	Verb, Noun string
	Object     string // as in `character "ch_1"`
	// Consequence describes the effect on money and state, and the next step.
	Consequence string
	NotFound    path.Path // the attribute on which a 404 is reported
	// Fields maps the service's field names to the attributes behind them.
	Fields map[string]path.Path
}

// Unchanged is the consequence of a failed read.
const Unchanged = "Nothing was changed."

// Error returns the failure as an error. If the cause has a name, the name is
// the summary. Otherwise the error is on the attribute that the service blames,
// if any.
func (f Failure) Error(err error) diag.Diagnostic {
	if headline := causeOf(err).name; headline != "" {
		return diag.NewErrorDiagnostic(headline, f.detail(err, headline))
	}
	if attribute, ok := f.attribute(err); ok {
		return diag.NewAttributeErrorDiagnostic(attribute, f.summary(), f.detail(err, f.summary()))
	}
	return diag.NewErrorDiagnostic(f.summary(), f.detail(err, f.summary()))
}

// Warning returns the failure as a warning. Use it for all failures after a
// purchase, because an error would taint the paid object. The summary never is
// the name of the cause: CLIs fold warnings with equal summaries, and would
// hide the consequence.
func (f Failure) Warning(err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic(f.summary(), f.detail(err, f.summary()))
}

func (f Failure) summary() string { return "Unable to " + f.Verb + " " + f.Noun }

// detail returns the full text only for the first of several failures with a
// common cause.
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

// asSentence capitalises the first letter of a text, unless the text begins
// with the name of a setting.
func asSentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if word, _, _ := strings.Cut(text, " "); strings.Contains(word, "_") {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// attribute returns the attribute that the service blames, or the attribute
// with the id that the service did not find.
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

// DestroyPlansFirst explains why a destroy shows an error of a plan, and how to
// destroy without the plan.
const DestroyPlansFirst = "A destroy plans the configuration first: add -refresh=false to destroy without that."
