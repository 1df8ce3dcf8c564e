package work_test

import (
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	await  = "mediagen_await_training"
	cancel = "mediagen_cancel_training"
)

// begun is a scenario with a running training.
func begun(t *testing.T, change ...func(*mockserver.Options)) (*scenario, string) {
	t.Helper()
	s := newScenario(t, change...)
	return s, s.StartTrainingElsewhere(s.character)
}

func (s *scenario) invoke(action, job string) ([]string, core.Diagnostics) {
	s.T.Helper()
	lines, messages := s.Invoke(action, core.Object{"character_id": s.character, "job_id": job})
	s.wantPaid(0)
	return lines, messages
}

func TestAwaitTraining(t *testing.T) {
	t.Parallel()
	s, job := begun(t)
	before := s.Clock.Now()
	lines, messages := s.invoke(await, job)
	check.True(t, "no message", len(messages) == 0, messages)
	s.WantLines(lines[:1], `Waiting up to 3h for training "job_000001" of character "char_000001"`)
	s.WantLines(
		lines,
		"training, phase preparing, 0 percent, about 20 minutes left",
		"about 2 minutes left (after 19m30s)",
		"percent, about 10 minutes left",
	)
	s.WantLines(lines[len(lines)-1:], `Training "job_000001" of character "char_000001" has succeeded`)
	// Twenty minutes of two lines a minute, and the requests of a wait without
	// output.
	minutes := int(s.Clock.Now().Sub(before).Minutes())
	check.True(t, "lines", len(lines) >= 2*minutes && len(lines) <= 4*minutes, len(lines), minutes)
	check.True(t, "few requests", s.Count(mockserver.RouteTraining) <= 35, s.Count(mockserver.RouteTraining))
}

func TestAwaitTrainingThatDoesNotSucceed(t *testing.T) {
	t.Parallel()
	type row struct {
		job     string
		prepare func(s *scenario, job string)
		more    core.Object
		summary string
	}
	check.Each(t, map[string]row{
		"time runs out":       {more: core.Object{"timeout": "5m"}, summary: "Body LoRA Training Still Running"},
		"no such job":         {job: "job_999999", summary: "LoRA Training Not Shown"},
		"outcome never known": {job: "unconfirmed-abc", summary: "LoRA Training Unconfirmed"},
		"failed": {job: "job_000002", summary: "Body LoRA Training Failed", prepare: func(s *scenario, job string) {
			s.ForgetTraining(s.character, job)
			s.FailNextTraining()
			s.StartTrainingElsewhere(s.character)
		}},
		"cancelled elsewhere": {summary: "Body LoRA Training Failed", prepare: func(s *scenario, job string) {
			s.Fault(
				mockserver.Fault{
					Route:   mockserver.RouteTraining,
					After:   mockserver.RouteTraining,
					Times:   1,
					Reached: func() { s.CancelTrainingElsewhere(s.character, job) },
				},
			)
		}},
		"service fails": {summary: "Unable to Follow Body LoRA Training", prepare: func(s *scenario, _ string) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, After: mockserver.RouteTraining, Status: 403})
		}},
		"interrupted": {summary: "Wait for Body LoRA Training Interrupted", prepare: func(s *scenario, _ string) {
			s.Fault(mockserver.Fault{
				Route:   mockserver.RouteTraining,
				After:   mockserver.RouteTraining,
				Times:   1,
				Reached: s.Interrupt,
			})
		}},
	}, func(t *testing.T, test row) {
		s, job := begun(t)
		if test.prepare != nil {
			test.prepare(s, job)
		}
		if test.job != "" {
			job = test.job
		}
		config := core.Object{"character_id": s.character, "job_id": job}
		maps.Copy(config, test.more)
		_, messages := s.Invoke(await, config)
		s.WantError(messages, test.summary, job)
		s.wantPaid(0)
	})
}

