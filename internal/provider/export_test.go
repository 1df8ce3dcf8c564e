package provider

import (
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Protocol is all that a provider serves.
type Protocol = protocol

// Screens serves what another server says, but for a secret.
func Screens(whole Protocol, secret string) Protocol {
	secrets := &transport.Secrets{}
	secrets.Add(secret)
	return &server{
		protocol: whole,
		runs:     &run.Runs{},
		secrets:  secrets,
	}
}

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
	for i, row := range policy {
		settings := "`" + strings.Join(row.settings, "`, `") + "`"
		if i == len(policy)-1 {
			settings = "all others"
		}
		rows = append(rows, "| "+settings+" | "+row.mayDo+" |")
	}
	return rows
}

// AuthorOf is who runs a provider, and where.
var AuthorOf = (*mediagen).author

// WithoutCommands takes the commands to a CI system out of a message.
var WithoutCommands = withoutCommands
