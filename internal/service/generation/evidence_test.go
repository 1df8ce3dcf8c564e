package generation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const gatewayPage = "<html><body><h1>404 Not Found</h1></body></html>"

// A gateway that stays ends the wait by its timeout, with what was read.
func TestGroup_gatewayThatStaysEndsTheWaitByItsTimeout(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(map[string]string{"a": "A"}, core.Object{"timeouts": core.Object{"create": "5m"}})
	s.Fault(mockserver.Fault{
		Route:  mockserver.RouteStatus,
		After:  mockserver.RouteBatch,
		Nth:    2,
		Times:  1000,
		Status: 404,
		Body:   gatewayPage,
	})
	s.WantWarning(s.Apply().Must().Diagnostics, "Unable to Wait for Generations", "after 5m ", "404", "trust_not_found")
	s.Want(groupAddress, core.Object{"pending_count": 1, `generations["a"].id`: s.Groups()[0].Generations[0].ID})
	s.ClearFaults()
	s.buys(nil, 0)
	s.Plan().Must().WantEmpty()
}

// An empty status shows neither the generation nor to whom: a later 404 for
// another caller proves nothing.
// Fault F13.
func TestGroup_emptyStatusShowsNothing(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(map[string]string{"a": "A"})
	s.buys(created("a"), 1)
	s.AddOrganization("strangers-api-key-0123456789", "org_of_strangers")
	s.Set(core.Object{"api_key": "strangers-api-key-0123456789"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1, Body: "{}"})
	result := s.Destroy()
	check.True(
		t,
		"it is not destroyed",
		result.Diagnostics.HasErrors() && s.State(groupAddress) != nil,
		result.Diagnostics,
	)
	check.Equal(t, "media", s.Media(), 1)
}

// A rotated key of an unnamed organization: if it can read one generation of
// the group, it is the same caller for the others.
// Fault F13.
func TestGroup_rotatedKeyIsNoStranger(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]string{"the first": "A", "the last": "C"}, func(t *testing.T, deleted string) {
		s := newScenario(t)
		s.group(map[string]string{"a": "A", "b": "B", "c": "C"})
		s.buys(created("a", "b", "c"), 3)
		s.AddAPIKey("rotated-api-key-0123456789", "")
		s.Set(core.Object{"api_key": "rotated-api-key-0123456789"})
		for _, generation := range s.Groups()[0].Generations {
			if generation.Prompt == deleted {
				s.DeleteGenerationBehindTheBack(generation.ID)
			}
		}
		s.ResetJournal()
		s.buys(created(strings.ToLower(deleted))[1:], 1)
		s.Plan().Must().WantEmpty()
	})
}

// The service's own 404 to a batch has the next refresh, and only that, read
// what it would not have read. A gateway's casts no doubt on the group.
// Fault F13.
func TestGroup_missingToABatchIsInDoubtForOneRefresh(t *testing.T) {
	t.Parallel()
	type row struct {
		body, says string
		reads      int
	}
	check.Each(t, map[string]row{
		"a gateway's":   {gatewayPage, "does not prove", 0},
		"the service's": {`{"error":"not_found","message":"no such group"}`, "deleted elsewhere", 1},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		settled := core.Object{"refresh_finished": false}
		s.group(map[string]string{"a": "A"}, settled)
		s.buys(created("a"), 1)
		s.group(map[string]string{"a": "A", "b": "B"}, settled)
		s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Status: 404, Body: test.body})
		check.Contains(t, "the error", s.Apply().Diagnostics.Errors().String(), test.says)
		s.ResetJournal()
		for range 2 {
			s.Refresh()
			s.WantCount(t, mockserver.RouteStatus, test.reads)
		}
		s.buys(created("b")[1:], 1)
		s.Plan().Must().WantEmpty()
	})
}

// created are the unknown ids of a new group with these keys; the first is its
// own.
func created(keys ...string) []string {
	ids := []string{"id"}
	for _, key := range keys {
		ids = append(ids, fmt.Sprintf("generations[%q]", key))
	}
	return ids
}

// At another address, that one generation can be read proves nothing about the
// rest: it may be a copy of the service that lacks them. Fault F23.
func TestGroup_readAtAnotherAddress(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	s.DeleteGenerationBehindTheBack(s.idOf("b"))
	s.Set(core.Object{"base_url": strings.Replace(s.URL, "127.0.0.1", "localhost", 1)})
	s.WantError(s.Plan().Diagnostics, "Unable to Read Generation Group", "base_url is now localhost:")
	s.Set(nil)
	s.buys(created("b")[1:], 1)
}

const ownNotFound = `{"error":"not_found","message":"no such generation"}`

// What is gone is read twice, after one pause for all of it, and one request
// proves the address; beside a generation that is shown, none.
// Fault F23.
func TestGroup_goneIsReadTwice(t *testing.T) {
	tier.Long(t, "all ways to be gone, with 500 generations")
	t.Parallel()
	type row struct{ prompts, deleted, reads, probes int }
	check.Each(t, map[string]row{
		"all of 200":   {200, 200, 400, 1},
		"half of 200":  {200, 100, 300, 0},
		"one of three": {3, 1, 4, 0},
		"none":         {200, 0, 200, 0},
	}, func(t *testing.T, test row) {
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
		pause := s.Clock.Now().Sub(began).Seconds()
		check.True(t, "the pause", (pause == 2) == (test.deleted > 0) && pause <= 2, pause)
		check.Equal(t, "the group is gone", s.State(groupAddress) == nil, (test.deleted == test.prompts))
	})
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
			s.Fault(mockserver.Fault{
				Route:  mockserver.RouteStatus,
				After:  mockserver.RouteBatch,
				Nth:    2,
				Times:  times,
				Status: 404,
				Body:   ownNotFound,
			})
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

// A generation that no status has ever shown may wait in a queue: time proves
// nothing, each refresh says since when, and only who trusts a 404 buys it
// again. The wait of what was just bought trusts none. Fault F12.
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
	s.Set(core.Object{"trust_not_found": true})
	s.buys(created("a", "b"), 2)
	s.ClearFaults()
	s.Plan().Must().WantEmpty()
	s.Refresh().Must()
	s.WantSilent(s.Plan().Must().Diagnostics, "Never Shown")

	s.group(map[string]string{"a": "A", "b": "B", "c": "C"})
	s.Fault(mockserver.Fault{
		Route:  mockserver.RouteStatus,
		After:  mockserver.RouteBatch,
		Times:  3,
		Status: 404,
		Body:   ownNotFound,
	})
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
	check.True(t, "the wait is short", s.Clock.Now().Sub(began) <= time.Minute, s.Clock.Now().Sub(began))
	s.Want(groupAddress, core.Object{"pending_count": prompts})
	s.ClearFaults()
	s.Refresh().Must() // takes it back
	s.Want(groupAddress, core.Object{"pending_count": prompts, `generations["p0000"].status`: "queued"})
	s.WantCount(t, mockserver.RouteBatch, 0)
}
