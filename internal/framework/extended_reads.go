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
			"A read of extended_reads (MEDIAGEN_EXTENDED_READS) has failed. Reason: %s\n\n"+
				"Nothing was concluded from that: its object is read as without extended_reads, with more requests, and so is everything once the read has failed for two objects. "+
				"If every run says this, as where the deployment does not have the read, remove extended_reads.", Sentence(failure.Error())))
	}
}
