package purchases

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Messages of plans about limits, prices and the log.

// priceIsMissing is the error of a limit in credits if a kind has no price.
func priceIsMissing(limit *Limit, purchase PlannedPurchase) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Missing Price", fmt.Sprintf(
		"The limit %[1]s is set, but prices has no %[2]s, so nobody can tell whether the limit holds. "+
			"Nothing of that kind is bought until it has a price; the first to need one is the %[3]s.\n\n"+
			"Set prices = { %[2]s = … } in the provider's configuration, or MEDIAGEN_PRICES to "+
			"{\"%[2]s\": …}; or remove %[1]s. Beside MEDIAGEN_MAX_CREDITS, a price counts only if "+
			"MEDIAGEN_PRICES names it: one of the configuration alone could make the limit worth nothing.",
		limit.Attribute,
		purchase.Kind,
		purchase.Object,
	))
}

// limitIsExceeded names the value at which the limit would let the plan pass,
// the sum of the plan so far, and the five dearest purchases.
func limitIsExceeded(limit *Limit, planned []PlannedPurchase, sum, thisMonth *big.Rat) diag.Diagnostic {
	const most = 5
	var count int64
	for _, seen := range planned {
		count += seen.Count
	}
	bought := fmt.Sprint(count)
	ofPlan := sum
	left := ""
	if limit.IsOfMonth {
		ofPlan = new(big.Rat).Sub(sum, thisMonth)
		left = fmt.Sprintf(
			", of which the purchase log has %s as spent in this month (UTC)",
			Decimal(thisMonth),
		)
	}
	if limit.Attribute != "max_purchases" {
		credits := Decimal(ofPlan)
		bought += " for " + credits + " credit"
		if credits != "1" {
			bought += "s"
		}
	}
	dearest := slices.SortedStableFunc(slices.Values(planned), func(a, b PlannedPurchase) int {
		return limit.Cost(b.Purchase).Cmp(limit.Cost(a.Purchase))
	})
	var lines []string
	for _, purchase := range dearest {
		lines = append(
			lines,
			fmt.Sprintf("- %s: %s", Decimal(limit.Cost(purchase.Purchase)), purchase.Object),
		)
	}
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("- and %d more objects", more))
	}
	return diag.NewErrorDiagnostic("Purchase Limit Exceeded", fmt.Sprintf(
		"Nothing is bought. To pass, raise %s (MEDIAGEN_%s) to %s or more; to buy less at a time, add "+
			"-target. %[9]s\n\nThe configuration buys %[4]s so far; %[1]s allows %[5]s%[8]s. In "+
			"%[6]s:\n%[7]s\n\nWhat depends on a refused object is not counted yet: a plan without the limit shows the "+
			"whole sum.",
		limit.Attribute,
		strings.ToUpper(limit.Attribute),
		Decimal(sum),
		bought,
		Decimal(limit.Most),
		limit.Unit,
		strings.Join(lines, "\n"),
		left,
		framework.DestroyPlansFirst,
	))
}

func logCannotBeWritten(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Purchase Log Cannot Be Written", fmt.Sprintf(
		"An apply buys nothing until the purchase log can be written. Reason: %s Correct purchase_log "+
			"(MEDIAGEN_PURCHASE_LOG), or remove it to buy without one.",
		framework.Sentence(err.Error()),
	))
}

// storeCannotBeRead warns of a plan that does not know what was bought before.
func storeCannotBeRead(err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Purchase Log Cannot Be Read", fmt.Sprintf(
		"This plan cannot tell what other runs have bought, or what the month has cost, since the store of the "+
			"purchase log (purchase_log) cannot be read. An apply buys nothing until it can be: it needs the rights "+
			"to list, to read and to add objects. Reason: %s",
		framework.Sentence(err.Error()),
	))
}

// logCannotBeRead warns of lines that cannot be read, and therefore guard
// nothing.
func logCannotBeRead(err error) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Purchase Log Cannot Be Read", fmt.Sprintf(
		"An apply buys nothing until each line of the purchase log (purchase_log) can be read: such a line may be of "+
			"a purchase, which would be bought again. Reason: %s %s",
		framework.Sentence(err.Error()),
		MendLog,
	))
}

// logIsIncomplete shows the lines that could not be written to the log.
func logIsIncomplete(lines []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		"Purchase Log Is Incomplete",
		"What these lines say has happened, but they could not be written to the purchase log (purchase_log). To "+
			"keep the log complete, add them by hand.\n\n"+strings.Join(lines, "\n\n"),
	)
}
