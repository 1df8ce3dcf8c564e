package training

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// startTimeout bounds the wait for a training that cannot start yet: captions
// may be pending.
const startTimeout = 2 * time.Minute

// order is one training, as the triggers ask for it.
func (t *training) order() api.WorkOrder {
	return t.kind.Order(t.characterID(), attributes.TriggerTexts(t.model.Triggers))
}

// start sends one request, unless another run has sent it and no state is known
// to have that. Only an error says that nothing was bought, as far as the
// service says.
func (t *training) start(ctx context.Context) (diags diag.Diagnostics) {
	order := t.order()
	if found := t.data.Client.PurchaseLog().Find(order.Entry); len(found) > 0 {
		return diag.Diagnostics{t.guarded(found).Error()}
	}
	diags.Append(t.prepare(ctx)...)
	if diags.HasError() {
		return diags
	}
	sent := t.data.Clock.Now()
	receipt, err := t.data.Client.StartWork(ctx, order)
	bought, isBought := errors.AsType[*purchases.BoughtError](err)
	switch {
	case isBought:
		diags.Append(t.guarded(bought.Found).Error())
	case err != nil && !reply.IsEffectUnknown(err):
		diags.Append(t.notStarted("Start", t.kind.noun(), err))
	default:
		diags.Append(t.record(ctx, receipt, err, sent)...)
	}
	return diags
}

// guarded is about the same training, which another run has bought.
func (t *training) guarded(found []purchases.Bought) run.Guarded {
	return framework.GuardedWork(t.object(), t.characterID(), found, t.summary)
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

// record stores the outcome of a start: the job that the reply names, or an id
// of our own for one that may be paid for.
func (t *training) record(
	ctx context.Context,
	receipt *api.Receipt,
	err error,
	sent time.Time,
) (diags diag.Diagnostics) {
	if err == nil {
		t.model.startFromAPI(receipt)
		t.private.Evidence = t.data.Client.Made()
		diags.Append(
			report.OddReceipt(
				t.object(),
				receipt.CreditsDeducted,
				receipt.Assumed,
				receipt.TooLarge,
				t.summary,
			)...)
	}
	t.private.Started = t.jobID() != ""
	if t.private.Started {
		t.private.Unconfirmed = run.Unconfirmed{}
	} else {
		t.private.Sent = sent
		diags.Append(t.recordUnconfirmed(ctx, t.unnamed(receipt, err), err))
	}
	t.hold()
	return diags
}

// recordUnconfirmed records a start whose effect is not known, or whose reply
// names no job (cause is nil). One read finds out what has appeared since; a
// reply that was cut off may name it too.
func (t *training) recordUnconfirmed(ctx context.Context, what string, cause error) diag.Diagnostic {
	t.model.ID = run.UnconfirmedID()
	t.model.Status = types.StringValue("unconfirmed")
	t.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := t.data.Client.Trainings.Status(ctx, t.characterID())
		if err == nil {
			t.look(status)
		}
		return err
	})
	if job := api.ArrivedJobID(cause); job != "" && !slices.Contains(t.private.MayBe, job) {
		t.private.MayBe = append([]string{job}, t.private.MayBe...)
	}
	return t.isUnconfirmed(what)
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
