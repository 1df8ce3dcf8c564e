package generation_test

import (
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

// One status settles whose an open generation is, for good.
// Fault F5.
func TestSettle_givesAnOpenGenerationToTheKeyOfItsPrompt(t *testing.T) {
	t.Parallel()
	open := func(prompt, id string) generation.Result {
		return generation.Result{Prompt: prompt, ID: id, Batch: "1"}
	}
	settled := func(prompt, id string) generation.Result { return generation.Result{Prompt: prompt, ID: id} }
	lost := func(prompt string) generation.Result { return generation.Result{Prompt: prompt, Lost: true} }
	promised := func(result generation.Result) generation.Result {
		result.Promised = true
		return result
	}
	ab := results{"a": open("A", "g1"), "b": open("B", "g2")}
	asIs := byKey{"a": "g1", "b": "g2"}
	for name, test := range map[string]struct {
		results  results
		id, echo string
		fixed    bool
		want     byKey
		open     []string
	}{
		"its own prompt":                                {ab, "g1", "A", false, asIs, []string{"g2"}},
		"its own, in the service's words":               {ab, "g1", "  a", false, asIs, []string{"g2"}},
		"another's":                                     {ab, "g1", "B", false, byKey{"a": "g2", "b": "g1"}, []string{"g2"}},
		"another's, in the service's words":             {ab, "g1", "b ", false, byKey{"a": "g2", "b": "g1"}, []string{"g2"}},
		"the exact one of two":                          {results{"a": open("cat", "g1"), "b": open("Cat", "g2")}, "g1", "Cat", false, byKey{"a": "g2", "b": "g1"}, []string{"g2"}},
		"nobody's":                                      {ab, "g1", "C", false, asIs, []string{"g1", "g2"}},
		"no prompt is shown":                            {ab, "g1", "", false, asIs, []string{"g1", "g2"}},
		"a lost one's":                                  {results{"a": open("A", "g1"), "b": lost("B")}, "g1", "B", false, byKey{"b": "g1"}, nil},
		"what the index has decided":                    {results{"a": settled("A", "g1"), "b": open("B", "g2")}, "g1", "B", false, asIs, []string{"g2"}},
		"what the index has decided, beside a lost one": {results{"a": settled("A", "g1"), "b": lost("B")}, "g1", "B", false, byKey{"a": "g1"}, nil},
		"a settled key's":                               {results{"a": open("A", "g1"), "b": settled("B", "g2")}, "g1", "B", false, asIs, []string{"g1"}},
		"another batch's":                               {results{"a": open("A", "g1"), "b": {Prompt: "B", ID: "g2", Batch: "2"}}, "g1", "B", false, asIs, []string{"g1", "g2"}},
		"an unsubmitted key's":                          {results{"a": open("A", "g1"), "b": {Prompt: "B"}}, "g1", "B", false, byKey{"a": "g1"}, []string{"g1"}},
		"another's, and the plan is fixed":              {ab, "g1", "B", true, asIs, []string{"g1", "g2"}},
		"its own, and the plan is fixed":                {ab, "g1", "A", true, asIs, []string{"g2"}},
		"another's that the plan shows":                 {results{"a": open("A", "g1"), "b": promised(open("B", "g2"))}, "g1", "B", false, asIs, []string{"g1", "g2"}},
		"another's, and it is shared":                   {results{"a": open("A", "g1"), "b": open("A", "g1"), "c": open("C", "g3")}, "g1", "C", false, byKey{"a": "g1", "b": "g1", "c": "g3"}, []string{"g1", "g3"}},
		"another's, which shares what it has":           {results{"a": open("A", "g1"), "b": open("C", "g3"), "c": open("C", "g3")}, "g1", "C", false, byKey{"a": "g1", "b": "g3", "c": "g3"}, []string{"g1", "g3"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ids, left := generation.Settle(test.results, test.id, test.echo, test.fixed)
			check.Equal(t, "ids", ids, test.want)
			check.Equal(t, "open", cmp.Diff(test.open, left, cmpopts.EquateEmpty()), "")
		})
	}
}

// Former media go only when the key certainly has results of its own.
func TestDeletable_isWhatAKeyHasReplaced(t *testing.T) {
	t.Parallel()
	settled := generation.Result{Prompt: "A", ID: "g1", Former: "old", Ended: true}
	open := generation.Result{Prompt: "A", ID: "g1", Former: "old", Ended: true, Batch: "1"}
	running := settled
	running.Ended = false
	for name, test := range map[string]struct {
		results results
		want    []string
	}{
		"results of its own":                       {results{"a": settled}, []string{"old"}},
		"no results yet":                           {results{"a": running}, nil},
		"of its own, and others run":               {results{"a": settled, "b": {Prompt: "B", ID: "g2", Batch: "1"}, "c": {Prompt: "C", Lost: true}}, []string{"old"}},
		"open, alone":                              {results{"a": open}, []string{"old"}},
		"open, and the others of its batch ended":  {results{"a": open, "b": {Prompt: "B", ID: "g2", Batch: "1", Ended: true}}, []string{"old"}},
		"open, and one of its batch runs":          {results{"a": open, "b": {Prompt: "B", ID: "g2", Batch: "1"}}, nil},
		"open, and one of its batch runs, settled": {results{"a": open, "b": {Prompt: "B", ID: "g2"}}, []string{"old"}},
		"open, and one of another batch runs":      {results{"a": open, "b": {Prompt: "B", ID: "g2", Batch: "2"}}, []string{"old"}},
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
