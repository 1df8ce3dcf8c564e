package story_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// fault is a failure at the nth request of a route during one command.
type fault struct {
	mockserver.Fault
	text            string
	reached         func(*story) // called when the request arrives
	misleads, flaps bool         // it returns 404 for what exists; flaps: to a single read
	naming          string       // a group of another actor, in the reply to a batch
}

func (f fault) GoString() string { return f.text }

// hides: a deletion looks complete, whatever it did.
func (f fault) hides() bool {
	return f.AfterWork && f.Status/100 == 2 && strings.HasPrefix(f.Route, http.MethodDelete)
}

func (f fault) set(s *story) {
	if f.hides() && s.stuck {
		return
	}
	if f.misleads && s.trusting || f.flaps && (s.flapped || s.flapping) {
		return // two in a row would be a lie
	}
	if f.naming != "" {
		named := mockserver.RefusalsNaming(s.theirs)[f.naming]
		f.Status = named.Status
		f.Body = named.Body
	}
	s.misled = s.misled || f.misleads
	s.flapped = s.flapped || f.flaps
	s.hiding = s.hiding || f.hides()
	if f.reached != nil {
		f.Reached = func() { f.reached(s) }
	}
	f.MayStayUnmet = true // the drawn command may send fewer requests
	s.Fault(f.Fault)
}

func faults(c cast) *rapid.Generator[fault] {
	routes := []string{mockserver.RouteToken, mockserver.RouteCapabilities}
	if len(c.groups) > 0 {
		routes = slices.Concat([]string{
			mockserver.RouteBatch,
			mockserver.RouteStatus,
			mockserver.RouteDelete,
			mockserver.RouteDeleteGroup,
			mockserver.RouteGroups,
			mockserver.RouteGroup,
		}, routes)
	}
	if len(c.trainings) > 0 {
		routes = slices.Concat(
			[]string{mockserver.RouteStartTraining, mockserver.RouteTraining, mockserver.RouteCancel},
			routes,
		)
	}
	return rapid.Custom(func(t *rapid.T) fault {
		var f fault
		if len(c.groups) > 0 && oneOf(false, false, false, false, true).Draw(t, "a lost batch") {
			return lostBatches().Draw(t, "lost batch")
		}
		if oneOf(false, false, false, false, true).Draw(t, "a gateway") {
			f = gateways(routes).Draw(t, "gateway")
		} else {
			f = damage(oneOf(routes...).Draw(t, "route"), c).Draw(t, "damage")
		}
		f.Nth = rapid.IntRange(1, 4).Draw(t, "nth")
		f.Times = oneOf(1, 1, 3, 50).Draw(t, "times")
		if f.reached != nil || f.flaps {
			f.Times = 1
		}
		last := ""
		if f.Times > 1 {
			last = fmt.Sprintf(" to %d", f.Nth+f.Times-1)
		}
		f.text = fmt.Sprintf("%s, request %d%s: %s", cmp.Or(f.Route, "all routes"), f.Nth, last, f.describe())
		return f
	})
}

func (f fault) describe() string {
	text := ""
	for name, is := range map[string]bool{
		"dropped before the work": f.DropBefore, "dropped after the work": f.DropAfterWork, "dropped in the " +
			"body": f.DropInBody, "truncated": f.Truncate != 0,
	} {
		if is {
			text = name
		}
	}
	if f.Status != 0 {
		text = fmt.Sprintf("%d %.40q", f.Status, f.Body)
		if f.AfterWork {
			text += " after the work"
		}
	}
	if after := f.Header.Get("Retry-After"); after != "" {
		text += " Retry-After " + after
	}
	if f.Delay > 0 {
		text = f.Delay.String() + " late"
	}
	if f.text != "" && text != "" {
		return f.text + ", " + text
	}
	return f.text + text
}

