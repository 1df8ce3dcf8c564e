package generation_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// many writes the group with n prompts.
func (s scenario) many(n int, more ...core.Object) {
	s.T.Helper()
	prompts := map[string]string{}
	for i := range n {
		prompts[fmt.Sprintf("p%04d", i)] = fmt.Sprintf("portrait %d", i)
	}
	s.group(prompts, more...)
}

// works has the statuses say that each generation, by its id, takes so long
// from now on.
func (s scenario) works(takes func(id string) time.Duration) {
	s.T.Helper()
	begun := s.Clock.Now()
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1_000_000, Rewrite: func(reply map[string]any) {
		work := takes(reply["generation_id"].(string))
		if passed := s.Clock.Now().Sub(begun); passed < work {
			reply["status"] = "processing"
			reply["progress"] = 100 * float64(passed) / float64(work)
			reply["result_urls"] = []any{}
			delete(reply, "performance_metadata")
		}
	}})
}

// The end of a batch is known soon after it, at few requests.
func TestGroup_waitEndsSoonAfterTheWork(t *testing.T) {
	tier.Large(t, "56 waits of hundreds of polls")
	t.Parallel()
	for _, work := range []time.Duration{
		time.Second,
		5 * time.Second,
		8 * time.Second,
		30 * time.Second,
		time.Minute,
		10 * time.Minute,
		time.Hour,
	} {
		for _, n := range []int{1, 10, 100, 500} {
			for _, hints := range []bool{true, false} {
				t.Run(fmt.Sprintf("%d of %s, hints %t", n, work, hints), func(t *testing.T) {
					t.Parallel()
					s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = work })
					least := 1500 * time.Millisecond
					share := work / 20
					if !hints {
						s.Fault(
							mockserver.Fault{
								Route:   mockserver.RouteStatus,
								Times:   1_000_000,
								Rewrite: func(reply map[string]any) { delete(reply, "progress") },
							},
						)
						s.Fault(
							mockserver.Fault{
								Route:   mockserver.RouteBatch,
								Times:   1_000_000,
								Rewrite: func(reply map[string]any) { delete(reply, "estimated_time") },
							},
						)
						least = 2 * time.Second
						share = work * 15 / 100
					}
					s.many(n)
					before := s.Clock.Now()
					s.Apply().Must()
					s.Want(groupAddress, core.Object{"succeeded_count": n})
					late := s.Clock.Now().Sub(before) - work
					soon := max(least, share)
					check.True(t, "the end is known soon", late <= soon, late, soon)
					granted := n + 25
					if work > time.Minute {
						granted = n + 60
					}
					check.True(
						t,
						"few requests",
						s.Count(mockserver.RouteStatus) <= granted,
						s.Count(mockserver.RouteStatus),
						granted,
					)
				})
			}
		}
	}
}

// Generations that end one after the other, in any order of their keys, cost
// little more than those that end together.
func TestGroup_waitForOneAfterTheOther(t *testing.T) {
	t.Parallel()
	const n = 100
	check.Each(t, map[string]func(i int) int{
		"in order":   func(i int) int { return i },
		"in reverse": func(i int) int { return n - 1 - i },
		"mixed":      func(i int) int { return i * 37 % n },
	}, func(t *testing.T, order func(i int) int) {
		s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
		s.many(n)
		before := s.Clock.Now()
		s.works(func(id string) time.Duration {
			ids := []string{}
			for _, group := range s.Groups() {
				for _, generation := range group.Generations {
					ids = append(ids, generation.ID)
				}
			}
			return time.Duration(1+order(slices.Index(ids, id))) * 10 * time.Minute / n
		})
		s.Apply().Must()
		s.Want(groupAddress, core.Object{"succeeded_count": n})
		check.True(t, "few requests", s.Count(mockserver.RouteStatus) <= n+60, s.Count(mockserver.RouteStatus))
		counts := map[string]int{}
		for _, request := range s.Requests(mockserver.RouteStatus) {
			counts[path.Base(request.Path)]++
		}
		t.Logf(
			"%d status requests of %d generations, %s after the last end",
			s.Count(mockserver.RouteStatus),
			len(counts),
			s.Clock.Now().Sub(before)-10*time.Minute,
		)
	})
}

// Those of a batch end together: while all that are read have ended, twice as
// many are read next.
func TestGroup_waitReadsSideBySideWhatHasEnded(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	s.many(8)
	together, arrived := context.WithTimeout(t.Context(), time.Minute)
	defer arrived()
	var count atomic.Int64
	for last := 5; last <= 8; last++ { // read together, after one, one and two
		s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, About: fmt.Sprintf("gen_%06d", last), Reached: func() {
			if count.Add(1) == 4 {
				arrived()
			}
			<-together.Done()
		}})
	}
	s.Apply().Must()
	check.True(t, "the last four are read side by side", !errors.Is(together.Err(), context.DeadlineExceeded))
	s.WantCount(t, mockserver.RouteStatus, 8)
}

