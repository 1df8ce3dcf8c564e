package work_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Fault F6.
func TestWaitForWhatIsNotShown(t *testing.T) {
	t.Parallel()
	type row struct {
		config  core.Object
		fault   mockserver.Fault
		summary string
	}
	check.Each(t, map[string]row{
		"time runs out": {
			core.Object{"timeouts": core.Object{"create": "3m"}},
			mockserver.Fault{},
			"Body LoRA Training Still Running",
		},
		"job left the status": {
			nil,
			mockserver.Fault{After: mockserver.RouteStartTraining, Nth: 2, Times: 1000, Rewrite: hideJobs},
			"Body LoRA Training Not Shown",
		},
		"job never shown": {
			nil,
			mockserver.Fault{After: mockserver.RouteStartTraining, Rewrite: hideJobs},
			"Body LoRA Training Not Shown",
		},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		s.configure(test.config)
		test.fault.Route = mockserver.RouteTraining
		s.Fault(test.fault)
		before := s.Clock.Now()
		result := s.Apply().Must()
		check.True(
			t,
			"the apply ends in time",
			test.config == nil || s.Clock.Now().Sub(before) <= 3*time.Minute,
			s.Clock.Now().Sub(before),
		)
		s.WantWarning(result.Diagnostics, test.summary)
		s.wantKept()
		s.Want(address, core.Object{"credits_deducted": int64(100), "training_steps": int64(2000)})
		s.ClearFaults()
		plan := s.Plan().Must()
		check.True(
			t,
			"an update that buys nothing",
			plan.Action(s.address) == core.Update && len(plan.UnknownIDs(s.address)) == 0,
			plan,
		)
		s.Apply().Must()
		s.Want(s.address, core.Object{"succeeded": true})
		s.wantPaid(1)
		s.Plan().WantEmpty()
	})
}

func hideJobs(status map[string]any) {
	status["character_training"] = nil
	status["has_active_training"] = false
	status["character_training_history"] = []any{}
}

func TestFailedLastReadIsResumed(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.Variant.Vocabulary = mockserver.WordsUnknown })
	s.configure(nil)
	s.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 500, Body: "no"})
	s.WantWarning(s.Apply().Diagnostics, "Unable to Follow Body LoRA Training")
	s.wantKept()
	s.ClearFaults()
	s.Refresh().Must()
	s.Want(address, core.Object{"succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

func TestLoRAThatIsAvailableLaterIsASuccess(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		s.configure(nil)
		s.Fault(
			mockserver.Fault{
				Route: mockserver.RouteCapabilities,
				Nth:   1,
				Times: 2,
				Rewrite: func(capabilities map[string]any) {
					capabilities[s.word+"_lora"].(map[string]any)["available"] = false
				},
			},
		)
		s.Apply().Must()
		s.Want(s.address, core.Object{"succeeded": true})
	}, func(o *mockserver.Options) { o.Variant.Vocabulary = mockserver.WordsUnknown })
}

// Capabilities that say nothing of the body LoRA leave it to the status.
// A wait that asks only one of the two would never end.
func TestTheStatusTellsOfTheLoRA(t *testing.T) {
	t.Parallel()
	type row struct {
		status    map[string]any
		succeeded any
	}
	check.Each(t, map[string]row{
		"in a word":    {map[string]any{"lora_status": "Ready", "training_complete": nil}, true},
		"with a flag":  {map[string]any{"lora_status": "zenith", "training_complete": true}, true},
		"of a failure": {map[string]any{"lora_status": "FAILED", "training_complete": nil}, false},
	}, func(t *testing.T, test row) {
		eachKind(t, func(t *testing.T, s *scenario) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Rewrite: func(capabilities map[string]any) {
				delete(capabilities, s.word+"_lora")
			}})
			s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Rewrite: func(status map[string]any) {
				maps.Copy(status, test.status)
				status[s.word+"_lora_status"] = test.status["lora_status"]
			}})
			s.applies(nil)
			s.Want(s.address, core.Object{"succeeded": test.succeeded})
			s.Plan().WantEmpty()
			s.wantPaid(1)
		}, func(o *mockserver.Options) { o.Variant.Vocabulary = mockserver.WordsUnknown })
	})
}

func TestFailureWithoutAWordIsFoundOut(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		s.FailNextTraining()
		s.configure(nil)
		s.WantWarning(s.Apply().Diagnostics, s.title+" Training Failed", "nadir")
		s.Want(s.address, core.Object{"succeeded": false})
		s.Plan().WantEmpty()
	}, func(o *mockserver.Options) { o.Variant.Vocabulary = mockserver.WordsUnknown })
}

