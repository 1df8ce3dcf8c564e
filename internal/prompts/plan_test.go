package prompts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

type former struct {
	prompt, id       string
	failed, rejected bool
	attempts         int64
}

// planned is what the table tells of a plan.
type planned struct {
	Former  map[string]string
	Buy     map[string]prompts.Reason
	Removed []string
}

// gone is a generation that was deleted elsewhere before it had ended.
const gone = "gone"

func priorOf(formers map[string]former) *prompts.Group {
	prior := prompts.New()
	for key, f := range formers {
		prior.Prompts[key] = prompts.Prompt{Text: prompts.Known(f.prompt)}
		generation := prompts.Unsubmitted(f.attempts)
		if f.id != "" {
			generation.ID = prompts.Known(f.id)
			generation.Succeeded = prompts.Known(!f.failed)
			if f.id == gone {
				generation.Succeeded = prompts.Value[bool]{}
				prior.Gone[gone] = true
			}
		}
		if f.failed || f.rejected {
			generation.Error = prompts.Known("failed")
		}
		prior.Set(key, generation)
	}
	return &prior
}

func wanted(texts map[string]string) map[string]prompts.Prompt {
	want := map[string]prompts.Prompt{}
	for key, text := range texts {
		want[key] = prompts.Prompt{Text: prompts.Known(text)}
	}
	return want
}

func TestPlan_buysOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	type formers = map[string]former
	type want = map[string]string
	type buy = map[string]prompts.Reason
	done := func(prompt, id string) former {
		return former{prompt: prompt, id: id, attempts: 1}
	}
	ab := formers{"a": done("A", "g1"), "b": done("B", "g2")}
	unbought := formers{"a": {prompt: "A"}, "b": done("A", "g1")}
	failed := formers{"a": {prompt: "A", id: "g1", failed: true, attempts: 1}}
	words := formers{"a": {prompt: "a  PORTRAIT", id: "g1"}, "b": {id: "g2"}}
	for name, test := range map[string]struct {
		formers  formers
		want     want
		attempts int64
		imported bool
		expect   planned
	}{
		"nothing": {
			formers:  ab,
			want:     want{"a": "A", "b": "B"},
			attempts: 1,
			expect: planned{
				Former: want{"a": "a", "b": "b"},
			},
		},
		"added": {
			formers:  ab,
			want:     want{"a": "A", "b": "B", "c": "C"},
			attempts: 1,
			expect: planned{
				Former: want{"a": "a", "b": "b"},
				Buy:    buy{"c": prompts.ReasonAdded},
			},
		},
		"removed": {
			formers:  ab,
			want:     want{"a": "A"},
			attempts: 1,
			expect: planned{
				Former:  want{"a": "a"},
				Removed: []string{"b"},
			},
		},
		"changed": {
			formers:  ab,
			want:     want{"a": "A", "b": "B2"},
			attempts: 1,
			expect: planned{
				Former: want{"a": "a"},
				Buy:    buy{"b": prompts.ReasonChanged},
			},
		},
		"renamed": {
			formers:  ab,
			want:     want{"a": "A", "c": "B"},
			attempts: 1,
			expect: planned{
				Former: want{"a": "a", "c": "b"},
			},
		},
		"swapped": {
			formers:  ab,
			want:     want{"a": "B", "b": "A"},
			attempts: 1,
			expect: planned{
				Former: want{"a": "b", "b": "a"},
			},
		},
		"renamed and its old key reused": {
			formers:  ab,
			want:     want{"a": "X", "b": "B", "c": "A"},
			attempts: 1,
			expect: planned{
				Former: want{"b": "b", "c": "a"},
				Buy:    buy{"a": prompts.ReasonAdded},
			},
		},
		"moved over a removed one": {
			formers:  ab,
			want:     want{"a": "B"},
			attempts: 1,
			expect: planned{
				Former:  want{"a": "b"},
				Removed: []string{"a"},
			},
		},
		"renamed, one of two equal ones unbought": {
			formers:  unbought,
			want:     want{"b": "B", "c": "A"},
			attempts: 1,
			expect: planned{
				Former:  want{"c": "b"},
				Buy:     buy{"b": prompts.ReasonAdded},
				Removed: []string{"a"},
			},
		},
		"failed, no attempts left": {
			formers:  failed,
			want:     want{"a": "A"},
			attempts: 1,
			expect: planned{
				Former: want{"a": "a"},
			},
		},
		"failed, attempts left": {
			formers:  failed,
			want:     want{"a": "A"},
			attempts: 2,
			expect: planned{
				Former: want{"a": "a"},
				Buy:    buy{"a": prompts.ReasonRetried},
			},
		},
		"rejected, attempts left": {
			formers:  formers{"a": {prompt: "A", rejected: true, attempts: 1}},
			want:     want{"a": "A"},
			attempts: 2,
			expect: planned{
				Former: want{"a": "a"},
				Buy:    buy{"a": prompts.ReasonRetried},
			},
		},
		"never submitted": {
			formers:  formers{"a": {prompt: "A"}},
			want:     want{"a": "A"},
			attempts: 1,
			expect: planned{
				Former: want{"a": "a"},
				Buy:    buy{"a": prompts.ReasonDue},
			},
		},
		"imported, in the service's words": {
			formers:  words,
			want:     want{"a": "A portrait", "b": "B"},
			attempts: 1,
			imported: true,
			expect: planned{
				Former: want{"a": "a", "b": "b"},
			},
		},
		"imported, another text": {
			formers:  ab,
			want:     want{"a": "A, smiling", "b": "B"},
			attempts: 1,
			imported: true,
			expect: planned{
				Former: want{"b": "b"},
				Buy:    buy{"a": prompts.ReasonChanged},
			},
		},
		"deleted elsewhere": {
			formers:  formers{"a": {prompt: "A", id: gone, attempts: 1}},
			want:     want{"a": "A"},
			attempts: 1,
			expect: planned{
				Former: want{"a": "a"},
				Buy:    buy{"a": prompts.ReasonGone},
			},
		},
	} {
		plan := prompts.NewPlan(priorOf(test.formers), wanted(test.want), prompts.Options{
			MaxAttempts: prompts.Known(test.attempts),
			Imported:    test.imported,
		})
		got := planned{
			Former:  plan.Former,
			Buy:     plan.Reasons,
			Removed: plan.Removed,
		}
		check.Equal(t, name, cmp.Diff(test.expect, got, cmpopts.EquateEmpty()), "")
	}
}

