package provider

import "strings"

// New makes a provider for tests that ask it for its types.
var New = newProvider

// PurchaseLogs returns the files that get an entry of each purchase, the one
// that guards first.
var PurchaseLogs = purchaseLogs

// PolicySettings are the settings of the policy.
func PolicySettings() []string {
	var settings []string
	for _, row := range policy {
		settings = append(settings, row.settings...)
	}
	return settings
}

// PolicyRows are the rows of the policy, as the guide on limits and CI has them.
func PolicyRows() []string {
	var rows []string
	for _, row := range policy {
		settings := "`" + strings.Join(row.settings, "`, `") + "`"
		if row.right == mayChange {
			settings = "all others"
		}
		rows = append(rows, "| "+settings+" | "+string(row.right)+" |")
	}
	return rows
}
