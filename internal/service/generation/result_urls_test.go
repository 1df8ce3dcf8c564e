package generation_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// none are the addresses of what has no results.
var none = []any{}

// says makes the statuses of the prompt "X" say this.
func (s scenario) says(changed map[string]any) {
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: func(reply map[string]any) {
		if reply["prompt"] == "X" {
			maps.Copy(reply, changed)
		}
	}})
}

// forgetsX makes the next batch's reply leave out what became of its one prompt.
func (s scenario) forgetsX() { s.answers(map[string]any{"status": "processing", "results": none}) }

func (s scenario) leavesOutTheSecond() {
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) {
		reply["results"] = reply["results"].([]any)[:1]
	}})
}

// refusesX refuses the next batch that has the prompt X.
func (s scenario) refusesX() {
	s.Fault(mockserver.Fault{
		Route:  mockserver.RouteBatch,
		About:  `"X"`,
		Times:  1,
		Status: 402,
		Body:   `{"error":"payment","message":"no"}`,
	})
}

// ends lets what runs end, and be read.
func (s scenario) ends() {
	s.Clock.Advance(time.Hour)
	s.Refresh()
}

// resultOf are the addresses that the service serves of a generation.
func (s scenario) resultOf(id string) []any { return []any{s.Host + "/media/results/" + id + ".png"} }

func (s scenario) wantAddresses(want core.Object) {
	s.T.Helper()
	check.Equal(s.T, "result_urls", s.Value(groupAddress, "result_urls"), any(want))
}

// wantPlanned checks what a plan shows of the id and of the addresses of a key:
// what the state has, or unknown.
func (s scenario) wantPlanned(plan *core.Plan, key string, idKnown, addressesKnown bool) {
	s.T.Helper()
	for path, known := range map[string]bool{
		`generations["` + key + `"].id`: idKnown,
		`result_urls["` + key + `"]`:    addressesKnown,
	} {
		got := core.Lookup(plan.Change(groupAddress).After, path)
		want := any(core.Unknown)
		if known {
			want = s.Value(groupAddress, path)
		}
		check.True(s.T, "the plan shows", cmp.Equal(got, want), path, got, want, plan)
	}
}

// The prompt X in every phase, beside one that has succeeded: its addresses in
// the state, and in the plans of an edit that buys nothing and of another
// attempt.
func TestGroup_resultURLsOfEveryPhase(t *testing.T) {
	t.Parallel()
	type reply = map[string]any
	runs := reply{"status": "processing", "progress": 50, "result_urls": none}
	preview := reply{"status": "processing", "progress": 50, "result_urls": []any{"https://cdn.example/preview.png"}}
	const never, always, withAttempts = 0, 1, 2 // the fewest attempts with which X is bought
	type row struct {
		before, after func(s scenario) // the first apply
		config        core.Object
		bought        int
		awaited       bool
		results       int
	}
	check.Each(t, map[string]row{
		"succeeded":      {results: 1},
		"no results yet": {before: func(s scenario) { s.says(reply{"result_urls": none}) }},
		"results of old": {after: func(s scenario) { s.says(reply{"result_urls": nil}) }, results: 1},
		"failed": {
			before: func(s scenario) { s.FailPrompt("X", "no face found") },
			bought: withAttempts,
		},
		"failed, with results": {
			before: func(s scenario) { s.says(reply{"status": "failed", "error": "half"}) },
			bought: withAttempts,
		},
		"failed after its end": {
			after:   func(s scenario) { s.says(reply{"status": "failed", "error": "half"}) },
			results: 1,
		},
		"expired": {
			after:   func(s scenario) { s.says(reply{"status": "expired", "result_urls": none}) },
			results: 1,
		},
		"failed, nothing left": {
			after:   func(s scenario) { s.says(reply{"status": "failed", "error": "x", "result_urls": none}) },
			results: 1,
		},
		"cancelled": {
			before: func(s scenario) { s.says(reply{"status": "cancelled", "result_urls": none}) },
			bought: withAttempts,
		},
		"rejected": {
			before: func(s scenario) { s.RejectPrompt("X", "not allowed") },
			bought: withAttempts,
		},
		"unknown": {before: func(s scenario) { s.leavesOutTheSecond() }},
		"unsubmitted": {
			before: scenario.refusesX,
			config: core.Object{"max_prompts_per_batch": 1},
			bought: always,
		},
		"deleted elsewhere": {after: func(s scenario) { s.DeleteGenerationBehindTheBack(second) }, bought: always},
		"running": {
			before:  func(s scenario) { s.says(runs) },
			config:  core.Object{"timeouts": core.Object{"create": "9s", "update": "9s"}},
			awaited: true,
		},
		"running, not awaited": {
			before: func(s scenario) { s.says(runs) },
			config: core.Object{"wait_for_completion": false},
		},
		"running after its end": {
			after:   func(s scenario) { s.ends(); s.says(runs) },
			config:  core.Object{"wait_for_completion": false},
			results: 1,
		},
		"a preview": {
			before:  func(s scenario) { s.says(preview) },
			config:  core.Object{"timeouts": core.Object{"create": "9s", "update": "9s"}},
			awaited: true,
		},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		for _, step := range []func(s scenario){test.before, func(s scenario) { s.Apply().Must() }, test.after} {
			s.group(map[string]string{"done": "DONE", "x": "X"}, test.config)
			if step != nil {
				step(s)
			}
		}
		s.ends()
		of := core.Object{"done": s.resultOf(first), "x": none}
		if test.results > 0 {
			of["x"] = s.resultOf(second)
		}
		s.wantAddresses(of)
		for attempts := 1; attempts <= 2; attempts++ {
			plan := s.plans(
				map[string]string{"done": "DONE", "x": "X"},
				test.config,
				core.Object{"title": "Other", "max_attempts": attempts},
			)
			bought := test.bought != never && attempts >= test.bought
			s.wantPlanned(plan, "done", true, true)
			s.wantPlanned(plan, "x", !bought, !bought && !test.awaited)
		}
		s.ClearFaults()
		s.FailPrompt("X", "")
		s.RejectPrompt("X", "")
		s.Apply().Must()
		of["x"] = s.Value(groupAddress, `result_urls["x"]`)
		check.True(t, "the key is there", of["x"] != nil)
		s.wantAddresses(of)
	})
}

