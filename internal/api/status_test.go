package api_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

func TestPhaseOfWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]api.Phase{
		"completed": api.Succeeded, "COMPLETE": api.Succeeded, "Succeeded": api.Succeeded, " done ": api.Succeeded, "ready": api.Succeeded, "trained": api.Succeeded, "available": api.Succeeded,
		"failed": api.Failed, "FAILURE": api.Failed, "timed_out": api.Failed, "Timed Out": api.Failed, "TIMED-OUT": api.Failed, "time_out": api.Failed, "expired": api.Failed, "rejected": api.Failed,
		"cancelled": api.Stopped, "CANCELED": api.Stopped, "aborted": api.Stopped, "stopped": api.Stopped,
		"": api.Running, "queued": api.Running, "in_progress": api.Running, "not done yet": api.Running, "frobnicating": api.Running, "incomplete": api.Running,
	} {
		check.Equal(t, word, api.PhaseOfWord(word), want)
	}
	job := api.TrainingJob{Status: new("TRAINED")}
	check.True(t, "a job's phase is its word's", job.Phase() == api.Succeeded && (&api.TrainingJob{}).Phase() == api.Running)
}

func TestStructureBeatsWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		generation api.Generation
		want       api.Phase
	}{
		"nothing":                         {api.Generation{}, api.Running},
		"results":                         {api.Generation{ResultURLs: []string{"u"}}, api.Succeeded},
		"results while running":           {api.Generation{ResultURLs: []string{"u"}, Status: new("processing")}, api.Succeeded},
		"a preview":                       {api.Generation{ResultURLs: []string{"u"}, Status: new("Processing"), Progress: new(int64(50))}, api.Running},
		"a preview while finalizing":      {api.Generation{ResultURLs: []string{"u"}, Status: new("finalizing"), Progress: new(int64(99))}, api.Running},
		"a preview while saving":          {api.Generation{ResultURLs: []string{"u"}, Status: new("SAVING"), Progress: new(int64(99))}, api.Running},
		"a preview while resuming":        {api.Generation{ResultURLs: []string{"u"}, Status: new("resuming"), Progress: new(int64(0))}, api.Running},
		"results and 100":                 {api.Generation{ResultURLs: []string{"u"}, Status: new("processing"), Progress: new(int64(100))}, api.Succeeded},
		"an attempt that failed":          {api.Generation{Error: new("worker lost, attempt 1 of 3"), Status: new("retrying")}, api.Running},
		"an attempt that failed, counted": {api.Generation{Error: new("worker lost"), Status: new("Retry 2/3"), Progress: new(int64(0))}, api.Running},
		"an error at 40":                  {api.Generation{Error: new("too hot"), Status: new("processing"), Progress: new(int64(40))}, api.Running},
		"the last attempt has failed":     {api.Generation{Error: new("worker lost"), Status: new("retrying"), Progress: new(int64(100))}, api.Failed},
		"results and an unknown word":     {api.Generation{ResultURLs: []string{"u"}, Status: new("zork")}, api.Succeeded},
		"results and a remark":            {api.Generation{ResultURLs: []string{"u"}, Error: new("one of two failed"), Status: new("completed")}, api.Succeeded},
		"results, and a failure word":     {api.Generation{ResultURLs: []string{"u"}, Status: new("expired")}, api.Succeeded},
		"results, and cancelled":          {api.Generation{ResultURLs: []string{"u"}, Status: new("cancelled")}, api.Succeeded},
		"deleted":                         {api.Generation{Status: new("deleted")}, api.Running},
		"results, but failed":             {api.Generation{ResultURLs: []string{"u"}, Error: new("corrupt"), Status: new("failed")}, api.Failed},
		"an error":                        {api.Generation{Error: new("nsfw")}, api.Failed},
		"an error while running":          {api.Generation{Error: new("nsfw"), Status: new("processing")}, api.Failed},
		"an error though completed":       {api.Generation{Error: new("nsfw"), Status: new("completed")}, api.Failed},
		"an empty error":                  {api.Generation{Error: new(""), Status: new("processing")}, api.Running},
		"cancelled":                       {api.Generation{Status: new("Cancelled")}, api.Stopped},
		"cancelled, and said so":          {api.Generation{Status: new("Cancelled"), Error: new("cancelled by user")}, api.Stopped},
		"a failure word":                  {api.Generation{Status: new("ERROR")}, api.Failed},
		"a success word without results":  {api.Generation{Status: new("Completed")}, api.Succeeded},
		"100 while running":               {api.Generation{Status: new("In-Progress"), Progress: new(int64(100))}, api.Running},
		"100 and an unknown word":         {api.Generation{Status: new("zork"), Progress: new(int64(100))}, api.Succeeded},
		"100 without a word":              {api.Generation{Progress: new(int64(100))}, api.Succeeded},
		"99 and an unknown word":          {api.Generation{Status: new("zork"), Progress: new(int64(99))}, api.Running},
		"more than 100 and a failed word": {api.Generation{Status: new("failed"), Progress: new(int64(200))}, api.Failed},
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
		check.True(t, word, phase >= api.Running && phase <= api.Stopped && phase == api.PhaseOfWord(" _"+word+"- "), phase)
	})
}

// A list shows neither progress nor error, so that a running word may be that of a preview.
func TestIsListedSuccess(t *testing.T) {
	t.Parallel()
	var unlisted *api.Generation
	check.True(t, "not listed", !unlisted.IsListedSuccess())
	for word, want := range map[string]bool{"completed": true, "zenith": true, "": true, "cancelled": true, "processing": false, "retrying": false, "failed": false} {
		listed := api.Generation{ResultURLs: []string{"u"}, Status: new(word)}
		check.Equal(t, word, listed.IsListedSuccess(), want)
		listed.ResultURLs = nil
		check.True(t, word+", without results", !listed.IsListedSuccess())
	}
}
