package generation_test

import (
	"fmt"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// many writes the group with n prompts.
func (s scenario) many(n int) {
	s.T.Helper()
	prompts := map[string]string{}
	for i := range n {
		prompts[fmt.Sprintf("p%04d", i)] = fmt.Sprintf("portrait %d", i)
	}
	s.group(prompts)
}

// withoutHints has the service say neither how far its work is nor how long it
// takes.
func (s scenario) withoutHints() {
	s.T.Helper()
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1_000_000, Rewrite: func(reply map[string]any) { delete(reply, "progress") }})
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 1_000_000, Rewrite: func(reply map[string]any) { delete(reply, "estimated_time") }})
}

// The end of a batch is known soon after it, at few requests.
func TestGroup_waitEndsSoonAfterTheWork(t *testing.T) {
	t.Parallel()
	for _, work := range []time.Duration{time.Second, 5 * time.Second, 8 * time.Second, 30 * time.Second, time.Minute, 10 * time.Minute, time.Hour} {
		sizes := []int{1, 10, 100}
		if work == 8*time.Second || work == 10*time.Minute {
			sizes = append(sizes, 500)
		}
		for _, n := range sizes {
			for _, hints := range []bool{true, false} {
				t.Run(fmt.Sprintf("%d of %s, hints %t", n, work, hints), func(t *testing.T) {
					t.Parallel()
					s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = work })
					least, share := 1500*time.Millisecond, work/20
					if !hints {
						s.withoutHints()
						least, share = 2*time.Second, work*15/100
					}
					s.many(n)
					before := s.Clock.Now()
					s.Apply().Must()
					s.Want(groupAddress, core.Object{"succeeded_count": n})
					if late, granted := s.Clock.Now().Sub(before)-work, max(least, share); late > granted {
						t.Errorf("the end is known %s late, %s are granted", late, granted)
					}
					granted := n + 25
					if work > time.Minute {
						granted = n + 60
					}
					if polls := s.Count(mockserver.RouteStatus); polls > granted {
						t.Errorf("%d status requests, %d are granted", polls, granted)
					}
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
	for name, order := range map[string]func(i int) int{
		"in order": func(i int) int { return i }, "in reverse": func(i int) int { return n - 1 - i }, "mixed": func(i int) int { return i * 37 % n },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
			s.many(n)
			before := s.Clock.Now()
			s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1_000_000, Rewrite: func(reply map[string]any) {
				id := reply["generation_id"].(string)
				ids := []string{}
				for _, group := range s.Groups() {
					for _, generation := range group.Generations {
						ids = append(ids, generation.ID)
					}
				}
				work := time.Duration(1+order(slices.Index(ids, id))) * 10 * time.Minute / n
				if passed := s.Clock.Now().Sub(before); passed < work {
					reply["status"], reply["progress"], reply["result_urls"] = "processing", 100*float64(passed)/float64(work), []any{}
					delete(reply, "performance_metadata")
				}
			}})
			s.Apply().Must()
			s.Want(groupAddress, core.Object{"succeeded_count": n})
			if polls := s.Count(mockserver.RouteStatus); polls > n+60 {
				t.Errorf("%d status requests, %d are granted", polls, n+60)
			}
			counts := map[string]int{}
			for _, request := range s.Requests(mockserver.RouteStatus) {
				counts[path.Base(request.Path)]++
			}
			t.Logf("%d status requests of %d generations, %s after the last end", s.Count(mockserver.RouteStatus), len(counts), s.Clock.Now().Sub(before)-10*time.Minute)
		})
	}
}
