package run

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// WarnOfForgotten warns that a destroy leaves objects of a type at the service, by a
// rule. Nobody has to act, so a run warns only once for a type. The destroy of
// a studio once repeated the warning twice for each of 156 objects, among the
// objects that it deleted for good.
func (d *ProviderData) WarnOfForgotten(objects, rule string, diags *diag.Diagnostics) {
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

// WarnOfFailedReads warns, once a run, if a read has failed that the deployment
// offers according to the configuration.
func (d *ProviderData) WarnOfFailedReads(diags *diag.Diagnostics) {
	if failure := d.Client.FailedRead(); failure != nil {
		diags.AddWarning("Extended Read Failed", fmt.Sprintf(
			"A read that extended_reads (MEDIAGEN_EXTENDED_READS) allows has failed. Reason: %s\n\n"+
				"Nothing was concluded from the failure. The object is read without extended_reads, which takes more "+
				"requests; once the read has failed for two objects, all of them are read that way. If every run "+
				"says this, the deployment probably does not offer the read: remove "+
				"extended_reads.", framework.Sentence(failure.Error())))
	}
}

// LogProgress returns a function that logs a resource's progress, because CLIs
// show no progress while an operation lasts.
func (d *ProviderData) LogProgress(ctx context.Context) func(line string) {
	return func(line string) { d.Inform(ctx, line) }
}

// LookOnce makes one read after an unconfirmed POST, past all caches and in a
// single attempt. The read tells a person which objects have been made since;
// no object is adopted because it looks right. After an interrupt, nothing is
// read. A failure is ignored, because the outcome stays unconfirmed either way.
func (d *ProviderData) LookOnce(ctx context.Context, read func(context.Context) error) {
	if ctx.Err() == nil {
		_ = read(transport.OneAttempt(transport.Afresh(ctx)))
	}
}
