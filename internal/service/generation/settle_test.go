package generation_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

type (
	results = map[string]generation.Result
	byKey   = map[string]string
)

// The texts that the statuses show settle an open batch: all of it, or nothing.
// Fault F5.
func TestSettle_givesEachGenerationToTheKeyOfItsText(t *testing.T) {
	t.Parallel()
	open := func(prompt, id string) generation.Result {
		return generation.Result{Prompt: prompt, ID: id, Open: true}
	}
	shown := func(idsAndTexts ...string) map[string]*string {
		texts := map[string]*string{}
		for i := 0; i < len(idsAndTexts); i += 2 {
			texts[idsAndTexts[i]] = &idsAndTexts[i+1]
		}
		return texts
	}
	ab := results{"a": open("A", "g1"), "b": open("B", "g2")}
	asIs, swapped := byKey{"a": "g1", "b": "g2"}, byKey{"a": "g2", "b": "g1"}
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
		"texts that differ in case":       {results{"a": open("cat", "g1"), "b": open("Cat", "g2")}, shown("g1", "Cat", "g2", "cat"), asIs, both},
		"the case is lost":                {results{"a": open("cat", "g1"), "b": open("Cat", "g2")}, shown("g1", "CAT", "g2", "CAT"), asIs, both},
		"one text is nobody's":            {ab, shown("g1", "B", "g2", "C"), asIs, both},
		"one text is not shown":           {ab, map[string]*string{"g1": new("B"), "g2": nil}, asIs, both},
		"one status is missing":           {ab, shown("g1", "B"), asIs, both},
		"both have one text":              {ab, shown("g1", "B", "g2", "B"), asIs, both},
		"equal prompts":                   {results{"a": open("A", "g1"), "b": open("A", "g2")}, shown("g1", "A", "g2", "A"), asIs, nil},
		"one has no id":                   {results{"a": open("A", "g1"), "b": {Prompt: "B", Lost: true}}, shown("g1", "B"), byKey{"b": "g1"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ids, left := generation.Settle(test.results, test.shown)
			check.Equal(t, "ids", ids, test.want)
			slices.Sort(left)
			check.Equal(t, "open", cmp.Diff(test.open, left, cmpopts.EquateEmpty()), "")
		})
	}
}

// Former media go only when the key certainly has results of its own.
func TestDeletable_isWhatAKeyHasReplaced(t *testing.T) {
	t.Parallel()
	settled := generation.Result{Prompt: "A", ID: "g1", Former: "old", Ended: true}
	open := generation.Result{Prompt: "A", ID: "g1", Former: "old", Ended: true, Open: true}
	running := settled
	running.Ended = false
	for name, test := range map[string]struct {
		results results
		want    []string
	}{
		"results of its own":                       {results{"a": settled}, []string{"old"}},
		"no results yet":                           {results{"a": running}, nil},
		"of its own, and others run":               {results{"a": settled, "b": {Prompt: "B", ID: "g2", Open: true}, "c": {Prompt: "C", Lost: true}}, []string{"old"}},
		"open, alone":                              {results{"a": open}, []string{"old"}},
		"open, and the others of its batch ended":  {results{"a": open, "b": {Prompt: "B", ID: "g2", Open: true, Ended: true}}, []string{"old"}},
		"open, and one of its batch runs":          {results{"a": open, "b": {Prompt: "B", ID: "g2", Open: true}}, nil},
		"open, and one of its batch runs, settled": {results{"a": open, "b": {Prompt: "B", ID: "g2"}}, []string{"old"}},
		"open, and another prompt's is unknown":    {results{"a": open, "b": {Prompt: "B", Lost: true}}, nil},
		"open, and another was never submitted":    {results{"a": open, "b": {Prompt: "B"}}, []string{"old"}},
		"another key holds it":                     {results{"a": settled, "b": {Prompt: "B", ID: "old"}}, nil},
		"another key had it, and has nothing else": {results{"a": settled, "b": {Prompt: "B", ID: "g2", Former: "old"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, "deletable", cmp.Diff(test.want, generation.Deletable(test.results)["a"], cmpopts.EquateEmpty()), "")
		})
	}
}