func TestRefreshFindsAFailureWithoutAWord(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.Variant.Vocabulary = mockserver.WordsUnknown })
	s.FailNextTraining()
	s.applies(core.Object{"wait_for_completion": false})
	s.Clock.Advance(time.Hour)
	s.Refresh().Must()
	s.Want(address, core.Object{"succeeded": nil})
	s.Clock.Advance(time.Hour)
	s.Refresh().Must()
	s.Want(address, core.Object{"succeeded": false})
	s.Plan().WantEmpty()
}

// Fault F6b.
func TestJobCancelledElsewhereHasFailed(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(nil)
	s.Fault(mockserver.Fault{
		Route: mockserver.RouteTraining,
		After: mockserver.RouteStartTraining,
		Nth:   2,
		Reached: func() {
			s.CancelTrainingElsewhere(s.character, s.Trainings(s.character)[0].JobID)
		},
	})
	s.WantWarning(s.Apply().Diagnostics, "Body LoRA Training Failed", "cancelled")
	s.Want(address, core.Object{"succeeded": false, "status": "cancelled"})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

// The character has the LoRA of an earlier training, which says nothing of a job
// whose own word does.
// Fault F6b.
func TestJobCancelledElsewhereLeavesAnEarlierLoRA(t *testing.T) {
	t.Parallel()
	s := applied(t, round("1"))
	s.configure(round("2"))
	s.Before(mockserver.RouteStartTraining, func() {
		s.Before(
			mockserver.RouteTraining,
			func() { s.CancelTrainingElsewhere(s.character, s.Trainings(s.character)[1].JobID) },
		)
	})
	s.WantWarning(s.Apply().Diagnostics, "Body LoRA Training Failed", "cancelled")
	s.Want(address, core.Object{"succeeded": false, "status": "cancelled"})
	s.wantPaid(2)
}

// Without progress, only eta_minutes tells when a look is worth it.
func TestWaitTrustsTheRemainingTime(t *testing.T) {
	t.Parallel()
	const takes = 30 * time.Minute
	s := newScenario(t, func(o *mockserver.Options) { o.TrainingTime = takes })
	s.configure(nil)
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: func(status map[string]any) {
		if job, ok := status["character_training"].(map[string]any); ok {
			delete(job, "progress")
		}
	}})
	before := s.Clock.Now()
	s.Apply().Must()
	late := s.Clock.Now().Sub(before) - takes
	check.True(t, "its end is seen soon", late <= takes/20, late)
}

// What a reply leaves open is looked at again soon, however long the training
// took.
func TestDoubtIsSettledSoon(t *testing.T) {
	t.Parallel()
	const takes = time.Hour
	s := newScenario(t, func(o *mockserver.Options) {
		o.TrainingTime = takes
		o.Variant.Vocabulary = mockserver.WordsUnknown
	})
	s.configure(nil)
	s.Fault(
		mockserver.Fault{
			Route: mockserver.RouteCapabilities,
			Nth:   1,
			Times: 2,
			Rewrite: func(capabilities map[string]any) {
				capabilities["body_lora"].(map[string]any)["available"] = false
			},
		},
	)
	before := s.Clock.Now()
	s.Apply().Must()
	late := s.Clock.Now().Sub(before) - takes
	check.True(t, "its end is known soon", late <= 2*time.Minute, late)
	s.Want(address, core.Object{"succeeded": true})
}

// One 404 of the service among the polls of a wait ends nothing; two in a row do.
// Fault F23.
func TestWaitNeedsTwoPollsToCallItGone(t *testing.T) {
	t.Parallel()
	for times, gone := range map[int]bool{1: false, 2: true} {
		t.Run(fmt.Sprintf("%d times", times), func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.configure(nil)
			s.Fault(
				mockserver.Fault{
					Route:  mockserver.RouteTraining,
					After:  mockserver.RouteStartTraining,
					Nth:    2,
					Times:  times,
					Status: 404,
					Body:   `{"error":"not_found"}`,
				},
			)
			result := s.Apply().Must()
			check.Equal(
				t,
				"the wait has ended",
				len(result.Diagnostics.Find("Unable to Follow Body LoRA Training")) == 1,
				gone,
			)
			if gone {
				s.WantCountAfter(t, mockserver.RouteStartTraining, mockserver.RouteTraining, 3)
				s.wantKept()
				s.Apply().Must()
			}
			s.Want(address, core.Object{"succeeded": true})
			s.wantPaid(1)
		})
	}
}

// One reply without a job that was shown ends no wait: another may have it.
func TestAJobThatIsMissingOnceIsAwaited(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(nil)
	s.Fault(mockserver.Fault{
		Route:   mockserver.RouteTraining,
		After:   mockserver.RouteStartTraining,
		Nth:     2,
		Rewrite: hideJobs,
	})
	s.WantSilent(s.Apply().Must().Diagnostics, "Body LoRA Training Not Shown")
	s.Want(address, core.Object{"succeeded": true})
}

