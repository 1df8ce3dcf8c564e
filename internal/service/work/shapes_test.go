package work_test

import (
	"maps"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func currentJob(status map[string]any) (map[string]any, bool) {
	job, ok := status["character_training"].(map[string]any)
	return job, ok
}

// oldJob is the newest job of the history.
func oldJob(status map[string]any) (map[string]any, bool) {
	history, _ := status["character_training_history"].([]any)
	if len(history) == 0 {
		return nil, false
	}
	job, ok := history[0].(map[string]any)
	return job, ok
}

// stillCurrent keeps a finished job as the current one.
func stillCurrent(progress int) func(map[string]any) {
	return func(status map[string]any) {
		if job, ok := oldJob(status); ok {
			job["status"] = "brewed"
			job["progress"] = progress
			status["character_training"] = job
			status["character_training_history"] = []any{}
		}
	}
}

func TestRunningJobIsReadOffTypeAndPlace(t *testing.T) {
	t.Parallel()
	type row struct {
		alter func(status, job map[string]any)
		runs  bool
	}
	check.Each(t, map[string]row{
		"as served": {func(_, _ map[string]any) {}, true},
		"body job at the face place": {func(status, job map[string]any) {
			status["face_training"] = job
			status["character_training"] = nil
		}, true},
		"face job at the body place": {func(_, job map[string]any) { job["job_type"] = "FACE-LORA" }, false},
		"type unknown":               {func(_, job map[string]any) { job["job_type"] = "zwurbel" }, true},
		"type missing":               {func(_, job map[string]any) { delete(job, "job_type") }, true},
		"type missing, face place": {func(status, job map[string]any) {
			delete(job, "job_type")
			status["face_training"] = job
			status["character_training"] = nil
		}, false},
		"running job in the history": {func(status, job map[string]any) {
			status["character_training"] = nil
			status["character_training_history"] = []any{job}
		}, true},
		"flag missing": {func(status, _ map[string]any) { delete(status, "has_active_training") }, true},
		"nothing is active": {func(status, job map[string]any) {
			status["has_active_training"] = false
			job["status"] = "brewed"
		}, false},
		"word says ended": {func(_, job map[string]any) { job["status"] = "Completed" }, false},
		"two running jobs": {func(status, job map[string]any) {
			other := maps.Clone(job)
			other["job_id"] = "job-other"
			status["face_training"] = other
		}, true},
		"without an id": {func(_, job map[string]any) { delete(job, "job_id") }, false},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		s.StartTrainingElsewhere(s.character)
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Rewrite: func(status map[string]any) {
			if job, ok := currentJob(status); ok {
				test.alter(status, job)
			}
		}})
		s.configure(nil)
		check.Equal(t, "it runs", len(s.Plan().Diagnostics.Find(runsAlready)) == 1, test.runs)
	})
}

func TestEndIsReadOffTheStructure(t *testing.T) {
	t.Parallel()
	type row struct {
		prepare func(*scenario)
		alter   func(map[string]any)
		want    any
	}
	check.Each(t, map[string]row{
		"in the history":             {nil, func(map[string]any) {}, true},
		"current, idle and complete": {nil, stillCurrent(100), true},
		"current, idle, incomplete":  {nil, stillCurrent(50), nil},
		"flag missing": {
			nil,
			func(status map[string]any) { delete(status, "has_active_training") },
			true,
		},
		"another training runs": {
			func(s *scenario) { s.StartFaceTrainingElsewhere(s.character) },
			func(map[string]any) {},
			true,
		},
		"active, but nobody is current": {
			nil,
			func(status map[string]any) { status["has_active_training"] = true },
			nil,
		},
		"a word of failure": {nil, func(status map[string]any) {
			if job, ok := oldJob(status); ok {
				job["status"] = "Timed Out"
			}
		}, false},
	}, func(t *testing.T, test row) {
		s := newScenario(t, func(o *mockserver.Options) { o.Variant.Vocabulary = mockserver.WordsUnknown })
		s.applies(core.Object{"wait_for_completion": false})
		s.Clock.Advance(time.Hour)
		if test.prepare != nil {
			test.prepare(s)
		}
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Rewrite: test.alter})
		s.Refresh().Must()
		s.Want(address, core.Object{"succeeded": test.want})
	})
}

func TestKnownEndNeverChanges(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(map[string]any){
		"runs again": func(status map[string]any) {
			job, _ := oldJob(status)
			job["status"] = "brewing"
			status["character_training"] = job
			status["has_active_training"] = true
		},
		"has failed after all": func(status map[string]any) {
			job, _ := oldJob(status)
			job["status"] = "failed"
		},
		"is not shown": hideJobs,
	}, func(t *testing.T, alter func(map[string]any)) {
		s := applied(t, nil)
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Rewrite: alter})
		s.Refresh().Must()
		s.Want(address, core.Object{"succeeded": true})
		s.Plan().WantEmpty()
		s.wantPaid(1)
	})
}
