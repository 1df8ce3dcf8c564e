package work

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// shownJob is the part of a status that concerns a job. A status has four
// places for jobs, and may show a job in several.
type shownJob struct {
	*api.TrainingJob
	id      string
	current bool // otherwise only in the history
	body    bool // by the job's type, else by the first place that shows it
	state   jobState
}

// jobState is the state of a job according to a status.
type jobState int

const (
	jobNotShown  jobState = iota // not there yet, or vanished
	jobRunning                   // current, or not known to have ended
	jobSucceeded                 // ended, according to its status
	jobFailed                    // failed or stopped, according to its status
	jobEnded                     // ended, but only according to its place
)

// jobsOf returns all jobs with an id in a status, current ones first.
func jobsOf(status *api.TrainingStatus) []shownJob {
	var all []shownJob
	add := func(job *api.TrainingJob, current, bodyPlace bool) {
		if job == nil || job.JobID == nil || *job.JobID == "" {
			return
		}
		i := slices.IndexFunc(all, func(other shownJob) bool { return other.id == *job.JobID })
		switch {
		case i < 0:
			all = append(all, shownJob{
				TrainingJob: job,
				id:          *job.JobID,
				current:     current,
				body:        isBody(job, bodyPlace),
			})
		case all[i].Phase() == api.Running && job.Phase() != api.Running: // the place that shows the job's end counts
			all[i].TrainingJob = job
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
	for i := range all {
		all[i].state = all[i].stateIn(status, all)
	}
	return all
}

// isBody decides by job_type. Its values are not documented; if the value is
// unclear, the place in the status decides.
func isBody(job *api.TrainingJob, bodyPlace bool) bool {
	switch kind := strings.ToLower(framework.TextOf(job.JobType).ValueString()); {
	case strings.Contains(kind, "face"):
		return false
	case strings.Contains(kind, "body"), strings.Contains(kind, "character"):
		return true
	}
	return bodyPlace
}

// stateIn reads a job's state from its word, its place in the status and the
// other jobs there. Services leave out some of these.
func (j shownJob) stateIn(status *api.TrainingStatus, all []shownJob) jobState {
	isWhole := j.Progress != nil && *j.Progress >= 100
	seemsOver := saysIdle(status) && isWhole
	saysBusy := status.HasActiveTraining != nil && *status.HasActiveTraining
	switch phase := j.Phase(); {
	case phase == api.Succeeded:
		return jobSucceeded
	case phase != api.Running:
		return jobFailed
	case j.current && !seemsOver:
		return jobRunning
	case !j.current && saysBusy && !otherRuns(all, j.id):
		return jobRunning // a service may list running jobs only in the history
	}
	return jobEnded
}

func saysIdle(status *api.TrainingStatus) bool {
	return status.HasActiveTraining != nil && !*status.HasActiveTraining
}

// otherRuns reports whether another current job is running: the flag of active
// trainings may be about that job.
func otherRuns(all []shownJob, id string) bool {
	return slices.ContainsFunc(
		all,
		func(other shownJob) bool { return other.current && other.id != id && other.Phase() == api.Running },
	)
}

// findJob finds a job by its id, which a person may have typed. If no id
// matches exactly, an id that differs only in upper and lower case is accepted,
// provided that a single job has it.
func findJob(status *api.TrainingStatus, id string) shownJob {
	all := jobsOf(status)
	for _, isIt := range []func(a, b string) bool{equal, same.Text, same.ButCase} {
		var found []shownJob
		for _, shown := range all {
			if isIt(shown.id, id) {
				found = append(found, shown)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0]
		default:
			return shownJob{}
		}
	}
	return shownJob{}
}

func equal(a, b string) bool { return a == b }

// findRunning returns the id of a running job, or an empty text. Jobs in the
// history count if no job is current.
func (l lora) findRunning(status *api.TrainingStatus, excluded func(id string) bool) string {
	if saysIdle(status) {
		return ""
	}
	all := jobsOf(status)
	for _, job := range all {
		counts := job.current || !all[0].current
		runs := job.body == l.body && job.state == jobRunning
		if runs && counts && !excluded(job.id) {
			return job.id
		}
	}
	return ""
}

func (l lora) jobsOf(status *api.TrainingStatus) (jobs []shownJob) {
	for _, job := range jobsOf(status) {
		if job.body == l.body {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

func (l lora) idsIn(status *api.TrainingStatus) (ids []string) {
	for _, job := range l.jobsOf(status) {
		ids = append(ids, job.id)
	}
	return ids
}

func (t *training) statusLine() string {
	m := &t.model
	job := fmt.Sprintf("Training %q of character %q", t.jobID(), t.characterID())
	switch {
	case t.jobID() == "":
		return fmt.Sprintf("No training of character %q can start yet", t.characterID())
	case !t.private.Shown:
		return job + " is not shown by the service yet"
	}
	var parts []string
	if !m.Status.IsNull() {
		parts = append(parts, fmt.Sprint(reply.Text(m.Status.ValueString())))
	}
	if shown := t.job; shown != nil {
		if phase := framework.TextOf(shown.TrainingPhase); !phase.IsNull() && phase != m.Status {
			parts = append(parts, fmt.Sprintf("phase %s", reply.Text(phase.ValueString())))
		}
		if shown.Progress != nil {
			parts = append(parts, fmt.Sprintf("%d percent", *shown.Progress))
		}
		if minutes := shown.ETAMinutes; minutes != nil && *minutes > 0 {
			parts = append(parts, "about "+framework.Plural(int(*minutes), "minute", "minutes")+" left")
		}
	}
	if len(parts) == 0 {
		return job + " has no status yet"
	}
	return job + ": " + strings.Join(parts, ", ")
}

func describeStatus(status *api.TrainingStatus) string {
	parts := slices.Concat(
		described("face_lora_status", status.FaceLoRAStatus),
		described("body_lora_status", status.BodyLoRAStatus),
		described("face_image_count", status.FaceImageCount),
		described("failed_face_image_count", status.FailedFaceImageCount),
		described("body_image_count", status.BodyImageCount),
		described("failed_body_image_count", status.FailedBodyImageCount),
		described("has_active_training", status.HasActiveTraining),
	)
	for _, job := range jobsOf(status) {
		if job.current {
			parts = append(parts, "current job "+job.id)
		}
	}
	if len(parts) == 0 {
		return "The status gives no counts."
	}
	return "The status: " + strings.Join(parts, ", ") + "."
}

func described[T any](name string, value *T) []string {
	if value == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s %v", name, *value)}
}
