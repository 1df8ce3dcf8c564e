package prompts_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

type (
	results = map[string]result
	byKey   = map[string]string
)

// result is what a group knows of the result of one key.
type result struct {
	prompt, id string
	// open: it may be another key's.
	open bool
	// ended: it has results. bare: it has succeeded, and shows none. lost: the
	// outcome of the prompt is unknown.
	ended, bare, lost bool
	// former is the generation that the key had before.
	former string
}

func groupOf(all results) *prompts.Group {
	g := prompts.New()
	for key, r := range all {
		g.Prompts[key] = prompts.Prompt{Text: prompts.Known(r.prompt)}
		generation := prompts.Unsubmitted(1)
		switch {
		case r.lost:
			generation = prompts.Unconfirmed(1, "the reply was lost")
		case r.id != "":
			generation = prompts.NewGeneration(r.id)
		}
		if r.ended || r.bare {
			generation.Succeeded = prompts.Known(true)
		}
		if r.ended {
			generation.ResultURLs = []string{"https://cdn.example/" + r.id}
		}
		g.Set(key, generation)
		if r.open {
			g.Open = append(g.Open, r.id)
		}
		if r.former != "" {
			g.Superseded[key] = []string{r.former}
		}
	}
	return &g
}

// The texts that the statuses show settle an open batch: all of it, or nothing.
// Fault F5.
func TestSettle_givesEachGenerationToTheKeyOfItsText(t *testing.T) {
	t.Parallel()
	open := func(prompt, id string) result {
		return result{prompt: prompt, id: id, open: true}
	}
	shown := func(idsAndTexts ...string) map[string]*string {
		texts := map[string]*string{}
		for i := 0; i < len(idsAndTexts); i += 2 {
			texts[idsAndTexts[i]] = &idsAndTexts[i+1]
		}
		return texts
	}
	ab := results{"a": open("A", "g1"), "b": open("B", "g2")}
	asIs := byKey{"a": "g1", "b": "g2"}
	swapped := byKey{"a": "g2", "b": "g1"}
	both := []string{"g1", "g2"}
	for name, test := range map[string]struct {
		results results
		shown   map[string]*string
		want    byKey
		open    []string
	}{
		"in order":                        {ab, shown("g1", "A", "g2", "B"), asIs, nil},
		"reversed":                        {ab, shown("g1", "B", "g2", "A"), swapped, nil},
		"reversed, in the service's case": {ab, shown("g1", " b", "g2", "a"), swapped, nil},
		"texts that differ in case": {
			results{"a": open("cat", "g1"), "b": open("Cat", "g2")},
			shown("g1", "Cat", "g2", "cat"),
			asIs,
			both,
		},
		"the case is lost": {
			results{"a": open("cat", "g1"), "b": open("Cat", "g2")},
			shown("g1", "CAT", "g2", "CAT"),
			asIs,
			both,
		},
		"one text is nobody's":  {ab, shown("g1", "B", "g2", "C"), asIs, both},
		"one text is not shown": {ab, map[string]*string{"g1": new("B"), "g2": nil}, asIs, both},
		"one status is missing": {ab, shown("g1", "B"), asIs, both},
		"both have one text":    {ab, shown("g1", "B", "g2", "B"), asIs, both},
		"equal prompts": {
			results{"a": open("A", "g1"), "b": open("A", "g2")},
			shown("g1", "A", "g2", "A"),
			asIs,
			nil,
		},
		"equal prompts, one not shown": {
			results{"a": open("A", "g1"), "b": open("A", "g2")},
			shown("g1", "A"),
			asIs,
			both,
		},
		"one has no id": {
			results{"a": open("A", "g1"), "b": {prompt: "B", lost: true}},
			shown("g1", "B"),
			byKey{"b": "g1"},
			nil,
		},
	} {
		g := groupOf(test.results)
		g.Settle(g.GenerationKeys(), test.shown)
		check.Equal(t, name+": ids", g.IDs(), test.want)
		slices.Sort(g.Open)
		check.Equal(t, name+": open", cmp.Diff(test.open, g.Open, cmpopts.EquateEmpty()), "")
	}
}

// Attempts stay with their key: another key's generation is not another attempt.
func TestSettle_leavesTheAttempts(t *testing.T) {
	t.Parallel()
	g := groupOf(results{"a": {prompt: "A", id: "g1", open: true}, "b": {prompt: "B", id: "g2", open: true}})
	second := g.Generations["a"]
	second.Attempts = prompts.Known(int64(2))
	g.Set("a", second)
	g.Settle(g.GenerationKeys(), map[string]*string{"g1": new("B"), "g2": new("A")})
	check.Equal(t, "ids", g.IDs(), byKey{"a": "g2", "b": "g1"})
	check.Equal(t, "attempts", g.Generations["a"].Attempts.Get(), int64(2))
}

