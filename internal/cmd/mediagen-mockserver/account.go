package main

import (
	"fmt"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// booking is the line of a purchase: what it bought, and what that cost.
func booking(entry mockserver.LedgerEntry, balance float64) string {
	what := counted(1, entry.Kind)
	if entry.Kind == "batch" {
		what = counted(float64(len(entry.Prompts)), "prompt")
	}
	return fmt.Sprintf("booked: %s, %s, %g left", what, counted(entry.Credits, "credit"), balance)
}

// remaining is the last line: what the service has at its end.
func remaining(state mockserver.State) string {
	return fmt.Sprintf(
		"at the end: %s, %s, %d media, %s",
		counted(float64(len(state.Characters)), "character"),
		counted(float64(len(state.Groups)), "group"),
		state.Media,
		counted(state.Balance, "credit"),
	)
}

func counted(number float64, noun string) string {
	if number == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%g %ss", number, noun)
}
