package generation_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// noLongerShown warns of results that are in the state alone.
const noLongerShown = "Results Are No Longer Shown"

type shown = map[string]any

var previews = []any{"https://cdn.example/preview-1.png", "https://cdn.example/preview-2.png"}

// statusShows makes the statuses of the prompt "X" say this.
func (s scenario) statusShows(isSo func() bool, changed shown) {
	s.Fault(mockserver.Fault{
		Route:   mockserver.RouteStatus,
		Rewrite: func(reply shown) { changeX(reply, isSo, changed) },
	})
}

// listShows makes the list of the group say this of the prompt "X". It has
// neither error nor progress.
func (s scenario) listShows(isSo func() bool, changed shown) {
	listed := maps.Clone(changed)
	delete(listed, "error")
	delete(listed, "progress")
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Rewrite: func(reply shown) {
		for _, generation := range reply["generations"].([]any) {
			changeX(generation, isSo, listed)
		}
	}})
}

func changeX(reply any, isSo func() bool, changed shown) {
	if reply := reply.(shown); reply["prompt"] == "X" && isSo() {
		maps.Copy(reply, changed)
	}
}

// What a service shows while the work goes on is no end: no preview is stored
// as a result, and no attempt that the service repeats is bought a second time.
// Fault F34.
func TestGroup_endIsEarned(t *testing.T) {
	t.Parallel()
	lost := "worker lost, attempt 1 of 3"
	check.Each(t, map[string]shown{
		"a preview":                {"status": "processing", "progress": 50, "result_urls": previews},
		"a preview, finalizing":    {"status": "Finalizing", "progress": 99, "result_urls": previews},
		"a preview, saving":        {"status": "saving", "progress": 99, "result_urls": previews},
		"a preview, resuming":      {"status": "RESUMING", "progress": 0, "result_urls": previews},
		"an attempt":               {"status": "retrying", "progress": nil, "result_urls": none, "error": lost},
		"an attempt, with preview": {"status": "retry_2_of_3", "progress": nil, "result_urls": previews, "error": lost},
		"an error at 40":           {"status": "processing", "progress": 40, "result_urls": none, "error": "too hot"},
		"no error":                 {"status": "processing", "progress": nil, "result_urls": none, "error": "None"},
	}, func(t *testing.T, while shown) {
		for _, waits := range []bool{true, false} {
			s := newExtended(t)
			end := s.Clock.Now().Add(10 * time.Minute)
			working := func() bool { return s.Clock.Now().Before(end) }
			s.statusShows(working, while)
			s.listShows(working, while)
			all := map[string]string{"x": "X", "b": "B", "c": "C"}
			config := core.Object{"max_attempts": 3, "wait_for_completion": waits}
			s.WantSilent(s.applies(all, config).Diagnostics, "Generations Failed")
			if !waits {
				s.Clock.Advance(9 * time.Minute)
				s.Refresh() // from the group's list, which shows neither progress nor error
				s.Want(
					groupAddress,
					core.Object{`generations["x"].succeeded`: nil, `generations["x"].error`: nil, "succeeded_count": 2},
				)
				s.wantAddresses(core.Object{"x": none, "b": s.resultOf(first), "c": s.resultOf(second)})
				s.Clock.Advance(time.Hour)
				s.Refresh()
			}
			x := s.Value(groupAddress, `generations["x"].id`).(string)
			s.Want(
				groupAddress,
				core.Object{"succeeded_count": 3, `result_urls["x"]`: s.resultOf(x), `generations["x"].attempts`: 1},
			)
			s.Plan().Must().WantEmpty()
			s.WantCount(t, mockserver.RouteBatch, 1)
		}
	})
}

// A word that says for ever that the work goes on ends a wait by its time
// alone. The warning quotes the error beside it, and what that costs; nothing
// is bought. Fault F34.
func TestGroup_waitQuotesTheErrorOfWhatRuns(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.says(shown{"status": "processing", "progress": 40, "result_urls": none, "error": "too hot"})
	s.group(
		map[string]string{"x": "X"},
		core.Object{"max_attempts": 3, "timeouts": core.Object{"create": "1m", "update": "1m"}},
	)
	for range 3 {
		said := s.Apply().Must().Diagnostics
		s.WantWarning(said, "Generations", `"gen_000001": processing, 40 percent; error: too hot`,
			"buys nothing")
	}
	s.WantCount(t, mockserver.RouteBatch, 1)
	s.ResetJournal()
	_, said := s.await([]any{first})
	s.WantError(said, "Generations Still Running", "processing, 40 percent; error: too hot", "time-out")

	s.ClearFaults()
	s.says(shown{"status": "processing", "progress": 40, "result_urls": none})
	check.True(t, "no error, no quotation", !strings.Contains(s.Apply().Must().Diagnostics.String(), "error:"))
}

