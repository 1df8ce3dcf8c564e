package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// TrainingStatus describes the trainings of a character.
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

// WorkStart is the receipt of work for a character: a training, or the generation of
// a dataset, which leaves out what it does not have.
type WorkStart struct {
	Message, JobID                    *string
	TrainingSteps, TotalImages        *int64
	CreditsDeducted, RemainingBalance *float64
	// Assumed is what it should have cost, nil without a price.
	Assumed *float64
	// BeyondReason are numbers of the reply that are null here.
	BeyondReason []string
}

// TrainingKind is a kind of LoRA that can be trained.
type TrainingKind struct {
	// Route starts a training.
	Route string
	// Further: the interface does not show the route.
	Further bool
}

// BodyTraining is the only kind whose start the interface describes; the route of
// FaceTraining is inferred from it.
var (
	BodyTraining = TrainingKind{Route: "/{character_id}/training/body-lora"}
	FaceTraining = TrainingKind{Route: "/{character_id}/training/face-lora", Further: true}
)

// TrainingStatus reads GET /{character_id}/training/complete-status.
func (c *Client) TrainingStatus(ctx context.Context, characterID string) (*TrainingStatus, error) {
	reply, err := c.do(ctx, transport.Get("/{character_id}/training/complete-status", characterID).
		Expect("has_active_training", "face_lora_status", "body_lora_status", "character_training", "character_training_history", "can_start_body_training"))
	if err != nil {
		return nil, err
	}
	return &TrainingStatus{
		FaceLoRAStatus:           reply.Text("face_lora_status"),
		BodyLoRAStatus:           reply.Text("body_lora_status"),
		FaceTraining:             decodeJob(reply.Object("face_training")),
		CharacterTraining:        decodeJob(reply.Object("character_training")),
		FaceTrainingHistory:      decodeJobs(reply, "face_training_history"),
		CharacterTrainingHistory: decodeJobs(reply, "character_training_history"),
		CanStartFaceTraining:     reply.Flag("can_start_face_training"),
		CanStartBodyTraining:     reply.Flag("can_start_body_training"),
		TrainingComplete:         reply.Flag("training_complete"),
		HasActiveTraining:        reply.Flag("has_active_training"),
		FaceImageCount:           reply.Integer("face_image_count"),
		BodyImageCount:           reply.Integer("body_image_count"),
		FailedFaceImageCount:     reply.Integer("failed_face_image_count"),
		FailedBodyImageCount:     reply.Integer("failed_body_image_count"),
	}, nil
}

// TrainingStatusOnce is TrainingStatus, read once per character and client, and
// again after ForgetTraining.
func (c *Client) TrainingStatusOnce(ctx context.Context, characterID string) (*TrainingStatus, error) {
	return c.trainings.Get(ctx, characterID)
}

// ForgetTraining forgets what a change of a training may have changed: the
// status and the capabilities of its character.
func (c *Client) ForgetTraining(characterID string) {
	c.trainings.Forget(characterID)
	c.capabilities.Forget(characterID)
	c.boughtWith.Delete(characterID)
}

// StartTraining sends POST to the route of the kind. It costs credits: see
// IsOutcomeUnknown. The triggers tell it from others in the purchase log, and are not
// sent.
func (c *Client) StartTraining(ctx context.Context, kind TrainingKind, characterID string, triggers map[string]string) (*WorkStart, error) {
	defer c.ForgetTraining(characterID)
	request := transport.Post(kind.Route, characterID).Expect("job_id", "training_steps", "credits_deducted")
	if kind.Further {
		request.Further()
	}
	return c.startWork(ctx, request, KindTraining, trainingEntry(kind, characterID, triggers))
}

func trainingEntry(kind TrainingKind, characterID string, triggers map[string]string) *logEntry {
	return &logEntry{Type: "training", CharacterID: characterID, Inputs: sumOf([]any{kind.Route, triggers})}
}

// startWork buys work for a character.
func (c *Client) startWork(ctx context.Context, request *transport.Request, kind string, entry *logEntry) (*WorkStart, error) {
	var start *WorkStart
	request.Paid().Receipt(transport.Receipt{Counts: []string{"credits_deducted"}, ID: "job_id"})
	assumed, err := c.buy(ctx, request, Purchase{kind, 1}, entry, func(reply transport.Object) (refused int64) {
		start = &WorkStart{
			Message:          reply.Text("message"),
			JobID:            reply.Text("job_id", "id"),
			TrainingSteps:    reply.Integer("training_steps"),
			TotalImages:      reply.Integer("total_images"),
			CreditsDeducted:  reply.Number("credits_deducted"),
			RemainingBalance: reply.Number("remaining_balance"),
			BeyondReason:     reply.BeyondReason("credits_deducted", "remaining_balance"),
		}
		entry.JobID, entry.CreditsDeducted, entry.RemainingBalance = value(start.JobID), start.CreditsDeducted, start.RemainingBalance
		entry.Message, entry.TrainingSteps, entry.TotalImages = start.Message, start.TrainingSteps, start.TotalImages
		return 0
	})
	if err != nil {
		return nil, err
	}
	start.Assumed = assumed
	return start, nil
}

// CancelTraining sends POST /{character_id}/training/jobs/{job_id}/cancel.
func (c *Client) CancelTraining(ctx context.Context, characterID, jobID string) error {
	entry := c.log.begin(&logEntry{Type: "cancel_training", CharacterID: characterID, JobID: jobID})
	_, err := c.do(ctx, transport.Post("/{character_id}/training/jobs/{job_id}/cancel", characterID, jobID).MayBeEmpty().Expect("success"))
	c.log.settle(entry, err)
	return err
}

// decodeJob returns nil for a job that is null, missing, or an object without a
// meaningful field: services use these for "none".
func decodeJob(job transport.Object) *TrainingJob {
	if !job.Says() {
		return nil
	}
	return &TrainingJob{
		JobID:             job.Text("job_id", "id"),
		CharacterID:       job.Text("character_id"),
		JobType:           job.Text("job_type"),
		Status:            job.Text("status"),
		TrainingServiceID: job.Text("training_service_id"),
		CreatedAt:         job.Text("created_at"),
		UpdatedAt:         job.Text("updated_at"),
		Progress:          job.Integer("progress"),
		TrainingPhase:     job.Text("training_phase"),
		ETAMinutes:        job.Integer("eta_minutes"),
		TrainingSpeed:     job.Number("training_speed"),
	}
}

func decodeJobs(reply transport.Object, name string) (jobs []TrainingJob) {
	list, _ := reply.Objects(name)
	for _, item := range list {
		if job := decodeJob(item); job != nil {
			jobs = append(jobs, *job)
		}
	}
	return jobs
}
