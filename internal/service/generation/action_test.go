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

const await = "mediagen_await_generations"

// developing is a scenario whose group of three was bought and not awaited.
func developing(t *testing.T, change ...func(*mockserver.Options)) (scenario, []any) {
	t.Helper()
	s := newScenario(t, change...)
	s.applies(
		map[string]string{"a": "in the rain", "b": "in the snow", "c": "in the sun"},
		core.Object{"wait_for_completion": false},
	)
	s.ResetJournal()
	return s, []any{s.idOf("a"), s.idOf("b"), s.idOf("c")}
}

func (s scenario) await(ids []any) ([]string, core.Diagnostics) {
	s.T.Helper()
	lines, messages := s.Invoke(await, core.Object{"generation_ids": ids})
	s.WantCount(s.T, mockserver.RouteBatch, 0)
	return lines, messages
}

func TestAwaitGenerations(t *testing.T) {
	t.Parallel()
	s, ids := developing(t, func(o *mockserver.Options) { o.GenerationTime = 3 * time.Minute })
	before := s.Clock.Now()
	lines, messages := s.await(append(ids, nil, nil, ids[0]))
	check.True(t, "no message", len(messages) == 0, messages)
	s.WantLines(lines[:1], "2 generations without an id are skipped")
	s.WantLines(lines[1:2], "Waiting up to 1h for 3 generations")
	s.WantLines(lines, `0 of 3 generations have ended; "`+ids[0].(string)+`": processing, `)
	s.WantLines(lines[len(lines)-1:], "3 of 3 generations have ended")
	check.True(t, "two lines a minute", len(lines) >= 2*int(s.Clock.Now().Sub(before).Minutes()), len(lines))
	check.True(t, "few requests", s.Count(mockserver.RouteStatus) <= 3+30, s.Count(mockserver.RouteStatus))
}

func TestAwaitNothing(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string][]any{"none": {}, "nulls": {nil, nil}}, func(t *testing.T, ids []any) {
		s := newScenario(t)
		lines, messages := s.await(ids)
		check.True(t, "no message", len(messages) == 0, messages)
		s.WantLines(lines[len(lines)-1:], "There are no generations to wait for")
		s.WantNoRequests(t)
	})
}

func TestAwaitGenerationsThatFails(t *testing.T) {
	t.Parallel()
	const unseen = `"gen_999999" was never shown; the last answer: `
	type row struct {
		more            core.Object
		summary, detail string
		prepare         func(s scenario, ids []any)
	}
	check.Each(t, map[string]row{
		"time runs out": {
			core.Object{"timeout": "10s"},
			"Generations Still Running",
			"0 of 3 generations have ended",
			nil,
		},
		"an id that does not exist": {
			core.Object{"generation_ids": []any{"gen_999999"}, "timeout": "2m"},
			"Generations Never Shown",
			unseen,
			nil,
		},
		"one that does not exist beside others": {
			core.Object{"timeout": "10s"},
			"Generations Still Running",
			unseen,
			func(_ scenario, ids []any) {
				ids[1] = "gen_999999"
			},
		},
		"one failed": {nil, "Generations Without Results", "too cold", func(s scenario, ids []any) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: func(status map[string]any) {
				if status["generation_id"] == ids[1] {
					status["status"] = "failed"
					status["error"] = "too cold"
					status["result_urls"] = []any{}
				}
			}})
		}},
		"one deleted meanwhile": {
			nil,
			"Generations Without Results",
			"deleted during the wait",
			func(s scenario, ids []any) {
				s.Fault(
					mockserver.Fault{
						Route:   mockserver.RouteStatus,
						After:   mockserver.RouteStatus,
						Times:   1,
						Reached: func() { s.DeleteGenerationBehindTheBack(ids[0].(string)) },
					},
				)
			},
		},
		"service fails": {nil, "Unable to Wait for Generations", "403", func(s scenario, _ []any) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, After: mockserver.RouteStatus, Status: 403})
		}},
		"interrupted": {
			nil,
			"Wait for Generations Interrupted",
			"0 of 3 generations have ended",
			func(s scenario, _ []any) {
				s.Fault(mockserver.Fault{
					Route:   mockserver.RouteStatus,
					After:   mockserver.RouteStatus,
					Times:   1,
					Reached: s.Interrupt,
				})
			},
		},
	}, func(t *testing.T, test row) {
		s, ids := developing(t)
		if test.prepare != nil {
			test.prepare(s, ids)
		}
		config := core.Object{"generation_ids": ids}
		maps.Copy(config, test.more)
		_, messages := s.Invoke(await, config)
		s.WantError(messages, test.summary, test.detail)
		s.WantCount(t, mockserver.RouteBatch, 0)
	})
}

// What no status has shown is not said to run.
// Fault F6b.
func TestGenerationsNeverShownAreNotSaidToRun(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	_, messages := s.Invoke(await, core.Object{"generation_ids": []any{"gen_999998", "gen_999999"}, "timeout": "1m"})
	s.WantError(
		messages,
		"Generations Never Shown",
		`"gen_999998" was never shown`,
		`"gen_999999" was never shown`,
		"Check the ids",
	)
	text := messages.String()
	check.True(
		t,
		"nothing is said to run",
		!strings.Contains(text, "goes on") && !strings.Contains(text, "still running"),
		text,
	)
	s.WantCount(t, mockserver.RouteBatch, 0)
}

const generationDataSource = "mediagen_generation"

// A data source for each key also reads the keys that have no generation, before
// every later plan, apply and destroy.
func TestGeneration_rejected(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.RejectPrompt("X", "not allowed")
	s.applies(map[string]string{"a": "A", "x": "X"})
	s.ResetJournal()
	empty := core.Object{
		"id":                   nil,
		"group_id":             nil,
		"generation_type":      nil,
		"status":               nil,
		"progress":             nil,
		"result_urls":          none,
		"error":                nil,
		"created_at":           nil,
		"prompt":               nil,
		"service":              nil,
		"performance_metadata": nil,
	}
	for _, then := range []func(){
		func() { s.Plan().Must().WantEmpty() },
		func() { s.Apply().Must() },
		func() { s.Destroy().Must() },
	} {
		s.ResetJournal()
		rejected, messages := s.DataSource(
			generationDataSource,
			core.Object{"id": s.Value(groupAddress, `generations["x"].id`)},
		)
		check.Equal(t, "rejected", rejected, empty)
		check.True(t, "no message", len(messages) == 0, messages)
		s.WantNoRequests(t)
		bought, messages := s.DataSource(
			generationDataSource,
			core.Object{"id": s.Value(groupAddress, `generations["a"].id`)},
		)
		check.Equal[any](t, "result_urls", bought["result_urls"], s.resultOf(first))
		check.True(t, "no message", len(messages) == 0, messages)
		s.WantCount(t, mockserver.RouteStatus, 1)
		then()
	}
	s.wantNoMedia()
}
