package generation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

func TestCompare_buysOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	type former = map[string]generation.Former
	type want = map[string]string
	done := func(prompt, id string) generation.Former {
		return generation.Former{Prompt: prompt, ID: id, Attempts: 1}
	}
	ab := former{"a": done("A", "g1"), "b": done("B", "g2")}
	for name, test := range map[string]struct {
		former   former
		want     want
		attempts int64
		imported bool
		expect   generation.Difference
	}{
		"nothing": {ab, want{"a": "A", "b": "B"}, 1, false,
			generation.Difference{Kept: want{"a": "a", "b": "b"}}},
		"added": {ab, want{"a": "A", "b": "B", "c": "C"}, 1, false,
			generation.Difference{Kept: want{"a": "a", "b": "b"}, Buy: []string{"c"}}},
		"removed": {ab, want{"a": "A"}, 1, false,
			generation.Difference{Kept: want{"a": "a"}, Removed: []string{"b"}}},
		"changed": {ab, want{"a": "A", "b": "B2"}, 1, false,
			generation.Difference{Kept: want{"a": "a"}, Buy: []string{"b"}}},
		"renamed": {ab, want{"a": "A", "c": "B"}, 1, false,
			generation.Difference{Kept: want{"a": "a", "c": "b"}}},
		"swapped": {ab, want{"a": "B", "b": "A"}, 1, false,
			generation.Difference{Kept: want{"a": "b", "b": "a"}}},
		"renamed and its old key reused": {ab, want{"a": "X", "b": "B", "c": "A"}, 1, false,
			generation.Difference{Kept: want{"b": "b", "c": "a"}, Buy: []string{"a"}}},
		"moved over a removed one": {ab, want{"a": "B"}, 1, false,
			generation.Difference{Kept: want{"a": "b"}, Removed: []string{"a"}}},
		"renamed, and of two equal ones one was never bought": {former{"a": {Prompt: "A"}, "b": done("A", "g1")}, want{"b": "B", "c": "A"}, 1, false,
			generation.Difference{Kept: want{"c": "b"}, Buy: []string{"b"}, Removed: []string{"a"}}},
		"failed, no attempts left": {former{"a": {Prompt: "A", ID: "g1", Failed: true, Attempts: 1}}, want{"a": "A"}, 1, false,
			generation.Difference{Kept: want{"a": "a"}}},
		"failed, attempts left": {former{"a": {Prompt: "A", ID: "g1", Failed: true, Attempts: 1}}, want{"a": "A"}, 2, false,
			generation.Difference{Kept: want{"a": "a"}, Buy: []string{"a"}}},
		"rejected, attempts left": {former{"a": {Prompt: "A", Rejected: true, Attempts: 1}}, want{"a": "A"}, 2, false,
			generation.Difference{Kept: want{"a": "a"}, Buy: []string{"a"}}},
		"never submitted": {former{"a": {Prompt: "A"}}, want{"a": "A"}, 1, false,
			generation.Difference{Kept: want{"a": "a"}, Buy: []string{"a"}}},
		"imported, in the service's words": {former{"a": {Prompt: "a  PORTRAIT", ID: "g1"}, "b": {ID: "g2"}}, want{"a": "A portrait", "b": "B"}, 1, true,
			generation.Difference{Kept: want{"a": "a", "b": "b"}}},
		"imported, another text": {ab, want{"a": "A, smiling", "b": "B"}, 1, true,
			generation.Difference{Kept: want{"b": "b"}, Buy: []string{"a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := generation.Compare(test.former, test.want, test.attempts, test.imported)
			check.Equal(t, "difference", cmp.Diff(test.expect, got, cmpopts.EquateEmpty()), "")
		})
	}
}