// Of those whose progress is known, the one that should end first is polled,
// whatever the order of the keys.
func TestGroup_waitPollsWhatShouldEndFirst(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	s.many(4)
	const early = "gen_000004"
	var known atomic.Int64
	begun := s.Clock.Now()
	s.works(func(id string) time.Duration {
		if passed := s.Clock.Now().Sub(begun); id == early && passed >= 5*time.Minute {
			known.CompareAndSwap(0, int64(passed))
		}
		return map[string]time.Duration{
			first:  time.Minute,
			second: time.Minute,
			third:  20 * time.Minute,
			early:  5 * time.Minute,
		}[id]
	})
	s.Apply().Must()
	at := time.Duration(known.Load())
	check.True(t, "what ended after 5 minutes is known soon", at > 0 && at <= 6*time.Minute, at)
}

// The wait reads all that run once more before it gives up: only what should
// end first was polled.
func TestGroup_lastLookBeforeATimeOut(t *testing.T) {
	t.Parallel()
	const limit = 5 * time.Minute
	type row struct {
		takes     map[string]time.Duration
		succeeded any
		warnings  int
	}
	check.Each(t, map[string]row{
		"one still runs":  {map[string]time.Duration{first: time.Hour, second: time.Minute}, nil, 1},
		"both have ended": {map[string]time.Duration{first: limit, second: time.Minute}, true, 0},
	}, func(t *testing.T, test row) {
		s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
		s.group(map[string]string{"a": "A", "b": "B"}, core.Object{"timeouts": core.Object{"create": "5m"}})
		var polled atomic.Bool
		begun := s.Clock.Now()
		s.works(func(id string) time.Duration {
			if s.Clock.Now().Sub(begun) >= limit && polled.CompareAndSwap(false, true) {
				return time.Hour // the last poll finds it running
			}
			return test.takes[id]
		})
		said := s.Apply().Must().Diagnostics
		check.True(t, "warnings of the wait", len(said.Find("Unable to Wait for Generations")) == test.warnings, said)
		s.Want(
			groupAddress,
			core.Object{`generations["a"].succeeded`: test.succeeded, `generations["b"].succeeded`: true},
		)
	})
}

// Results that no index places cost no request more, whether their prompts are
// ever shown or not, and none of them ends as unknown.
func TestGroup_manyPromptsWithoutIndices(t *testing.T) {
	tier.Large(t, "2,000 prompts, 17 seconds")
	t.Parallel()
	const n = 500
	apply := func(t *testing.T, wait bool, reply, status func(map[string]any)) scenario {
		t.Helper()
		s := newScenario(t, func(o *mockserver.Options) {
			o.GenerationTime = 10 * time.Minute
			o.RequestsPerMinute = 60
			o.Balance = 1e6
		})
		s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 1_000_000, Rewrite: reply})
		s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1_000_000, Rewrite: status})
		s.many(n, core.Object{"wait_for_completion": wait, "timeouts": core.Object{"create": "10h"}})
		s.Apply().Must()
		if !wait {
			s.Clock.Advance(time.Hour)
			s.Refresh()
		}
		s.Want(groupAddress, core.Object{"succeeded_count": n, "unconfirmed_count": 0})
		return s
	}
	same := func(map[string]any) {}
	unplaced := func(reply map[string]any) {
		withoutIndices(reply)
		slices.Reverse(reply["results"].([]any))
	}
	check.Each(t, map[string]bool{"waiting": true, "not waiting": false}, func(t *testing.T, wait bool) {
		placed := apply(t, wait, same, same)
		shown := apply(t, wait, unplaced, same)
		never := apply(t, wait, unplaced, func(reply map[string]any) { delete(reply, "prompt") })
		granted := placed.Count(mockserver.RouteStatus) + 25 // how many hit the limit varies
		if !wait {
			granted += n + 40 // the one look at what is open, several at a time
		}
		for _, s := range []scenario{shown, never} {
			check.True(
				t,
				"few requests",
				s.Count(mockserver.RouteStatus) <= granted,
				s.Count(mockserver.RouteStatus),
				granted,
			)
		}
		state := shown.State(groupAddress) // decoded once: it is large
		for i := range n {
			id, _ := core.Lookup(state, fmt.Sprintf("generations[%q].id", fmt.Sprintf("p%04d", i))).(string)
			if made, _ := shown.Generation(id); made.Prompt != fmt.Sprintf("portrait %d", i) {
				t.Fatalf("p%04d is the generation of %q", i, made.Prompt)
			}
		}
	})
}

// BenchmarkGroup_oneMore plans and applies one more prompt in a group.
func BenchmarkGroup_oneMore(b *testing.B) {
	for _, n := range []int{100, 2000} {
		s := scenario{acctest.NewScenario(b, func(o *mockserver.Options) {
			o.GenerationTime = -1
			o.Balance = 1e9
		})}
		s.AddCharacter(mockserver.CharacterSeed{ID: "ch_1", Name: "Ada"})
		s.many(n)
		s.Apply().Must()
		more := n
		b.Run(fmt.Sprintf("plan/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			s.many(n + 1)
			for b.Loop() {
				s.Plan().Must()
			}
		})
		b.Run(fmt.Sprintf("apply/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				more++
				s.many(more)
				s.Apply().Must()
			}
		})
	}
}
