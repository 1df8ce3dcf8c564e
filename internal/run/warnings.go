package run

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

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
				"extended_reads.", framework.Sentence(failure.Error())))
	}
}

// LogProgress logs a resource's lines: CLIs show none while an operation lasts.
func (d *ProviderData) LogProgress(ctx context.Context) func(line string) {
	return func(line string) { d.Inform(ctx, line) }
}

// LookOnce makes the one read after an unconfirmed POST that tells a person what
// has been made since, afresh, and in one attempt: nothing that only looks like
// ours is taken. It is not made after an interrupt, and nobody hears of its
// failure: the outcome is unconfirmed either way.
func (d *ProviderData) LookOnce(ctx context.Context, read func(context.Context) error) {
	if ctx.Err() == nil {
		_ = read(transport.OneAttempt(transport.Afresh(ctx)))
	}
}
