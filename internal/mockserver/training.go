package mockserver

import (
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	bodyJob = "body_lora"
	faceJob = "face_lora"
)

// Training is a snapshot of a training job.
type Training struct {
	JobID       string    `json:"job_id"`
	CharacterID string    `json:"character_id"`
	Type        string    `json:"type"`   // body_lora or face_lora
	Status      string    `json:"status"` // the service's own word: training, completed, failed, cancelled
	Progress    int       `json:"progress"`
	CreatedAt   time.Time `json:"created_at"`
	EndsAt      time.Time `json:"ends_at"` // or ended
}

type job struct {
	id, kind  string
	owner     *character
	work      span
	failure   string    // why it fails at its end
	cancelled time.Time // zero if it was not cancelled
	late      later
}

// Trainings returns the jobs of a character, oldest first. An empty id returns
// the jobs of all characters.
func (s *Server) Trainings(characterID string) []Training {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Training
	for _, owner := range s.world.characters {
		for _, j := range owner.jobs {
			if characterID != "" && owner.ID != characterID {
				break
			}
			found = append(found, j.view(s.now()))
		}
	}
	return found
}

func (s *Server) startJob(owner *character, kind string, now time.Time) *job {
	started := &job{
		id:    s.world.nextID("job"),
		kind:  kind,
		owner: owner,
		work:  span{now, s.opts.TrainingTime},
	}
	if pending := s.world.failTraining; len(pending) > 0 {
		started.failure = pending[0]
		s.world.failTraining = pending[1:]
	}
	owner.jobs = append(owner.jobs, started)
	return started
}

func (j *job) view(now time.Time) Training {
	view := Training{
		JobID:       j.id,
		CharacterID: j.owner.ID,
		Type:        j.kind,
		Status:      j.status(now),
		Progress:    j.work.percent(j.until(now)),
		CreatedAt:   j.work.start,
		EndsAt:      j.work.end(),
	}
	if !j.cancelled.IsZero() {
		view.EndsAt = j.cancelled
	}
	return view
}

func (j *job) active(now time.Time) bool    { return j.cancelled.IsZero() && !j.work.over(now) }
func (j *job) succeeded(now time.Time) bool { return j.status(now) == wordCompleted }

// until returns when the job's progress stopped; now, if it has not.
func (j *job) until(now time.Time) time.Time {
	switch {
	case !j.cancelled.IsZero():
		return j.cancelled
	case j.work.over(now):
		return j.work.end()
	}
	return now
}

func (j *job) status(now time.Time) string {
	switch {
	case !j.cancelled.IsZero():
		return wordCancelled
	case !j.work.over(now):
		return wordTraining
	case j.failure != "":
		return wordFailed
	}
	return wordCompleted
}

func (j *job) phase(now time.Time) string {
	switch progress := j.work.percent(now); {
	case progress < 10:
		return wordPreparing
	case progress < 95:
		return wordTraining
	}
	return wordUploading
}

func (j *job) body(now time.Time) trainingJobBody {
	until := j.until(now)
	body := trainingJobBody{
		JobID:             j.id,
		CharacterID:       j.owner.ID,
		JobType:           j.kind,
		Status:            j.status(now),
		TrainingServiceID: "trainer-" + j.id,
		CreatedAt:         stamp(j.work.start),
		UpdatedAt:         stamp(until),
		Progress:          j.work.percent(until),
	}
	if j.active(now) {
		phase := j.phase(now)
		speed := 1.5
		eta := int(math.Ceil(j.work.left(now).Minutes()))
		body.TrainingPhase = &phase
		body.ETAMinutes = &eta
		body.TrainingSpeed = &speed
	}
	return body
}

func (c *character) job(id string) *job {
	for _, j := range c.jobs {
		if j.id == id {
			return j
		}
	}
	return nil
}

func (c *character) activeJob(now time.Time) *job {
	for _, j := range c.jobs {
		if j.active(now) {
			return j
		}
	}
	return nil
}

func (c *character) trained(kind string, now time.Time) bool {
	return slices.ContainsFunc(c.jobs, func(j *job) bool { return j.kind == kind && j.succeeded(now) })
}

func (c *character) faceTrained(now time.Time) bool { return c.FaceLoRA || c.trained(faceJob, now) }
func (c *character) bodyTrained(now time.Time) bool { return c.BodyLoRA || c.trained(bodyJob, now) }

func (c *character) faceStatus(now time.Time) string {
	return c.loraStatus(faceJob, c.FaceLoRAStatus, c.faceTrained(now), now)
}

