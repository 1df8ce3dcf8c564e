package main

import (
	"fmt"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// booking returns the line of a purchase: the bought objects and their price.
func booking(entry mockserver.LedgerEntry, balance float64) string {
	what := counted(1, entry.Kind)
	if entry.Kind == "batch" {
		what = counted(float64(len(entry.Prompts)), "prompt")
	}
	return fmt.Sprintf("booked: %s, %s, %g left", what, counted(entry.Credits, "credit"), balance)
}

// remaining returns the last line: the state of the service at its end.
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
