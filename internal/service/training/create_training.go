package training

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
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
	schedule := wait.Schedule{First: 10 * time.Second, Shortest: 30 * time.Second}
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
		diags.AddAttributeError(path.Root("character_id"), "Unable to Start "+t.kind.title+" Training", fmt.Sprintf(
			"The service says that no %s training of character %q can start now, and has kept saying so for "+
				"%s.\n%s\n\n"+
				"Nothing was bought. Add what is missing (images, captions), or let the running training end, then "+
				"apply again.",
			t.kind.lora,
			t.characterID(),
			timeout.After.Round(time.Second),
			describeStatus(status),
		))
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
				receipt.BeyondReason,
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

// notStarted is a failure after which nothing is bought, as far as the service
// says.
func (t *training) notStarted(verb, noun string, err error) diag.Diagnostic {
	return framework.NotBought(
		report.Failure{Verb: verb, Noun: noun},
		&t.model.WorkModel,
		"No "+t.kind.lora+" training was started",
		err,
	)
}

// runsAlready refuses to start a training beside one that runs, and names the
// import: a job that nobody's reply has named to us is never taken.
func (t *training) runsAlready(job string) diag.Diagnostic {
	manage := "This resource has not started it, so it is not adopted. To manage it, which buys nothing, import " +
		"it:\n\n" +
		report.ImportBlock(
			report.Quote(framework.ImportID(t.characterID(), job)),
		) +
		"\n\nOtherwise apply once it has ended. With create_before_destroy it may belong to the resource that is " +
		"being replaced: wait, or remove create_before_destroy."
	if t.isHeld(job) {
		manage = "In the state another object holds it: another resource, or this one's own that is tainted or left " +
			"by create_before_destroy. Apply once it has ended; or remove this resource, write a moved block for a " +
			"new name, or untaint it."
	}
	return diag.NewAttributeErrorDiagnostic(
		path.Root("character_id"),
		t.kind.title+" Training Runs Already",
		fmt.Sprintf(
			"The %s training %q of character %q runs. Nothing was bought. %s\n\nA destroy plans the configuration "+
				"first: add -refresh=false to destroy without that.",
			t.kind.lora,
			job,
			t.characterID(),
			manage,
		),
	)
}

// unnamed says why a start has no job.
func (t *training) unnamed(receipt *api.Receipt, cause error) string {
	switch {
	case cause != nil:
		return t.data.Unanswered(cause)
	case receipt != nil && receipt.OddJobID != "":
		return fmt.Sprintf("was accepted, and its credits deducted, but the service's answer gives %q for its job, "+
			"which is no id that a request could name", receipt.OddJobID)
	default:
		return "was accepted, and its credits deducted, but the service's answer names no job"
	}
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
	return t.unconfirmedWarning(what)
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

// unconfirmedWarning says that a training may be paid for, and which job may be
// it.
func (t *training) unconfirmedWarning(what string) diag.Diagnostic {
	text := fmt.Sprintf(
		"The start of a %s training of character %q %s.\n\nIt is recorded as %q and not sent again by itself, and a "+
			"destroy cancels nothing.",
		t.kind.lora,
		t.characterID(),
		what,
		t.jobID(),
	)
	var jobs []string
	for _, job := range t.private.MayBe {
		if !t.isHeld(job) {
			jobs = append(jobs, job)
		}
	}
	if len(jobs) > 0 {
		text += fmt.Sprintf(
			"\n\nThese jobs have appeared since, and one of them may be it: %q. If so, import it in place of this "+
				"resource, which buys nothing:\n\n%s",
			jobs,
			report.ImportLines(report.Quote(framework.ImportID(t.characterID(), jobs[0]))),
		)
	} else {
		text += " No job that may be it has been seen so far; later plans name one that appears."
	}
	return diag.NewWarningDiagnostic(t.summary(t.kind.title+" Training Unconfirmed"),
		text+"\n\nIf the service has started none, change triggers to train again, which costs credits.")
}
