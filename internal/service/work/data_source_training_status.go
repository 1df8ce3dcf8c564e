package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newTrainingStatusDataSource describes the data source of a character's
// trainings. Unlike the resources, it shows values that change from moment to
// moment.
func newTrainingStatusDataSource() datasource.DataSource {
	return run.DataSource[api.TrainingStatus]{
		Name:        "training_status",
		Noun:        "Training Status",
		Of:          "character_id",
		OfNoun:      "character",
		Description: "The trainings of a character, and whether another can start.\n\nReading them costs no credits.",
		Inputs:      map[string]schema.Attribute{"character_id": run.CharacterInput()},
		Fields:      statusFields,
		Read: func(ctx context.Context, data *run.ProviderData, inputs run.Inputs) (*api.TrainingStatus, error) {
			return data.Client.Trainings.Status(ctx, inputs.Text("character_id").ValueString())
		},
	}.New()
}

var statusFields = []framework.Field[api.TrainingStatus]{
	framework.TextField(
		"face_lora_status",
		"Status of the character's face LoRA.",
		func(s *api.TrainingStatus) *reply.Text { return s.FaceLoRAStatus },
	),
	framework.TextField(
		"body_lora_status",
		"Status of the character's body LoRA.",
		func(s *api.TrainingStatus) *reply.Text { return s.BodyLoRAStatus },
	),
	framework.ObjectField(
		"face_training",
		"Training of the face LoRA that the service calls current; it may have ended. Null if there is none.",
		func(s *api.TrainingStatus) *api.TrainingJob { return s.FaceTraining },
		jobFields,
	),
	framework.ObjectField(
		"character_training",
		"Training of the body LoRA that the service calls current; it may have ended. Null if there is none.",
		func(s *api.TrainingStatus) *api.TrainingJob { return s.CharacterTraining },
		jobFields,
	),
	framework.ListField("face_training_history", "Former trainings of the face LoRA, in the service's order.",
		func(s *api.TrainingStatus) []api.TrainingJob { return s.FaceTrainingHistory }, jobFields),
	framework.ListField("character_training_history", "Former trainings of the body LoRA, in the service's order.",
		func(s *api.TrainingStatus) []api.TrainingJob { return s.CharacterTrainingHistory }, jobFields),
	framework.FlagField("can_start_face_training", "Whether a training of the face LoRA can start now.",
		func(s *api.TrainingStatus) *bool { return s.CanStartFaceTraining }),
	framework.FlagField("can_start_body_training", "Whether a training of the body LoRA can start now.",
		func(s *api.TrainingStatus) *bool { return s.CanStartBodyTraining }),
	framework.FlagField(
		"training_complete",
		"Whether the service calls the character's trainings complete.",
		func(s *api.TrainingStatus) *bool { return s.TrainingComplete },
	),
	framework.FlagField(
		"has_active_training",
		"Whether a training of the character runs.",
		func(s *api.TrainingStatus) *bool { return s.HasActiveTraining },
	),
	framework.IntegerField(
		"face_image_count",
		"Number of face images that a training can use.",
		func(s *api.TrainingStatus) *int64 { return s.FaceImageCount },
	),
	framework.IntegerField(
		"body_image_count",
		"Number of body images that a training can use.",
		func(s *api.TrainingStatus) *int64 { return s.BodyImageCount },
	),
	framework.IntegerField("failed_face_image_count", "Number of face images that the service could not process.",
		func(s *api.TrainingStatus) *int64 { return s.FailedFaceImageCount }),
	framework.IntegerField("failed_body_image_count", "Number of body images that the service could not process.",
		func(s *api.TrainingStatus) *int64 { return s.FailedBodyImageCount }),
}

var jobFields = []framework.Field[api.TrainingJob]{
	framework.TextField("job_id", "Id of the training job.", func(j *api.TrainingJob) *string { return j.JobID }),
	framework.TextField(
		"character_id",
		"Id of the character that the job trains.",
		func(j *api.TrainingJob) *string { return j.CharacterID },
	),
	framework.TextField(
		"job_type",
		"Kind of the training.",
		func(j *api.TrainingJob) *reply.Text { return j.JobType },
	),
	framework.TextField("status", "Status of the job.", func(j *api.TrainingJob) *reply.Text { return j.Status }),
	framework.TextField(
		"training_service_id",
		"Id of the job at the service that trains.",
		func(j *api.TrainingJob) *string { return j.TrainingServiceID },
	),
	framework.TextField(
		"created_at",
		"When the job was created, in ISO 8601.",
		func(j *api.TrainingJob) *string { return j.CreatedAt },
	),
	framework.TextField(
		"updated_at",
		"When the job last changed, in ISO 8601.",
		func(j *api.TrainingJob) *string { return j.UpdatedAt },
	),
	framework.TextField(
		"training_phase",
		"Phase of the job.",
		func(j *api.TrainingJob) *reply.Text { return j.TrainingPhase },
	),
	framework.IntegerField(
		"progress",
		"Progress of the job, usually in percent; the unit is not documented.",
		func(j *api.TrainingJob) *int64 { return j.Progress },
	),
	framework.IntegerField(
		"eta_minutes",
		"Estimated time that is left, in minutes.",
		func(j *api.TrainingJob) *int64 { return j.ETAMinutes },
	),
	framework.NumberField(
		"training_speed",
		"Speed of the training; the unit is not documented.",
		func(j *api.TrainingJob) *float64 { return j.TrainingSpeed },
	),
}
