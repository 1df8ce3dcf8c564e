package purchases

import (
	"math/big"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// Credits are decimals. A service may add them in binary, and then says
// 0.30000000000000004 for three times 0.1. Amounts of a service are therefore
// rounded where they are read, and added and compared as decimals. Amounts that
// a person has written, as a price or a limit, are exact and stay unchanged.

// creditsDigits are the digits after the point to which a service's credits are
// rounded.
const creditsDigits = 6

// decimalOf returns the decimal from which a number was read.
func decimalOf(number float64) *big.Rat {
	amount, _ := new(big.Rat).SetString(strconv.FormatFloat(number, 'g', -1, 64))
	return amount
}

// creditsOf returns a service's amount, rounded.
func creditsOf(said float64) *big.Rat {
	amount, _ := new(big.Rat).SetString(decimalOf(said).FloatString(creditsDigits))
	return amount
}

// AddCredits adds two amounts of a service.
func AddCredits(sum, more float64) float64 {
	total, _ := new(big.Rat).Add(creditsOf(sum), creditsOf(more)).Float64()
	return total
}

// IsDearer reports whether a service has deducted more than the price. The
// price may have more digits than the service's amounts.
func IsDearer(deducted, price float64) bool {
	return creditsOf(deducted).Cmp(creditsOf(price)) > 0
}

// roundCredits rounds the amounts of a receipt that was read from a reply, or
// from a log that an earlier build may have written.
func roundCredits(r *api.Receipt) {
	for _, amount := range []**float64{&r.CreditsDeducted, &r.RemainingBalance} {
		if *amount != nil {
			rounded, _ := creditsOf(**amount).Float64()
			*amount = &rounded
		}
	}
}

// Decimal writes an amount in full.
func Decimal(amount *big.Rat) string {
	digits, _ := amount.FloatPrec()
	return amount.FloatString(digits)
}