// A wrong character is no training that goes on: two replies say so.
// Fault F6b.
func TestAwaitTrainingOfAWrongCharacter(t *testing.T) {
	t.Parallel()
	s, job := begun(t)
	began := s.Clock.Now()
	lines, messages := s.Invoke(await, core.Object{"character_id": "char_999999", "job_id": job})
	s.WantError(messages, "LoRA Training Not Shown", `"char_999999"`, "404", "not_found", "Check both ids")
	text := messages.String() + strings.Join(lines, "\n")
	check.True(
		t,
		"nothing is said to go on",
		!strings.Contains(text, "goes on") && !strings.Contains(text, "go on"),
		text,
	)
	s.WantCount(t, mockserver.RouteTraining, 2)
	check.True(t, "the wait is short", s.Clock.Now().Sub(began) <= time.Minute, s.Clock.Now().Sub(began))
}

// What no status has shown is not said to go on.
// Fault F6b.
func TestNothingIsSaidToGoOnThatWasNeverShown(t *testing.T) {
	t.Parallel()
	s, _ := begun(t)
	_, messages := s.Invoke(await, core.Object{"character_id": s.character, "job_id": "job_999999", "timeout": "5m"})
	s.WantError(messages, "LoRA Training Not Shown", "given up after 5m", "timeout sets the time")
	check.True(t, "nothing is said to go on", !strings.Contains(messages.String(), "goes on"), messages)
}

func TestCancelTrainingTakesItsTime(t *testing.T) {
	t.Parallel()
	s, job := begun(t)
	// The service says for a minute that the job goes on.
	until := s.Clock.Now().Add(time.Minute)
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: func(status map[string]any) {
		if history, _ := status["character_training_history"].([]any); len(history) > 0 && s.Clock.Now().Before(until) {
			current := history[0].(map[string]any)
			current["status"] = "cancelling"
			status["character_training"] = current
			status["character_training_history"] = []any{}
			status["has_active_training"] = true
		}
	}})
	lines, messages := s.invoke(cancel, job)
	check.True(t, "no message", len(messages) == 0, messages)
	s.WantLines(lines, `Training "job_000001" of character "char_000001": cancelling`, "it was cancelled")
}

func TestCancelTrainingThatFails(t *testing.T) {
	t.Parallel()
	type row struct {
		job        string
		fault      mockserver.Fault
		interrupts bool
		cancels    int
		summary    string
	}
	check.Each(t, map[string]row{
		"no such job":         {job: "job_999999", cancels: 1, summary: "LoRA Training Not Found"},
		"outcome never known": {job: "unconfirmed-abc", summary: "LoRA Training Unconfirmed"},
		"refused": {
			fault:   mockserver.Fault{Route: mockserver.RouteCancel, Status: 400},
			cancels: 1,
			summary: "Unable to Cancel Body LoRA Training",
		},
		"status unreadable": {
			fault:   mockserver.Fault{Route: mockserver.RouteTraining, Status: 403},
			summary: "Unable to Cancel LoRA Training",
		},
		"interrupted": {
			fault:      mockserver.Fault{Route: mockserver.RouteCancel},
			interrupts: true,
			cancels:    1,
			summary:    "Cancellation of Body LoRA Training Interrupted",
		},
	}, func(t *testing.T, test row) {
		s, job := begun(t)
		if test.interrupts {
			test.fault.Reached = s.Interrupt
		}
		if test.fault.Route != "" {
			s.Fault(test.fault)
		}
		if test.job != "" {
			job = test.job
		}
		_, messages := s.invoke(cancel, job)
		s.WantError(messages, test.summary, job)
		s.WantCount(t, mockserver.RouteCancel, test.cancels)
	})
}

// inCapitals shows the jobs under ids in capitals.
func (s *scenario) inCapitals() {
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: func(status map[string]any) {
		for _, place := range []string{"character_training", "face_training"} {
			if job, is := status[place].(map[string]any); is {
				job["job_id"] = strings.ToUpper(job["job_id"].(string))
			}
			history, _ := status[place+"_history"].([]any)
			for _, job := range history {
				job := job.(map[string]any)
				job["job_id"] = strings.ToUpper(job["job_id"].(string))
			}
		}
	}})
}