// A success with addresses is final: whatever the service shows later, nothing
// is bought, no plan shows a change, and a warning says if the results are not
// shown any more. Not even attempts that are left buy it again. Fault F34.
func TestGroup_endIsFinal(t *testing.T) {
	t.Parallel()
	type row struct {
		later shown
		warns bool
	}
	elsewhere := []any{"https://cdn.example/moved/1.webp"}
	check.Each(t, map[string]row{
		"expired":            {shown{"status": "expired", "result_urls": none}, true},
		"archived":           {shown{"status": "archived", "result_urls": none, "progress": nil}, true},
		"purged":             {shown{"status": "purged", "result_urls": nil, "progress": nil}, true},
		"deleted":            {shown{"status": "deleted", "result_urls": none}, true},
		"no addresses":       {shown{"result_urls": none}, true},
		"cancelled":          {shown{"status": "cancelled", "result_urls": none}, true},
		"failed":             {shown{"status": "failed", "error": "gone", "result_urls": none}, true},
		"nothing but itself": {shown{"status": nil, "progress": nil, "result_urls": nil}, true},
		"processing again":   {shown{"status": "processing", "progress": 10, "result_urls": none}, true},
		"a preview":          {shown{"status": "processing", "progress": 10, "result_urls": previews}, false},
		"an error beside":    {shown{"status": "failed", "error": "half", "result_urls": previews}, false},
		"another host":       {shown{"result_urls": elsewhere}, false},
		"another word":       {shown{"status": "archived", "result_urls": elsewhere}, false},
		"a word of success":  {shown{"status": "ready", "result_urls": elsewhere}, false},
	}, func(t *testing.T, test row) {
		for _, more := range []bool{false, true} {
			s := newExtended(t)
			s.readsMore(more)
			all := map[string]string{"x": "X", "b": "B", "c": "C"}
			s.applies(all, core.Object{"max_attempts": 9})
			stored := s.State(groupAddress)
			always := func() bool { return true }
			if more {
				s.listShows(always, test.later)
			}
			if !more || test.warns { // what the list does not show is asked for
				s.statusShows(always, test.later)
			}
			for range 3 {
				plan := s.Plan().Must()
				plan.WantEmpty()
				said := plan.Diagnostics.Warnings()
				if test.warns {
					s.WantWarning(said, noLongerShown, `"x"`, "nothing is bought")
				}
				check.True(t, "one warning, or none", len(said) == map[bool]int{true: 1}[test.warns], said)
				s.ApplyPlan(plan).Must()
			}
			check.Equal(t, "the state", s.State(groupAddress), stored)
			s.WantCount(t, mockserver.RouteBatch, 1)

			s.ClearFaults()
			s.WantSilent(s.Plan().Must().Diagnostics, noLongerShown)
			check.Equal(t, "the state", s.State(groupAddress), stored)
		}
	})
}

// What may have been a preview follows the statuses, until a word of success
// ends that; and what shows more results than are stored is news at any time.
// Fault F34.
func TestGroup_laterResults(t *testing.T) {
	t.Parallel()
	one := []any{"https://x.example/1"}
	other := []any{"https://y.example/1"}
	two := []any{"https://y.example/1", "https://y.example/2"}
	type step struct {
		shows, want shown
	}
	check.Each(t, map[string][]step{
		"a preview beside an unknown word": {
			{shown{"status": "zenith", "result_urls": one}, nil},
			{shown{"status": "zenith", "result_urls": other}, nil},
			{shown{"status": "completed", "result_urls": one}, nil},
			{shown{"status": "completed", "result_urls": other}, shown{"status": "completed", "result_urls": one}},
			{shown{"status": "zenith", "result_urls": other}, shown{"status": "completed", "result_urls": one}},
		},
		"without a word": {
			{shown{"status": "processing", "progress": nil, "result_urls": one}, nil},
			{
				shown{"status": "processing", "progress": 30, "result_urls": other},
				shown{"status": "processing", "result_urls": one},
			},
			{
				shown{"status": "failed", "progress": nil, "error": "x", "result_urls": other},
				shown{"status": "processing", "result_urls": one},
			},
			{shown{"status": "done", "result_urls": other}, nil},
		},
		"more results": {
			{shown{"status": "completed", "result_urls": one}, nil},
			{shown{"status": "archived", "result_urls": two}, nil},
			{shown{"status": "completed", "result_urls": two}, nil},
			{shown{"status": "ready", "result_urls": one}, shown{"status": "completed", "result_urls": two}},
			{
				shown{"status": "processing", "progress": 20, "result_urls": append(two, one...)},
				shown{"status": "completed", "result_urls": two},
			},
		},
	}, func(t *testing.T, steps []step) {
		s := newScenario(t)
		s.group(map[string]string{"x": "X"})
		for i, step := range steps {
			s.ClearFaults()
			s.says(step.shows)
			if i == 0 {
				s.Apply().Must()
			} else {
				s.Refresh()
			}
			want := step.want
			if want == nil {
				want = step.shows
			}
			s.Want(
				groupAddress,
				core.Object{
					`generations["x"].status`: want["status"],
					"succeeded_count":         1,
					`generations["x"].error`:  nil,
				},
			)
			s.wantAddresses(core.Object{"x": want["result_urls"]})
		}
		s.WantCount(t, mockserver.RouteBatch, 1)
	})
}

// What has failed may still come back: the service has taken it up again.
// Fault F14.
func TestGroup_failureIsNotFinal(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.says(shown{"status": "failed", "error": "no worker", "result_urls": none})
	s.applies(map[string]string{"x": "X"})
	s.Want(groupAddress, core.Object{"failed_count": 1})
	s.ClearFaults()
	s.ends()
	s.Want(
		groupAddress,
		core.Object{"succeeded_count": 1, `generations["x"].error`: nil, `result_urls["x"]`: s.resultOf(first)},
	)
	s.Plan().Must().WantEmpty()
}
