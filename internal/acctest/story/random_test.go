package story_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
)

// seed makes each run the same, unless -rapid.seed is set, as by `make random`.
const seed = "20260101"

func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.seed": seed, "rapid.checks": "25"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// TestRandomRuns runs random stories, as many of each kind as -rapid.checks
// says. Fault F29.
func TestRandomRuns(t *testing.T) {
	tier.Long(t, "random stories")
	t.Parallel()
	groups := []string{groupType + "g1", groupType + "g2"}
	trainings := []string{trainingType + "t1", trainingType + "t2"}
	for name, c := range map[string]cast{
		"groups":               {groups: groups},
		"trainings":            {trainings: trainings},
		"groups and trainings": {groups: groups[:1], trainings: trainings[:1]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Logf("the seed is %s", flag.Lookup("rapid.seed").Value)
			rapid.Check(t, func(run *rapid.T) {
				s := newStory(reporter{t, run}, c, services().Draw(run, "service"))
				s.config = beginning(c).Draw(run, "configuration")
				for range rapid.IntRange(1, 4).Draw(run, "chapters") {
					s.play(chapters(c).Draw(run, "chapter"))
				}
				s.end(steps(c).Draw(run, "last step"))
			})
		})
	}
}

type chapter struct {
	edits  []edit
	events []event
	faults []fault
	command
	as   credential
	step step
}

func (c chapter) GoString() string {
	var text strings.Builder
	for _, e := range c.edits {
		text.WriteString("\n    edit:  " + e.text)
	}
	for _, e := range c.events {
		text.WriteString("\n    event: " + e.text)
	}
	for _, f := range c.faults {
		text.WriteString("\n    fault: " + f.text)
	}
	text.WriteString("\n    " + c.text + c.as.text)
	if c.step.take != nil {
		text.WriteString("\n    step:  " + c.step.text)
	}
	return text.String()
}

func chapters(c cast) *rapid.Generator[chapter] {
	editing := rapid.SliceOfN(edits(c), 0, 3)
	happening := rapid.SliceOfN(events(c), 0, 2)
	failing := rapid.SliceOfN(faults(c), 0, 3)
	commanding := commands(c)
	stepping := steps(c)
	return rapid.Custom(func(t *rapid.T) chapter {
		if len(c.groups) > 0 && oneOf(false, false, false, true).Draw(t, "a lost batch alone") {
			return chapter{
				command: simple("apply"),
				edits:   editing.Draw(t, "edits"),
				faults:  []fault{lostBatches().Draw(t, "lost batch")},
			}
		}
		return chapter{
			command: commanding.Draw(t, "command"), as: credentials().Draw(t, "credential"),
			edits: editing.Draw(t, "edits"), events: happening.Draw(t, "events"), faults: failing.Draw(t, "faults"),
			step: stepping.Draw(t, "step"),
		}
	})
}

func (s *story) play(c chapter) {
	for _, e := range c.edits {
		e.apply(&s.config)
	}
	s.write()
	for _, e := range c.events {
		e.act(s)
	}
	for _, f := range c.faults {
		f.set(s)
	}
	c.as.use(s)
	s.do(c.command, len(c.faults) == 0 && !s.misled)
	s.Workspace.Provider(s.settings)
	if c.step.take != nil {
		c.step.take(s)
	}
}

type command struct {
	text string
	run  func(*story) *core.Result
	calm bool // nothing happens between its plan and its apply
}

const replaceCommand = "apply -replace="

func simple(name string) command {
	run := map[string]func(*story) *core.Result{
		"apply":   func(s *story) *core.Result { return s.Apply() },
		"refresh": func(s *story) *core.Result { return s.Refresh() },
		"destroy": func(s *story) *core.Result { return s.Destroy() },
	}
	return command{name, run[name], true}
}

func commands(c cast) *rapid.Generator[command] {
	return rapid.Custom(func(t *rapid.T) command {
		name := oneOf(
			"apply",
			"apply",
			"apply",
			"apply",
			"apply",
			"apply a plan",
			"refresh",
			"destroy",
			"destroy",
			"replace",
		).Draw(t, "command")
		switch name {
		case "apply a plan":
			between := events(c).Draw(t, "between")
			return command{
				text: fmt.Sprintf("plan; %s; apply the plan", between.text),
				run: func(s *story) *core.Result {
					plan := s.Plan()
					between.act(s)
					return s.ApplyPlan(plan)
				},
			}
		case "replace":
			address := oneOf(append(append([]string{}, c.groups...), c.trainings...)...).Draw(t, "address")
			return command{
				text: replaceCommand + address,
				calm: true,
				run:  func(s *story) *core.Result { return s.Apply(core.Replacing(address)) },
			}
		}
		return simple(name)
	})
}

type account struct {
	*story
	command command
	result  *core.Result
}

func (a account) String() string {
	s := a.story
	c := a.command
	result := a.result
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n", strings.ToUpper(c.text))
	fmt.Fprintf(&text, "  configuration: %s\n", s.config)
	if result.Plan != nil {
		for _, change := range result.Plan.Changes {
			if change.Action != core.NoOp {
				fmt.Fprintf(
					&text,
					"  plan: %s %s, announces %q\n",
					change.Action,
					change.Address,
					result.Plan.UnknownIDs(change.Address),
				)
			}
		}
	}
	last := ""
	times := 0
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
			last = line
			times = 0
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