// The keys are known before anything is bought, and are those of the prompts
// from then on.
func TestGroup_resultURLsFollowTheKeys(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	plan := s.plans(map[string]string{"a": "A", "b": "B", "c": "C"})
	want := any(core.Object{"a": core.Unknown, "b": core.Unknown, "c": core.Unknown})
	check.Equal(t, "planned", plan.Change(groupAddress).After["result_urls"], want)
	s.ApplyPlan(plan).Must()
	s.wantAddresses(core.Object{"a": s.resultOf(first), "b": s.resultOf(second), "c": s.resultOf(third)})

	plan = s.plans(map[string]string{"renamed": "A", "b": "B2", "added": "D"})
	want = core.Object{"renamed": s.resultOf(first), "b": core.Unknown, "added": core.Unknown}
	check.Equal(t, "planned", plan.Change(groupAddress).After["result_urls"], want)
	s.ApplyPlan(plan).Must()
	s.wantAddresses(
		core.Object{"renamed": s.resultOf(first), "added": s.resultOf("gen_000004"), "b": s.resultOf("gen_000005")},
	)
	s.Plan().Must().WantEmpty()

	s.Forget(groupAddress)
	s.Import(groupAddress, `{"renamed": "gen_000001", "added": "gen_000004", "b": "gen_000005"}`).Must()
	s.wantAddresses(
		core.Object{"renamed": s.resultOf(first), "added": s.resultOf("gen_000004"), "b": s.resultOf("gen_000005")},
	)

	s.group(nil, core.Object{"prompts": core.UnknownUntilApply(texts(map[string]string{"b": "B2"}))})
	check.Equal[any](
		t,
		"planned while the keys are not known",
		s.Plan().Must().Change(groupAddress).After["result_urls"],
		core.Unknown,
	)
}

// A signature is new at every read. What is stored stays, also while another
// key is bought or awaited.
func TestGroup_freshSignaturesAreNoChange(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.Variant.SignedURLs = true })
	s.applies(map[string]string{"a": "A", "b": "B"})
	stored := s.Value(groupAddress, "result_urls").(core.Object)
	check.Contains(t, "what the service signs", fmt.Sprint(stored["a"]), "signature=")
	s.Plan().Must().WantEmpty()
	s.Refresh()
	s.wantAddresses(stored)
	for i, limit := range []string{"1s", "1h"} {
		awaited := i == 1
		plan := s.plans(
			map[string]string{"a": "A", "b": "B", "c": "C"},
			core.Object{"timeouts": core.Object{"update": limit}},
		)
		s.wantPlanned(plan, "a", true, true)
		s.wantPlanned(plan, "b", true, true)
		s.wantPlanned(plan, "c", awaited, false)
		s.ApplyPlan(plan).Must()
		stored["c"] = s.Value(groupAddress, `result_urls["c"]`)
		s.wantAddresses(stored)
	}
	s.WantCount(t, mockserver.RouteBatch, 2)
	s.Plan().Must().WantEmpty()
	check.Equal(t, "results of the awaited key", len(stored["c"].([]any)), 1)
}

// A status may have news about a key that was neither bought nor awaited. The
// plan shows that key unchanged, so the apply stores it unchanged.
func TestGroup_applyKeepsWhatThePlanShows(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, meanwhile func(s scenario)
		added             map[string]string
		// ids are those of x and of what is added, after the apply and the next
		// refresh.
		ids [2][2]any
	}{
		// Late results are told with those of an equal prompt of the same id.
		"addresses": {
			func(s scenario) { s.says(map[string]any{"result_urls": none}) },
			func(s scenario) { s.names(first) }, map[string]string{"y": "X"}, [2][2]any{{first, first}, {first, first}},
		},
		// The reply leaves open whose result is whose, and a status says that one
		// of the added prompts' is that of x.
		"id": {
			scenario.forgetsX,
			func(s scenario) {
				s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Rewrite: withoutIndices})
				s.Fault(mockserver.Fault{
					Route:   mockserver.RouteStatus,
					Rewrite: func(reply map[string]any) { reply["prompt"] = "X" },
				})
			},
			map[string]string{"y": "Y", "z": "Z"}, [2][2]any{{nil, second}, {nil, second}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			test.before(s)
			s.applies(map[string]string{"x": "X"})
			wanted := maps.Clone(test.added)
			wanted["x"] = "X"
			plan := s.plans(wanted)
			s.ClearFaults()
			test.meanwhile(s)
			shown := s.State(groupAddress)
			s.ApplyPlan(plan).Must()
			s.Want(groupAddress, core.Object{
				`generations["x"]`: core.Lookup(
					shown,
					`generations["x"]`,
				),
				`result_urls["x"]`: core.Lookup(shown, `result_urls["x"]`),
			})
			for _, ids := range test.ids {
				s.Want(groupAddress, core.Object{`generations["x"].id`: ids[0], `generations["y"].id`: ids[1]})
				s.Refresh()
			}
			if name == "addresses" {
				s.wantAddresses(core.Object{"x": s.resultOf(first), "y": s.resultOf(first)})
			}
			s.Plan().Must().WantEmpty()
		})
	}
}
