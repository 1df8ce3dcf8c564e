package generation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// The outcome of a batch is not confirmed. It is sent once over any number of
// applies, until max_attempts is raised.
// Fault F4.
func TestGroup_unconfirmed(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]mockserver.Fault{
		"dropped before the reply": {DropAfterWork: true},
		"dropped before the work":  {DropBefore: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			fault.Route, fault.Nth = mockserver.RouteBatch, 1
			s.Fault(fault)
			result := s.applies(map[string]string{"a": "A", "b": "B"})
			check.True(t, "a warning", len(result.Diagnostics.Warnings().Find("Unconfirmed Prompts: group")) == 1, result.Diagnostics)
			s.Want(groupAddress, core.Object{"unconfirmed_count": int64(2), `generations["a"].id`: nil, `generations["a"].attempts`: int64(1), "complete": false})
			if id, _ := s.Value(groupAddress, "id").(string); !strings.HasPrefix(id, "unconfirmed-") {
				t.Errorf("the id is %q", id)
			}
			for range 3 {
				s.Plan().Must().WantEmpty()
				s.Apply().Must()
			}
			s.WantCount(t, mockserver.RouteBatch, 1)

			charged := s.charged()
			plan := s.plans(map[string]string{"a": "A", "b": "B"}, core.Object{"max_attempts": int64(2)})
			if want := []string{"id", `generations["a"]`, `generations["b"]`}; !slices.Equal(plan.UnknownIDs(groupAddress), want) {
				t.Errorf("the plan announces %q, want %q", plan.UnknownIDs(groupAddress), want)
			}
			s.ApplyPlan(plan).Must()
			check.Equal(t, "prompts charged once more", s.charged()-charged, 2)
			s.Want(groupAddress, core.Object{"succeeded_count": int64(2), `generations["a"].attempts`: int64(2)})
			s.Plan().Must().WantEmpty()
		})
	}
}

// Fault F4.
func TestGroup_unconfirmedOfAnAddedPrompt(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	id := s.Value(groupAddress, "id")
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.applies(map[string]string{"a": "A", "b": "B"})
	s.Want(groupAddress, core.Object{"id": id, "unconfirmed_count": int64(1), "succeeded_count": int64(1)})
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteBatch, 2)
	s.Destroy().Must()
	s.wantNoMedia()
}

// After an unconfirmed batch no other is bought: the rest is planned again.
// Fault F4.
func TestGroup_unconfirmedEndsTheBatches(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"max_prompts_per_batch": int64(1)})
	s.WantCount(t, mockserver.RouteBatch, 1)
	s.Want(groupAddress, core.Object{"unconfirmed_count": int64(1), "complete": false})
	check.Equal(t, "prompts charged", s.charged(), 1)
	s.buys([]string{"id", `generations["b"]`}, 1)
	s.Plan().Must().WantEmpty()
}

// Every prompt has an outcome if the group is complete: an unconfirmed one has none.
func TestGroup_unconfirmedIsNotComplete(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	s.Want(groupAddress, core.Object{"complete": true})
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.applies(map[string]string{"a": "A", "b": "B"})
	s.Want(groupAddress, core.Object{"complete": false, "unconfirmed_count": 1, "pending_count": 0})
	s.Plan().Must().WantEmpty()
	s.applies(map[string]string{"a": "A"})
	s.Want(groupAddress, core.Object{"complete": true})
	s.Plan().Must().WantEmpty()
}

// With attempts left the next apply buys again, unasked: who reads the first
// apply's warning must not believe that raising max_attempts is what does it.
func TestGroup_attemptsThatAreLeftAreAnnounced(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		summary string
		happens func(scenario)
	}{
		"failed":      {"Generations Failed", func(s scenario) { s.FailPrompt("A", "out of memory") }},
		"unconfirmed": {"Unconfirmed Prompts: group", func(s scenario) { s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, DropAfterWork: true}) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			test.happens(s)
			s.group(map[string]string{"100%d": "A"}, core.Object{"max_attempts": 2}) // a key is no format
			for batches, says := range []string{`max_attempts is 2: the next apply submits "100%d" again`, "raise max_attempts"} {
				s.WantWarning(s.Apply().Must().Diagnostics, test.summary, says)
				s.WantCount(t, mockserver.RouteBatch, batches+1)
			}
			s.Plan().Must().WantEmpty()
		})
	}
}

