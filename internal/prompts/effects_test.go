package prompts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// The reply to a batch of the keys b, c and d, after a batch that bought g1 for
// the key a. An empty id is a prompt in doubt.
func TestRecordEffects(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		texts []string // of b, c and d; the text of a is A
		ids   []string
		open  bool
		want  prompts.Effects
	}{
		"a generation each": {texts: []string{"B", "C", "D"}, ids: []string{"g2", "g3", "g4"}},
		"one in doubt": {
			texts: []string{"B", "C", "D"},
			ids:   []string{"g2", "", "g4"},
			want:  prompts.Effects{InDoubt: []string{"c"}},
		},
		"open": {texts: []string{"B", "C", "D"}, ids: []string{"g2", "g3", "g4"}, open: true},
		"equal prompts share": {
			texts: []string{"B", "B", "D"},
			ids:   []string{"g2", "g2", "g4"},
			want: prompts.Effects{Equal: []prompts.SharedID{
				{ID: "g2", Keys: []string{"b", "c"}, Submitted: []string{"b", "c"}},
			}},
		},
		"different prompts share": {
			texts: []string{"B", "C", "D"},
			ids:   []string{"g2", "g2", ""},
			want: prompts.Effects{InDoubt: []string{"d"}, Different: []prompts.SharedID{
				{ID: "g2", Keys: []string{"b", "c"}, Submitted: []string{"b", "c"}},
			}},
		},
		"one of an earlier batch shares": {
			texts: []string{"B", "A", "D"},
			ids:   []string{"g1", "g3", "g4"},
			want: prompts.Effects{Different: []prompts.SharedID{
				{ID: "g1", Keys: []string{"a", "b"}, Submitted: []string{"b"}},
			}},
		},
		"an equal one of an earlier batch shares": {
			texts: []string{"B", "A", "D"},
			ids:   []string{"g2", "g1", "g4"},
			want: prompts.Effects{Equal: []prompts.SharedID{
				{ID: "g1", Keys: []string{"a", "c"}, Submitted: []string{"c"}},
			}},
		},
	} {
		keys := []string{"b", "c", "d"}
		all := results{"a": {prompt: "A", id: "g1"}}
		made := make([]prompts.Generation, len(keys))
		for i, key := range keys {
			all[key] = result{prompt: test.texts[i]}
			made[i] = prompts.NewGeneration(test.ids[i])
			if test.ids[i] == "" {
				made[i] = prompts.Unconfirmed(1, "lost")
			}
		}
		g := groupOf(all)
		effects := g.RecordEffects(keys, made, test.open)
		check.Equal(t, name, cmp.Diff(test.want, effects, cmpopts.EquateEmpty()), "")
		check.Equal(t, name+": shared", effects.HasShared(), len(test.want.Equal)+len(test.want.Different) > 0)
		open := []string{}
		if test.open {
			open = test.ids
		}
		check.Equal(t, name+": open", cmp.Diff(open, g.Open, cmpopts.EquateEmpty()), "")
	}
}

// A service may retry a failed prompt under its old id: the generation is then
// the key's own, and must not be deleted with the superseded ones.
func TestRecordEffects_takesBackARetriedGeneration(t *testing.T) {
	t.Parallel()
	g := groupOf(results{"a": {prompt: "A", id: "g2", former: "g1"}})
	g.Superseded["a"] = append(g.Superseded["a"], "g0")
	g.RecordEffects([]string{"a"}, []prompts.Generation{prompts.NewGeneration("g1")}, false)
	check.Equal(t, "superseded", g.Superseded["a"], []string{"g0"})
	check.Equal(t, "ids", g.IDs(), byKey{"a": "g1"})
}

// The prompts that were just submitted supersede the generation; an earlier
// prompt keeps it.
func TestDisown(t *testing.T) {
	t.Parallel()
	g := groupOf(results{
		"a": {prompt: "A", id: "g1"},
		"b": {prompt: "B", id: "g1"},
		"c": {prompt: "C", id: "g1", former: "g0"},
	})
	g.Disown(prompts.SharedID{ID: "g1", Keys: []string{"a", "b", "c"}, Submitted: []string{"b", "c"}}, "why")
	check.Equal(t, "ids", g.IDs(), byKey{"a": "g1"})
	check.Equal(t, "unconfirmed", g.Unconfirmed(), []string{"b", "c"})
	check.Equal(t, "the reason", g.Generations["b"].Error.Get(), "why")
	check.Equal(t, "b supersedes", g.Superseded["b"], []string{"g1"})
	check.Equal(t, "c supersedes", g.Superseded["c"], []string{"g0", "g1"})
	check.True(t, "the generation stays", g.Needed()("g1"))
}
