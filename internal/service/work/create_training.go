package work

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// startTimeout bounds the wait for a training that cannot start yet, for
// instance because captions are pending.
const startTimeout = 2 * time.Minute

// order returns the order of a training with the configured triggers.
func (t *training) order() purchases.Order[*api.Receipt] {
	return purchases.OrderTraining(t.lora.TrainingKind, t.characterID(), framework.TextsByKey(t.model.Triggers))
}

// awaitStartable polls the status until a training can be started. A training that is
// already running is an error.
func (t *training) awaitStartable(ctx context.Context) (diags diag.Diagnostics) {
	// The first read is no poll, which would outlast an outage: nothing is paid
	// for yet.
	next, err := t.data.Client.Trainings.Status(ctx, t.characterID())
	if err != nil {
		return diag.Diagnostics{t.notStarted("Read", "Training Status", err)}
	}
	var status *api.TrainingStatus
	running := ""
	schedule := wait.Schedule{First: 10 * time.Second, Min: 30 * time.Second}
	err = wait.Poll(
		wait.Within(ctx, t.data.Clock, startTimeout),
		t.data.Clock,
		schedule.Next,
		t.progress,
		func(ctx context.Context) (bool, error) {
			if status != nil { // the first status has been read already
				next, err = t.data.Client.Trainings.Status(ctx, t.characterID())
				if err != nil {
					return false, err
				}
			}
			status = next
			running = t.lora.findRunning(status, t.isHeld)
			canStart := t.lora.canStart(status) // variant: body-needs-dataset
			return running != "" || canStart == nil || *canStart, nil
		},
	)
	timeout, isTimeout := errors.AsType[*wait.TimeoutError](err)
	if isTimeout {
		err = timeout.Last // nil if the service answered every poll
	}
	switch {
	case running != "":
		diags.Append(t.messages().runsAlready(running, t.isHeld(running)))
	case isTimeout && err == nil:
		diags.Append(t.messages().cannotStartStill(status, timeout.After))
	case err != nil:
		diags.Append(t.notStarted("Read", "Training Status", err))
	}
	t.private.Before = t.lora.idsIn(status)
	return diags
}

// accepted stores the receipt, and holds the job that it names.
func (t *training) accepted(receipt *api.Receipt, _ time.Time) {
	t.model.startFromAPI(receipt)
	t.private.Evidence = t.data.Client.Made()
	if t.jobID() != "" {
		t.private.Started = true
		t.private.Unconfirmed = framework.Unconfirmed{}
		t.hold()
	}
}

// unknown stores a start whose effect is not known. A single read finds the
// jobs that have appeared since; a reply that was cut off may name the job.
func (t *training) unknown(ctx context.Context, arrived *api.Receipt, unconfirmed framework.Unconfirmed) {
	unconfirmed.Before = t.private.Before
	t.private.Unconfirmed = unconfirmed
	t.model.Status = types.StringValue("unconfirmed")
	t.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := t.data.Client.Trainings.Status(ctx, t.characterID())
		if err == nil {
			t.private.look(t.lora.idsIn(status))
		}
		return err
	})
	if arrived != nil && arrived.JobID != nil && !slices.Contains(t.private.MayBe, *arrived.JobID) {
		t.private.MayBe = append([]string{*arrived.JobID}, t.private.MayBe...)
	}
	t.hold()
}

// look notes the trainings of this kind that have appeared since an unconfirmed
// start. shown are all jobs in a status.
func (s *trainingState) look(shown []string) {
	s.MayBe = nil
	for _, job := range shown {
		if !slices.Contains(s.Before, job) {
			s.MayBe = append(s.MayBe, job)
		}
	}
}

// mayBe returns the jobs that may be the unconfirmed job and that no object
// holds.
func (t *training) mayBe() (jobs []string) {
	for _, job := range t.private.MayBe {
		if !t.isHeld(job) {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// isUnconfirmed says which jobs may be the unconfirmed job.
func (t *training) isUnconfirmed() diag.Diagnostic {
	return t.messages().isUnconfirmed(t.private.Unconfirmed, t.mayBe())
}