// damage is what can fail on a route, without a lie: see the package.
func damage(route string, c cast) *rapid.Generator[fault] {
	paid := route == mockserver.RouteBatch || route == mockserver.RouteStartTraining
	removing := route == mockserver.RouteDelete || route == mockserver.RouteDeleteGroup ||
		route == mockserver.RouteCancel
	kinds := []*rapid.Generator[fault]{
		oneOf(
			fault{Fault: mockserver.Fault{DropBefore: true}},
			fault{Fault: mockserver.Fault{DropAfterWork: true}},
			fault{Fault: mockserver.Fault{DropInBody: true}},
			fault{Fault: mockserver.Fault{Truncate: -1}},
		),
		unclear(removing),
		refused(paid),
		limited(),
		late(),
		signals(),
		rapid.Map(events(c), func(e event) fault { return fault{text: e.text, reached: e.act} }),
	}
	switch route {
	case mockserver.RouteBatch:
		kinds = append(kinds, namings())
	case mockserver.RouteStatus:
		kinds = append(kinds, rapid.Just(flap))
	}
	if rewrites := rewritesOf(route); len(rewrites) > 0 {
		kinds = append(kinds, rapid.SampledFrom(rewrites), rapid.SampledFrom(rewrites))
	}
	return rapid.Map(rapid.OneOf(kinds...), func(f fault) fault {
		f.Route = route
		return f
	})
}

func unclear(removing bool) *rapid.Generator[fault] {
	return rapid.Custom(func(t *rapid.T) fault {
		f := fault{Fault: mockserver.Fault{AfterWork: rapid.Bool().Draw(t, "after the work")}}
		f.Status = oneOf(500, 408, 502, 503, 504, 302, 303, 200, 204).Draw(t, "status")
		switch f.Status {
		case 500, 502:
			f.Body = oneOf("", `{"error": "not_found", "message": "does not exist"}`).Draw(t, "body")
		case 302, 303:
			f.Header = http.Header{"Location": {"https://elsewhere.example/v2"}}
		case 200:
			f.Body = oneOf("<html>all is well</html>", " ", "{}", `{"error": {"code": "busy"}}`).Draw(t, "body")
			// An empty 2xx is how many services confirm a deletion.
			f.AfterWork = f.AfterWork && f.Body != `{"error": {"code": "busy"}}` || removing
		case 204:
			f.AfterWork = f.AfterWork || removing
		}
		return f
	})
}

func refused(paid bool) *rapid.Generator[fault] {
	statuses := []int{400, 401, 403, 422}
	if paid {
		statuses = append(statuses, 402, 409)
	}
	return rapid.Custom(func(t *rapid.T) fault {
		f := fault{Fault: mockserver.Fault{Status: rapid.SampledFrom(statuses).Draw(t, "status")}}
		f.Body = oneOf(
			"",
			`{"error": "no", "message": "not today"}`,
			`{"detail": [{"loc": ["body", "prompts", 0, "prompt"], "msg": "too plain"}]}`,
			"<html>no</html>",
		).Draw(t, "body")
		if paid && rapid.Bool().Draw(t, "success: false") {
			f.Status = 200
			f.Body = `{"success": false, "message": "not today"}`
		}
		return f
	})
}

func namings() *rapid.Generator[fault] {
	names := rapid.SampledFrom(
		slices.Sorted(
			maps.Keys(mockserver.RefusalsNaming(mockserver.Group{Generations: make([]mockserver.Generation, 1)})),
		),
	)
	return rapid.Map(
		names,
		func(name string) fault { return fault{text: name + ", naming a group of somebody else", naming: name} },
	)
}

// flap is one read that does not find what exists, in the service's own words.
var flap = fault{
	Fault: mockserver.Fault{
		Status: http.StatusNotFound,
		Body:   `{"error": "not_found", "message": "does not exist"}`,
	},
	text:     "once",
	misleads: true,
	flaps:    true,
}

