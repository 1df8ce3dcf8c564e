package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
)

// tiers counts the tests by the tier that they report (internal/acctest/tier).
type tiers struct {
	of      map[node]string // the tier of a test that ran
	ran     map[string]int  // tests that passed, by tier
	leftOut map[node]string // the tier to which a test was left
}

func newTiers() tiers {
	return tiers{map[node]string{}, map[string]int{}, map[node]string{}}
}

func (t tiers) event(e event) {
	switch {
	case e.Action != "attr":
	case e.Key == tier.Attribute:
		t.of[e.node] = e.Value
	case e.Key == tier.LeftOut:
		t.leftOut[e.node] = e.Value
	}
}

func (t tiers) isLeftOut(test node) bool { return t.leftOut[test] != "" }

// passed counts a test in its own tier, or else in that of its nearest parent.
func (t tiers) passed(test node) {
	for n := test; n.Test != ""; n = n.parent() {
		if name := t.of[n]; name != "" {
			t.ran[name]++
			return
		}
	}
	t.ran["short"]++
}

// String returns a line of the tests that ran, and a line of the tests that
// were left out. A parent that was left out counts once.
func (t tiers) String() string {
	left := map[string]int{}
	for _, name := range t.leftOut {
		left[name]++
	}
	text := ""
	if len(t.ran) > 0 {
		text += "=== Tiers that ran: " + numbers(t.ran) + "\n"
	}
	if len(left) > 0 {
		text += "=== Left to other tiers: " + numbers(left) + "\n"
	}
	return text
}

func numbers(of map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%d %s", of[name], name))
	}
	return strings.Join(parts, ", ")
}
