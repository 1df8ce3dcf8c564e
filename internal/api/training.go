package api

import (
	"context"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// TrainingStatus describes the trainings of a character.
type TrainingStatus struct {
	FaceLoRAStatus, BodyLoRAStatus                *reply.Text
	FaceTraining, CharacterTraining               *TrainingJob
	FaceTrainingHistory, CharacterTrainingHistory []TrainingJob
	CanStartFaceTraining, CanStartBodyTraining    *bool
	TrainingComplete, HasActiveTraining           *bool
	FaceImageCount, BodyImageCount                *int64
	FailedFaceImageCount, FailedBodyImageCount    *int64
}

// TrainingJob is one training. The units of Progress and TrainingSpeed are not
// documented.
type TrainingJob struct {
	JobID, CharacterID   *string
	JobType, Status      *reply.Text
	TrainingServiceID    *string
	TrainingPhase        *reply.Text
	CreatedAt, UpdatedAt *string
	Progress, ETAMinutes *int64
	TrainingSpeed        *float64
}

// TrainingKind is a kind of LoRA to train. Optional is true if the interface
// does not show the route.
type TrainingKind struct {
	Route    string
	Optional bool
}

// BodyTraining and FaceTraining are the kinds of trainings. The interface
// describes only the start of a BodyTraining. The route of FaceTraining is
// inferred.
var (
	BodyTraining = TrainingKind{Route: "/{character_id}/training/body-lora"}
	FaceTraining = TrainingKind{Route: "/{character_id}/training/face-lora", Optional: true}
)

// Status reads GET /{character_id}/training/complete-status.
func (s *TrainingService) Status(ctx context.Context, characterID string) (*TrainingStatus, error) {
	said, err := s.client.do(ctx, transport.Get("/{character_id}/training/complete-status", characterID).
		Expect(
			"has_active_training", "face_lora_status", "body_lora_status",
			"character_training", "character_training_history", "can_start_body_training",
		),
	)
	if err != nil {
		return nil, err
	}
	status := decode[TrainingStatus](said)
	for _, history := range []*[]TrainingJob{&status.FaceTrainingHistory, &status.CharacterTrainingHistory} {
		*history = slices.DeleteFunc(
			*history,
			func(job TrainingJob) bool { return reply.ValueOf(job.JobID) == "" && reply.ValueOf(job.Status) == "" },
		)
	}
	return status, nil
}

// Start returns a POST to the kind's route.
func (k TrainingKind) Start(characterID string) Paid[*Receipt] {
	request := transport.Post(k.Route, characterID).Expect("job_id", "training_steps", "credits_deducted")
	if k.Optional {
		request.Optional("Import a training that was started elsewhere.")
	}
	return work(request)
}

// Cancel sends POST /{character_id}/training/jobs/{job_id}/cancel.
func (s *TrainingService) Cancel(ctx context.Context, characterID, jobID string) error {
	_, err := s.client.do(
		ctx,
		transport.Post("/{character_id}/training/jobs/{job_id}/cancel", characterID, jobID).Expect("success"),
	)
	return err
}
