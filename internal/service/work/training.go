package work

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// training is one training during one operation of the resource, the list or an
// action.
type training struct {
	data     *run.ProviderData
	kind     kind
	model    trainingModel
	private  privateState
	job      *api.TrainingJob    // what the last read showed of it; nil before
	status   *api.TrainingStatus // the last that did not show it; nil if there is none
	holder   string              // its name among the holders of its job; empty for one that an action or a list names
	named    bool                // by a person: no read has shown that it exists
	progress *wait.Progress      // nil if nobody watches
}

type privateState struct {
	api.Evidence // only a job that a read has shown can vanish
	run.Unconfirmed
	// Started: the reply to our own request named the job. Only then it is
	// cancelled.
	Started bool `json:"started,omitempty"`
	// EndSeen is when a status first showed that the job had ended, and not its
	// outcome.
	EndSeen *time.Time `json:"ended,omitempty"`
	Shared  []string   `json:"shared,omitempty"` // the other holders of the job at the last refresh, while it runs
}

// load gives a training without a name among holders one, if there is private
// state to write.
func (k kind) load(
	ctx context.Context,
	data *run.ProviderData,
	from framework.Getter,
	private privatestate.Reader,
	to privatestate.Writer,
	diags *diag.Diagnostics,
) *training {
	t := &training{data: data, kind: k}
	t.progress = wait.NewProgress(data.Clock, t.statusLine, data.LogProgress(ctx))
	diags.Append(from.Get(ctx, &t.model)...)
	diags.Append(privatestate.Load(ctx, private, &t.private)...)
	t.holder = run.HolderName(ctx, private, to, diags)
	return t
}

func (t *training) object() string {
	if t.jobID() == "" {
		return t.kind.lora + " LoRA training of " + framework.NameOf(t.model.CharacterID)
	}
	return fmt.Sprintf("training %q of character %q", t.jobID(), t.characterID())
}

func (t *training) summary(what string) string {
	return report.Summary(
		what,
		strings.TrimSpace(t.kind.lora+" LoRA training"),
		t.jobID(),
		"character "+t.characterID(),
	)
}

func (t *training) failure(verb, consequence string) report.Failure {
	return report.Failure{
		Verb:        verb,
		Noun:        t.kind.noun(),
		Object:      t.object(),
		Consequence: consequence,
	}
}

func (t *training) needsWait() bool {
	return t.model.IsAwaited() && t.model.isRunning() && !run.IsUnconfirmedID(t.model.ID)
}

func (t *training) characterID() string { return t.model.CharacterID.ValueString() }
func (t *training) jobID() string       { return t.model.ID.ValueString() }

// hold records that this training holds its job, and returns who else does.
func (t *training) hold() (others []string) {
	if t.jobID() == "" {
		return nil
	}
	return t.data.Trainings.Hold(t.holding(t.jobID()), t.holder)
}

// planDestroy records that the plan destroys the training, and its job unless
// another object is known to hold that.
func (t *training) planDestroy(ctx context.Context, private privatestate.Writer) diag.Diagnostics {
	if t.holder == "" {
		return nil
	}
	t.hold()
	for _, job := range t.data.Trainings.PlanDeletion(t.holder, func(string) bool { return t.isCancelled() }) {
		t.private.Shared = append(t.private.Shared, t.data.Trainings.Others(job, t.holder)...)
	}
	return privatestate.Store(ctx, private, t.private)
}

// refuseCancellation refuses a plan that cancels the job with another object,
// which was planned before it could know of this one.
func (t *training) refuseCancellation(diags *diag.Diagnostics) {
	t.hold()
	if !t.model.isRunning() || !t.data.Trainings.IsDeletedWithAnother(t.holding(t.jobID()), t.holder) {
		return
	}
	diags.Append(t.isOfAnother())
}

// holding is the name that a job is held by: two characters may have jobs of
// the same id.
func (t *training) holding(job string) string { return framework.ImportID(t.characterID(), job) }

// isHeld reports whether an object of this run holds a job of the character, or
// has released it.
func (t *training) isHeld(job string) bool { return t.data.Trainings.HasHeld(t.holding(job), "") }
