package work

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// othersShown names the jobs that the last status shows in place of one that it
// does not show: the one that is meant may be among them. It is empty if no
// status was read.
func (t *training) othersShown() string {
	if t.status == nil {
		return ""
	}
	var ids []string
	for _, job := range jobsOf(t.status) {
		ids = append(ids, fmt.Sprintf("%q", reply.Text(job.id)))
	}
	if len(ids) == 0 {
		return fmt.Sprintf(" It shows no job of character %q.", t.characterID())
	}
	return fmt.Sprintf(" Of character %q it shows %s.", t.characterID(), report.Several(ids, ", "))
}

// What a plan says.

// buysAnother begins what is said of a replaced training.
const buysAnother = "The plan buys another training in its place. "

// isTrainedAgain is about a replaced training that has ended.
func (t *training) isTrainedAgain() diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		t.summary(t.lora.title+" Will Be Trained Again"),
		buysAnother+"The "+t.object()+" has ended, and is only forgotten.",
	)
}

// isNotCancelled is about a running training that another may need, or that is
// not this resource's.
func (t *training) isNotCancelled(bought string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		t.summary("Running Training Is Not Cancelled"),
		bought+t.whyForgotten("may still run. A destroy only forgets it"),
	)
}

func (t *training) isCancelledByDestroy() diag.Diagnostic {
	return diag.NewWarningDiagnostic(t.summary("Destroying Cancels a Running Training"), t.cancelConsequence())
}

// isCancelledByReplacement is about a running training. No plan can tell whether
// it is destroyed before its successor is created.
func (t *training) isCancelledByReplacement(sameCharacter bool) diag.Diagnostic {
	instead := ""
	if sameCharacter {
		instead = " Under create_before_destroy it is not cancelled first, and the replacement cannot start while it " +
			"runs: wait, or remove create_before_destroy."
	}
	return diag.NewWarningDiagnostic(
		t.summary("Destroying Cancels a Running Training"),
		buysAnother+t.cancelConsequence()+instead,
	)
}

func (t *training) cancelConsequence() string {
	return "The " + t.object() + " has not ended, as far as is known. Destroying it cancels it; whether the " +
		"service gives credits back is not documented."
}

// startIsUnchecked is about a status that the plan could not read.
func (t *training) startIsUnchecked(err error) diag.Diagnostic {
	consequence := "The plan cannot tell whether a training can start. The apply reads again before it buys anything."
	return t.failure("Check", consequence).Warning(err)
}

// wasTrained warns that what is trained already is trained and paid for again.
func (t *training) wasTrained(word reply.Text) diag.Diagnostic {
	return diag.NewWarningDiagnostic(t.summary(t.lora.title+" Already Trained"), fmt.Sprintf(
		"The %s LoRA of character %q is trained already (status %q). The apply trains it again, which costs "+
			"credits; to manage the existing training instead, import it.",
		t.lora.name,
		t.characterID(),
		word,
	))
}

// cannotStartYet says what is missing, and that nothing is bought if it is
// still missing at the apply.
func (t *training) cannotStartYet(status *api.TrainingStatus) diag.Diagnostic {
	return diag.NewWarningDiagnostic(t.lora.title+" Training Cannot Start Yet", fmt.Sprintf(
		"The service says that no %s training of character %q can start now. %s\n\nIf that is still so when the "+
			"apply gets there, it fails after %s and buys nothing.",
		t.lora.name,
		t.characterID(),
		describeStatus(status),
		wait.ShortDuration(startTimeout),
	))
}

// isOfAnother is about a plan that cancels the job with another resource.
func (t *training) isOfAnother() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Training of Another Resource Would Be Cancelled", fmt.Sprintf(
		"Nothing was changed. Apply once the training has ended: nothing is cancelled then. To leave it running, plan "+
			"again, and not with -refresh=false; if that says the same, let the resource that gives it up depend on "+
			"this one (depends_on), or remove it from the state (terraform state rm). To cancel it, invoke the action "+
			"mediagen_cancel_training. To destroy, add -refresh=false.\n\n"+
			"The plan cancels the %s, which still runs, and two resources hold it: the one that gives it up was "+
			"planned before it could know of this one.",
		t.object(),
	))
}

// What a start says.

// cannotStartStill is about a training that could not start in time.
func (t *training) cannotStartStill(status *api.TrainingStatus, after time.Duration) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(
		path.Root("character_id"),
		"Unable to Start "+t.lora.title+" Training",
		fmt.Sprintf(
			"The service says that no %s training of character %q can start now, and has kept saying so for "+
				"%s.\n%s\n\n"+
				"Nothing was bought. Add what is missing (images, captions), or let the running training end, then "+
				"apply again.",
			t.lora.name,
			t.characterID(),
			wait.Lasted(after),
			describeStatus(status),
		),
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
		t.lora.title+" Training Runs Already",
		fmt.Sprintf(
			"The %s training %q of character %q runs. Nothing was bought. %s\n\nA destroy plans the configuration "+
				"first: add -refresh=false to destroy without that.",
			t.lora.name,
			job,
			t.characterID(),
			manage,
		),
	)
}

// namesNoJob is why a training is unconfirmed that was accepted.
func namesNoJob(receipt *api.Receipt) string {
	const accepted = "it was accepted, and its credits deducted, but the service's answer "
	if receipt.OddJobID != "" {
		return fmt.Sprintf(accepted+"gives %q for its job, which is no id that a request could name", receipt.OddJobID)
	}
	return accepted + "names no job"
}

