package api

import "context"

// TrainingStatus is everything about the trainings of a character.
type TrainingStatus struct {
	FaceLoRAStatus, BodyLoRAStatus                *string
	FaceTraining, CharacterTraining               *TrainingJob
	FaceTrainingHistory, CharacterTrainingHistory []TrainingJob
	CanStartFaceTraining, CanStartBodyTraining    *bool
	TrainingComplete, HasActiveTraining           *bool
	FaceImageCount, BodyImageCount                *int64
	FailedFaceImageCount, FailedBodyImageCount    *int64
}

// TrainingJob is one training. Progress and TrainingSpeed have no documented
// unit.
type TrainingJob struct {
	JobID, CharacterID, JobType, Status *string
	TrainingServiceID                   *string
	CreatedAt, UpdatedAt                *string
	Progress                            *int64
	TrainingPhase                       *string
	ETAMinutes                          *int64
	TrainingSpeed                       *float64
}

// TrainingStart is the receipt of a training.
type TrainingStart struct {
	Message, JobID                    *string
	TrainingSteps                     *int64
	CreditsDeducted, RemainingBalance *float64
}

// CancelResult is what the service said to a cancellation.
type CancelResult struct{ Message *string }

// TrainingStatus reads GET /{character_id}/training/complete-status.
func (c *Client) TrainingStatus(ctx context.Context, characterID string) (*TrainingStatus, error) {
	reply, err := c.do(ctx, get("/{character_id}/training/complete-status", characterID).
		expect("has_active_training", "face_lora_status", "body_lora_status", "character_training", "character_training_history", "can_start_body_training"))
	if err != nil {
		return nil, err
	}
	return &TrainingStatus{
		FaceLoRAStatus:           reply.text("face_lora_status"),
		BodyLoRAStatus:           reply.text("body_lora_status"),
		FaceTraining:             decodeJob(reply.object("face_training")),
		CharacterTraining:        decodeJob(reply.object("character_training")),
		FaceTrainingHistory:      decodeJobs(reply, "face_training_history"),
		CharacterTrainingHistory: decodeJobs(reply, "character_training_history"),
		CanStartFaceTraining:     reply.flag("can_start_face_training"),
		CanStartBodyTraining:     reply.flag("can_start_body_training"),
		TrainingComplete:         reply.flag("training_complete"),
		HasActiveTraining:        reply.flag("has_active_training"),
		FaceImageCount:           reply.integer("face_image_count"),
		BodyImageCount:           reply.integer("body_image_count"),
		FailedFaceImageCount:     reply.integer("failed_face_image_count"),
		FailedBodyImageCount:     reply.integer("failed_body_image_count"),
	}, nil
}

// StartBodyTraining sends POST /{character_id}/training/body-lora. It costs
// credits: see IsOutcomeUnknown.
func (c *Client) StartBodyTraining(ctx context.Context, characterID string) (*TrainingStart, error) {
	reply, err := c.buy(ctx, post("/{character_id}/training/body-lora", characterID).paid().expect("job_id", "training_steps", "credits_deducted"))
	if err != nil {
		return nil, err
	}
	return &TrainingStart{
		Message:          reply.text("message"),
		JobID:            reply.text("job_id", "id"),
		TrainingSteps:    reply.integer("training_steps"),
		CreditsDeducted:  reply.number("credits_deducted"),
		RemainingBalance: reply.number("remaining_balance"),
	}, nil
}

// CancelTraining sends POST /{character_id}/training/jobs/{job_id}/cancel.
func (c *Client) CancelTraining(ctx context.Context, characterID, jobID string) (*CancelResult, error) {
	reply, err := c.do(ctx, post("/{character_id}/training/jobs/{job_id}/cancel", characterID, jobID).mayBeEmpty().expect("success"))
	if reply == nil {
		return nil, err
	}
	return &CancelResult{Message: reply.text("message")}, err
}

// decodeJob is nil for a job that is null, missing, or an object without a
// single field that says something: that is how services put "none".
func decodeJob(job object) *TrainingJob {
	if !job.says() {
		return nil
	}
	return &TrainingJob{
		JobID:             job.text("job_id", "id"),
		CharacterID:       job.text("character_id"),
		JobType:           job.text("job_type"),
		Status:            job.text("status"),
		TrainingServiceID: job.text("training_service_id"),
		CreatedAt:         job.text("created_at"),
		UpdatedAt:         job.text("updated_at"),
		Progress:          job.integer("progress"),
		TrainingPhase:     job.text("training_phase"),
		ETAMinutes:        job.integer("eta_minutes"),
		TrainingSpeed:     job.number("training_speed"),
	}
}

func decodeJobs(reply object, name string) (jobs []TrainingJob) {
	list, _ := reply.objects(name)
	for _, item := range list {
		if job := decodeJob(item); job != nil {
			jobs = append(jobs, *job)
		}
	}
	return jobs
}