// denials are replies that say no beside what was bought. Uncounted ones do not
// prove that it was. Without any trace of it they would be lies.
func denials(counts ...string) []fault {
	var all []fault
	for _, no := range []any{false, "false"} {
		for _, uncounted := range []bool{false, true} {
			all = append(
				all,
				fault{
					text: fmt.Sprintf("success is %#v, uncounted is %t", no, uncounted),
					Fault: mockserver.Fault{Rewrite: func(reply map[string]any) {
						left := maps.Clone(reply)
						for _, name := range counts {
							if uncounted {
								delete(left, name)
							}
						}
						if !hasTraces(left) {
							return
						}
						maps.DeleteFunc(reply, func(name string, _ any) bool { _, found := left[name]; return !found })
						reply["success"] = no
					}},
				},
			)
		}
	}
	return all
}

func hasTraces(reply map[string]any) bool {
	named := isCounted(reply) || reply["job_id"] != nil
	alterEach(reply, func(result map[string]any, _ int) { named = named || result["generation_id"] != nil })
	return named
}

func isCounted(reply map[string]any) bool {
	return slices.ContainsFunc([]string{"credits_deducted", "successful_submissions"}, func(name string) bool {
		count, err := strconv.ParseFloat(fmt.Sprint(reply[name]), 64)
		return err == nil && count > 0
	})
}

func limited() *rapid.Generator[fault] {
	return rapid.Custom(func(t *rapid.T) fault {
		f := fault{Fault: mockserver.Fault{Status: oneOf(429, 503).Draw(t, "status"), Header: http.Header{}}}
		if after := oneOf(
			"",
			"30",
			"0",
			"-1",
			"100000",
			"Thu, 01 Jan 2026 01:00:00 GMT",
		).Draw(t, "after"); after != "" {
			f.Header.Set("Retry-After", after)
		}
		return f
	})
}

func late() *rapid.Generator[fault] {
	return rapid.Map(
		oneOf(time.Second, 2*time.Minute, 2*time.Hour),
		func(d time.Duration) fault { return fault{Fault: mockserver.Fault{Delay: d}} },
	)
}

// signals are Ctrl-C and kill -9 while the request is under way, with the reply
// arriving or not.
func signals() *rapid.Generator[fault] {
	return rapid.Custom(func(t *rapid.T) fault {
		f := fault{text: "Ctrl-C", reached: func(s *story) { s.Interrupt() }}
		if oneOf(false, false, true).Draw(t, "kill") {
			f = fault{text: "kill -9", reached: func(s *story) { s.kill = true; s.Kill() }}
		}
		f.DropAfterWork = rapid.Bool().Draw(t, "no reply")
		return f
	})
}

// strangeID is of a generation that does not exist, strangeJob of a training.
const (
	strangeID  = "gen_stranger"
	strangeJob = "job_stranger"
)

// besideAnother shows the running job in the history alone, next to an older
// one that runs too.
func besideAnother(reply map[string]any) {
	job, _ := reply["character_training"].(map[string]any)
	if job == nil || reply["has_active_training"] != true {
		return
	}
	other := maps.Clone(job)
	other["job_id"] = strangeJob
	other["created_at"] = "2020-01-01T00:00:00Z"
	history, _ := reply["character_training_history"].([]any)
	reply["character_training"] = nil
	reply["character_training_history"] = append([]any{other, job}, history...)
}

