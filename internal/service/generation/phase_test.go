package generation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

func TestPhaseOf_tellsWhereAPromptStands(t *testing.T) {
	t.Parallel()
	type standing = generation.Standing
	yes, no := true, false
	succeeded, failed, pending, unknown := [4]int64{1}, [4]int64{0, 1}, [4]int64{0, 0, 1}, [4]int64{0, 0, 0, 1}
	for name, test := range map[string]struct {
		standing standing
		phase    string
		counts   [4]int64
	}{
		"never submitted":             {standing{}, "unsubmitted", pending},
		"bought":                      {standing{ID: "g", Status: "queued"}, "not yet seen", pending},
		"shown":                       {standing{ID: "g", Status: "queued", Seen: true}, "running", pending},
		"ended with results":          {standing{ID: "g", Seen: true, Succeeded: &yes}, "succeeded", succeeded},
		"ended without results":       {standing{ID: "g", Seen: true, Succeeded: &no, Error: "no"}, "failed", failed},
		"failed in the batch's reply": {standing{ID: "g", Succeeded: &no, Error: "no"}, "failed", failed},
		"refused":                     {standing{Status: "failed", Error: "no"}, "rejected", failed},
		"refused without a status":    {standing{Error: "no"}, "rejected", failed},
		"reply lost":                  {standing{Status: "unknown", Error: "lost"}, "unknown", unknown},
		"bought, in a word of ours":   {standing{ID: "g", Status: "unknown", Seen: true}, "running", pending},
		"vanished while it ran":       {standing{ID: "g", Seen: true, Vanished: true}, "gone", pending},
		"vanished after its end":      {standing{ID: "g", Seen: true, Vanished: true, Succeeded: &yes}, "succeeded", succeeded},
		"deleted elsewhere":           {standing{Missing: true}, "gone", pending},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			phase, counts := generation.PhaseOf(test.standing)
			if phase != test.phase || counts != test.counts {
				t.Errorf("%q with counts %v, want %q with %v", phase, counts, test.phase, test.counts)
			}
		})
	}
}

// The index of who holds a generation says what a look at all of them would.
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
