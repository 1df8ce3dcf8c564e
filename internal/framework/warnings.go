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

// Forgets says that a destroy leaves objects of a type at the service, by a rule.
// Nobody has to do anything, so that a plan says it once a type, and its apply
// does not: the destroy of a studio said it of 156 objects, and of each twice,
// among what it deleted for good.
func (d *ProviderData) Forgets(objects, rule string, diags *diag.Diagnostics) {
	if d != nil {
		if _, isTold := d.forgets.LoadOrStore(objects, true); isTold {
			return
		}
	}
	diags.AddWarning(objects+" Will Be Forgotten", "Nothing is to be done. "+rule)
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
