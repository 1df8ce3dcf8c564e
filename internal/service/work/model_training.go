package work

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// trainingModel is a training in Terraform's form.
type trainingModel struct {
	Model
	Status            types.String  `tfsdk:"status"`
	Succeeded         types.Bool    `tfsdk:"succeeded"`
	JobType           types.String  `tfsdk:"job_type"`
	TrainingServiceID types.String  `tfsdk:"training_service_id"`
	TrainingSteps     types.Int64   `tfsdk:"training_steps"`
	CreditsDeducted   types.Float64 `tfsdk:"credits_deducted"`
	RemainingBalance  types.Float64 `tfsdk:"remaining_balance"`
	Message           types.String  `tfsdk:"message"`
	CreatedAt         types.String  `tfsdk:"created_at"`
	UpdatedAt         types.String  `tfsdk:"updated_at"`
}

// planOutcome plans the continuation of a training's wait. Values that the wait
// can change become unknown; the receipt and final values stay known.
func (m *trainingModel) planOutcome() {
	m.Status = types.StringUnknown()
	m.UpdatedAt = types.StringUnknown()
	m.Succeeded = types.BoolUnknown()
	for _, lasting := range []*types.String{&m.JobType, &m.TrainingServiceID, &m.CreatedAt} {
		if lasting.IsNull() {
			*lasting = types.StringUnknown()
		}
	}
}

// startFromAPI stores the values that only the reply to the start contains.
func (m *trainingModel) startFromAPI(start *api.Receipt) {
	m.ID = types.StringPointerValue(start.JobID)
	m.Message = types.StringPointerValue(start.Message)
	m.TrainingSteps = types.Int64PointerValue(start.TrainingSteps)
	m.CreditsDeducted = types.Float64PointerValue(start.CreditsDeducted)
	m.RemainingBalance = types.Float64PointerValue(start.RemainingBalance)
}

// jobFromAPI stores the job that a status shows. Lasting values keep their
// first value, because a plan promises them.
func (m *trainingModel) jobFromAPI(job *api.TrainingJob) {
	m.Status = framework.TextOf(job.Status)
	m.UpdatedAt = framework.SameMoment(m.UpdatedAt, job.UpdatedAt)
	setOnce(&m.JobType, job.JobType)
	setOnce(&m.TrainingServiceID, job.TrainingServiceID)
	setOnce(&m.CreatedAt, job.CreatedAt)
}

func setOnce[S ~string](stored *types.String, served *S) {
	if stored.IsNull() {
		*stored = framework.TextOf(served)
	}
}

// isRunning reports whether the outcome is not known yet.
func (m *trainingModel) isRunning() bool { return m.Succeeded.IsNull() }

// phase says how far the training is. Its outcome is data, and never changes.
func (m *trainingModel) phase() phase {
	switch {
	case framework.IsUnconfirmedID(m.ID):
		return phaseUnconfirmed
	case m.isRunning():
		return phaseRunning
	case m.Succeeded.ValueBool():
		return phaseSucceeded
	}
	return phaseFailed
}
