package acctest_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var endings = map[string]mockserver.Fault{
	"token rejected":    {Status: 401, Body: `{"error":"unauthorized"}`},
	"forbidden":         {Status: 403, Body: `{"error":"forbidden"}`},
	"not there":         {Status: 404, Body: notFound.Body},
	"retries used up":   {Status: 503, Body: "down"},
	"unreadable":        {Body: "<html>maintenance</html>"},
	"connections break": {DropBefore: true},
	"no time":           {},
	"Ctrl-C":            {},
}

// Whatever ends a wait is a warning with a complete state. The next apply waits
// on, and buys nothing. Fault F6.
func TestWaitsThatEndEarly(t *testing.T) {
	tier.Long(t, "each way to end a wait early, for all types")
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for name, ending := range endings {
			for _, command := range []string{"create", "update"} {
				if of.Polls == "" || name == "not there" && of.Makes == mockserver.RouteBatch {
					continue // a generation that two polls do not find is pending
				}
				t.Run(command+", "+name, func(t *testing.T) {
					t.Parallel()
					w := acctest.NewForSubjects(t).Scenario(t)
					ending := ending // of both commands at once
					ending.Route = of.Polls
					ending.Nth = 2
					ending.Times = 1000
					config := of.With(nil)
					switch name {
					case "no time":
						config["timeouts"] = core.Object{command: "15s"}
						ending = mockserver.Fault{}
					case "Ctrl-C":
						ending.Times = 1
						ending.Reached = w.Interrupt
					}
					resumes(t, w, of, address, endsEarly(w, of, address, command, config, ending))
				})
			}
		}
	})
}

func endsEarly(
	w *acctest.Scenario,
	of acctest.Subject,
	address, command string,
	config core.Object,
	ending mockserver.Fault,
) *core.Result {
	w.T.Helper()
	if command == "create" {
		w.Resource(address, config)
		ending.After = of.Makes
		w.Fault(ending)
		return w.Apply()
	}
	w.Resource(address, of.Config)
	if of.Config["wait_for_completion"] == true {
		w.Resource(address, of.With(core.Object{"wait_for_completion": false}))
	}
	w.Apply().Must()
	w.Resource(address, config)
	plan := w.Plan().Must()
	w.Fault(ending)
	return w.ApplyPlan(plan)
}

func resumes(t *testing.T, w *acctest.Scenario, of acctest.Subject, address string, ended *core.Result) {
	t.Helper()
	id, _ := w.Value(address, "id").(string)
	if len(ended.Diagnostics.Warnings()) == 0 || w.Tainted(address) || id == "" ||
		strings.HasPrefix(id, "unconfirmed-") {
		t.Fatalf("the state has %v, and the apply says:\n%s", w.State(address), ended.Diagnostics)
	}
	w.ClearFaults()
	w.Resource(address, of.With(nil))
	plan := w.Plan().Must()
	check.True(
		t,
		"the plan just waits",
		plan.Action(address) == core.Update && len(plan.UnknownIDs(address)) == 0,
		plan,
	)
	w.ApplyPlan(plan).Must()
	w.Want(address, of.Ended)
	w.Want(address, core.Object{"id": id})
	w.Plan().Must().WantEmpty()
	w.WantCount(t, of.Makes, 1)
	booked := w.Ledger().Entries
	check.True(t, "one purchase", len(booked) == 1, booked)
}

