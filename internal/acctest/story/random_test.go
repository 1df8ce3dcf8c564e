package story_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
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

// TestRandomRuns runs random stories, as many of each kind as -rapid.checks says. Fault F29.
func TestRandomRuns(t *testing.T) {
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
