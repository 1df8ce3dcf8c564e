package training

import (
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// sighting is a job at one of the four places where a status shows jobs.
type sighting struct {
	job     *api.TrainingJob
	current bool // a current job, not one of the history
	body    bool // by its type, else by its place
}

// sightings are all jobs with an id, current ones first.
func sightings(status *api.TrainingStatus) []sighting {
	var all []sighting
	add := func(job *api.TrainingJob, current, bodyPlace bool) {
		if job != nil && job.JobID != nil && *job.JobID != "" {
			all = append(all, sighting{job, current, isBody(job, bodyPlace)})
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

// isBody goes by job_type, whose values are not documented, and where that
// does not tell by the place.
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

// standing is how one status shows a job.
type standing int

const (
	absent    standing = iota // not shown: pending, or vanished
	running                   // current, or nothing says that it has ended
	succeeded                 // ended, says a word
	failed                    // failed or stopped, says a word
	ended                     // ended by its place; no word tells how
)

// stand finds a job by its id, in whichever place, and says how it stands.
func stand(status *api.TrainingStatus, id string) (standing, *api.TrainingJob) {
	var found *api.TrainingJob
	current := false
	for _, seen := range sightings(status) {
		if *seen.job.JobID != id {
			continue
		}
		switch seen.job.Phase() {
		case api.Succeeded:
			return succeeded, seen.job
		case api.Failed, api.Stopped:
			return failed, seen.job
		}
		current = current || seen.current
		if found == nil {
			found = seen.job
		}
	}
	switch {
	case found == nil:
		return absent, nil
	case current && !idle(status):
		return running, found
	case current && (found.Progress == nil || *found.Progress < 100):
		return running, found
	case current, !active(status), othersExplain(status, id):
		return ended, found
	}
	return running, found
}

// idle says that the service explicitly reports no active training.
func idle(status *api.TrainingStatus) bool {
	return status.HasActiveTraining != nil && !*status.HasActiveTraining
}

// active says that some training runs; a status that leaves the flag out is
// judged by its current jobs.
func active(status *api.TrainingStatus) bool {
	if status.HasActiveTraining != nil {
		return *status.HasActiveTraining
	}
	return othersExplain(status, "")
}

// othersExplain says that another current job is what the flag of active
// trainings is about.
func othersExplain(status *api.TrainingStatus, id string) bool {
	return slices.ContainsFunc(sightings(status), func(seen sighting) bool {
		return seen.current && *seen.job.JobID != id && seen.job.Phase() == api.Running
	})
}

// activeBodyJob is the id of the body training that runs, if one does and it
// is not excluded. A service that lists running jobs in the history alone has
// no current job.
func activeBodyJob(status *api.TrainingStatus, excluded func(id string) bool) (string, bool) {
	if idle(status) {
		return "", false
	}
	all := sightings(status)
	hasCurrent := slices.ContainsFunc(all, func(seen sighting) bool { return seen.current })
	historyCounts := !hasCurrent && status.HasActiveTraining != nil
	var found []string
	for _, seen := range all {
		id := *seen.job.JobID
		if !seen.body || seen.job.Phase() != api.Running || excluded(id) || slices.Contains(found, id) {
			continue
		}
		if standing, _ := stand(status, id); standing == running && (seen.current || historyCounts) {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

// jobIDs are the ids of all jobs of a status.
func jobIDs(status *api.TrainingStatus) []string {
	ids := []string{}
	for _, seen := range sightings(status) {
		if !slices.Contains(ids, *seen.job.JobID) {
			ids = append(ids, *seen.job.JobID)
		}
	}
	return ids
}

// newBodyJobs are the ids of the body trainings that were not there before.
func newBodyJobs(status *api.TrainingStatus, before []string) []string {
	var ids []string
	for _, seen := range sightings(status) {
		id := *seen.job.JobID
		if seen.body && !slices.Contains(before, id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
