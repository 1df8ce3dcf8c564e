package training

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// newTrainingStatusDataSource always reads the status afresh.
func newTrainingStatusDataSource() datasource.DataSource {
	return framework.DataSource[api.TrainingStatus]{
		Name: "training_status", Noun: "Training Status", Of: "character_id", OfNoun: "character",
		Description: "The trainings of a character, and whether one can start.\n\nCosts no credits. What statuses, phases and `training_speed` mean is not documented.",
		Inputs:      map[string]schema.Attribute{"character_id": framework.CharacterInput()},
		Fields:      statusFields,
		Read: func(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.TrainingStatus, error) {
			return client.TrainingStatus(ctx, inputs.Text("character_id").ValueString())
		},
	}.New()
}

var statusFields = []framework.Field[api.TrainingStatus]{
	framework.TextField("face_lora_status", "In the service's words.", func(s *api.TrainingStatus) *string { return s.FaceLoRAStatus }),
	framework.TextField("body_lora_status", "In the service's words.", func(s *api.TrainingStatus) *string { return s.BodyLoRAStatus }),
	framework.ObjectField("face_training", "Of the face LoRA; may be null.",
		func(s *api.TrainingStatus) *api.TrainingJob { return s.FaceTraining }, jobFields),
	framework.ObjectField("character_training", "Of the body LoRA; null if there is none.",
		func(s *api.TrainingStatus) *api.TrainingJob { return s.CharacterTraining }, jobFields),
	framework.ListField("face_training_history", "Former ones.",
		func(s *api.TrainingStatus) []api.TrainingJob { return s.FaceTrainingHistory }, jobFields),
	framework.ListField("character_training_history", "Former ones.",
		func(s *api.TrainingStatus) []api.TrainingJob { return s.CharacterTrainingHistory }, jobFields),
	framework.FlagField("can_start_face_training", "One can start now.", func(s *api.TrainingStatus) *bool { return s.CanStartFaceTraining }),
	framework.FlagField("can_start_body_training", "One can start now.", func(s *api.TrainingStatus) *bool { return s.CanStartBodyTraining }),
	framework.FlagField("training_complete", "Trainings are complete.", func(s *api.TrainingStatus) *bool { return s.TrainingComplete }),
	framework.FlagField("has_active_training", "A training runs.", func(s *api.TrainingStatus) *bool { return s.HasActiveTraining }),
	framework.IntegerField("face_image_count", "Number of face images.", func(s *api.TrainingStatus) *int64 { return s.FaceImageCount }),
	framework.IntegerField("body_image_count", "Number of body images.", func(s *api.TrainingStatus) *int64 { return s.BodyImageCount }),
	framework.IntegerField("failed_face_image_count", "Face images that failed.", func(s *api.TrainingStatus) *int64 { return s.FailedFaceImageCount }),
	framework.IntegerField("failed_body_image_count", "Body images that failed.", func(s *api.TrainingStatus) *int64 { return s.FailedBodyImageCount }),
}

var jobFields = []framework.Field[api.TrainingJob]{
	framework.TextField("job_id", "Id of the job.", func(j *api.TrainingJob) *string { return j.JobID }),
	framework.TextField("character_id", "Its character.", func(j *api.TrainingJob) *string { return j.CharacterID }),
	framework.TextField("job_type", "Its kind.", func(j *api.TrainingJob) *string { return j.JobType }),
	framework.TextField("status", "Its status.", func(j *api.TrainingJob) *string { return j.Status }),
	framework.TextField("training_service_id", "Id where it trains.", func(j *api.TrainingJob) *string { return j.TrainingServiceID }),
	framework.TextField("created_at", "Start.", func(j *api.TrainingJob) *string { return j.CreatedAt }),
	framework.TextField("updated_at", "Last change.", func(j *api.TrainingJob) *string { return j.UpdatedAt }),
	framework.TextField("training_phase", "Its phase.", func(j *api.TrainingJob) *string { return j.TrainingPhase }),
	framework.IntegerField("progress", "Usually percent.", func(j *api.TrainingJob) *int64 { return j.Progress }),
	framework.IntegerField("eta_minutes", "Minutes left.", func(j *api.TrainingJob) *int64 { return j.ETAMinutes }),
	framework.NumberField("training_speed", "Unit not documented.", func(j *api.TrainingJob) *float64 { return j.TrainingSpeed }),
}