// An id in other letters, upper or lower, is that of the job, unless another
// job has it. Fault F38.
func TestJobInAnotherCase(t *testing.T) {
	t.Parallel()
	s, job := begun(t)
	s.Clock.Advance(time.Hour)
	lines, messages := s.invoke(await, strings.ToUpper(job))
	check.True(t, "no message", len(messages) == 0, messages)
	s.WantLines(lines[len(lines)-1:], `Training "job_000001" of character "char_000001" has succeeded`)

	s, job = begun(t)
	lines, messages = s.invoke(cancel, strings.ToUpper(job))
	check.True(t, "no message", len(messages) == 0, messages)
	s.WantLines(lines[len(lines)-1:], "it was cancelled")
	s.WantCount(t, mockserver.RouteCancel, 1)
	check.Contains(t, "what is cancelled", s.Requests(mockserver.RouteCancel)[0].Path, job)

	s, job = begun(t)
	s.Import(address, s.character+"/"+strings.ToUpper(job)).Must()
	s.configure(nil)
	s.Apply().Must()
	s.Want(address, core.Object{"id": job, "succeeded": true})
	check.Equal[any](t, "the identity", s.Identity(address)["id"], job)
	s.Plan().WantEmpty()
	s.wantPaid(0)
}

// What a reply has named is found, and stays as it was named. Fault F38.
func TestJobThatAStatusShowsInAnotherCase(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.inCapitals()
	s.configure(nil)
	s.Apply().Must()
	s.Want(address, core.Object{"id": "job_000001", "succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

// Between two that differ in case alone, no other spelling decides. Fault F38.
func TestJobInAnotherCaseOfTwo(t *testing.T) {
	t.Parallel()
	s, job := begun(t)
	s.Clock.Advance(time.Hour)
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: func(status map[string]any) {
		other := map[string]any{"job_id": strings.ToUpper(job), "status": "failed"}
		status["character_training_history"] = append(status["character_training_history"].([]any), other)
	}})
	_, messages := s.invoke(await, job)
	check.True(t, "no message", len(messages) == 0, messages)
	_, messages = s.invoke(await, strings.ToUpper(job))
	s.WantError(messages, "LoRA Training Failed", "JOB_000001")
	_, messages = s.Invoke(await, core.Object{"character_id": s.character, "job_id": "Job_000001", "timeout": "5m"})
	s.WantError(messages, "LoRA Training Not Shown", `it shows "job_000001", "JOB_000001".`)
}

// Who waits for what is not shown is told what is; an id with a line break is
// none. Fault F38.
func TestJobsThatAreShownAreNamed(t *testing.T) {
	t.Parallel()
	s, _ := begun(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: func(status map[string]any) {
		var history []any
		for _, id := range []string{"one\ntwo", "three", "four", "five"} {
			history = append(history, map[string]any{"job_id": id, "status": "completed"})
		}
		status["character_training_history"] = history
	}})
	_, messages := s.invoke(await, "job_999999")
	s.WantError(messages, "LoRA Training Not Shown", `it shows "job_000001", "three", "four", and 1 more.`)
	_, messages = s.invoke(cancel, "job_999999")
	s.WantError(messages, "LoRA Training Not Found", `it shows "job_000001", "three", "four", and 1 more.`)
	s.WantError(
		s.Import(address, s.character+"/job_999999").Diagnostics,
		"Training Not Found",
		"Nothing was imported. Of character",
	)

	s.ForgetTraining(s.character, "job_000001")
	s.ClearFaults()
	_, messages = s.invoke(await, "job_999999")
	s.WantError(messages, "LoRA Training Not Shown", `It shows no job of character "char_000001".`)
}

// A line is complete and says no more than the service did.
func TestProgressWithoutDetails(t *testing.T) {
	t.Parallel()
	s, job := begun(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 5, Rewrite: func(status map[string]any) {
		status["character_training"] = map[string]any{"job_id": job}
	}})
	lines, messages := s.invoke(await, job)
	check.True(t, "no message", len(messages) == 0, messages)
	s.WantLines(lines, `Training "job_000001" of character "char_000001" has no status yet`)
	for _, line := range lines {
		check.True(t, "a complete line", !regexp.MustCompile(`null|%!|: ,|, ,|  `).MatchString(line), line)
	}
}
