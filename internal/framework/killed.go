package framework

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// Purchasing prepares a create or update that buys. The function that it returns is to be
// deferred: the purchase log then says that the state has what was bought, and a person
// what the log could not take.
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

// KilledPurchase says at plan what the purchase log has of another run, and how a person
// imports it.
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

// TakenOver says after an apply what it has taken of a killed run, and that it has taken
// nothing of another, which its plan may not have known.
func TakenOver(object string, killed api.Killed, summary func(what string) string) diag.Diagnostic {
	if killed.Elsewhere != "" {
		return diag.NewWarningDiagnostic(summary("Another Run Had Bought This"), fmt.Sprintf(
			"According to the purchase log, %s bought the %s at %s, or may have, and no state is known to have it. This apply bought it again.", killed.Elsewhere, object, killed.Sent))
	}
	return diag.NewWarningDiagnostic(summary("A Killed Run Had Bought This"), fmt.Sprintf(
		"Nothing was sent for the %s: a run in this directory, which was killed, had sent it at %s, and the purchase log has its entry %q.", object, killed.Sent, killed.Request))
}
