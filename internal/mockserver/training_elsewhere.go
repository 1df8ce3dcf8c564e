package mockserver

import "slices"

// StartTrainingElsewhere starts a body training that is not charged, and
// returns its job id; "" if there is no such character.
func (s *Server) StartTrainingElsewhere(characterID string) string {
	return s.startElsewhere(characterID, bodyJob)
}

// StartFaceTrainingElsewhere is StartTrainingElsewhere for the face LoRA. The
// contract has no endpoint for its training.
func (s *Server) StartFaceTrainingElsewhere(characterID string) string {
	return s.startElsewhere(characterID, faceJob)
}

func (s *Server) startElsewhere(characterID, kind string) (job string) {
	s.of(characterID, func(owner *character) { job = s.startJob(owner, kind, s.now()).id })
	return job
}

// CancelTrainingElsewhere cancels a job without a request.
func (s *Server) CancelTrainingElsewhere(characterID, jobID string) {
	s.of(characterID, func(owner *character) {
		if j := owner.job(jobID); j != nil && j.active(s.now()) {
			j.cancelled = s.now()
		}
	})
}

// ForgetTraining removes a job from the character's history.
func (s *Server) ForgetTraining(characterID, jobID string) {
	s.of(characterID, func(owner *character) {
		owner.jobs = slices.DeleteFunc(owner.jobs, func(j *job) bool { return j.id == jobID })
	})
}

// FailNextTraining makes the next training that is started fail at its end.
func (s *Server) FailNextTraining() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.failTraining = append(s.world.failTraining, "the training diverged")
}
