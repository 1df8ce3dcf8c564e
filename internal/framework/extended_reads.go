package framework

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// ReadsMore reports whether the configuration says that the deployment answers
// extended reads.
func (d *Data) ReadsMore() bool { return d.Known() && d.Client.ExtendedReads() }

// WarnOfFailedReads warns, once a run, of a read that the configuration says the
// deployment has.
func (d *Data) WarnOfFailedReads(diags *diag.Diagnostics) {
	if !d.Known() {
		return
	}
	switch failed := d.Client.FailedRead(); {
	case failed == nil:
	case failed.Missing:
		diags.AddWarning("Extended Reads Not Available", fmt.Sprintf(
			"The service does not answer a read of extended_reads (MEDIAGEN_EXTENDED_READS), for two objects. Reason: %s\n\n"+
				"Nothing was concluded from that. For the rest of this run everything is read as without it, with more requests. Remove extended_reads.", Sentence(failed.Err.Error())))
	default:
		diags.AddWarning("Extended Read Failed", fmt.Sprintf(
			"A read of extended_reads (MEDIAGEN_EXTENDED_READS) has failed. Reason: %s\n\n"+
				"Nothing was concluded from that: its object is read as without extended_reads, with more requests, and so is everything once the read has failed for two objects. "+
				"If every run says this, remove extended_reads.", Sentence(failed.Err.Error())))
	}
}
