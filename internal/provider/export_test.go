package provider

import "strings"

// New makes a provider for tests that ask it for its types.
var New = newProvider

// PurchaseLogs returns the files that get an entry of each purchase, the one that guards first.
var PurchaseLogs = purchaseLogs

// PolicyRows are the rows of the policy, as the guide on limits and CI has them.
func PolicyRows() []string {
	var rows []string
	for _, row := range policy {
		rows = append(rows, "| `"+strings.Join(row.settings, "`, `")+"` | "+string(row.right)+" |")
	}
	return rows
}
