package work

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const firstShownTimeout = 10 * time.Minute // how long the service may take to show a new job

var errJobNotShown = errors.New("the service's status does not show the job")

// waiter is a wait for the end of a training.
type waiter struct {
	*training

	began         time.Time
	schedule      wait.Schedule
	notShownSince time.Time // when a status first did not show the job; zero while it is shown
	unknown       bool      // the last poll found neither a running job nor its outcome
}

// newWaiter returns a wait for the end of a training. The wait begins now.
func newWaiter(t *training) *waiter {
	return &waiter{
		training: t,
		began:    t.data.Clock.Now(),
		schedule: workSchedule,
	}
}

// wait returns an error if it cannot say how the job ended.
func (w *waiter) wait(ctx context.Context) error {
	defer w.data.Client.Trainings.Refresh(w.characterID())
	next := func(waited time.Duration) time.Duration {
		if w.unknown { // the next reply may settle it
			return min(max(w.schedule.First, waited), 30*time.Second)
		}
		return w.schedule.Next(waited)
	}
	err := wait.Poll(ctx, w.data.Clock, w.data.Polls.Limit(next), w.progress, w.poll)
	w.progress.Say(w.statusLine())
	_, isTimeout := errors.AsType[*wait.TimeoutError](err)
	hasNoJob := isTimeout || reply.IsNotFound(err)
	if !w.private.Shown && hasNoJob {
		return fmt.Errorf("%w: %w", errJobNotShown, err)
	}
	return err
}

func (w *waiter) poll(ctx context.Context) (ended bool, err error) {
	w.unknown = true
	last := w.private.Evidence
	if w.named {
		last = last.AsShown() // the character may not exist
	}
	var status *api.TrainingStatus
	existence, failure, err := w.data.Client.Find(ctx, last, func(ctx context.Context) (failure error) {
		status, failure = w.data.Client.Trainings.Status(ctx, w.characterID())
		return failure
	})
	switch {
	case err != nil:
		return false, err
	case existence == evidence.Gone:
		return false, failure
	case existence == evidence.Present:
		shown, ended, err := w.updateFrom(ctx, status)
		if ended || err != nil {
			return ended, err
		}
		if shown {
			w.observe()
			return false, nil
		}
	}
	return w.handleWithoutJob(ctx, status)
}

// handleWithoutJob handles a status without the job. A new job gets time to
// appear. A job that has left the history has succeeded if its LoRA exists;
// nothing else is certain.
func (w *waiter) handleWithoutJob(ctx context.Context, status *api.TrainingStatus) (ended bool, err error) {
	now := w.data.Clock.Now()
	if w.notShownSince.IsZero() {
		w.notShownSince = now
	}
	notShownFor := now.Sub(w.notShownSince)
	if notShownFor < propagationTimeout || !w.private.Shown && notShownFor < firstShownTimeout {
		return false, nil
	}
	if !w.private.Shown {
		return false, errJobNotShown
	}
	available, err := w.lora.readAvailable(ctx, w.data.Client, w.characterID(), status)
	switch {
	case err != nil:
		return false, err
	case !available.ValueBool():
		return false, errJobNotShown
	}
	w.model.Succeeded = available
	return true, nil
}

func (w *waiter) observe() {
	waited := w.data.Clock.Now().Sub(w.began)
	w.notShownSince = time.Time{}
	w.unknown = w.private.EndSeen != nil
	w.schedule.Observe(waited, types.Int64PointerValue(w.job.Progress).ValueInt64())
	if minutes := w.job.ETAMinutes; minutes != nil && *minutes > 0 {
		w.schedule.Estimate = waited + time.Duration(*minutes)*time.Minute
	}
}

// awaitEnd waits for the end of the training, and warns if the training has
// failed.
func (t *training) awaitEnd(ctx context.Context) diag.Diagnostics {
	return t.endOfWait(newWaiter(t).wait(ctx), resumes)
}

// endOfWait returns only warnings, like framework.EndedEarly.
func (t *training) endOfWait(err error, next string) (diags diag.Diagnostics) {
	switch {
	case err == nil && t.model.isRunning():
		diags.Append(t.messages().endIsUnknown(next))
	case err == nil && !t.model.Succeeded.ValueBool():
		diags.Append(t.messages().hasFailed(&t.model, "the triggers of its resource"))
	case err == nil:
	case errors.Is(err, errJobNotShown):
		diags.Append(t.messages().mayNotRun(err, next))
	default:
		diags.Append(endedEarly(err, t.noun, "Running", t.object(), next))
	}
	return diags
}
