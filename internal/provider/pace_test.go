package provider_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// refreshed is how long a refresh of a group of 200 generations takes, at a
// latency and under a limit, which service and provider know of.
func refreshed(t *testing.T, latency time.Duration, perMinute int64) time.Duration {
	t.Helper()
	service := acctest.NewInBubble(t, func(o *mockserver.Options) { o.GenerationTime, o.RequestsPerMinute = -1, int(perMinute) })
	q := queue{scenario: scenario{service.Scenario(t)}}
	if perMinute > 0 {
		q.Workspace.Provider(core.Object{"base_url": q.URL, "api_key": acctest.APIKey, "max_requests_per_minute": perMinute})
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
	if refused := q.refused(); refused > 0 {
		t.Errorf("%d requests were refused", refused)
	}
	return took
}

// Latency costs a refresh the less the more statuses are read side by side.
// Fault F10.
func TestProvider_refreshAtALatency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := refreshed(t, 0, 0), refreshed(t, 50*time.Millisecond, 0)
		check.True(t, "time of a refresh, and at a latency of 50 ms", far-near <= 2500*time.Millisecond && far-near >= 200/8*50*time.Millisecond, near, far)
	})
}

// Reads side by side are no faster than the limit, and no slower.
// Fault F10.
func TestProvider_refreshUnderALimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const requests = 200 + 1 // and the list of characters
		dictated := requests * time.Second
		if took := refreshed(t, 50*time.Millisecond, 60); took < dictated-5*time.Second || took > dictated*11/10 {
			t.Errorf("%d requests take %s at 60 a minute", requests, took)
		}
	})
}

// The waits of groups and trainings share the limit, and waste little of it.
// Fault F10.
func TestProvider_waitsShareTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const groups, prompts, trainings, work = 3, 100, 2, 5 * time.Minute
		service := acctest.NewInBubble(t, func(o *mockserver.Options) {
			o.RequestsPerMinute, o.GenerationTime, o.TrainingTime = 60, work, work
		})
		q := queue{scenario: scenario{service.Scenario(t)}}
		q.Workspace.Provider(core.Object{"base_url": q.URL, "api_key": acctest.APIKey, "max_requests_per_minute": int64(60)})
		q.Parallel(10)
		q.groups("ch", groups, prompts)
		q.trainings(trainings)
		plan := q.Plan().Must()
		time.Sleep(time.Minute) // its requests do not count
		begun := time.Now()
		q.ApplyPlan(plan).Must()
		// No result can be read before the work has ended.
		dictated := work + (groups*prompts+trainings)*time.Second
		if took := time.Since(begun); took < dictated-5*time.Second || took > dictated*115/100 || q.refused() > 0 {
			t.Errorf("the apply took %s, the limit dictates %s; %d requests were refused", took, dictated, q.refused())
		}
		for i := range groups {
			q.Want(fmt.Sprintf("mediagen_generation_group.ch_%d", i), core.Object{"succeeded_count": prompts})
		}
		for i := range trainings {
			q.Want(fmt.Sprintf("mediagen_body_lora_training.trained_%d", i), core.Object{"succeeded": true})
		}
	})
}
