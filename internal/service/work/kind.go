package work

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// kind is what body and face trainings differ in.
type kind struct {
	api.TrainingKind
	typeName    string // without the provider's
	lora, title string // for sentences and summaries
	inferred    string // that the interface does not document the start; empty if it does
	body        bool
	// What the service says about the LoRA, and about a start.
	status     func(*api.TrainingStatus) *reply.Text
	canStart   func(*api.TrainingStatus) *bool
	capability func(*api.Capabilities) *api.LoRA
}

var (
	bodyLoRA = kind{
		TrainingKind: api.BodyTraining,
		typeName:     "body_lora_training",
		lora:         "body",
		title:        "Body LoRA",
		body:         true,
		status:       func(s *api.TrainingStatus) *reply.Text { return s.BodyLoRAStatus },
		canStart:     func(s *api.TrainingStatus) *bool { return s.CanStartBodyTraining },
		capability:   func(c *api.Capabilities) *api.LoRA { return c.BodyLoRA },
	}
	faceLoRA = kind{
		TrainingKind: api.FaceTraining,
		typeName:     "face_lora_training",
		lora:         "face",
		title:        "Face LoRA",
		inferred: "The path that starts a face training is inferred, not documented by the service, and costs " +
			"credits. A deployment with another path answers with an error, and nothing is bought.",
		status:     func(s *api.TrainingStatus) *reply.Text { return s.FaceLoRAStatus },
		canStart:   func(s *api.TrainingStatus) *bool { return s.CanStartFaceTraining },
		capability: func(c *api.Capabilities) *api.LoRA { return c.FaceLoRA },
	}
	// unknownLoRA is the kind of a job that only a person has named.
	unknownLoRA = kind{title: "LoRA"}
)

// noun names a training of the kind in summaries.
func (k kind) noun() string { return k.title + " Training" }
