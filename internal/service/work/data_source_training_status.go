package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// newTrainingStatusDataSource describes the data source of a character's
// trainings. Unlike the resources, it shows values that change from moment to
// moment.
func newTrainingStatusDataSource() datasource.DataSource {
	return framework.DataSource[api.TrainingStatus]{
		Name:        "training_status",
		Noun:        "Training Status",
		Of:          "character_id",
		OfNoun:      "character",
		Description: "The trainings of a character, and whether another can start.\n\nReading them costs no credits.",
		Inputs:      map[string]schema.Attribute{"character_id": framework.CharacterInput()},
		Fields:      statusFields,
		Read: func(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.TrainingStatus, error) {
			return client.Trainings.Status(ctx, inputs.Text("character_id").ValueString())
		},
	}.New()
}

var statusFields = []attributes.Field[api.TrainingStatus]{
	attributes.TextField(
		"face_lora_status",
		"Status of the character's face LoRA.",
		func(s *api.TrainingStatus) *reply.Text { return s.FaceLoRAStatus },
	),
	attributes.TextField(
		"body_lora_status",
		"Status of the character's body LoRA.",
		func(s *api.TrainingStatus) *reply.Text { return s.BodyLoRAStatus },
	),
	attributes.ObjectField(
		"face_training",
		"Training of the face LoRA that the service calls current; it may have ended. Null if there is none.",
		func(s *api.TrainingStatus) *api.TrainingJob { return s.FaceTraining },
		jobFields,
	),
	attributes.ObjectField(
		"character_training",
		"Training of the body LoRA that the service calls current; it may have ended. Null if there is none.",
		func(s *api.TrainingStatus) *api.TrainingJob { return s.CharacterTraining },
		jobFields,
	),
	attributes.ListField("face_training_history", "Former trainings of the face LoRA, in the service's order.",
		func(s *api.TrainingStatus) []api.TrainingJob { return s.FaceTrainingHistory }, jobFields),
	attributes.ListField("character_training_history", "Former trainings of the body LoRA, in the service's order.",
		func(s *api.TrainingStatus) []api.TrainingJob { return s.CharacterTrainingHistory }, jobFields),
	attributes.FlagField("can_start_face_training", "Whether a training of the face LoRA can start now.",
		func(s *api.TrainingStatus) *bool { return s.CanStartFaceTraining }),
	attributes.FlagField("can_start_body_training", "Whether a training of the body LoRA can start now.",
		func(s *api.TrainingStatus) *bool { return s.CanStartBodyTraining }),
	attributes.FlagField(
		"training_complete",
		"Whether the service calls the character's trainings complete.",
		func(s *api.TrainingStatus) *bool { return s.TrainingComplete },
	),
	attributes.FlagField(
		"has_active_training",
		"Whether a training of the character runs.",
		func(s *api.TrainingStatus) *bool { return s.HasActiveTraining },
	),
	attributes.IntegerField(
		"face_image_count",
		"Number of face images that a training can use.",
		func(s *api.TrainingStatus) *int64 { return s.FaceImageCount },
	),
	attributes.IntegerField(
		"body_image_count",
		"Number of body images that a training can use.",
		func(s *api.TrainingStatus) *int64 { return s.BodyImageCount },
	),
	attributes.IntegerField("failed_face_image_count", "Number of face images that the service could not process.",
		func(s *api.TrainingStatus) *int64 { return s.FailedFaceImageCount }),
	attributes.IntegerField("failed_body_image_count", "Number of body images that the service could not process.",
		func(s *api.TrainingStatus) *int64 { return s.FailedBodyImageCount }),
}

var jobFields = []attributes.Field[api.TrainingJob]{
	attributes.TextField("job_id", "Id of the training job.", func(j *api.TrainingJob) *string { return j.JobID }),
	attributes.TextField(
		"character_id",
		"Id of the character that the job trains.",
		func(j *api.TrainingJob) *string { return j.CharacterID },
	),
	attributes.TextField(
		"job_type",
		"Kind of the training.",
		func(j *api.TrainingJob) *reply.Text { return j.JobType },
	),
	attributes.TextField("status", "Status of the job.", func(j *api.TrainingJob) *reply.Text { return j.Status }),
	attributes.TextField(
		"training_service_id",
		"Id of the job at the service that trains.",
		func(j *api.TrainingJob) *string { return j.TrainingServiceID },
	),
	attributes.TextField(
		"created_at",
		"When the job was created, in ISO 8601.",
		func(j *api.TrainingJob) *string { return j.CreatedAt },
	),
	attributes.TextField(
		"updated_at",
		"When the job last changed, in ISO 8601.",
		func(j *api.TrainingJob) *string { return j.UpdatedAt },
	),
	attributes.TextField(
		"training_phase",
		"Phase of the job.",
		func(j *api.TrainingJob) *reply.Text { return j.TrainingPhase },
	),
	attributes.IntegerField(
		"progress",
		"Progress of the job, usually in percent; the unit is not documented.",
		func(j *api.TrainingJob) *int64 { return j.Progress },
	),
	attributes.IntegerField(
		"eta_minutes",
		"Estimated time that is left, in minutes.",
		func(j *api.TrainingJob) *int64 { return j.ETAMinutes },
	),
	attributes.NumberField(
		"training_speed",
		"Speed of the training; the unit is not documented.",
		func(j *api.TrainingJob) *float64 { return j.TrainingSpeed },
	),
}
