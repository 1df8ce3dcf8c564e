package prompts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// Former media go only when the key certainly has results of its own.
func TestDeletable_isWhatAKeyHasReplaced(t *testing.T) {
	t.Parallel()
	settled := result{prompt: "A", id: "g1", former: "old", ended: true}
	open := result{prompt: "A", id: "g1", former: "old", ended: true, open: true}
	running := settled
	running.ended = false
	for name, test := range map[string]struct {
		results results
		want    []string
	}{
		"results of its own":                       {results{"a": settled}, []string{"old"}},
		"no results yet":                           {results{"a": running}, nil},
		"of its own, and others run":               {results{"a": settled, "b": {prompt: "B", id: "g2", open: true}, "c": {prompt: "C", lost: true}}, []string{"old"}},
		"open, alone":                              {results{"a": open}, []string{"old"}},
		"open, and the others of its batch ended":  {results{"a": open, "b": {prompt: "B", id: "g2", open: true, ended: true}}, []string{"old"}},
		"open, and one of its batch runs":          {results{"a": open, "b": {prompt: "B", id: "g2", open: true}}, nil},
		"open, and one of its batch runs, settled": {results{"a": open, "b": {prompt: "B", id: "g2"}}, []string{"old"}},
		"open, and another prompt's is unknown":    {results{"a": open, "b": {prompt: "B", lost: true}}, nil},
		"open, and another was never submitted":    {results{"a": open, "b": {prompt: "B"}}, []string{"old"}},
		"another key holds it":                     {results{"a": settled, "b": {prompt: "B", id: "old"}}, nil},
		"another key had it, and has nothing else": {results{"a": settled, "b": {prompt: "B", id: "g2", former: "old"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, "deletable", cmp.Diff(test.want, groupOf(test.results).Deletable()["a"], cmpopts.EquateEmpty()), "")
		})
	}
}

func TestOwnIDs_leaveOutWhatIsShared(t *testing.T) {
	t.Parallel()
	g := groupOf(results{"a": {prompt: "A", id: "g1", former: "old"}, "b": {prompt: "B", id: "g2"}})
	g.SharedIDs = []string{"g2"}
	check.Equal(t, "own", g.OwnIDs(), []string{"old", "g1"})
}

// What could not be deleted returns: to its key, or to what a new prompt of that key has
// superseded.
func TestTakeBack_keepsWhatCouldNotBeDeleted(t *testing.T) {
	t.Parallel()
	prior := groupOf(results{"a": {prompt: "A", id: "g1", former: "old"}})
	g := groupOf(results{"b": {prompt: "B", id: "g2"}})
	g.TakeBack(prior, "a", []string{"old", "g1"})
	check.Equal(t, "the removed key has", g.WithSuperseded("a"), []string{"old", "g1"})
	g = groupOf(results{"a": {prompt: "Z", id: "g3"}})
	g.TakeBack(prior, "a", []string{"old", "g1"})
	check.Equal(t, "the new prompt supersedes", g.Superseded["a"], []string{"old", "g1"})
	g.Drop("old")
	g.Drop("g1")
	check.Equal(t, "after their deletion", g.AllIDs(), []string{"g3"})
}
