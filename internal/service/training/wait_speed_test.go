package training_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// withoutHints has the service say neither how far its trainings are nor how long
// they take.
func (s *scenario) withoutHints() {
	s.T.Helper()
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1_000_000, Rewrite: func(status map[string]any) {
		if job, ok := status["character_training"].(map[string]any); ok {
			delete(job, "progress")
			delete(job, "eta_minutes")
		}
	}})
}

// The end of a training is known a fraction of its duration after it, at few
// requests, also of one that takes no time, as in tests of modules.
func TestWaitEndsSoonAfterTheWork(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		work, least time.Duration
		reads       int
	}{
		{100 * time.Millisecond, 2 * time.Second, 5}, {5 * time.Second, 2 * time.Second, 7}, {time.Minute, 5 * time.Second, 14},
		{20 * time.Minute, 5 * time.Second, 35}, {2 * time.Hour, 5 * time.Second, 56},
	} {
		for _, hints := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, hints %t", test.work, hints), func(t *testing.T) {
				t.Parallel()
				s := newScenario(t, func(o *mockserver.Options) { o.TrainingTime = test.work })
				share := test.work / 20
				if !hints {
					s.withoutHints()
					share = test.work * 15 / 100
				}
				s.configure(nil)
				before := s.Clock.Now()
				s.Apply().Must()
				s.Want(address, core.Object{"succeeded": true})
				if late, granted := s.Clock.Now().Sub(before)-test.work, max(test.least, share); late > granted {
					t.Errorf("the end is known %s late, %s are granted", late, granted)
				}
				if reads := s.Count(mockserver.RouteTraining); reads > test.reads {
					t.Errorf("%d reads, %d are granted", reads, test.reads)
				}
			})
		}
	}
}

// A job that the service shows late is known soon after its end all the same, and
// one that it never shows costs few requests.
func TestWaitForALateJob(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.TrainingTime = 5 * time.Second })
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Nth: firstWaitRead, Rewrite: hideJobs})
	s.configure(nil)
	before := s.Clock.Now()
	s.Apply().Must()
	s.Want(address, core.Object{"succeeded": true})
	if late := s.Clock.Now().Sub(before) - 5*time.Second; late > 2*time.Second {
		t.Errorf("the end is known %s late", late)
	}

	never := newScenario(t)
	never.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Nth: firstWaitRead, Times: 1000, Rewrite: hideJobs})
	never.configure(nil)
	never.WantWarning(never.Apply().Diagnostics, "Body LoRA Training Not Shown")
	if reads := never.Count(mockserver.RouteTraining); reads > 30 {
		t.Errorf("%d reads of what is not shown", reads)
	}
}
