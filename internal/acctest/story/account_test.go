package story_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// account is only written for stories that are printed.
type account struct {
	*story
	command command
	result  *core.Result
}

func (a account) String() string {
	s, c, result := a.story, a.command, a.result
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n", strings.ToUpper(c.text))
	fmt.Fprintf(&text, "  configuration: %s\n", s.config)
	if result.Plan != nil {
		for _, change := range result.Plan.Changes {
			if change.Action != core.NoOp {
				fmt.Fprintf(&text, "  plan: %s %s, announces %q\n", change.Action, change.Address, result.Plan.UnknownIDs(change.Address))
			}
		}
	}
	last, times := "", 0
	flush := func() {
		if times > 1 {
			last += fmt.Sprintf(" (%d times)", times)
		}
		if times > 0 {
			fmt.Fprintf(&text, "  %s\n", last)
		}
	}
	for _, entry := range s.Journal() {
		line := fmt.Sprintf("%s %s: %s", entry.Method, entry.Path, statusText(entry.Status))
		if line != last || times == 0 {
			flush()
			last, times = line, 0
		}
		times++
	}
	flush()
	for _, booked := range s.Ledger().Entries[s.booked:] {
		fmt.Fprintf(&text, "  charged: %s %s %g %q\n", booked.Kind, booked.ID, booked.Credits, booked.Prompts)
	}
	text.WriteString("  " + strings.ReplaceAll(result.Diagnostics.String(), "\n", "\n  ") + "\n")
	for _, entry := range s.Entries() {
		fmt.Fprintf(&text, "  state: %s %s\n", entry.Address, summary(entry))
	}
	return text.String()
}

func summary(entry core.Entry) string {
	text := fmt.Sprint(entry.Attributes["id"])
	generations, _ := entry.Attributes["generations"].(core.Object)
	for _, key := range slices.Sorted(maps.Keys(generations)) {
		generation := generations[key].(core.Object)
		text += fmt.Sprintf(" %s=%v/%v", key, generation["id"], generation["status"])
	}
	if status, found := entry.Attributes["status"]; found {
		text += fmt.Sprintf(" %v succeeded=%v", status, entry.Attributes["succeeded"])
	}
	if entry.Deposed {
		text += " deposed"
	}
	if private, found := entry.Private["state"]; found {
		text += " " + string(private)
	}
	return text
}
