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

// newExtended is a scenario of a deployment that has more than the interface, and
// of a provider that knows it.
func newExtended(t *testing.T, change ...func(*mockserver.Options)) scenario {
	t.Helper()
	s := newScenario(t, append(change, func(o *mockserver.Options) { o.Extended = true })...)
	s.readsMore(true)
	return s
}

func (s scenario) readsMore(more bool) {
	s.T.Helper()
	s.Set(core.Object{"extended_reads": more})
}

func numbered(count int) map[string]string {
	prompts := map[string]string{}
	for i := range count {
		prompts[fmt.Sprintf("p%03d", i)] = fmt.Sprintf("Picture %d", i)
	}
	return prompts
}

// A refresh of 500 finished generations is 3 requests beyond the token. What runs
// is read by its status too; and nothing is sent that was not asked for.
func TestExtendedReads_refresh(t *testing.T) {
	tier.Large(t, "1,000 generations with two further reads each")
	t.Parallel()
	s := newExtended(t)
	s.applies(numbered(500))
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteGroup, 3)
	s.WantCount(t, mockserver.RouteStatus, 0)
	check.Equal(t, "requests", len(s.Journal()), 3+1)

	more := numbered(480)
	for i := range 20 {
		more[fmt.Sprintf("q%02d", i)] = fmt.Sprintf("Another %d", i)
	}
	s.applies(more, core.Object{"wait_for_completion": false})
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteGroup, 3)
	s.WantCount(t, mockserver.RouteStatus, 20)

	s.Clock.Advance(time.Hour)
	s.ResetJournal()
	s.Apply().Must()
	s.Want(groupAddress, core.Object{"succeeded_count": int64(500), "complete": true})
	s.WantCount(t, mockserver.RouteStatus, 0)

	s.readsMore(false)
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteGroup, 0)
	s.WantCount(t, mockserver.RouteStatus, 500)
}

// A list cannot say why a generation has failed, nor that one is gone: its
// status does.
func TestExtendedReads_whatAListCannotSay(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.FailPrompt("never", "no picture of that")
	s.applies(map[string]string{"a": "A", "b": "B", "c": "C", "never": "never"})
	s.Want(groupAddress, core.Object{`generations["never"].error`: "no picture of that"})
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteGroup, 1)
	s.WantCount(t, mockserver.RouteStatus, 1)

	s.DeleteGenerationBehindTheBack(s.Value(groupAddress, `generations["a"].id`).(string))
	s.ResetJournal()
	plan := s.Plan().Must()
	check.True(t, "one is bought again", len(plan.UnknownIDs(groupAddress)) == 1, plan)
	s.WantCount(t, mockserver.RouteGroup, 1)
	s.WantCount(t, mockserver.RouteStatus, 3) // the failed one, and the gone one twice
}

const failedRead = "Extended Read Failed"

// endless shows other generations on every page, which go on for ever.
func endless(counted bool) func(reply map[string]any) {
	shown := 0
	return func(reply map[string]any) {
		items := []any{}
		for range 200 {
			items = append(
				items,
				map[string]any{
					"generation_id": fmt.Sprintf("other_%d", shown),
					"prompt":        "x",
					"status":        "completed",
					"result_urls":   []any{"https://x/y"},
				},
			)
			shown++
		}
		reply["generations"] = items
		reply["pagination"].(map[string]any)["has_more"] = true
		if !counted {
			delete(reply, "generation_count")
		}
	}
}

