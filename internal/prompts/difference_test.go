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

type difference struct {
	Kept         map[string]string
	Buy, Removed []string
}

func priorOf(formers map[string]former) *prompts.Group {
	prior := prompts.New()
	for key, f := range formers {
		prior.Prompts[key] = prompts.Prompt{Text: prompts.Known(f.prompt)}
		generation := prompts.Unsubmitted(f.attempts)
		if f.id != "" {
			generation.ID = prompts.Known(f.id)
			generation.Succeeded = prompts.Known(!f.failed)
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

func TestCompare_buysOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	type formers = map[string]former
	type want = map[string]string
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
		expect   difference
	}{
		"nothing":                        {ab, want{"a": "A", "b": "B"}, 1, false, difference{Kept: want{"a": "a", "b": "b"}}},
		"added":                          {ab, want{"a": "A", "b": "B", "c": "C"}, 1, false, difference{Kept: want{"a": "a", "b": "b"}, Buy: []string{"c"}}},
		"removed":                        {ab, want{"a": "A"}, 1, false, difference{Kept: want{"a": "a"}, Removed: []string{"b"}}},
		"changed":                        {ab, want{"a": "A", "b": "B2"}, 1, false, difference{Kept: want{"a": "a"}, Buy: []string{"b"}}},
		"renamed":                        {ab, want{"a": "A", "c": "B"}, 1, false, difference{Kept: want{"a": "a", "c": "b"}}},
		"swapped":                        {ab, want{"a": "B", "b": "A"}, 1, false, difference{Kept: want{"a": "b", "b": "a"}}},
		"renamed and its old key reused": {ab, want{"a": "X", "b": "B", "c": "A"}, 1, false, difference{Kept: want{"b": "b", "c": "a"}, Buy: []string{"a"}}},
		"moved over a removed one":       {ab, want{"a": "B"}, 1, false, difference{Kept: want{"a": "b"}, Removed: []string{"a"}}},
		"renamed, one of two equal ones unbought": {unbought, want{"b": "B", "c": "A"}, 1, false, difference{Kept: want{"c": "b"}, Buy: []string{"b"}, Removed: []string{"a"}}},
		"failed, no attempts left":                {failed, want{"a": "A"}, 1, false, difference{Kept: want{"a": "a"}}},
		"failed, attempts left":                   {failed, want{"a": "A"}, 2, false, difference{Kept: want{"a": "a"}, Buy: []string{"a"}}},
		"rejected, attempts left":                 {formers{"a": {prompt: "A", rejected: true, attempts: 1}}, want{"a": "A"}, 2, false, difference{Kept: want{"a": "a"}, Buy: []string{"a"}}},
		"never submitted":                         {formers{"a": {prompt: "A"}}, want{"a": "A"}, 1, false, difference{Kept: want{"a": "a"}, Buy: []string{"a"}}},
		"imported, in the service's words":        {words, want{"a": "A portrait", "b": "B"}, 1, true, difference{Kept: want{"a": "a", "b": "b"}}},
		"imported, another text":                  {ab, want{"a": "A, smiling", "b": "B"}, 1, true, difference{Kept: want{"b": "b"}, Buy: []string{"a"}}},
	} {
		diff := prompts.Compare(priorOf(test.formers), wanted(test.want), test.attempts, test.imported)
		got := difference{diff.Kept, diff.Buy, diff.Removed}
		check.Equal(t, name, cmp.Diff(test.expect, got, cmpopts.EquateEmpty()), "")
	}
}
