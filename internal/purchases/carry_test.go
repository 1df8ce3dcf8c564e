package purchases_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// What an object carries of older ones says the same as they do, whatever they
// say: a start that reads it goes on as one that has read all.
func TestCarry_saysTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfN(rapid.Custom(anyEntry), 1, 40).Draw(t, "entries")
		cut := rapid.IntRange(0, len(entries)-1).Draw(t, "cut")
		whole := purchases.LivingOf("", entries, -1)
		for _, run := range []string{"", "A", "C"} {
			carried := purchases.LivingOf(run, entries, cut)
			if carried != whole {
				t.Fatalf("it is\n%s\nand carried, by the run %q\n%s", whole, run, carried)
			}
		}
	})
}

// anyEntry is an entry of few names, so that entries are often about the same.
func anyEntry(t *rapid.T) *purchases.Entry {
	one := func(label string, texts ...string) string { return rapid.SampledFrom(texts).Draw(t, label) }
	some := func(label string, texts ...string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(texts), 0, len(texts), rapid.ID).Draw(t, label)
	}
	entry := &purchases.Entry{
		Time:    one("time", "2026-10-31T23:59:59Z", "2026-11-01T00:00:00Z"),
		Request: one("request", "r1", "r2", "r3", "r4"),
		Type: one(
			"type",
			"batch",
			"batch",
			"training",
			"dataset",
			"image",
			"delete_generation",
			"delete_group",
			"cancel_training",
		),
		Outcome: one("outcome", "sending", "sending", "sending", "answered", "answered", "refused", "unsent", "unknown",
			"gone", "kept", "stored", "returned", "wanted", "released", "later"),
		Version: 2,
		By: &purchases.Origin{
			Run:    one("run", "A", "B"),
			Caller: evidence.Caller{Address: "api", Organization: one("org", "", "org")},
		},
		Object:       one("object", "", "o1", "o2"),
		CharacterID:  one("character", "c1", "c2"),
		GroupID:      one("group", "", "g1", "g2"),
		ImageID:      one("image", "", "i1"),
		GenerationID: one("generation", "", "gen1", "gen2"),
		Keys:         some("keys", "a", "b"),
		Rejected:     some("rejected", "a", "b"),
		Leftovers:    some("leftovers", "gen1", "gen2"),
	}
	if rapid.Bool().Draw(t, "has a title") {
		entry.Title = new(one("title", "", "Title"))
	}
	if rapid.Bool().Draw(t, "has inputs") {
		entry.Inputs = purchases.SumOf(one("inputs", "x", "y"))
	} else {
		entry.Prompts = map[string]string{}
		for _, key := range some("prompts", "a", "b") {
			entry.Prompts[key] = purchases.SumOf(one("prompt", "x", "y"))
		}
	}
	entry.Generations = map[string]string{}
	for _, key := range some("named", "a", "b") {
		entry.Generations[key] = one("id", "gen1", "gen2", "gen3")
	}
	if rapid.Bool().Draw(t, "has a job") {
		entry.JobID = new(one("job", "job1", "job2"))
	}
	of := func(label string) map[string][]string {
		keys := map[string][]string{}
		for _, request := range some(label, "r1", "r2", "r3") {
			keys[request] = some(label+" keys", "", "a", "b")
		}
		return keys
	}
	entry.Of = of("of")
	entry.Shown = of("shown")
	entry.Bought = of("bought")
	entry.Now = map[string]string{"a": one("now", "", "c")}
	if rapid.Bool().Draw(t, "has a cost") {
		entry.Cost = new(float64(rapid.IntRange(0, 30).Draw(t, "cost")) / 10)
	}
	if rapid.Bool().Draw(t, "has credits") {
		entry.CreditsDeducted = new(float64(rapid.IntRange(-10, 30).Draw(t, "credits")) / 10)
	}
	return entry
}