// A list that cannot be read, for whatever reason, fails neither a plan nor a
// destroy: what it was to show is read as without, and that is told once a run.
// Fault F30.
func TestExtendedReads_failForGood(t *testing.T) {
	tier.Long(t, "each further read fails, for all habits")
	t.Parallel()
	type row struct {
		fault mockserver.Fault
		lists int // of three groups
	}
	check.Each(t, map[string]row{
		"403":           {mockserver.Fault{Status: 403, Body: `{"error":"forbidden"}`}, 2},
		"400":           {mockserver.Fault{Status: 400, Body: `{"error":"bad_request"}`}, 2},
		"503":           {mockserver.Fault{Status: 503, Body: `{"error":"down"}`}, 10},
		"no JSON":       {mockserver.Fault{Body: "<html>"}, 10},
		"endless":       {mockserver.Fault{Rewrite: endless(true)}, 2},
		"without count": {mockserver.Fault{Rewrite: endless(false)}, 200},
		"404":           {mockserver.Fault{Status: 404, Body: gatewayPage}, 2},
		"405":           {mockserver.Fault{Status: 405, Body: ownNotFound}, 2},
		"410":           {mockserver.Fault{Status: 410, Body: gatewayPage}, 2},
		"501":           {mockserver.Fault{Status: 501, Body: `{"error":"no"}`}, 2},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		s.groupsOfTwo(3)
		s.Apply().Must()
		test.fault.Route = mockserver.RouteGroup
		test.fault.Times = 10_000
		s.Fault(test.fault)
		s.ResetJournal()
		plan := s.Plan().Must()
		plan.WantEmpty()
		told := plan.Diagnostics.Warnings()
		check.True(t, "what is told", len(told) == 1 && len(told.Find(failedRead)) == 1, plan.Diagnostics)
		s.WantCount(t, mockserver.RouteStatus, 6)
		asked := s.Count(mockserver.RouteGroup)
		check.True(t, "lists", asked >= test.lists && asked <= test.lists*3/2, asked) // three are read side by side
		s.Destroy().Must()
		s.wantNoMedia()
	})
}

// groupsOfTwo writes so many groups, of two prompts each.
func (s scenario) groupsOfTwo(count int) {
	s.T.Helper()
	for i := range count {
		s.Resource(fmt.Sprintf("mediagen_generation_group.g%d", i), core.Object{
			"title": fmt.Sprint(i), "prompts": texts(map[string]string{"a": "A", "b": "B"}),
		})
	}
}

// A deployment without the list of a group may answer with the service's own
// 404. That it has the generations says that no group is missing: the read is
// told as failed, once, and not sent again, in a plan and in a destroy. One
// group tells it too: the service has no list of groups either, or its list of
// groups names the group. Nothing leaves the state.
// Fault F30.
func TestExtendedReads_ownNotFoundOfAMissingEndpoint(t *testing.T) {
	t.Parallel()
	for _, count := range []int{1, 2, 5} {
		for _, lacks := range [][]string{
			{mockserver.RouteGroup, mockserver.RouteGroups}, {mockserver.RouteGroup},
		} {
			s := newExtended(t)
			s.groupsOfTwo(count)
			s.Apply().Must()
			for _, route := range lacks {
				s.Fault(mockserver.Fault{
					Route:  route,
					Times:  10_000,
					Status: 404,
					Body:   ownNotFound,
				})
			}
			s.Parallel(1) // else all are asked for before the first is answered
			wantTold := func(said core.Diagnostics) {
				t.Helper()
				told := said.Warnings().Find(failedRead)
				check.True(t, "told once", len(told) == 1, said)
				check.Contains(
					t,
					"why",
					told[0].Detail,
					"404",
					"although the group has generations",
					"remove extended_reads",
				)
				// With the list of groups, the group that it names is asked for once more.
				s.WantCount(t, mockserver.RouteGroups, 1)
				s.WantCount(t, mockserver.RouteGroup, 3-len(lacks))
			}
			s.ResetJournal()
			plan := s.Plan().Must()
			plan.WantEmpty()
			wantTold(plan.Diagnostics)
			s.WantCount(t, mockserver.RouteStatus, 2*count)
			s.WantCount(t, mockserver.RouteBatch, 0)

			s.ResetJournal()
			said := s.Apply(core.Destroying(), core.Refresh(false)).Must().Diagnostics
			if count > 1 || len(lacks) > 1 { // else no group is left that tells it
				wantTold(said)
			}
			s.WantCount(t, mockserver.RouteDelete, 2*count)
			s.wantNoMedia()
		}
	}
}

// A list that is not found for once, beside one that is read, says nothing.
// Fault F30.
func TestExtendedReads_ownNotFoundOfOneList(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.groupsOfTwo(3)
	s.Apply().Must()
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 1, Status: 404, Body: ownNotFound})
	s.ResetJournal()
	plan := s.Plan().Must()
	plan.WantEmpty()
	s.WantSilent(plan.Diagnostics, "Extended Read")
	s.WantCount(t, mockserver.RouteStatus, 2)
}