// It is a key's alone only if as many were made as keys ask for the same.
func TestMayHave(t *testing.T) {
	t.Parallel()
	lost := func(prompt string) result { return result{prompt: prompt, lost: true} }
	made := map[string][]string{"a": {"g1"}, "b": {"g2", "g3"}, "c": {"g4"}}
	for name, test := range map[string]struct {
		results results
		all     []string
		pairs   byKey
	}{
		"one":             {results{"x": lost("A")}, []string{"g1"}, byKey{"x": "g1"}},
		"in another case": {results{"x": lost(" a ")}, []string{"g1"}, byKey{"x": "g1"}},
		"equal ones": {
			results{"x": lost("B"), "y": lost("B")},
			[]string{"g2", "g3"},
			byKey{"x": "g2", "y": "g3"},
		},
		"they only seem":   {results{"x": lost("B"), "y": lost("b")}, []string{"g2", "g3"}, nil},
		"more were made":   {results{"x": lost("B")}, []string{"g2", "g3"}, nil},
		"fewer were made":  {results{"x": lost("A"), "y": lost("A")}, []string{"g1"}, nil},
		"nothing was made": {results{"x": lost("D")}, nil, nil},
		"not in question":  {results{"x": lost("A"), "y": {prompt: "C", id: "g9"}}, []string{"g1"}, byKey{"x": "g1"}},
	} {
		all, pairs := groupOf(test.results).MayHave(made)
		check.Equal(t, name+": all", cmp.Diff(test.all, all, cmpopts.EquateEmpty()), "")
		check.Equal(t, name+": pairs", cmp.Diff(test.pairs, pairs, cmpopts.EquateEmpty()), "")
	}
}

// Former media go only when the key certainly has results of its own.
func TestDeletable_isWhatAKeyHasReplaced(t *testing.T) {
	t.Parallel()
	settled := result{prompt: "A", id: "g1", former: "old", ended: true}
	open := result{prompt: "A", id: "g1", former: "old", ended: true, open: true}
	running := settled
	running.ended = false
	bare := running
	bare.bare = true
	for name, test := range map[string]struct {
		results results
		want    []string
	}{
		"results of its own":              {results{"a": settled}, []string{"old"}},
		"no results yet":                  {results{"a": running}, nil},
		"a success that shows no results": {results{"a": bare}, nil},
		"of its own, and others run": {
			results{"a": settled, "b": {prompt: "B", id: "g2", open: true}, "c": {prompt: "C", lost: true}},
			[]string{"old"},
		},
		"open, alone": {results{"a": open}, []string{"old"}},
		"open, and the others of its batch ended": {
			results{"a": open, "b": {prompt: "B", id: "g2", open: true, ended: true}},
			[]string{"old"},
		},
		"open, and one of its batch runs":          {results{"a": open, "b": {prompt: "B", id: "g2", open: true}}, nil},
		"open, and one of its batch runs, settled": {results{"a": open, "b": {prompt: "B", id: "g2"}}, []string{"old"}},
		"open, and another prompt's is unknown":    {results{"a": open, "b": {prompt: "B", lost: true}}, nil},
		"open, and another was never submitted":    {results{"a": open, "b": {prompt: "B"}}, []string{"old"}},
		"another key holds it":                     {results{"a": settled, "b": {prompt: "B", id: "old"}}, nil},
		"another key had it, and has nothing else": {
			results{"a": settled, "b": {prompt: "B", id: "g2", former: "old"}},
			nil,
		},
	} {
		check.Equal(t, name, cmp.Diff(test.want, groupOf(test.results).Deletable()["a"], cmpopts.EquateEmpty()), "")
	}
}

// A plan announces no deletion that its apply does not send: a success without
// results is not asked again, and replaces nothing.
func TestPlan_announcesOnlyDeletionsThatFollow(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		result result
		want   []string
	}{
		"results":                 {result{prompt: "A", id: "g1", former: "old", ended: true}, []string{"old"}},
		"success without results": {result{prompt: "A", id: "g1", former: "old", bare: true}, nil},
	} {
		g := groupOf(results{"a": test.result})
		plan := prompts.NewPlan(g, g.Prompts, prompts.Options{MaxAttempts: prompts.Known(int64(1))})
		check.Equal(t, name, cmp.Diff(test.want, plan.Delete.IDs(), cmpopts.EquateEmpty()), "")
	}
}

func TestOwnIDs_leaveOutWhatIsShared(t *testing.T) {
	t.Parallel()
	g := groupOf(results{"a": {prompt: "A", id: "g1", former: "old"}, "b": {prompt: "B", id: "g2"}})
	g.SharedIDs = []string{"g2"}
	check.Equal(t, "own", g.OwnIDs(), []string{"old", "g1"})
}

// It returns to its key, or to what a new prompt of that key has superseded.
func TestTakeBack_keepsWhatCouldNotBeDeleted(t *testing.T) {
	t.Parallel()
	prior := groupOf(results{"a": {prompt: "A", id: "g1", former: "old"}})
	g := groupOf(results{"b": {prompt: "B", id: "g2"}})
	g.TakeBack(prior, "a", []string{"old", "g1"})
	check.Equal(t, "the removed key has", g.WithSuperseded("a"), []string{"old", "g1"})
	g = groupOf(results{"a": {prompt: "Z", id: "g3"}})
	g.TakeBack(prior, "a", []string{"old", "g1"})
	check.Equal(t, "the new prompt supersedes", g.Superseded["a"], []string{"old", "g1"})
	g.NoteDeleted("old")
	g.NoteDeleted("g1")
	check.Equal(t, "after their deletion", g.AllIDs(), []string{"g3"})
}
