package work

import (
	"cmp"
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// lora describes the differences between trainings of a body LoRA and of a face
// LoRA.
type lora struct {
	api.TrainingKind

	typeName    string // without the provider's
	name, title string // for sentences and summaries
	inferred    string // a note that the interface does not document the start; empty if it does
	body        bool
	// What the service says about the LoRA and about a start.
	status     func(*api.TrainingStatus) *reply.Text
	canStart   func(*api.TrainingStatus) *bool
	capability func(*api.Capabilities) *api.LoRA
}

var (
	bodyLoRA = lora{
		TrainingKind: api.BodyTraining,
		typeName:     "body_lora_training",
		name:         "body",
		title:        "Body LoRA",
		body:         true,
		status:       func(s *api.TrainingStatus) *reply.Text { return s.BodyLoRAStatus },
		canStart:     func(s *api.TrainingStatus) *bool { return s.CanStartBodyTraining },
		capability:   func(c *api.Capabilities) *api.LoRA { return c.BodyLoRA },
	}
	faceLoRA = lora{
		TrainingKind: api.FaceTraining,
		typeName:     "face_lora_training",
		name:         "face",
		title:        "Face LoRA",
		inferred: "The path that starts a face training is inferred, not documented by the service, and costs " +
			"credits. A deployment with another path answers with an error, and nothing is bought.",
		status:     func(s *api.TrainingStatus) *reply.Text { return s.FaceLoRAStatus },
		canStart:   func(s *api.TrainingStatus) *bool { return s.CanStartFaceTraining },
		capability: func(c *api.Capabilities) *api.LoRA { return c.FaceLoRA },
	}
	// unknownLoRA is the LoRA of a job that only a person has named.
	unknownLoRA = lora{title: "LoRA"}
)

const waitTimeout, cancelTimeout = 3 * time.Hour, 10 * time.Minute // the default timeouts, also of the actions

var trainingTimeouts = framework.Timeouts{"create": waitTimeout, "update": waitTimeout, "delete": cancelTimeout}

// training describes the trainings of a LoRA. If the reply to a start is lost,
// the job's id is only found later.
func (l lora) training() *kind[*training] {
	return &kind[*training]{
		words:    l.words(),
		typeName: l.typeName,
		buys:     purchases.KindTraining,
		makes:    run.LoRA,
		idHelp:   "Id of the training job.",
		isLate:   true,
		timeouts: trainingTimeouts,
		inputs:   []string{"triggers"},
		schema:   func() schema.Schema { return trainingSchema(l) },
		empty: func(w *work) (own *training, model, private any) {
			t := newTraining(w, l)
			return t, &t.model, &t.private
		},

		order:       (*training).order,
		refuseStart: (*training).awaitStartable,
		accepted:    (*training).accepted,
		unknown:     (*training).unknown,

		refresh:    (*training).refresh,
		phase:      func(t *training) phase { return t.model.phase() },
		await:      (*training).awaitEnd,
		statusLine: (*training).statusLine,

		note:       (*training).note,
		checkStart: (*training).checkStart,
		resume:     (*training).resume,

		isUnconfirmed: (*training).isUnconfirmed,
		hasFailed:     (*training).planFailed,
		isReplaced:    (*training).isReplaced,

		warnOfDestroy:      (*training).warnOfDestroy,
		planDestroy:        (*training).planDestroy,
		refuseCancellation: (*training).refuseCancellation,
		cancel:             (*training).cancelOrForget,
	}
}

// words returns the words by which messages name the trainings of a LoRA.
func (l lora) words() words {
	name := "LoRA training"
	if l.name != "" {
		name = l.name + " LoRA training"
	}
	return words{
		noun:      l.title + " Training",
		name:      name,
		jobNoun:   "training",
		start:     "Start",
		none:      "No " + name + " was started",
		inferred:  l.inferred,
		takesOver: "triggers",
		done:      "trained",
		again:     "train with them, which costs credits",
	}
}

func (l lora) resource() resource.Resource { return l.training().resource() }

// readAvailable reads from the capabilities of the character whether the LoRA is
// available, or from the status if the capabilities do not tell. It is null if
// neither tells.
func (l lora) readAvailable(
	ctx context.Context,
	client *evidence.Client,
	character string,
	status *api.TrainingStatus,
) (types.Bool, error) {
	capabilities, err := client.Characters.Capabilities(ctx, character)
	if err != nil {
		return types.BoolNull(), err
	}
	served := cmp.Or(l.capability(capabilities), &api.LoRA{})
	if served.Available != nil {
		return types.BoolValue(*served.Available), nil
	}
	for _, word := range []*reply.Text{served.Status, l.status(status)} {
		if word == nil {
			continue
		}
		if phase := api.PhaseOfWord(*word); phase != api.Running {
			return types.BoolValue(phase == api.Succeeded), nil
		}
	}
	if status.TrainingComplete != nil && *status.TrainingComplete {
		return types.BoolValue(true), nil
	}
	return types.BoolNull(), nil
}
