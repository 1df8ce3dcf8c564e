package provider_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// sideBySide are runs of different states at one service, as those of a CI
// matrix: each is a process of its own, and all they share is the service's
// limit.
type sideBySide struct {
	*acctest.Service
	t         *testing.T
	perMinute int
	runs      []*acctest.Scenario
}

func newSideBySide(t *testing.T, runs int, change ...func(*mockserver.Options)) *sideBySide {
	t.Helper()
	s := &sideBySide{t: t, perMinute: 60, runs: make([]*acctest.Scenario, runs)}
	s.Service = acctest.NewInBubble(t, append(change, func(o *mockserver.Options) {
		o.RequestsPerMinute = s.perMinute
		o.GenerationTime = time.Minute
	})...)
	s.Fault(mockserver.Fault{Delay: 200 * time.Millisecond})
	for i := range s.runs {
		q := queue{scenario{s.Scenario(t)}, time.Now()}
		q.Parallel(10)
		q.groups(fmt.Sprintf("run%d", i), 5, 30)
		s.runs[i] = q.Scenario
	}
	return s
}

// sharesTheLimit has all runs do the same at the same time. Together they take
// little more than the time in which the service can answer, and none waits for
// long.
func (s *sideBySide) sharesTheLimit(command func(*acctest.Scenario) core.Diagnostics) {
	s.t.Helper()
	time.Sleep(2 * time.Minute) // the requests before no longer count
	s.ResetJournal()
	begun := time.Now()
	var group sync.WaitGroup
	for i, run := range s.runs {
		group.Go(func() {
			check.Equal(s.t, fmt.Sprint("run ", i, " says"), command(run).String(), "")
		})
	}
	group.Wait()
	took := time.Since(begun)
	answered := 0
	latest := map[string]time.Time{}
	for _, request := range s.Journal() {
		token := request.Header.Get("Authorization")
		if request.Status != http.StatusOK || token == "" {
			continue
		}
		answered++
		before, found := latest[token]
		check.True(
			s.t,
			"a run that got no answer",
			!found || request.At.Sub(before) <= 4*time.Minute,
			request.At.Sub(before),
		)
		latest[token] = request.At
	}
	dictated := time.Duration((answered-1)/s.perMinute) * time.Minute
	s.t.Logf("%d answers within %s, the limit dictates %s", answered, took.Round(time.Second), dictated)
	check.True(
		s.t,
		"processes, their answers, what they took and what the limit dictates",
		len(latest) >= len(s.runs) && answered >= 600 &&
			took >= dictated && took <= dictated*13/10,
		len(latest),
		answered,
		took,
		dictated,
	)
}

// Four runs do not know of each other, nor of the limit.
// Fault F10.
func TestProvider_runsSideBySide(t *testing.T) {
	tier.Large(t, "two runs in real time, 12 seconds")
	t.Parallel()
	for name, announced := range map[string]bool{"with Retry-After": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSideBySide(t, 4, func(o *mockserver.Options) { o.AnnounceRetry = announced })
				s.sharesTheLimit(func(run *acctest.Scenario) core.Diagnostics { return run.Apply().Diagnostics })
				s.sharesTheLimit(func(run *acctest.Scenario) core.Diagnostics { return run.Refresh().Diagnostics })
				for _, run := range s.runs {
					run.Plan().WantEmpty()
				}
				s.WantCount(t, mockserver.RouteBatch, 0)
			})
		})
	}
}

// A state reads the list of characters up to the last of its own, so that the
// states of an organization read it as often as the guide says.
func TestProvider_statesReadThePagesTheyNeed(t *testing.T) {
	tier.Large(t, "10,000 groups, 7 seconds")
	t.Parallel()
	const states, each = 4, 250
	service := acctest.NewService(t)
	for i := range states * each {
		service.AddCharacter(mockserver.CharacterSeed{ID: fmt.Sprintf("ch_%04d", i)})
	}
	for state, pages := range []int{3, 5, 8, 10} {
		s := service.Scenario(t)
		for i := range each {
			id := fmt.Sprintf("ch_%04d", state*each+i)
			s.Resource("mediagen_character."+id, core.Object{"id": id})
		}
		s.Apply().Must()
		s.ResetJournal()
		s.Refresh().Must()
		s.WantCount(t, mockserver.RouteCharacters, pages)
		s.WantCount(t, "", pages+1) // and a token
	}
}
