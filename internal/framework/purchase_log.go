package framework

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// warnOfPurchaseLog warns at plan that the apply will not be able to buy.
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
