package framework

import "github.com/hashicorp/terraform-plugin-framework/diag"

// Summary is that of a warning of a deletion, a purchase or an unconfirmed outcome. It
// ends in the object's kind and id, or else in what it is of: of warnings with equal
// summaries CLIs show only the first. Titles and names are no part of it.
func Summary(what, kind, id, of string) string {
	if id == "" {
		return what + ": " + kind + " of " + of
	}
	return what + ": " + kind + " " + id
}

// Forgotten says of an object that a destroy leaves at the service: in a plan that it
// will, and in an apply that it did. More holds before and after, in any order of the
// plan: what the object belongs to may be deleted too.
func Forgotten(title, object, more string, done bool, summary func(what string) string) diag.Diagnostic {
	if done {
		return diag.NewWarningDiagnostic(summary(title+" Was Forgotten"), object+" was only forgotten. "+more)
	}
	return diag.NewWarningDiagnostic(summary(title+" Will Be Forgotten"), object+" is only forgotten. "+more)
}
