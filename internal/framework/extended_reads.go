package framework

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// ReadsMore reports whether the configuration says that the deployment answers
// extended reads.
func (d *Data) ReadsMore() bool { return d.Known() && d.Client.ExtendedReads() }

// WarnOfMissingReads warns, once a run, of reads that the configuration says the
// deployment has.
func (d *Data) WarnOfMissingReads(diags *diag.Diagnostics) {
	if !d.Known() {
		return
	}
	for _, answer := range d.Client.MissingReads() {
		diags.AddWarning("Extended Reads Not Available", fmt.Sprintf(
			"The service does not answer a read of extended_reads (MEDIAGEN_EXTENDED_READS), for two objects. Reason: %s\n\n"+
				"Nothing was concluded from that. For the rest of this run everything is read as without it, with more requests. Remove extended_reads.", Sentence(answer.Error())))
	}
}
