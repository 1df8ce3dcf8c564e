package mockserver_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const threePrompts = `{"prompts":[{"prompt":"a"},{"prompt":"b"},{"prompt":"a"},{"prompt":"a","face_swap":true}]}`

// What the reply to a batch hides is there all the same, and paid for.
func TestHiddenGenerationsExist(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"background": nil, "background-no-ids": {"", "", "", ""}, "one-id": {"gen_000001", "gen_000001", "gen_000001", "gen_000001"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t, mockserver.Options{Variant: mockserver.LossyVariants()[name]})
			group, ids := c.batch(threePrompts)
			check.True(t, "the results name", slices.Equal(ids, want), ids, want)
			if found, _ := c.Group(group); len(found.Generations) != 4 || c.Ledger().Spent() != 4 {
				t.Errorf("%d generations for %v credits", len(found.Generations), c.Ledger().Spent())
			}
			c.clock.advance(time.Minute)
			check.Equal(t, "media", c.Media(), 4)
		})
	}
}

func TestEqualPromptsShareAGeneration(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Variant: mockserver.Variants()["equal-shared"]})
	group, ids := c.batch(threePrompts)
	if want := []string{"gen_000001", "gen_000002", "gen_000001", "gen_000003"}; !slices.Equal(ids, want) {
		t.Errorf("the results name %q, want %q", ids, want)
	}
	if found, _ := c.Group(group); len(found.Generations) != 3 || c.Ledger().Spent() != 4 {
		t.Errorf("%d generations for %v credits", len(found.Generations), c.Ledger().Spent())
	}
	if _, again := c.batch(`{"group_id":"` + group + `","prompts":[{"prompt":"a"}]}`); again[0] != "gen_000004" {
		t.Errorf("another batch shares %q", again)
	}
}

func TestFailedPromptIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Balance: 10, Variant: mockserver.Variant{RetakeFailed: true, RefundFailed: true}})
	c.FailPrompt("a", "out of paint")
	group, first := c.batch(`{"prompts":[{"prompt":"a"},{"prompt":"b"}]}`)
	c.clock.advance(time.Minute)
	c.FailPrompt("a", "")
	again := `{"group_id":"` + group + `","prompts":[{"prompt":"b"},{"prompt":"a"},{"prompt":"a"}]}`
	_, second := c.batch(again)
	if want := []string{"gen_000003", first[0], "gen_000004"}; !slices.Equal(second, want) {
		t.Errorf("the results name %q, want %q", second, want)
	}
	wantFields(t, "the generation that was taken up again", c.status(first[0]), fields{"status": "queued", "error": nil})
	c.clock.advance(time.Minute)
	check.Equal(t, "status of what was taken up again", c.status(first[0])["status"], "completed")
	check.Equal(t, "spent: two, less one that failed, and three", c.Ledger().Spent(), 4)
	_, elsewhere := c.batch(`{"prompts":[{"prompt":"a"}]}`)
	check.True(t, "no other group takes it up", !slices.Contains(second, elsewhere[0]))
}
