package training

import (
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// shownJob is a job in one of the four places where a status shows jobs.
type shownJob struct {
	job     *api.TrainingJob
	current bool // otherwise from the history
	body    bool // by its type, else by its place
}

// shownJobs returns all jobs with an id, current ones first.
func shownJobs(status *api.TrainingStatus) []shownJob {
	var all []shownJob
	add := func(job *api.TrainingJob, current, bodyPlace bool) {
		if job != nil && job.JobID != nil && *job.JobID != "" {
			all = append(all, shownJob{job, current, isBody(job, bodyPlace)})
		}
	}
	add(status.CharacterTraining, true, true)
	add(status.FaceTraining, true, false)
	for i := range status.CharacterTrainingHistory {
		add(&status.CharacterTrainingHistory[i], false, true)
	}
	for i := range status.FaceTrainingHistory {
		add(&status.FaceTrainingHistory[i], false, false)
	}
	return all
}

// isBody decides by job_type, whose values are not documented, and where that
// is unclear by the place.
func isBody(job *api.TrainingJob, bodyPlace bool) bool {
	if job.JobType == nil {
		return bodyPlace
	}
	switch kind := strings.ToLower(*job.JobType); {
	case strings.Contains(kind, "face"):
		return false
	case strings.Contains(kind, "body"), strings.Contains(kind, "character"):
		return true
	}
	return bodyPlace
}

// jobState is what one status says about a job.
type jobState int

const (
	jobNotShown  jobState = iota // not there yet, or vanished
	jobRunning                   // current, or not known to have ended
	jobSucceeded                 // ended, according to its status
	jobFailed                    // failed or stopped, according to its status
	jobEnded                     // ended, according to its place alone
)

// findJob finds a job by its id, in any place, and its state.
func findJob(status *api.TrainingStatus, id string) (*api.TrainingJob, jobState) {
	var found *api.TrainingJob
	current := false
	for _, shown := range shownJobs(status) {
		if *shown.job.JobID != id {
			continue
		}
		switch shown.job.Phase() {
		case api.Succeeded:
			return shown.job, jobSucceeded
		case api.Running:
		case api.Failed, api.Stopped:
			return shown.job, jobFailed
		}
		current = current || shown.current
		if found == nil {
			found = shown.job
		}
	}
	switch {
	case found == nil:
		return nil, jobNotShown
	case current && !saysIdle(status):
		return found, jobRunning
	case current && (found.Progress == nil || *found.Progress < 100):
		return found, jobRunning
	case current, !hasActiveJob(status), hasOtherRunningJob(status, id):
		return found, jobEnded
	}
	return found, jobRunning
}

// saysIdle: the service explicitly reports no active training.
func saysIdle(status *api.TrainingStatus) bool {
	return status.HasActiveTraining != nil && !*status.HasActiveTraining
}

// hasActiveJob reports whether a training runs: by the flag, or without it by
// the current jobs.
func hasActiveJob(status *api.TrainingStatus) bool {
	if status.HasActiveTraining != nil {
		return *status.HasActiveTraining
	}
	return hasOtherRunningJob(status, "")
}

// hasOtherRunningJob reports whether the flag of active trainings is about
// another current job.
func hasOtherRunningJob(status *api.TrainingStatus, id string) bool {
	return slices.ContainsFunc(shownJobs(status), func(shown shownJob) bool {
		return shown.current && *shown.job.JobID != id && shown.job.Phase() == api.Running
	})
}

// findRunningBodyJob returns the id of the running body training, unless it is
// excluded. A service may list running jobs in the history alone.
func findRunningBodyJob(status *api.TrainingStatus, excluded func(id string) bool) (string, bool) {
	if saysIdle(status) {
		return "", false
	}
	all := shownJobs(status)
	hasCurrent := slices.ContainsFunc(all, func(shown shownJob) bool { return shown.current })
	historyCounts := !hasCurrent && status.HasActiveTraining != nil
	var found []string
	for _, shown := range all {
		id := *shown.job.JobID
		if !shown.body || shown.job.Phase() != api.Running || excluded(id) || slices.Contains(found, id) {
			continue
		}
		if _, state := findJob(status, id); state == jobRunning && (shown.current || historyCounts) {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

// jobIDs returns the ids of all jobs of a status.
func jobIDs(status *api.TrainingStatus) []string {
	ids := []string{}
	for _, shown := range shownJobs(status) {
		if !slices.Contains(ids, *shown.job.JobID) {
			ids = append(ids, *shown.job.JobID)
		}
	}
	return ids
}

// findNewBodyJobs returns the ids of body trainings that were not there before.
func findNewBodyJobs(status *api.TrainingStatus, before []string) []string {
	var ids []string
	for _, shown := range shownJobs(status) {
		id := *shown.job.JobID
		if shown.body && !slices.Contains(before, id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
