package purchases

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// OddReceipt warns of a purchase that cost more than its price, and of numbers
// that are too large to be true.
func OddReceipt(
	object string,
	deducted, assumed *float64,
	beyondReason []string,
	summary func(what string) string,
) (diags diag.Diagnostics) {
	if deducted != nil && assumed != nil && IsDearer(*deducted, *assumed) {
		text := func(credits float64) string { return strconv.FormatFloat(credits, 'f', -1, 64) }
		diags.AddWarning(summary("Price Differs"), fmt.Sprintf(
			"Object: %s\n\nThe service has deducted more credits than your prices say: %s instead of %s. The "+
				"deducted amount counts towards max_credits. Correct prices in the provider's configuration, or "+
				"MEDIAGEN_PRICES: until then, a plan can seem to stay within max_credits while its apply stops at "+
				"the limit.",
			object,
			text(*deducted),
			text(*assumed),
		))
	}
	if len(beyondReason) > 0 {
		diags.AddWarning(summary("Numbers Beyond Reason"), fmt.Sprintf(
			"The service's reply has %s, which cannot be true.\nObject: %s\n\nThey are treated as missing: they are "+
				"null in the state and count nowhere. Check at the service what was deducted.",
			strings.Join(beyondReason, " and "),
			object,
		))
	}
	return diags
}
