package api

import (
	"context"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
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

// TrainingJob is one training. Progress and TrainingSpeed have no documented unit.
type TrainingJob struct {
	JobID, CharacterID, JobType, Status *string
	TrainingServiceID, TrainingPhase    *string
	CreatedAt, UpdatedAt                *string
	Progress, ETAMinutes                *int64
	TrainingSpeed                       *float64
}

// TrainingKind is a kind of LoRA to train. Optional: the interface does not show the route.
type TrainingKind struct {
	Route    string
	Optional bool
}

// BodyTraining is the only start that the interface describes; that of FaceTraining is inferred.
var (
	BodyTraining = TrainingKind{Route: "/{character_id}/training/body-lora"}
	FaceTraining = TrainingKind{Route: "/{character_id}/training/face-lora", Optional: true}
)

// TrainingStatus reads GET /{character_id}/training/complete-status.
func (c *Client) TrainingStatus(ctx context.Context, characterID string) (*TrainingStatus, error) {
	reply, err := c.do(ctx, transport.Get("/{character_id}/training/complete-status", characterID).
		Expect("has_active_training", "face_lora_status", "body_lora_status", "character_training", "character_training_history", "can_start_body_training"))
	if err != nil {
		return nil, err
	}
	status := decode[TrainingStatus](reply)
	for _, history := range []*[]TrainingJob{&status.FaceTrainingHistory, &status.CharacterTrainingHistory} {
		*history = slices.DeleteFunc(*history, func(job TrainingJob) bool { return value(job.JobID) == "" && value(job.Status) == "" })
	}
	return status, nil
}

// TrainingStatusOnce is TrainingStatus, read once per character, and again after ForgetTraining.
func (c *Client) TrainingStatusOnce(ctx context.Context, characterID string) (*TrainingStatus, error) {
	return c.trainings.Get(ctx, characterID)
}

// ForgetTraining forgets what a change of a training may have changed.
func (c *Client) ForgetTraining(characterID string) {
	c.trainings.Forget(characterID)
	c.capabilities.Forget(characterID)
	c.boughtWith.Delete(characterID)
}

// WorkOrder is an order of work for a character, and the Purchase that it counts as.
type WorkOrder struct {
	Purchase Purchase
	request  *transport.Request
	entry    *logEntry
}

// Order is a POST to the kind's route. Only the purchase log has the triggers, which tell it apart.
func (k TrainingKind) Order(characterID string, triggers map[string]string) WorkOrder {
	request := transport.Post(k.Route, characterID).Expect("job_id", "training_steps", "credits_deducted")
	if k.Optional {
		request.Optional("import one that was trained elsewhere")
	}
	entry := &logEntry{Type: "training", CharacterID: characterID, Inputs: sumOf([]any{k.Route, triggers})}
	return WorkOrder{Purchase{KindTraining, 1}, request, entry}
}

// StartWork sends an order, once. It costs credits: see IsEffectUnknown.
func (c *Client) StartWork(ctx context.Context, order WorkOrder) (*Receipt, error) {
	defer c.ForgetTraining(order.entry.CharacterID)
	request := order.request.Paid().Receipt(reply.Receipt{Counts: []string{"credits_deducted"}, ID: "job_id"})
	if err := c.buy(ctx, request, order.Purchase, order.entry, nil); err != nil {
		return nil, err
	}
	return &order.entry.Receipt, nil
}

// CancelTraining sends POST /{character_id}/training/jobs/{job_id}/cancel.
func (c *Client) CancelTraining(ctx context.Context, characterID, jobID string) error {
	entry := c.log.begin(&logEntry{Type: "cancel_training", CharacterID: characterID, Receipt: Receipt{JobID: &jobID}})
	_, err := c.do(ctx, transport.Post("/{character_id}/training/jobs/{job_id}/cancel", characterID, jobID).Expect("success"))
	c.log.after(entry, err)
	return err
}
