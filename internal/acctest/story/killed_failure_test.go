package story_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
)

// Each killed run is followed by a provider that breaks one promise, and is
// caught. Fault F29.
func TestKilledChecksFail(t *testing.T) {
	tier.Long(t, "a story for each check that must fail")
	t.Parallel()
	losesLog := func(k *killed) { k.log.Restore(k.T, acctest.BookCopy{}) }
	for name, test := range map[string]struct {
		misdeed func(*killed)
		want    string
	}{
		"none":                       {func(*killed) {}, ""},
		"buys again without its log": {losesLog, `"g1 at dawn a" was bought 2 times, and once is enough`},
		"trains again without its log": {
			withoutGroup(losesLog),
			`"training of ada" was bought 2 times, and once is enough`,
		},
		"takes what somebody else has": {takesAnothers, "of somebody else"},
		"forgets a purchase": {func(k *killed) {
			losesLog(k)
			k.Remove(ourGroup)
			k.Remove(ourTraining)
		}, "is at the service, and neither in the state nor living in the log"},
		"buys what no plan has announced": {func(k *killed) {
			losesLog(k)
			k.Apply()
			k.checkAnnounced(nil, 0)
		}, "and the plan announced 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := verdictOf(t, func(v *verdict) {
				k := newKilled(v, plotOfOurs(), &tally{})
				k.begin()
				k.dies(unkilled)
				test.misdeed(k)
				k.settle()
				k.checkAccounted()
			})
			check.True(
				t,
				"the verdict",
				(test.want != "" || got == "") && strings.Contains(got, test.want),
				got,
				test.want,
			)
		})
	}
}

// plotOfOurs loses all of a run that buys a group and a training.
func plotOfOurs() plot {
	g := newGroup("ada")
	g.prompts["a"] = prompt{text: textOf(ourGroup, "dawn", "a")}
	return plot{
		beginning: configuration{
			groups:    map[string]*group{ourGroup: g},
			trainings: map[string]*training{ourTraining: {character: "ada", wait: true}},
		},
		command:        "apply",
		lost:           loss{whole: true},
		plans:          []int{0},
		again:          []bool{false},
		generationTime: 20 * time.Second,
	}
}

func withoutGroup(misdeed func(*killed)) func(*killed) {
	return func(k *killed) {
		k.Remove(ourGroup)
		misdeed(k)
	}
}

func takesAnothers(k *killed) {
	made := k.GenerateElsewhere("ada", "Portraits", textOf(ourGroup, "dawn", "a"))
	k.strangers[made.ID] = true
	k.Import(ourGroup, `{"a":"`+made.Generations[0].ID+`"}`).Must()
}