// What a service shows for a moment ends no wait: a gateway's page, a single
// 404, odd numbers, words and lists. Fault F6b. Fault F13. Fault F23.
func TestWaitsThatGoOn(t *testing.T) {
	t.Parallel()
	odd := func(values map[string]any) func(map[string]any) {
		return func(reply map[string]any) {
			for _, of := range []string{"character_training", "face_training"} {
				if job, ok := reply[of].(map[string]any); ok {
					maps.Copy(job, values)
				}
			}
			if reply["generation_id"] != nil {
				maps.Copy(reply, values)
			}
		}
	}
	for name, passing := range map[string]mockserver.Fault{
		"a gateway":          {Times: 3, Status: 404, Body: "<html><body><h1>404 Not Found</h1></body></html>"},
		"one 404":            {Times: 1, Status: 404, Body: notFound.Body},
		"progress goes back": {Times: 4, Rewrite: odd(map[string]any{"progress": 3})},
		"an unknown word":    {Times: 4, Rewrite: odd(map[string]any{"status": "zwurbel"})},
		"no status":          {Times: 4, Rewrite: odd(map[string]any{"status": nil})},
		"mistyped": {
			Times:   4,
			Rewrite: odd(map[string]any{"progress": []any{}, "eta_minutes": map[string]any{}}),
		},
	} {
		acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
			if of.Ended == nil {
				return
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := acctest.NewForSubjects(t, func(o *mockserver.Options) { o.GenerationTime = time.Minute }).
					Scenario(t)
				passing := passing // of the subjects at once
				passing.Route = of.Polls
				passing.After = of.Makes
				passing.Nth = 7
				w.Resource(address, of.With(nil))
				w.Fault(passing)
				said := w.ApplyPlan(w.Plan().Must()).Must().Diagnostics
				check.True(t, "what the apply says", len(said) == 0 || of.Ended["failed_count"] != nil, said)
				w.Want(address, of.Ended)
				w.Plan().Must().WantEmpty()
				w.WantCount(t, of.Makes, 1)
			})
		})
	}
}

func TestFlagsAreWrittenWithoutARequest(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		if of.Polls == "" {
			return
		}
		w := acctest.NewForSubjects(t).Scenario(t)
		w.Resource(address, of.With(nil))
		w.Apply().Must()
		w.Refresh().Must()
		flags := core.Object{"wait_for_completion": false, "timeouts": core.Object{"create": "2h"}}
		want := w.State(address)
		want["wait_for_completion"] = false
		w.Resource(address, of.With(flags))
		plan := w.Plan().Must()
		for name, value := range plan.Change(address).After {
			check.True(
				t,
				name+" is known, and updated",
				value != core.Unknown && plan.Action(address) == core.Update,
				plan,
			)
		}
		w.ResetJournal()
		w.ApplyPlan(plan).Must()
		w.WantNoRequests(t)
		got := w.State(address)
		got["timeouts"] = want["timeouts"]
		check.Equal(t, "the state but for its flags", got, want)
		w.Plan().Must().WantEmpty()
	})
}

func before(t *testing.T, command, address string, of acctest.Subject) (w *acctest.Scenario, run func() *core.Result) {
	t.Helper()
	w = acctest.NewForSubjects(t).Scenario(t)
	if command != "create" {
		w.Resource(address, of.Config)
		w.Apply().Must()
	}
	if command == "destroy" {
		return w, w.Destroy
	}
	w.Resource(address, of.With(nil))
	return w, func() *core.Result { return w.Apply() }
}

// A Ctrl-C at any request of a command is back in three seconds, forgets and
// taints nothing, and a later run does the rest once. Fault F7.
func TestInterruptAtEachRequest(t *testing.T) {
	tier.Long(t, "an interrupt at each request of all types")
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for _, name := range []string{"create", "update", "destroy"} {
			if name == "update" && of.Polls == "" {
				continue
			}
			usual, run := before(t, name, address, of)
			usual.ResetJournal()
			run()
			for nth := 1; nth <= min(usual.Count(""), 8); nth++ {
				t.Run(fmt.Sprint(name, " ", nth), func(t *testing.T) {
					t.Parallel()
					acctest.Bubble(t, func(t *testing.T) {
						w, run := before(t, name, address, of)
						var at time.Time
						fault := mockserver.Fault{Nth: nth, Reached: func() { at = time.Now(); w.Interrupt() }}
						if name == "destroy" {
							fault.Hold = make(chan struct{}) // never answered
						}
						w.Fault(fault)
						run()
						took := time.Since(at)
						check.True(
							t,
							"back in time, and nothing is tainted",
							!at.IsZero() && took <= 3*time.Second && !w.Tainted(address),
							took,
							w.State(address),
						)
						w.ClearFaults()
						if name == "destroy" {
							varied{Scenario: w}.destroyed()
							return
						}
						w.Apply().Must()
						w.Want(address, of.Ended)
						w.Plan().Must().WantEmpty()
						if of.Makes != "" {
							w.WantCount(t, of.Makes, 1)
						}
					})
				})
			}
		}
	})
}