// Two groups that somebody has deleted say nothing about the deployment.
// Fault F30.
func TestExtendedReads_ofDeletedGroups(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.groupsOfTwo(4)
	s.Apply().Must()
	for _, group := range s.Groups()[:2] {
		for _, generation := range group.Generations {
			s.DeleteGenerationBehindTheBack(generation.ID)
		}
	}
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 2, Status: 404, Body: ownNotFound})
	s.ResetJournal()
	plan := s.Plan().Must()
	s.WantSilent(plan.Diagnostics, "Extended Read")
	s.WantCount(t, mockserver.RouteGroup, 4)
}

// A list that hangs takes a destroy no more than half of its time.
// Fault F30.
func TestExtendedReads_hang(t *testing.T) {
	tier.Long(t, "reads that hang until their time is over")
	t.Parallel()
	s := newExtended(t)
	made := s.GenerateElsewhere("ch_1", "Portraits", "A", "B")
	s.Clock.Advance(time.Hour)
	s.group(map[string]string{"a": "A", "b": "B"}, core.Object{"timeouts": core.Object{"delete": "6s"}})
	s.Import(groupAddress, fmt.Sprintf(`{"a":%q,"b":%q}`, made.Generations[0].ID, made.Generations[1].ID)).Must()
	s.Apply().Must()
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Hold: make(chan struct{})})
	s.Set(core.Object{"extended_reads": true, "request_timeout": "500ms"})
	plan := s.Plan().Must()
	plan.WantEmpty()
	s.WantWarning(plan.Diagnostics, failedRead, "no answer")
	s.Set(core.Object{"extended_reads": true})
	result := s.Apply(core.Destroying(), core.Refresh(false)).Must()
	s.WantWarning(result.Diagnostics, failedRead)
	s.WantCount(t, mockserver.RouteDelete, 2)
	s.wantNoMedia()
}

// A list may show smaller pictures than a status, and other words: what the state
// has stays, and what it lacks is taken.
// Fault F30.
func TestExtendedReads_otherAddresses(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.applies(map[string]string{"a": "A", "b": "B"})
	address := s.Value(groupAddress, `result_urls["a"][0]`).(string)
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 1000, Rewrite: func(reply map[string]any) {
		for _, shown := range reply["generations"].([]any) {
			generation := shown.(map[string]any)
			for i, address := range generation["result_urls"].([]any) {
				generation["result_urls"].([]any)[i] = strings.Replace(address.(string), "://", "://thumbnails.", 1)
			}
			generation["status"] = "done"
		}
	}})
	s.ResetJournal()
	plan := s.Plan().Must()
	plan.WantEmpty()
	s.Refresh().Must()
	s.Want(groupAddress, core.Object{`result_urls["a"][0]`: address, `generations["a"].status`: "completed"})
	s.WantCount(t, mockserver.RouteStatus, 0)

	s.applies(map[string]string{"a": "A", "b": "B", "c": "C", "d": "D"}, core.Object{"wait_for_completion": false})
	s.Clock.Advance(time.Hour)
	s.ResetJournal()
	s.Apply().Must()
	s.Want(groupAddress, core.Object{`result_urls["a"][0]`: address, "succeeded_count": 4})
	s.WantCount(t, mockserver.RouteStatus, 0)
	s.Plan().Must().WantEmpty()
}

// Where the group's list is read anyway, a plan says which of the texts that it
// buys are there already: a killed run has bought them. There is no purchase
// log. Fault F39.
func TestExtendedReads_listIsAWitness(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	first := map[string]string{"a": "A", "b": "B", "c": "C"}
	s.applies(first)
	before := s.Snapshot()
	more := map[string]string{"a": "A", "b": "B", "c": "C", "d": "D"}
	s.applies(more)
	made := s.idOf("d")
	s.Restore(before) // what the run has bought is in no state
	s.ResetJournal()
	plan := s.plans(more)
	s.WantWarning(plan.Diagnostics, "Prompts Are Made Already", fmt.Sprintf(`"d" = %q`, made), "terraform state rm")
	s.WantCount(t, mockserver.RouteGroup, 1)
	s.Forget(groupAddress)
	said := plan.Diagnostics.Find("Prompts Are Made Already")[0].Detail
	_, id, _ := strings.Cut(said, "jsonencode(")
	id, _, _ = strings.Cut(id, ")")
	s.Import(groupAddress, id).Must()
	s.Apply().Must()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteBatch, 0)
}
