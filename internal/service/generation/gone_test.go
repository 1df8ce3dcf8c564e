package generation_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const ownNotFound = `{"error":"not_found","message":"no such generation"}`

// What is gone is read twice, after one pause for all of it, and one request
// proves the address; beside a generation that is shown, none.
// Fault F23.
func TestGroup_goneIsReadTwice(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ prompts, deleted, reads, probes int }{
		"all of 200":   {200, 200, 400, 1},
		"half of 200":  {200, 100, 300, 0},
		"one of three": {3, 1, 4, 0},
		"none":         {200, 0, 200, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.many(test.prompts)
			s.Apply().Must()
			for _, generation := range s.Groups()[0].Generations[:test.deleted] {
				s.DeleteGenerationBehindTheBack(generation.ID)
			}
			s.ResetJournal()
			began := s.Clock.Now()
			s.Refresh().Must()
			s.WantCount(t, mockserver.RouteStatus, test.reads)
			s.WantCount(t, mockserver.RouteCharacters, test.probes)
			if pause := s.Clock.Now().Sub(began).Seconds(); (pause == 2) != (test.deleted > 0) || pause > 2 {
				t.Errorf("the refresh paused for %g s", pause)
			}
			check.Equal(t, "the group is gone", s.State(groupAddress) == nil, (test.deleted == test.prompts))
		})
	}
}

// One 404 of the service among the polls of a wait ends nothing; two in a row
// do, and each generation is asked for twice. The wait has no pause of its own.
// Fault F23.
func TestGroup_waitNeedsTwoPollsToCallItGone(t *testing.T) {
	t.Parallel()
	for times, gone := range map[int]bool{1: false, 2: true} {
		t.Run(fmt.Sprintf("%d times", times), func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.group(map[string]string{"a": "A"})
			// The first poll shows it: only then can it be gone.
			s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 2, Times: times, Status: 404, Body: ownNotFound})
			s.buys(created("a"), 1)
			want := core.Object{"succeeded_count": 1, "complete": true}
			if gone {
				want = core.Object{"succeeded_count": 0, "pending_count": 1}
				s.WantCount(t, mockserver.RouteStatus, 3)
			}
			s.Want(groupAddress, want)
			if gone { // the next refresh takes it back
				s.Refresh()
			}
			s.buys(nil, 0)
			s.Plan().Must().WantEmpty()
		})
	}
}

// A generation that no status has ever shown may wait in a queue: time proves nothing,
// each refresh says since when, and only who trusts a 404 buys it again. The wait of
// what was just bought trusts none.
// Fault F12.
func TestGroup_neverShown(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = time.Hour })
	prompts := map[string]string{"a": "A", "b": "B"}
	s.group(prompts, core.Object{"wait_for_completion": false})
	bought := s.Clock.Now().UTC().Format(time.DateOnly)
	s.Apply().Must()
	hidden := mockserver.Fault{Route: mockserver.RouteStatus, Status: 404, Body: ownNotFound}
	s.Fault(hidden)
	for range 2 {
		s.Clock.Advance(1000 * time.Hour)
		plan := s.Plan().Must()
		plan.WantEmpty()
		s.WantWarning(plan.Diagnostics, "Generations Never Shown", `"a", "b"`, s.Groups()[0].ID, bought)
		s.Refresh().Must()
	}
	s.WantCount(t, mockserver.RouteStatus, 8)
	trusting := core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "trust_not_found": true}
	s.Workspace.Provider(trusting)
	s.buys(created("a", "b"), 2)
	s.ClearFaults()
	s.Plan().Must().WantEmpty()
	s.Refresh().Must()
	if plan := s.Plan().Must(); len(plan.Diagnostics.Find("Never Shown")) > 0 {
		t.Errorf("the plan says:\n%s", plan.Diagnostics)
	}

	s.group(map[string]string{"a": "A", "b": "B", "c": "C"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 3, Times: 3, Status: 404, Body: ownNotFound}) // two refreshed, then polls
	s.buys(created("c")[1:], 1)
	s.Want(groupAddress, core.Object{"succeeded_count": 3})
}

// Generations that vanish during a wait cost two reads each, in two polls.
// Fault F23.
func TestGroup_waitReadsWhatVanishesTwice(t *testing.T) {
	t.Parallel()
	const prompts = 50
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = time.Hour })
	s.many(prompts, core.Object{"wait_for_completion": false})
	s.Apply().Must()
	s.Refresh().Must()
	s.many(prompts)
	plan := s.Plan().Must()
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Status: 404, Body: ownNotFound})
	s.ResetJournal()
	began := s.Clock.Now()
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteStatus, 2*prompts)
	s.WantCount(t, mockserver.RouteCharacters, 1) // nothing else of this run proves the address
	if took := s.Clock.Now().Sub(began); took > time.Minute {
		t.Errorf("the wait took %s", took)
	}
	s.Want(groupAddress, core.Object{"pending_count": prompts})
	s.ClearFaults()
	s.Refresh().Must() // takes it back
	s.Want(groupAddress, core.Object{"pending_count": prompts, `generations["p0000"].status`: "queued"})
	s.WantCount(t, mockserver.RouteBatch, 0)
}