// rewritesOf are odd replies. One that says no and counts nothing stays: less
// would be a lie.
func rewritesOf(route string) []fault {
	rewrite := func(text string, alter func(reply map[string]any)) fault {
		return fault{text: text, Fault: mockserver.Fault{Rewrite: func(reply map[string]any) {
			if fmt.Sprint(reply["success"]) != "false" || isCounted(reply) {
				alter(reply)
			}
		}}}
	}
	without := func(names ...string) fault {
		return rewrite(fmt.Sprintf("no %q", names), func(reply map[string]any) {
			for _, name := range names {
				delete(reply, name)
			}
		})
	}
	switch route {
	case mockserver.RouteBatch:
		return slices.Concat(
			denials("credits_deducted", "successful_submissions", "failed_submissions", "total_requested"),
			[]fault{
				without(
					"group_id",
				),
				without("results"),
				without("successful_submissions", "failed_submissions", "total_requested"),
				rewrite(
					"one result missing",
					func(reply map[string]any) { alterResults(reply, func(r []any) []any { return r[1:] }) },
				),
				rewrite(
					"one result twice",
					func(reply map[string]any) { alterResults(reply, func(r []any) []any { return append(r, r[0]) }) },
				),
				rewrite("one result of another", func(reply map[string]any) {
					alterResults(reply, func(r []any) []any {
						return append(
							r,
							map[string]any{"generation_id": strangeID, "status": "queued", "prompt_index": 7},
						)
					})
				}),
				rewrite("results without ids", func(reply map[string]any) {
					alterEach(reply, func(r map[string]any, _ int) { delete(r, "generation_id") })
				}),
				rewrite("the index of one missing", func(reply map[string]any) {
					alterEach(reply, func(r map[string]any, i int) {
						if i == 0 {
							delete(r, "prompt_index")
						}
					})
				}),
				rewrite("the order turned round, without indices", func(reply map[string]any) {
					alterEach(reply, func(r map[string]any, _ int) { delete(r, "prompt_index") })
					alterResults(reply, func(r []any) []any { slices.Reverse(r); return r })
				}),
				rewrite("indices from 5", func(reply map[string]any) {
					alterEach(reply, func(r map[string]any, i int) { r["prompt_index"] = 5 + i })
				}),
			},
		)
	case mockserver.RouteStatus:
		return []fault{
			without("prompt"), without("progress", "status"), without("group_id"),
			rewrite("stalled", func(reply map[string]any) {
				reply["result_urls"] = []any{}
				reply["status"] = "processing"
				reply["progress"] = 50
				reply["error"] = nil
			}),
			rewrite("an unknown word", func(reply map[string]any) { reply["status"] = "pondering" }),
		}
	case mockserver.RouteDelete:
		return []fault{without("details"), without("success", "deleted_images", "failed_deletions")}
	case mockserver.RouteDeleteGroup:
		return []fault{
			without("details"),
			without("deleted_generations", "failed_generation_deletions"),
			rewrite("a count too low", func(reply map[string]any) { reply["deleted_generations"] = 0 }),
		}
	case mockserver.RouteStartTraining:
		return append(denials("credits_deducted"), without("job_id"), without("success", "message"))
	case mockserver.RouteTraining:
		return []fault{
			without(
				"character_training",
			),
			without("has_active_training"),
			without("can_start_body_training"),
			without("character_training_history"),
			rewrite("cannot start", func(reply map[string]any) { reply["can_start_body_training"] = false }),
			rewrite("odd words", func(reply map[string]any) {
				for _, job := range jobsOf(reply) {
					job["status"] = "pondering"
					job["job_type"] = "type 7"
				}
			}),
		}
	}
	return nil
}

func alterResults(reply map[string]any, alter func([]any) []any) {
	if results, ok := reply["results"].([]any); ok && len(results) > 0 {
		reply["results"] = alter(slices.Clone(results))
	}
}

func alterEach(reply map[string]any, alter func(result map[string]any, i int)) {
	results, _ := reply["results"].([]any)
	for i, result := range results {
		if object, ok := result.(map[string]any); ok {
			alter(object, i)
		}
	}
}

func jobsOf(reply map[string]any) []map[string]any {
	list, _ := reply["character_training_history"].([]any)
	var jobs []map[string]any
	for _, job := range append(slices.Clone(list), reply["character_training"]) {
		if object, ok := job.(map[string]any); ok {
			jobs = append(jobs, object)
		}
	}
	return jobs
}

func statusText(status int) string {
	if status == 0 {
		return "no reply"
	}
	return strconv.Itoa(status)
}
