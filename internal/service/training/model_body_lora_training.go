package training

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// trainingModel is a training as plan and state hold it.
type trainingModel struct {
	CharacterID       types.String   `tfsdk:"character_id"`
	Triggers          types.Map      `tfsdk:"triggers"`
	WaitForCompletion types.Bool     `tfsdk:"wait_for_completion"`
	Timeouts          timeouts.Value `tfsdk:"timeouts"`

	ID                types.String  `tfsdk:"id"`
	Status            types.String  `tfsdk:"status"`
	Succeeded         types.Bool    `tfsdk:"succeeded"`
	JobType           types.String  `tfsdk:"job_type"`
	Progress          types.Int64   `tfsdk:"progress"`
	TrainingPhase     types.String  `tfsdk:"training_phase"`
	ETAMinutes        types.Int64   `tfsdk:"eta_minutes"`
	TrainingSpeed     types.Float64 `tfsdk:"training_speed"`
	TrainingServiceID types.String  `tfsdk:"training_service_id"`
	TrainingSteps     types.Int64   `tfsdk:"training_steps"`
	CreditsDeducted   types.Float64 `tfsdk:"credits_deducted"`
	RemainingBalance  types.Float64 `tfsdk:"remaining_balance"`
	BodyLoRAStatus    types.String  `tfsdk:"body_lora_status"`
	Message           types.String  `tfsdk:"message"`
	CreatedAt         types.String  `tfsdk:"created_at"`
	UpdatedAt         types.String  `tfsdk:"updated_at"`
}

// trainingIdentity is what import blocks name a training by.
type trainingIdentity struct {
	CharacterID types.String `tfsdk:"character_id"`
	ID          types.String `tfsdk:"id"`
}

func (m *trainingModel) identity() trainingIdentity {
	return trainingIdentity{CharacterID: m.CharacterID, ID: m.ID}
}

// record is what private state remembers of a training.
type record struct {
	// Only a job that a read has shown can vanish.
	api.Sighting
	// Before are the jobs that were there before a start whose answer was
	// lost: the job that is not among them is ours.
	Before []string `json:"before"`
	// Ended is when the job was first seen to have ended without a word that
	// tells how.
	Ended *time.Time `json:"ended,omitempty"`
}

// recordKey is the record's key in private state.
const recordKey = "training"

// blank is the configured part of a plan: what only the service can tell is
// null, so that no unknown value can reach the state.
func (m *trainingModel) blank() trainingModel {
	return trainingModel{
		CharacterID: m.CharacterID, Triggers: m.Triggers,
		WaitForCompletion: m.WaitForCompletion, Timeouts: m.Timeouts,
	}
}

// configured is the training in state with what the plan configures.
func (m trainingModel) configured(plan *trainingModel) trainingModel {
	m.Triggers, m.WaitForCompletion, m.Timeouts = plan.Triggers, plan.WaitForCompletion, plan.Timeouts
	return m
}

// resumed is the plan of a training whose wait goes on: what the wait may
// change is unknown, what was bought is not.
func (m trainingModel) resumed() trainingModel {
	for _, text := range []*types.String{
		&m.Status, &m.JobType, &m.TrainingPhase, &m.TrainingServiceID, &m.BodyLoRAStatus, &m.CreatedAt, &m.UpdatedAt,
	} {
		*text = types.StringUnknown()
	}
	m.Succeeded = types.BoolUnknown()
	m.Progress, m.ETAMinutes = types.Int64Unknown(), types.Int64Unknown()
	m.TrainingSpeed = types.Float64Unknown()
	return m
}

// started takes over what only the reply to the start tells.
func (m *trainingModel) started(start *api.TrainingStart) {
	m.ID = types.StringPointerValue(start.JobID)
	m.Message = types.StringPointerValue(start.Message)
	m.TrainingSteps = types.Int64PointerValue(start.TrainingSteps)
	m.CreditsDeducted = types.Float64PointerValue(start.CreditsDeducted)
	m.RemainingBalance = types.Float64PointerValue(start.RemainingBalance)
}

// shown takes over what a status tells of the training. What never changes is
// kept when a reply leaves it out.
func (m *trainingModel) shown(status *api.TrainingStatus, job *api.TrainingJob) {
	m.BodyLoRAStatus = types.StringPointerValue(status.BodyLoRAStatus)
	m.Status = types.StringPointerValue(job.Status)
	m.Progress = types.Int64PointerValue(job.Progress)
	m.TrainingPhase = types.StringPointerValue(job.TrainingPhase)
	m.ETAMinutes = types.Int64PointerValue(job.ETAMinutes)
	m.TrainingSpeed = types.Float64PointerValue(job.TrainingSpeed)
	m.UpdatedAt = types.StringPointerValue(job.UpdatedAt)
	keep(&m.JobType, job.JobType)
	keep(&m.TrainingServiceID, job.TrainingServiceID)
	keep(&m.CreatedAt, job.CreatedAt)
}

func keep(stored *types.String, served *string) {
	if served != nil {
		*stored = types.StringValue(*served)
	}
}

// running says that the end of the job is not known yet.
func (m *trainingModel) running() bool { return m.Succeeded.IsNull() }

// waits says that an apply has a wait to begin or to resume. A job that is not
// known is looked for by refreshing alone.
func (m *trainingModel) waits() bool {
	return m.WaitForCompletion.ValueBool() && m.running() && !framework.IsUnknownID(m.ID)
}
