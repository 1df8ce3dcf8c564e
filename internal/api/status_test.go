package api_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

func TestPhaseOfWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]api.Phase{
		"completed": api.Succeeded, "COMPLETE": api.Succeeded, "Succeeded": api.Succeeded, " done ": api.Succeeded,
		"ready": api.Succeeded, "trained": api.Succeeded, "available": api.Succeeded,
		"failed": api.Failed, "FAILURE": api.Failed, "timed_out": api.Failed, "Timed Out": api.Failed,
		"TIMED-OUT": api.Failed, "time_out": api.Failed, "expired": api.Failed, "rejected": api.Failed,
		"cancelled": api.Stopped, "CANCELED": api.Stopped, "aborted": api.Stopped, "stopped": api.Stopped,
		"": api.Running, "queued": api.Running, "in_progress": api.Running, "not done yet": api.Running,
		"frobnicating": api.Running, "incomplete": api.Running,
	} {
		check.Equal(t, word, api.PhaseOfWord(word), want)
	}
	job := api.TrainingJob{Status: new(reply.Text("TRAINED"))}
	check.True(
		t,
		"a job's phase is its word's",
		job.Phase() == api.Succeeded && (&api.TrainingJob{}).Phase() == api.Running,
	)
}

func TestStructureBeatsWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		generation api.Generation
		want       api.Phase
	}{
		"nothing": {api.Generation{}, api.Running},
		"results": {api.Generation{ResultURLs: []string{"u"}}, api.Succeeded},
		"results while running": {
			api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text("processing"))},
			api.Succeeded,
		},
		"a preview": {
			api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text("Processing")), Progress: new(int64(50))},
			api.Running,
		},
		"a preview while finalizing": {
			api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text("finalizing")), Progress: new(int64(99))},
			api.Running,
		},
		"a preview while saving": {
			api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text("SAVING")), Progress: new(int64(99))},
			api.Running,
		},
		"a preview while resuming": {
			api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text("resuming")), Progress: new(int64(0))},
			api.Running,
		},
		"results and 100": {
			api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text("processing")), Progress: new(int64(100))},
			api.Succeeded,
		},
		"an attempt that failed": {
			api.Generation{Error: new(reply.Text("worker lost, attempt 1 of 3")), Status: new(reply.Text("retrying"))},
			api.Running,
		},
		"an attempt that failed, counted": {
			api.Generation{
				Error:    new(reply.Text("worker lost")),
				Status:   new(reply.Text("Retry 2/3")),
				Progress: new(int64(0)),
			},
			api.Running,
		},
		"an error at 40": {
			api.Generation{
				Error:    new(reply.Text("too hot")),
				Status:   new(reply.Text("processing")),
				Progress: new(int64(40)),
			},
			api.Running,
		},
		"the last attempt has failed": {
			api.Generation{
				Error:    new(reply.Text("worker lost")),
				Status:   new(reply.Text("retrying")),
				Progress: new(int64(100)),
			},
			api.Failed,
		},
		"results and an unknown word": {
			api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text("zork"))},
			api.Succeeded,
		},
		"results and a remark": {
			api.Generation{
				ResultURLs: []string{"u"},
				Error:      new(reply.Text("one of two failed")),
				Status:     new(reply.Text("completed")),
			},
			api.Succeeded,
		},
		"results, and a failure word": {
			api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text("expired"))},
			api.Succeeded,
		},
		"results, and cancelled": {
			api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text("cancelled"))},
			api.Succeeded,
		},
		"deleted": {api.Generation{Status: new(reply.Text("deleted"))}, api.Running},
		"results, but failed": {
			api.Generation{
				ResultURLs: []string{"u"},
				Error:      new(reply.Text("corrupt")),
				Status:     new(reply.Text("failed")),
			},
			api.Failed,
		},
		"an error": {api.Generation{Error: new(reply.Text("nsfw"))}, api.Failed},
		"an error while running": {
			api.Generation{Error: new(reply.Text("nsfw")), Status: new(reply.Text("processing"))},
			api.Failed,
		},
		"an error though completed": {
			api.Generation{Error: new(reply.Text("nsfw")), Status: new(reply.Text("completed"))},
			api.Failed,
		},
		"an empty error": {
			api.Generation{Error: new(reply.Text("")), Status: new(reply.Text("processing"))},
			api.Running,
		},
		"cancelled": {api.Generation{Status: new(reply.Text("Cancelled"))}, api.Stopped},
		"cancelled, and said so": {
			api.Generation{Status: new(reply.Text("Cancelled")), Error: new(reply.Text("cancelled by user"))},
			api.Stopped,
		},
		"a failure word":                 {api.Generation{Status: new(reply.Text("ERROR"))}, api.Failed},
		"a success word without results": {api.Generation{Status: new(reply.Text("Completed"))}, api.Succeeded},
		"100 while running": {
			api.Generation{Status: new(reply.Text("In-Progress")), Progress: new(int64(100))},
			api.Running,
		},
		"100 and an unknown word": {
			api.Generation{Status: new(reply.Text("zork")), Progress: new(int64(100))},
			api.Succeeded,
		},
		"100 without a word": {api.Generation{Progress: new(int64(100))}, api.Succeeded},
		"99 and an unknown word": {
			api.Generation{Status: new(reply.Text("zork")), Progress: new(int64(99))},
			api.Running,
		},
		"more than 100 and a failed word": {
			api.Generation{Status: new(reply.Text("failed")), Progress: new(int64(200))},
			api.Failed,
		},
	} {
		check.Equal(t, name, test.generation.Phase(), test.want)
	}
}

func FuzzPhaseOfWord(f *testing.F) {
	for _, seed := range []string{"completed", "TIMED_OUT", " in progress ", "", "İ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		phase := api.PhaseOfWord(word)
		check.True(
			t,
			word,
			phase >= api.Running && phase <= api.Stopped && phase == api.PhaseOfWord(" _"+word+"- "),
			phase,
		)
	})
}

// A list shows neither progress nor error, so that a running word may be that
// of a preview.
func TestIsListedSuccess(t *testing.T) {
	t.Parallel()
	var unlisted *api.Generation
	check.True(t, "not listed", !unlisted.IsListedSuccess())
	for word, want := range map[string]bool{
		"completed": true, "zenith": true, "": true, "cancelled": true, "processing": false, "retrying": false,
		"failed": false,
	} {
		listed := api.Generation{ResultURLs: []string{"u"}, Status: new(reply.Text(word))}
		check.Equal(t, word, listed.IsListedSuccess(), want)
		listed.ResultURLs = nil
		check.True(t, word+", without results", !listed.IsListedSuccess())
	}
}
