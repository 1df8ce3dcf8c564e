package framework

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Summary is that of a warning of a deletion, a purchase or an unconfirmed
// outcome. It ends in what the object is, but not its title or name: of
// warnings with equal summaries CLIs show one.
func Summary(what, kind, id, of string) string {
	if id == "" {
		return what + ": " + kind + " of " + of
	}
	return what + ": " + kind + " " + id
}

// Forgotten says of an object that a destroy leaves at the service: in a plan
// that it will, and in an apply that it did. More holds before and after, in
// any order of the plan: what the object belongs to may be deleted too.
func Forgotten(title, object, more string, done bool, summary func(what string) string) diag.Diagnostic {
	if done {
		return diag.NewWarningDiagnostic(summary(title+" Was Forgotten"), object+" was only forgotten. "+more)
	}
	return diag.NewWarningDiagnostic(summary(title+" Will Be Forgotten"), object+" is only forgotten. "+more)
}

// ReadsMore reports whether the configuration says that the deployment answers
// extended reads.
func (d *ProviderData) ReadsMore() bool { return d.Known() && d.Client.ExtendedReads() }

// WarnOfFailedReads warns, once a run, of a read that the configuration says
// the deployment has.
func (d *ProviderData) WarnOfFailedReads(diags *diag.Diagnostics) {
	if failure := d.Client.FailedRead(); failure != nil {
		diags.AddWarning("Extended Read Failed", fmt.Sprintf(
			"A read that extended_reads (MEDIAGEN_EXTENDED_READS) allows has failed. Reason: %s\n\n"+
				"Nothing was concluded from the failure. The object is read without extended_reads, which takes more "+
				"requests; once the read has failed for two objects, all of them are read that way. If every run "+
				"says this, the deployment probably does not offer the read: remove "+
				"extended_reads.", Sentence(failure.Error())))
	}
}

// Several joins the first three of a list, and says how many more there are. It
// is not for what only its message names, as ids that are in no state.
func Several(items []string, separator string) string {
	const most = 3
	if more := len(items) - most; more > 0 {
		items = append(slices.Clone(items[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(items, separator)
}

// Plural returns a number with its noun.
func Plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
