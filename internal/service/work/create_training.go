package work

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// startTimeout bounds the wait for a training that cannot start yet: captions
// may be pending.
const startTimeout = 2 * time.Minute

// order is one training, as the triggers ask for it.
func (t *training) order() api.Order[*api.Receipt] {
	return t.kind.Order(t.characterID(), attributes.TextsByKey(t.model.Triggers))
}

// start buys the training, unless another run has bought it and no state is
// known to have that. Only an error says that nothing was bought, as far as the
// service says.
func (t *training) start(ctx context.Context) (diags diag.Diagnostics) {
	order := t.order()
	if t.data.RefuseGuarded(ctx, order.Entry, t.guarded, &diags) {
		return diags
	}
	diags.Append(t.prepare(ctx)...)
	if !diags.HasError() {
		run.Buy(ctx, t.data, order, &startingTraining{t, &diags})
	}
	return diags
}

// guarded is about the same training, which another run has bought.
func (t *training) guarded(found []purchases.Bought) run.Guarded {
	return t.model.Guarded(t.object(), found, t.summary)
}

// prepare polls the status until a training can be started. One that runs
// already is an error.
func (t *training) prepare(ctx context.Context) (diags diag.Diagnostics) {
	next, err := t.data.Client.Trainings.Status(
		ctx,
		t.characterID(),
	) // no poll, which would outlast an outage: nothing is paid for yet
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
			if status != nil { // the first one is read already
				next, err = t.data.Client.Trainings.Status(ctx, t.characterID())
				if err != nil {
					return false, err
				}
			}
			status = next
			running = t.kind.findRunning(status, t.isHeld)
			canStart := t.kind.canStart(status) // variant: body-needs-dataset
			return running != "" || canStart == nil || *canStart, nil
		},
	)
	timeout, isTimeout := errors.AsType[*wait.TimeoutError](err)
	if isTimeout {
		err = timeout.Last // nil if the service has always answered
	}
	switch {
	case running != "":
		diags.Append(t.runsAlready(running))
	case isTimeout && err == nil:
		diags.Append(t.cannotStartStill(status, timeout.After))
	case err != nil:
		diags.Append(t.notStarted("Read", "Training Status", err))
	}
	t.private.Before = t.kind.idsIn(status)
	return diags
}

// startingTraining is the purchase of a training.
type startingTraining struct {
	*training
	diags *diag.Diagnostics
}

var _ run.Buyer[*api.Receipt] = (*startingTraining)(nil)

// Accepted stores the job that the reply names. If it names none, the training
// is unconfirmed.
func (s *startingTraining) Accepted(ctx context.Context, receipt *api.Receipt, sent time.Time) {
	s.model.startFromAPI(receipt)
	s.private.Evidence = s.data.Client.Made()
	s.diags.Append(
		report.OddReceipt(
			s.object(),
			receipt.CreditsDeducted,
			receipt.Assumed,
			receipt.TooLarge,
			s.summary,
		)...)
	if s.jobID() == "" {
		s.recordUnconfirmed(ctx, run.Unconfirmed{Sent: sent, Reason: namesNoJob(receipt)})
		return
	}
	s.private.Started = true
	s.private.Unconfirmed = run.Unconfirmed{}
	s.hold()
}

// Unknown records a start whose effect is not known. A reply that was cut off
// may name its job.
func (s *startingTraining) Unknown(ctx context.Context, arrived *api.Receipt, unconfirmed run.Unconfirmed) {
	if arrived != nil && arrived.JobID != nil {
		unconfirmed.MayBe = []string{*arrived.JobID}
	}
	s.recordUnconfirmed(ctx, unconfirmed)
}

// Refused is an error: no training was started.
func (s *startingTraining) Refused(_ context.Context, err error) {
	s.diags.Append(s.notStarted("Start", s.kind.noun(), err))
}

// Guarded is an error: another run has bought the training since this one has
// asked the purchase log.
func (s *startingTraining) Guarded(_ context.Context, found []purchases.Bought) {
	s.diags.Append(s.guarded(found).Error())
}

// recordUnconfirmed gives a training without a known job an id of our own. One
// read finds out what has appeared since.
func (s *startingTraining) recordUnconfirmed(ctx context.Context, unconfirmed run.Unconfirmed) {
	unconfirmed.Before = s.private.Before
	s.private.Unconfirmed = unconfirmed
	s.model.ID = run.UnconfirmedID()
	s.model.Status = types.StringValue("unconfirmed")
	s.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := s.data.Client.Trainings.Status(ctx, s.characterID())
		if err == nil {
			s.look(status)
		}
		return err
	})
	for _, job := range unconfirmed.MayBe {
		if !slices.Contains(s.private.MayBe, job) {
			s.private.MayBe = append([]string{job}, s.private.MayBe...)
		}
	}
	s.diags.Append(s.isUnconfirmed())
	s.hold()
}

// look notes the trainings of the kind that have appeared since an unconfirmed
// start.
func (t *training) look(status *api.TrainingStatus) {
	t.private.MayBe = nil
	for _, job := range t.kind.idsIn(status) {
		if !slices.Contains(t.private.Before, job) {
			t.private.MayBe = append(t.private.MayBe, job)
		}
	}
}

// mayBe returns the jobs that may be the unconfirmed one, and that no object
// holds.
func (t *training) mayBe() (jobs []string) {
	for _, job := range t.private.MayBe {
		if !t.isHeld(job) {
			jobs = append(jobs, job)
		}
	}
	return jobs
}