func TestFlagThatIsNotKnownYetMayResume(t *testing.T) {
	t.Parallel()
	s := applied(t, core.Object{"wait_for_completion": false})
	s.applies(core.Object{"wait_for_completion": core.UnknownUntilApply(true)})
	s.Want(address, core.Object{"succeeded": true, "wait_for_completion": true})
	s.wantPaid(1)
}

// Fault F6b.
func TestJobRestartedElsewhereStartsNothing(t *testing.T) {
	t.Parallel()
	s := applied(t, core.Object{"wait_for_completion": false})
	job := s.Trainings(s.character)[0].JobID
	s.CancelTrainingElsewhere(s.character, job)
	s.StartTrainingElsewhere(s.character)
	s.applies(nil)
	s.Want(address, core.Object{"id": job, "succeeded": false})
	s.wantPaid(1)
	s.Plan().WantEmpty()
}

func TestRefreshFinishesATrainingNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	s := applied(t, core.Object{"wait_for_completion": false})
	s.Clock.Advance(time.Hour)
	s.Refresh().Must()
	s.Want(address, core.Object{"succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

// A plan that resumes a wait shows as unknown only what the wait may change.
// The service's second thoughts about the rest change nothing.
func TestResumedWaitPlansLittle(t *testing.T) {
	t.Parallel()
	s := applied(t, core.Object{"timeouts": core.Object{"create": "3m"}})
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: func(status map[string]any) {
		if job, ok := status["character_training"].(map[string]any); ok {
			job["job_type"] = "body_lora_2"
			job["created_at"] = "yesterday"
		}
	}})
	plan := s.Plan().Must()
	var unknown []string
	for name, value := range plan.Change(address).After {
		if value == core.Unknown {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	check.Equal(t, "unknown", unknown, []string{"status", "succeeded", "updated_at"})
	s.Apply().Must()
	s.Want(address, core.Object{"succeeded": true, "job_type": "body_lora"})
	s.wantPaid(1)
	s.Plan().WantEmpty()
}

// The end of a training is known a fraction of its duration after it, at few
// requests, also of one that takes no time, as in tests of modules.
func TestWaitEndsSoonAfterTheWork(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		work, least time.Duration
		reads       int
	}{
		{100 * time.Millisecond, 2 * time.Second, 5}, {5 * time.Second, 2 * time.Second, 7},
		{time.Minute, 5 * time.Second, 14},
		{20 * time.Minute, 5 * time.Second, 35}, {2 * time.Hour, 5 * time.Second, 56},
	} {
		for _, hints := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, hints %t", test.work, hints), func(t *testing.T) {
				t.Parallel()
				s := newScenario(t, func(o *mockserver.Options) { o.TrainingTime = test.work })
				share := test.work / 20
				if !hints {
					s.Fault(
						mockserver.Fault{
							Route: mockserver.RouteTraining,
							Times: 1_000_000,
							Rewrite: func(status map[string]any) {
								if job, ok := currentJob(status); ok {
									delete(job, "progress")
									delete(job, "eta_minutes")
								}
							},
						},
					)
					share = test.work * 15 / 100
				}
				s.configure(nil)
				before := s.Clock.Now()
				s.Apply().Must()
				s.Want(address, core.Object{"succeeded": true})
				late := s.Clock.Now().Sub(before) - test.work
				granted := max(test.least, share)
				check.True(t, "the end is known soon", late <= granted, late, granted)
				check.True(
					t,
					"few reads",
					s.Count(mockserver.RouteTraining) <= test.reads,
					s.Count(mockserver.RouteTraining),
					test.reads,
				)
			})
		}
	}
}

// A job that the service shows late is known soon after its end all the same, and
// one that it never shows costs few requests.
func TestWaitForALateJob(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.TrainingTime = 5 * time.Second })
	s.Fault(mockserver.Fault{
		Route:   mockserver.RouteTraining,
		After:   mockserver.RouteStartTraining,
		Nth:     1,
		Rewrite: hideJobs,
	})
	s.configure(nil)
	before := s.Clock.Now()
	s.Apply().Must()
	s.Want(address, core.Object{"succeeded": true})
	late := s.Clock.Now().Sub(before) - 5*time.Second
	check.True(t, "the end is known soon", late <= 2*time.Second, late)

	never := newScenario(t)
	never.Fault(mockserver.Fault{
		Route:   mockserver.RouteTraining,
		After:   mockserver.RouteStartTraining,
		Rewrite: hideJobs,
	})
	never.configure(nil)
	never.WantWarning(never.Apply().Diagnostics, "Body LoRA Training Not Shown")
	check.True(
		t,
		"few reads of what is not shown",
		never.Count(mockserver.RouteTraining) <= 30,
		never.Count(mockserver.RouteTraining),
	)
}
