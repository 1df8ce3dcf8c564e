package generation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const failedRead = "Extended Read Failed"

// endless shows other generations on every page, which go on for ever.
func endless(counted bool) func(reply map[string]any) {
	shown := 0
	return func(reply map[string]any) {
		items := []any{}
		for range 200 {
			items = append(items, map[string]any{"generation_id": fmt.Sprintf("other_%d", shown), "prompt": "x", "status": "completed", "result_urls": []any{"https://x/y"}})
			shown++
		}
		reply["generations"], reply["pagination"].(map[string]any)["has_more"] = items, true
		if !counted {
			delete(reply, "generation_count")
		}
	}
}

// A list that cannot be read, for whatever reason, fails neither a plan nor a
// destroy: what it was to show is read as without, and that is told once a run.
// Fault F30.
func TestExtendedReads_failForGood(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault mockserver.Fault
		says  string
		lists int // of three groups
	}{
		"403":            {mockserver.Fault{Status: 403, Body: `{"error":"forbidden"}`}, failedRead, 2},
		"400":            {mockserver.Fault{Status: 400, Body: `{"error":"bad_request"}`}, failedRead, 2},
		"503":            {mockserver.Fault{Status: 503, Body: `{"error":"down"}`}, failedRead, 10},
		"no JSON":        {mockserver.Fault{Body: "<html>"}, failedRead, 10},
		"endless":        {mockserver.Fault{Rewrite: endless(true)}, failedRead, 2},
		"without count":  {mockserver.Fault{Rewrite: endless(false)}, failedRead, 200},
		"404":            {mockserver.Fault{Status: 404, Body: gatewayPage}, failedRead, 2},
		"405":            {mockserver.Fault{Status: 405, Body: ownNotFound}, failedRead, 2},
		"410":            {mockserver.Fault{Status: 410, Body: gatewayPage}, failedRead, 2},
		"501":            {mockserver.Fault{Status: 501, Body: `{"error":"no"}`}, failedRead, 2},
		"404 of objects": {mockserver.Fault{Status: 404, Body: ownNotFound}, "", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t)
			for i := range 3 {
				s.Resource(fmt.Sprintf("mediagen_generation_group.g%d", i), core.Object{
					"title": fmt.Sprint(i), "prompts": texts(map[string]string{"a": "A", "b": "B"}),
				})
			}
			s.Apply().Must()
			test.fault.Route, test.fault.Times = mockserver.RouteGroup, 10_000
			s.Fault(test.fault)
			s.ResetJournal()
			plan := s.Plan().Must()
			plan.WantEmpty()
			told := plan.Diagnostics.Warnings()
			if wanted := told.Find(test.says); test.says == "" && len(told) > 0 || test.says != "" && (len(wanted) != 1 || len(told) != 1) {
				t.Errorf("want to be told %q once, got:\n%s", test.says, plan.Diagnostics)
			}
			s.WantCount(t, mockserver.RouteStatus, 6)
			if asked := s.Count(mockserver.RouteGroup); asked < test.lists || asked > test.lists*3/2 { // three are read side by side
				t.Errorf("the route was asked for %d times", asked)
			}
			s.Destroy().Must()
			s.wantNoMedia()
		})
	}
}

// Two groups that somebody has deleted say nothing about the deployment.
// Fault F30.
func TestExtendedReads_ofDeletedGroups(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	for i := range 4 {
		s.Resource(fmt.Sprintf("mediagen_generation_group.g%d", i), core.Object{
			"title": fmt.Sprint(i), "prompts": texts(map[string]string{"a": "A", "b": "B"}),
		})
	}
	s.Apply().Must()
	for _, group := range s.Groups()[:2] {
		for _, generation := range group.Generations {
			s.DeleteGenerationBehindTheBack(generation.ID)
		}
	}
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 2, Status: 404, Body: ownNotFound})
	s.ResetJournal()
	plan := s.Plan().Must()
	if told := plan.Diagnostics.Find("Extended Read"); len(told) > 0 {
		t.Errorf("the plan says:\n%s", plan.Diagnostics)
	}
	s.WantCount(t, mockserver.RouteGroup, 4)
}

// A list that hangs takes a destroy no more than half of its time.
// Fault F30.
func TestExtendedReads_hang(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	made := s.GenerateElsewhere("ch_1", "Portraits", "A", "B")
	s.Clock.Advance(time.Hour)
	s.group(map[string]string{"a": "A", "b": "B"}, core.Object{"timeouts": core.Object{"delete": "6s"}})
	s.Import(groupAddress, fmt.Sprintf(`{"a":%q,"b":%q}`, made.Generations[0].ID, made.Generations[1].ID)).Must()
	s.Apply().Must()
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Hold: make(chan struct{})})
	s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "extended_reads": true, "request_timeout": "500ms"})
	plan := s.Plan().Must()
	plan.WantEmpty()
	s.WantWarning(plan.Diagnostics, failedRead, "no answer")
	s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "extended_reads": true})
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