// No plan is told of -replace, so that the apply says what the state forgets.
// Fault F4.
func TestGroup_unconfirmedAndReplaced(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.group(map[string]string{"a": "Portrait at dawn", "b": "Portrait at noon"})
	s.Apply().Must()
	plan := s.Plan(core.Replacing(groupAddress)).Must()
	s.WantWarning(s.ApplyPlan(plan).Must().Diagnostics, "Unconfirmed Generations Are Left Behind", `"a", "b"`)
}

// The outcome stays unconfirmed, whatever is done to the object, until somebody
// checks: no refresh asks for what has no id, and nothing is bought again. The
// state forgets a purchase only with a warning that names it.
// Fault F4.
func TestGroup_unconfirmedThroughItsLife(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.group(map[string]string{"a": "Portrait at dawn", "b": "Portrait at noon"})
	sent := s.Clock.Now().UTC().Format(time.RFC3339)
	result := s.Apply().Must()
	s.WantWarning(result.Diagnostics, "Unconfirmed Prompts: group",
		sent, `"ch_1"`, `"a", "b"`, "Look for them at the service", "raise max_attempts")

	s.ResetJournal()
	s.Refresh()
	s.Plan().Must().WantEmpty()
	s.WantNoRequests(t)

	const leftBehind = "Unconfirmed Generations Are Left Behind"
	s.group(map[string]string{"a": "Portrait at dusk", "b": "Portrait at noon"})
	s.WantWarning(s.Plan().Must().Diagnostics, leftBehind, `"a"`, sent)
	s.group(map[string]string{"a": "Portrait at dawn", "b": "Portrait at noon"}, core.Object{"max_attempts": int64(2)})
	s.WantWarning(s.Plan().Must().Diagnostics, leftBehind, `"a", "b"`)

	s.group(map[string]string{"b": "Portrait at noon"})
	result = s.Apply().Must()
	s.WantWarning(result.Diagnostics, leftBehind, `"a"`, sent)
	if deleted := result.Diagnostics.Find("Media Will Be Deleted"); len(deleted) > 0 {
		t.Errorf("nothing is deleted:\n%s", deleted)
	}
	s.Want(groupAddress, core.Object{"unconfirmed_count": int64(1)})

	plan := s.Plan(core.Destroying()).Must()
	s.WantWarning(plan.Diagnostics, leftBehind, `"b"`, sent, "The state forgets them")
	s.WantWarning(s.ApplyPlan(plan).Must().Diagnostics, leftBehind, `"b"`, sent, "The state has forgotten them")
	s.WantCount(t, mockserver.RouteBatch, 0)
	s.WantCount(t, mockserver.RouteStatus, 0)
	s.WantCount(t, mockserver.RouteDelete, 0)
	if made := s.Groups()[0].Generations; len(made) != 2 {
		t.Fatalf("%d generations are at the service, want 2", len(made))
	}

	// Somebody has checked.
	ids := map[string]string{}
	for i, generation := range s.Groups()[0].Generations {
		ids[string(rune('a'+i))] = generation.ID
	}
	s.group(map[string]string{"a": "Portrait at dawn", "b": "Portrait at noon"})
	s.Import(groupAddress, importID(ids)).Must()
	s.buys(nil, 0)
	s.Plan().Must().WantEmpty()
	s.Destroy().Must()
	check.True(t, "media left, prompts charged", s.Media() == 0 && s.charged() == 2, s.Media(), s.charged())
}
