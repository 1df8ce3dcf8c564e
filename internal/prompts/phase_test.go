package prompts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// promptState is what state and private state say about a prompt.
type promptState struct {
	id, status, error string
	succeeded         *bool
	// missing: the state has no generation of the prompt.
	missing, seen, vanished bool
}

func (s promptState) group() *prompts.Group {
	text := func(value string) (text prompts.Value[string]) {
		if value != "" {
			text = prompts.Known(value)
		}
		return text
	}
	g := prompts.New()
	g.Prompts["a"] = prompts.Prompt{}
	if !s.missing {
		generation := prompts.Unsubmitted(1)
		generation.ID = text(s.id)
		generation.Status = text(s.status)
		generation.Error = text(s.error)
		if s.succeeded != nil {
			generation.Succeeded = prompts.Known(*s.succeeded)
		}
		g.Set("a", generation)
	}
	g.Gone[s.id] = s.vanished
	g.Seen[s.id] = s.seen
	return &g
}

func TestPhaseOf_tellsWhereAPromptStands(t *testing.T) {
	t.Parallel()
	type state = promptState
	yes := true
	no := false
	succeeded := prompts.Counts{Succeeded: 1}
	failed := prompts.Counts{Failed: 1}
	pending := prompts.Counts{Pending: 1}
	unconfirmed := prompts.Counts{Unconfirmed: 1}
	for name, test := range map[string]struct {
		state  state
		phase  prompts.Phase
		counts prompts.Counts
	}{
		"never submitted":    {state{}, prompts.PhaseUnsubmitted, pending},
		"bought":             {state{id: "g", status: "queued"}, prompts.PhaseNotYetSeen, pending},
		"shown":              {state{id: "g", status: "queued", seen: true}, prompts.PhaseRunning, pending},
		"ended with results": {state{id: "g", seen: true, succeeded: &yes}, prompts.PhaseSucceeded, succeeded},
		"ended without results": {
			state{id: "g", seen: true, succeeded: &no, error: "no"},
			prompts.PhaseFailed,
			failed,
		},
		"failed in the batch's reply": {state{id: "g", succeeded: &no, error: "no"}, prompts.PhaseFailed, failed},
		"refused":                     {state{status: "failed", error: "no"}, prompts.PhaseRejected, failed},
		"refused without a status":    {state{error: "no"}, prompts.PhaseRejected, failed},
		"reply lost": {
			state{status: "unconfirmed", error: "lost"},
			prompts.PhaseUnconfirmed,
			unconfirmed,
		},
		"bought, in a word of ours": {
			state{id: "g", status: "unconfirmed", seen: true},
			prompts.PhaseRunning,
			pending,
		},
		"vanished while it ran": {state{id: "g", seen: true, vanished: true}, prompts.PhaseGone, pending},
		"vanished after its end": {
			state{id: "g", seen: true, vanished: true, succeeded: &yes},
			prompts.PhaseSucceeded,
			succeeded,
		},
		"deleted elsewhere": {state{missing: true}, prompts.PhaseGone, pending},
	} {
		g := test.state.group()
		phase := g.PhaseOf("a")
		counts := g.Count()
		check.True(t, name, phase == test.phase && counts == test.counts, phase, counts, test.phase, test.counts)
	}
}

// The keys by id agree with a search through all generations.
func TestKeysOf_followTheGenerations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom([]string{"a", "b", "c", "d"})
		id := rapid.SampledFrom([]string{"1", "2", "3", "", "-"})
		step := rapid.Custom(func(t *rapid.T) [2]string { return [2]string{key.Draw(t, "key"), id.Draw(t, "id")} })
		steps := rapid.SliceOf(step).Draw(t, "steps")
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
		g := prompts.New()
		for _, step := range steps {
			key := step[0]
			switch id := step[1]; id {
			case "-":
				g.Remove(key)
			case "":
				g.Set(key, prompts.Unsubmitted(1))
			default:
				g.Set(key, prompts.NewGeneration(id))
			}
		}
		got := map[string][]string{}
		for _, id := range []string{"1", "2", "3"} {
			if keys := g.KeysOf(id); len(keys) > 0 {
				got[id] = keys
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %v:\n%s", steps, diff)
		}
	})
}

func TestWithoutResults_areToBeLookedAtAgain(t *testing.T) {
	t.Parallel()
	g := prompts.New()
	for id, urls := range map[string][]string{"g1": nil, "g2": {"https://x/1"}, "g3": nil, "g4": nil} {
		g.Prompts[id] = prompts.Prompt{}
		generation := prompts.NewGeneration(id)
		generation.ResultURLs = urls
		if id != "g4" {
			generation.Succeeded = prompts.Known(true)
		}
		g.Set(id, generation)
	}
	g.Gone["g3"] = true
	check.Equal(t, "without results", g.WithoutResults([]string{"g1", "g2", "g3", "g4", "of nobody"}), []string{"g1"})
}

func TestWasDeleted_needsProof(t *testing.T) {
	t.Parallel()
	g := prompts.New()
	g.Prompts["a"] = prompts.Prompt{}
	g.Set("a", prompts.Unsubmitted(0))
	check.True(t, "nothing has vanished", !g.WasDeleted())
	g.Gone["g1"] = true
	check.True(t, "all that existed has vanished", g.WasDeleted())
	g.Set("a", prompts.Unconfirmed(1, "the reply was lost"))
	check.True(t, "what may exist keeps it", !g.WasDeleted())
}
