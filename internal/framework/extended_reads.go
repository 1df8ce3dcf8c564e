package framework

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// ReadsMore reports whether the configuration says that the deployment answers
// extended reads.
func (d *ProviderData) ReadsMore() bool { return d.Known() && d.Client.ExtendedReads() }

// WarnOfFailedReads warns, once a run, of a read that the configuration says the
// deployment has.
func (d *ProviderData) WarnOfFailedReads(diags *diag.Diagnostics) {
	if failure := d.Client.FailedRead(); failure != nil {
		diags.AddWarning("Extended Read Failed", fmt.Sprintf(
			"A read that extended_reads (MEDIAGEN_EXTENDED_READS) allows has failed. Reason: %s\n\n"+
				"Nothing was concluded from the failure. The object is read without extended_reads, which takes more requests; once the read has failed for two objects, all of them are read that way. "+
				"If every run says this, the deployment probably does not offer the read: remove extended_reads.", Sentence(failure.Error())))
	}
}
