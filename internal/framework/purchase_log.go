package framework

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

func (d *ProviderData) warnOfPurchaseLog(diags *diag.Diagnostics) {
	if err := d.Client.CheckPurchaseLog(); err != nil {
		diags.AddWarning("Purchase Log Cannot Be Written",
			fmt.Sprintf("An apply buys nothing until the purchase log can be written. Reason: %s Correct purchase_log (MEDIAGEN_PURCHASE_LOG), or remove it to buy without one.", Sentence(err.Error())))
	}
}

// WarnOfUnwrittenEntries warns of lines missing from the purchase log.
func (d *ProviderData) WarnOfUnwrittenEntries(diags *diag.Diagnostics) {
	if !d.Known() {
		return
	}
	if lines := d.Client.UnwrittenEntries(); len(lines) > 0 {
		diags.AddWarning("Purchase Log Is Incomplete",
			"What these lines say has happened, but they could not be written to the purchase log (purchase_log). To keep the log complete, add them by hand.\n\n"+strings.Join(lines, "\n\n"))
	}
}

// Purchasing prepares a create or update that buys. Defer end: it tells the purchase log that the
// state has what was bought, and a person what the log could not take.
func (d *ProviderData) Purchasing(ctx context.Context, diags *diag.Diagnostics) (purchasing context.Context, end func()) {
	if !d.Known() {
		return ctx, func() {}
	}
	purchasing, returned := d.Client.Purchasing(ctx)
	return purchasing, func() {
		returned()
		d.WarnOfUnwrittenEntries(diags)
	}
}

// KilledPurchase says in a plan what the purchase log has of another run, and how to import it.
func KilledPurchase(object string, killed api.Killed, imported string, summary func(what string) string) diag.Diagnostic {
	if killed.Elsewhere != "" {
		return diag.NewWarningDiagnostic(summary("Another Run Has Bought This"), fmt.Sprintf(
			"According to the purchase log, %s bought the %s at %s, or may have, and no state is known to have it. That run may still be going on, so nothing is taken from it: the apply buys again.\n\n"+
				"If that run was killed, import what it bought instead:\n\n%s", killed.Elsewhere, object, killed.Sent, imported))
	}
	reply := "The apply takes the result from the log"
	if killed.Unconfirmed != nil {
		reply = "The reply is not known, so the apply records the purchase as unconfirmed"
	}
	return diag.NewWarningDiagnostic(summary("A Killed Run Has Bought This"), fmt.Sprintf(
		"According to the purchase log, a run in this directory bought the %s at %s, or may have, and was killed. %s, and sends nothing for it.", object, killed.Sent, reply))
}

// TakenOver says after an apply what it has taken of a killed run; or that it has taken nothing of
// another run, which its plan may not have known.
func TakenOver(object string, killed api.Killed, summary func(what string) string) diag.Diagnostic {
	if killed.Elsewhere != "" {
		return diag.NewWarningDiagnostic(summary("Another Run Had Bought This"), fmt.Sprintf(
			"According to the purchase log, %s bought the %s at %s, or may have, and no state is known to have it. This apply bought it again.", killed.Elsewhere, object, killed.Sent))
	}
	return diag.NewWarningDiagnostic(summary("A Killed Run Had Bought This"), fmt.Sprintf(
		"Nothing was sent for the %s: a run in this directory, which was killed, had sent it at %s, and the purchase log has its entry %q.", object, killed.Sent, killed.Request))
}