// isUnconfirmed says that a training may be paid for, and which job may be
// it.
func (t *training) isUnconfirmed() diag.Diagnostic {
	doubt := run.Doubt{
		Summary: t.summary(t.lora.title + " Training Unconfirmed"),
		Look: "Look for the training at the service. No job that may be it has been seen so far; later plans name " +
			"one that appears.",
		Again:  "If the service has started none, change triggers to train again, which costs credits.",
		Object: fmt.Sprintf("%s LoRA %s", t.lora.name, t.object()),
		Also:   " A destroy cancels nothing.",
	}
	jobs := t.mayBe()
	if len(jobs) > 0 {
		doubt.Look = fmt.Sprintf(
			"Look at the jobs that have appeared since: %q. If one of them is it, import it in place of this "+
				"resource, which buys nothing:",
			jobs,
		)
		doubt.Import = report.ImportLines(report.Quote(framework.ImportID(t.characterID(), jobs[0])))
	}
	return t.private.Warning(doubt)
}

// What a read says.

// staysUnconfirmed is about a start of which a read could tell nothing.
func (t *training) staysUnconfirmed(err error) diag.Diagnostic {
	return t.failure("Read", "It stays in the state as unconfirmed, and nothing is bought.").Warning(err)
}

// notShown is about a job that no status has shown since its start.
func (t *training) notShown() diag.Diagnostic {
	return diag.NewWarningDiagnostic(t.lora.title+" Training Not Shown", fmt.Sprintf(
		"No status of character %q has shown the training %q since it was started, %s. It stays in the state, "+
			"and nothing is bought: it may wait in a queue, so that time proves nothing.\n\n"+
			"If it does not exist, set trust_not_found (MEDIAGEN_TRUST_NOT_FOUND=true) for one run, whose plan "+
			"trains again.",
		t.characterID(),
		t.jobID(),
		t.private.Made.Format(time.RFC3339),
	))
}

// importNotFound is about a job of the other kind, or one that no status shows.
func (t *training) importNotFound() diag.Diagnostic {
	return diag.NewErrorDiagnostic(t.lora.title+" Training Not Found", fmt.Sprintf(
		"The status of character %q shows no %s training with the id %q. Nothing was imported.%s",
		t.characterID(),
		t.lora.name,
		t.jobID(),
		t.othersShown(),
	))
}

// What the end says.

func (t *training) endIsUnknown(next string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		"End of "+t.lora.title+" Training Unknown",
		"The "+t.object()+" has ended, but neither its status nor the capabilities of the character tell how. "+next,
	)
}

// hasFailed is about a training without success; triggers says of what a change
// trains again.
func (t *training) hasFailed(triggers string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		t.summary(t.lora.title+" Training Failed"),
		t.describeFailure()+" Change "+triggers+" to train again, which costs credits again.",
	)
}

// importHasFailed is about an imported one, whose triggers are only taken over.
func (t *training) importHasFailed() diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		t.summary(t.lora.title+" Training Failed"),
		t.describeFailure()+" To train again, which costs credits again, apply with -replace=ADDRESS, with the "+
			"address of this resource: other triggers are only taken over, since nothing was changed after its import.",
	)
}

func (t *training) describeFailure() string {
	m := &t.model
	status := "its status is not given"
	credits := "how many credits it cost is not known"
	if !m.Status.IsNull() {
		status = fmt.Sprintf("its status is %q", reply.Text(m.Status.ValueString()))
	}
	if !m.CreditsDeducted.IsNull() {
		credits = fmt.Sprintf("%v credits were deducted when it was started", m.CreditsDeducted.ValueFloat64())
	}
	return fmt.Sprintf("The %s has not succeeded: %s; %s.", t.object(), status, credits)
}

// mayNotRun is about a job that the wait for it was not shown.
func (t *training) mayNotRun(err error, next string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(t.lora.title+" Training Not Shown", fmt.Sprintf(
		"It is not known whether the %s runs: %s%s %s",
		t.object(),
		report.Sentence(err.Error()),
		t.othersShown(),
		next,
	))
}

// What a cancellation says.

func (t *training) wasNotCancelled() diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		t.summary("Running Training Was Not Cancelled"),
		t.whyForgotten("may still run. The destroy has only forgotten it"),
	)
}

// whyForgotten says why a running job is not cancelled when its resource ends.
func (t *training) whyForgotten(forgets string) string {
	reason := "this resource has not started it"
	switch {
	case run.IsUnconfirmedID(t.model.ID):
		reason = "no answer has named its job"
	case t.private.Started:
		reason = "another resource holds it"
	}
	return fmt.Sprintf(
		"The %s %s: %s. While it runs, no other of its kind can start; the action mediagen_cancel_training cancels a "+
			"job.",
		t.object(),
		forgets,
		reason,
	)
}

func (t *training) cancellationInterrupted() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Cancellation of "+t.lora.title+" Training Interrupted", fmt.Sprintf(
		"It is not known whether the %s has ended. Last seen: %s. Invoking the action again finishes it.",
		t.object(),
		t.statusLine(),
	))
}

func (t *training) nothingToCancel() diag.Diagnostic {
	return diag.NewErrorDiagnostic(t.lora.title+" Training Not Found", fmt.Sprintf(
		"The service does not know the %s. Nothing was cancelled.%s",
		t.object(),
		t.othersShown(),
	))
}

// hasNoJob is about an action on an unconfirmed training; does is what cannot
// be done.
func (t *training) hasNoJob(does string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(t.lora.title+" Training Unconfirmed", fmt.Sprintf(
		"No answer has named the job of the %s, so it cannot be %s. Nothing was sent. The plan of its resource "+
			"says what to do.",
		t.object(),
		does,
	))
}