func (c *character) bodyStatus(now time.Time) string {
	return c.loraStatus(bodyJob, c.BodyLoRAStatus, c.bodyTrained(now), now)
}

func (c *character) loraStatus(kind, fixed string, trained bool, now time.Time) string {
	active := c.activeJob(now)
	switch {
	case fixed != "":
		return fixed
	case active != nil && active.kind == kind:
		return wordTraining
	case trained:
		return wordTrained
	}
	for _, j := range slices.Backward(c.jobs) {
		if j.kind == kind && j.status(now) == wordFailed {
			return wordFailed
		}
	}
	return wordNotTrained
}

// canTrain reports whether a training can start. It requires a face image and
// no other job. A body also needs captions of all faces; a face must not be
// trained yet.
func (s *Server) canTrain(c *character, kind string, now time.Time) bool {
	ready := c.count(faceImage) > 0
	if kind == faceJob {
		return ready && !c.faceTrained(now) && c.activeJob(now) == nil
	}
	ready = ready && !c.captionsPending(now) && (!s.opts.Variant.BodyNeedsDataset || c.datasetReady())
	return override(c.CanTrain, ready) && c.activeJob(now) == nil
}

// trainingStatus is endpoint 15. Histories are newest first, without active
// jobs.
func (s *Server) trainingStatus(c *call) (any, error) {
	owner := c.owner
	status := trainingStatusBody{
		FaceLoRAStatus:           owner.faceStatus(c.now),
		BodyLoRAStatus:           owner.bodyStatus(c.now),
		FaceTrainingHistory:      []trainingJobBody{},
		CharacterTrainingHistory: []trainingJobBody{},
		FaceImageCount:           owner.count(faceImage),
		BodyImageCount:           owner.count(bodyImage),
		CanStartFaceTraining:     s.canTrain(owner, faceJob, c.now),
		CanStartBodyTraining:     s.canTrain(owner, bodyJob, c.now),
		TrainingComplete:         owner.bodyTrained(c.now) && owner.activeJob(c.now) == nil,
	}
	for _, j := range slices.Backward(owner.jobs) {
		if !j.late.visible() {
			continue
		}
		status.add(j, c.now)
	}
	return status, nil
}

func (b *trainingStatusBody) add(j *job, now time.Time) {
	current := &b.CharacterTraining
	history := &b.CharacterTrainingHistory
	if j.kind == faceJob {
		current = &b.FaceTraining
		history = &b.FaceTrainingHistory
	}
	body := j.body(now)
	if !j.active(now) {
		*history = append(*history, body)
		return
	}
	*current = &body
	b.HasActiveTraining = true
}

// startTraining is endpoint 16, and also serves faces. It costs credits.
func startTraining(kind string) handler {
	return func(s *Server, c *call) (any, error) {
		owner := c.owner
		if owner.activeJob(c.now) != nil {
			return nil, owner.refuse(http.StatusConflict, "training_active", "a training is active already")
		}
		if !s.canTrain(owner, kind, c.now) {
			return nil, owner.refuse(http.StatusBadRequest, "training_not_ready", "the training cannot start yet")
		}
		if err := s.world.ledger.afford(trainingCost); err != nil {
			return nil, err
		}
		started := s.startJob(owner, kind, c.now)
		started.late = s.opts.Variant.later()
		s.book(LedgerEntry{
			Kind:        "training",
			ID:          started.id,
			Name:        loraNames[kind],
			CharacterID: owner.ID,
			Credits:     trainingCost,
			At:          c.now,
		})
		balance := s.world.ledger.Balance
		return trainingStartBody{
			Success:          true,
			Message:          strings.TrimSuffix(kind, "_lora") + " LoRA training started",
			JobID:            started.id,
			TrainingSteps:    2000,
			CreditsDeducted:  trainingCost,
			RemainingBalance: &balance,
		}, nil
	}
}

// cancelTraining is endpoint 17. Nothing is refunded.
func (s *Server) cancelTraining(c *call) (any, error) {
	owner := c.owner
	j := owner.job(c.params["job_id"])
	if j == nil {
		return nil, notFound("training job", c.params["job_id"])
	}
	if !j.active(c.now) {
		return nil, owner.refuse(http.StatusBadRequest, "job_finished", "the job is "+j.status(c.now)+" already")
	}
	j.cancelled = c.now
	return doneBody{Success: true, Message: "the training was cancelled"}, nil
}
