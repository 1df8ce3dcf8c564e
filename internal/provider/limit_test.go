package provider_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// queue is a scenario at a service that refuses what is beyond its limit, and
// takes half a second.
type queue struct {
	scenario
	begun time.Time
}

func newQueue(t *testing.T, perMinute int, change ...func(*mockserver.Options)) queue {
	t.Helper()
	service := acctest.NewInBubble(t, append(change, func(o *mockserver.Options) {
		o.RequestsPerMinute = perMinute
		o.GenerationTime = 4 * time.Minute
		o.TrainingTime = 20 * time.Minute
	})...)
	service.Fault(mockserver.Fault{Delay: 500 * time.Millisecond})
	return queue{scenario{service.Scenario(t)}, time.Now()}
}

func (q queue) groups(prefix string, characters, prompts int) {
	for i := range characters {
		id := q.AddCharacter(mockserver.CharacterSeed{ID: fmt.Sprintf("%s_%d", prefix, i), FaceImages: 10})
		texts := core.Object{}
		for n := range prompts {
			texts[fmt.Sprintf("p%d", n)] = core.Object{"prompt": fmt.Sprintf("Prompt %d of %s", n, id)}
		}
		q.Resource("mediagen_character."+id, core.Object{"id": id})
		q.Resource("mediagen_generation_group."+id, core.Object{"character_id": id, "prompts": texts})
	}
}

func (q queue) trainings(characters int) {
	for i := range characters {
		id := q.AddCharacter(mockserver.CharacterSeed{ID: fmt.Sprintf("trained_%d", i), FaceImages: 10})
		q.Resource("mediagen_body_lora_training."+id, core.Object{"character_id": id})
	}
}

// crowd is fifty resources at once, at sixty requests a minute, which both
// sides know of.
func crowd(t *testing.T) queue {
	t.Helper()
	q := newQueue(t, 60)
	q.Workspace.Provider(
		core.Object{"base_url": q.URL, "api_key": acctest.APIKey, "max_requests_per_minute": int64(60)},
	)
	q.groups("ch", 40, 2)
	q.trainings(10)
	q.Parallel(50)
	return q
}

func (q queue) refused() (count int) {
	for _, request := range q.Journal() {
		if request.Status == http.StatusTooManyRequests {
			count++
		}
	}
	return count
}

// fullMinutes is for how long after begin each minute saw at least so many
// requests.
func (q queue) fullMinutes(least int) (minutes int) {
	counts := map[int]int{}
	for _, request := range q.Journal() {
		counts[int(request.At.Sub(q.begun)/time.Minute)]++
	}
	for counts[minutes] >= least {
		minutes++
	}
	return minutes
}

// longestSilence is the longest time between two requests of a route for one
// object, and that.
func (q queue) longestSilence(route string) (longest time.Duration, path string) {
	last := map[string]time.Time{}
	for _, request := range q.Journal() {
		if request.Route != route {
			continue
		}
		if before, found := last[request.Path]; found && request.At.Sub(before) > longest {
			longest = request.At.Sub(before)
			path = request.Path
		}
		last[request.Path] = request.At
	}
	return longest, path
}

// The limit is used up while they begin; polls take half of it as long as most
// of them wait. Fault F10.
func TestProvider_throughputIsTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := crowd(t)
		plan := q.Plan().Must()
		time.Sleep(time.Minute) // so that the plan's requests do not count
		q.ResetJournal()
		q.begun = time.Now()
		q.ApplyPlan(plan).Must()
		check.Equal(t, "refused", q.refused(), 0)
		check.True(t, "minutes in which the limit was used up", q.fullMinutes(55) >= 3, q.Story())
		check.True(t, "minutes in which the waits used half of it", q.fullMinutes(30) >= 5, q.Story())
		// After the longest pause between two polls of a job and fifty others,
		// thirty of them a minute.
		for route, pause := range map[string]time.Duration{
			mockserver.RouteStatus:   90 * time.Second,
			mockserver.RouteTraining: 5 * time.Minute,
		} {
			silence, path := q.longestSilence(route)
			check.True(t, "how long one had to wait", silence <= pause+time.Minute, path, silence)
		}
		check.True(
			t,
			"what the apply took, of which the trainings took 20 minutes",
			time.Since(q.begun) <= 25*time.Minute,
			time.Since(q.begun),
		)
	})
}

// Fault F10.
func TestProvider_interruptedInTheQueue(t *testing.T) {
	tier.Long(t, "queues that fill in real time, 14 seconds")
	t.Parallel()
	for _, after := range []time.Duration{5 * time.Second, 40 * time.Second, 100 * time.Second, 3 * time.Minute} {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q := crowd(t)
				plan := q.Plan().Must()
				var pressed time.Time
				time.AfterFunc(after, func() {
					pressed = time.Now()
					q.Interrupt()
				})
				q.ApplyPlan(plan)
				took := time.Since(pressed)
				check.True(t, "back after", !pressed.IsZero() && took <= 3*time.Second, took)
				for _, address := range q.Addresses() {
					check.True(t, "is not tainted", !q.Tainted(address), address)
				}
				q.Apply().Must()
				q.Plan().WantEmpty()
				q.wantBoughtOnce(40*2, 10)
			})
		})
	}
}