// An import knows at most the text: what it could not read is taken over, what
// it has is compared.
func TestPlan_takesOverWhatAnImportCouldNotRead(t *testing.T) {
	t.Parallel()
	yes := prompts.Known(true)
	no := prompts.Known(false)
	url := prompts.Known("https://x/1")
	text := prompts.Known("A")
	for name, test := range map[string]struct {
		former, want prompts.Prompt
		key          string // of the configuration
		buys         bool
	}{
		"every option": {
			prompts.Prompt{Text: text},
			prompts.Prompt{
				Text:           text,
				FaceSwap:       yes,
				UseFaceLoRA:    yes,
				UseBodyLoRA:    no,
				SourceImageURL: url,
				Take:           prompts.Known(int64(3)),
			},
			"a",
			false,
		},
		"another face_swap": {
			prompts.Prompt{Text: text, FaceSwap: no},
			prompts.Prompt{Text: text, FaceSwap: yes},
			"a",
			true,
		},
		"another use_face_lora": {
			prompts.Prompt{Text: text, UseFaceLoRA: no},
			prompts.Prompt{Text: text, UseFaceLoRA: yes},
			"a",
			true,
		},
		"another use_body_lora": {
			prompts.Prompt{Text: text, UseBodyLoRA: no},
			prompts.Prompt{Text: text, UseBodyLoRA: yes},
			"a",
			true,
		},
		"another photo": {
			prompts.Prompt{Text: text, SourceImageURL: url},
			prompts.Prompt{Text: text},
			"a",
			true,
		},
		"another take": {
			prompts.Prompt{Text: text, Take: prompts.Known(int64(1))},
			prompts.Prompt{Text: text, Take: prompts.Known(int64(2))},
			"a",
			true,
		},
		"a photo for its text": {prompts.Prompt{Text: url}, prompts.Prompt{SourceImageURL: url}, "a", false},
		"no text, not known":   {prompts.Prompt{}, prompts.Prompt{Text: prompts.Unknown[string]()}, "b", true},
		"renamed": {
			prompts.Prompt{Text: text},
			prompts.Prompt{Text: prompts.Known("a"), FaceSwap: yes},
			"b",
			false,
		},
	} {
		prior := prompts.New()
		prior.Prompts["a"] = test.former
		prior.Set("a", prompts.NewGeneration("g1"))
		plan := prompts.NewPlan(&prior, map[string]prompts.Prompt{test.key: test.want}, prompts.Options{
			MaxAttempts: prompts.Known(int64(1)),
			Imported:    true,
		})
		check.Equal(t, name+": buys", len(plan.Buy) > 0, test.buys)
	}
}

// What an import has found to have failed counts as tried max_attempts times:
// raising that later buys it again, the update that ends the import does not.
func TestPlan_countsImportedFailuresAsTried(t *testing.T) {
	t.Parallel()
	failed := prompts.NewGeneration("g1")
	done := prompts.NewGeneration("g2")
	failed.Succeeded = prompts.Known(false)
	done.Succeeded = prompts.Known(true)
	prior := prompts.New()
	prior.Prompts = wanted(map[string]string{"a": "A", "b": "B"})
	prior.Set("a", failed)
	prior.Set("b", done)
	prior.Open = []string{"g2"}
	for _, times := range []prompts.Value[int64]{prompts.Known(int64(3)), prompts.Unknown[int64]()} {
		plan := prompts.NewPlan(&prior, prior.Prompts, prompts.Options{
			MaxAttempts: times,
			Imported:    true,
		})
		check.Equal(t, "bought", len(plan.Buy), 0)
		g := plan.Next
		check.Equal(t, "attempts of what has failed", g.Generations["a"].Attempts, times)
		check.Equal(t, "attempts of what has results", g.Generations["b"].Attempts, prompts.Known(int64(1)))
		check.Equal(t, "open", len(g.OpenKeys(g.GenerationKeys())), 1)
	}
}

// What the service had rendered before a purchase is in no state, and never
// deleted.
func TestPlan_leavesImportedGenerationsAtTheService(t *testing.T) {
	t.Parallel()
	prior := prompts.New()
	prior.Prompts = wanted(map[string]string{"a": "A"})
	prior.Set("a", prompts.NewGeneration("g1"))
	for _, imported := range []bool{true, false} {
		plan := prompts.NewPlan(&prior, wanted(map[string]string{"a": "B"}), prompts.Options{
			MaxAttempts: prompts.Known(int64(1)),
			Imported:    imported,
		})
		check.Equal(t, "is superseded, and will be deleted", plan.Next.Has("g1"), !imported)
		check.Equal(t, "is a leftover", len(plan.Leftover) > 0, imported)
	}
}
