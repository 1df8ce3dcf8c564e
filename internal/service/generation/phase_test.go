package generation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

func TestPhaseOf_tellsWhereAPromptStands(t *testing.T) {
	t.Parallel()
	type state = generation.PromptState
	yes, no := true, false
	succeeded, failed, pending, unconfirmed := [4]int64{1}, [4]int64{0, 1}, [4]int64{0, 0, 1}, [4]int64{0, 0, 0, 1}
	for name, test := range map[string]struct {
		state  state
		phase  string
		counts [4]int64
	}{
		"never submitted":             {state{}, "unsubmitted", pending},
		"bought":                      {state{ID: "g", Status: "queued"}, "not yet seen", pending},
		"shown":                       {state{ID: "g", Status: "queued", Seen: true}, "running", pending},
		"ended with results":          {state{ID: "g", Seen: true, Succeeded: &yes}, "succeeded", succeeded},
		"ended without results":       {state{ID: "g", Seen: true, Succeeded: &no, Error: "no"}, "failed", failed},
		"failed in the batch's reply": {state{ID: "g", Succeeded: &no, Error: "no"}, "failed", failed},
		"refused":                     {state{Status: "failed", Error: "no"}, "rejected", failed},
		"refused without a status":    {state{Error: "no"}, "rejected", failed},
		"reply lost":                  {state{Status: "unconfirmed", Error: "lost"}, "unconfirmed", unconfirmed},
		"bought, in a word of ours":   {state{ID: "g", Status: "unconfirmed", Seen: true}, "running", pending},
		"vanished while it ran":       {state{ID: "g", Seen: true, Vanished: true}, "gone", pending},
		"vanished after its end":      {state{ID: "g", Seen: true, Vanished: true, Succeeded: &yes}, "succeeded", succeeded},
		"deleted elsewhere":           {state{Missing: true}, "gone", pending},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			phase, counts := generation.PhaseOf(test.state)
			check.True(t, "phase and counts", phase == test.phase && counts == test.counts, phase, counts, test.phase, test.counts)
		})
	}
}

// The index of holders agrees with a search through all generations.
func TestHolders_followTheGenerations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key, id := rapid.SampledFrom([]string{"a", "b", "c", "d"}), rapid.SampledFrom([]string{"1", "2", "3", "", "-"})
		steps := rapid.SliceOf(rapid.Custom(func(t *rapid.T) [2]string { return [2]string{key.Draw(t, "key"), id.Draw(t, "id")} })).Draw(t, "steps")
		held := map[string]string{}
		for _, step := range steps {
			held[step[0]] = step[1]
		}
		want := map[string][]string{}
		for _, key := range []string{"a", "b", "c", "d"} {
			if id := held[key]; id != "" && id != "-" {
				want[id] = append(want[id], key)
			}
		}
		if diff := cmp.Diff(want, generation.Holders(steps)); diff != "" {
			t.Errorf("after %v:\n%s", steps, diff)
		}
	})
}