func (q queue) wantBoughtOnce(prompts, trainings int) {
	q.T.Helper()
	bought := map[string]int{}
	for _, entry := range q.Ledger().Entries {
		if entry.Kind == "training" {
			trainings--
		}
		for _, prompt := range entry.Prompts {
			bought[prompt]++
		}
	}
	for prompt, times := range bought {
		check.True(q.T, "bought once", times == 1, prompt, times)
	}
	check.True(q.T, "prompts were bought", len(bought) == prompts && trainings == 0, len(bought), prompts, trainings)
}

// A free plan: ten requests a minute, unknown to the provider, and a service
// that does not say how long to wait. A 429 slows down all requests, in one
// queue: when each retried on its own, three of four were refused, some for
// twenty minutes. Fault F10.
func TestProvider_tenAMinuteUnannounced(t *testing.T) {
	tier.Large(t, "hundreds of requests at ten a minute")
	t.Parallel()
	const groups, prompts = 40, 10
	for name, counted := range map[string]bool{"refused requests are free": false, "refused requests count": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q := newQueue(t, 10, func(o *mockserver.Options) { o.CountRefused = counted })
				q.Parallel(10) // as the CLI's
				q.groups("ch", groups, prompts)
				q.endsWithin(func() core.Diagnostics { return q.Apply().Diagnostics }, 2*time.Hour)
				q.ResetJournal()
				q.endsWithin(func() core.Diagnostics { return q.Refresh().Diagnostics }, 90*time.Minute)
				answered := q.Count(mockserver.RouteStatus) + q.Count(mockserver.RouteCharacters) - q.refused()
				check.Equal(t, "requests with an answer", answered, groups*prompts+1)
				check.True(t, "the provider learns", q.refused() <= groups*prompts*2/5, q.refused())
				q.Plan().WantEmpty()
				q.wantBoughtOnce(groups*prompts, 0)
			})
		})
	}
}

func (q queue) endsWithin(command func() core.Diagnostics, limit time.Duration) {
	q.T.Helper()
	begun := time.Now()
	check.Equal(q.T, "messages", command().String(), "")
	took := time.Since(begun)
	q.T.Logf("%d requests within %s, of which %d were refused", len(q.Journal()), took.Round(time.Second), q.refused())
	check.True(q.T, "it took", took <= limit, took, limit)
}

// refreshed is how long a refresh of 200 generations takes, at a latency and a
// known limit.
func refreshed(t *testing.T, latency time.Duration, perMinute int64) time.Duration {
	t.Helper()
	service := acctest.NewInBubble(t, func(o *mockserver.Options) {
		o.GenerationTime = -1
		o.RequestsPerMinute = int(perMinute)
	})
	q := queue{scenario: scenario{service.Scenario(t)}}
	if perMinute > 0 {
		q.Workspace.Provider(
			core.Object{"base_url": q.URL, "api_key": acctest.APIKey, "max_requests_per_minute": perMinute},
		)
	}
	q.groups("ch", 1, 200)
	q.Apply().Must()
	time.Sleep(2 * time.Minute) // its requests do not count
	q.ResetJournal()
	q.Fault(mockserver.Fault{Delay: latency})
	begun := time.Now()
	q.Refresh().Must()
	took := time.Since(begun)
	q.WantCount(t, mockserver.RouteStatus, 200)
	check.Equal(t, "refused", q.refused(), 0)
	return took
}

// Latency costs a refresh the less the more statuses are read side by side.
// Fault F10.
func TestProvider_refreshAtALatency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near := refreshed(t, 0, 0)
		far := refreshed(t, 50*time.Millisecond, 0)
		check.True(
			t,
			"time of a refresh, and at a latency of 50 ms",
			far-near <= 2500*time.Millisecond && far-near >= 200/8*50*time.Millisecond,
			near,
			far,
		)
	})
}

// Reads side by side are no faster than the limit, and no slower.
// Fault F10.
func TestProvider_refreshUnderALimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const requests = 200 + 1 // and the list of characters
		dictated := requests * time.Second
		took := refreshed(t, 50*time.Millisecond, 60)
		check.True(t, "201 requests at 60 a minute", took >= dictated-5*time.Second && took <= dictated*11/10, took)
	})
}

// The waits of groups and trainings share the limit, and waste little of it.
// Fault F10.
func TestProvider_waitsShareTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const groups, prompts, trainings, work = 3, 100, 2, 5 * time.Minute
		service := acctest.NewInBubble(t, func(o *mockserver.Options) {
			o.RequestsPerMinute = 60
			o.GenerationTime = work
			o.TrainingTime = work
		})
		q := queue{scenario: scenario{service.Scenario(t)}}
		q.Workspace.Provider(
			core.Object{"base_url": q.URL, "api_key": acctest.APIKey, "max_requests_per_minute": int64(60)},
		)
		q.Parallel(10)
		q.groups("ch", groups, prompts)
		q.trainings(trainings)
		plan := q.Plan().Must()
		time.Sleep(time.Minute) // its requests do not count
		begun := time.Now()
		q.ApplyPlan(plan).Must()
		// No result can be read before the work has ended.
		dictated := work + (groups*prompts+trainings)*time.Second
		took := time.Since(begun)
		check.True(
			t,
			"what the apply took, what the limit dictates, and refusals",
			took >= dictated-5*time.Second && took <= dictated*115/100 &&
				q.refused() <= 0,
			took,
			dictated,
			q.refused(),
		)
		for i := range groups {
			q.Want(fmt.Sprintf("mediagen_generation_group.ch_%d", i), core.Object{"succeeded_count": prompts})
		}
		for i := range trainings {
			q.Want(fmt.Sprintf("mediagen_body_lora_training.trained_%d", i), core.Object{"succeeded": true})
		}
	})
}
