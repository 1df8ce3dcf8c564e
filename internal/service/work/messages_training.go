package work

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// trainingMessages are the messages about a training and its job.
type trainingMessages struct {
	subject

	lora    lora
	without *api.TrainingStatus // the last status that did not show the job; nil if there is none
}

// othersShown names the jobs in the last status if it does not show the wanted
// job: the person may have meant one of them. It is empty if no status was
// read.
func (m trainingMessages) othersShown() string {
	if m.without == nil {
		return ""
	}
	var ids []string
	for _, job := range jobsOf(m.without) {
		ids = append(ids, fmt.Sprintf("%q", reply.Text(job.id)))
	}
	if len(ids) == 0 {
		return fmt.Sprintf(" It shows no job of character %q.", m.characterID())
	}
	return fmt.Sprintf(" Of character %q it shows %s.", m.characterID(), framework.Several(ids, ", "))
}

// Messages of a plan.

// isPlannedTwice warns of a second resource in the plan that trains the same
// LoRA.
func (m trainingMessages) isPlannedTwice() diag.Diagnostic {
	return diag.NewWarningDiagnostic("Two "+m.noun+"s of One Character", fmt.Sprintf(
		"Remove one of the resources: this plan buys another %s. The apply refuses the second while the first runs, "+
			"and buys it otherwise.",
		m.object(),
	))
}

// startIsUnchecked describes a status that the plan could not read.
func (m trainingMessages) startIsUnchecked(err error) diag.Diagnostic {
	consequence := "The plan cannot tell whether a training can start. The apply reads again before it buys anything."
	return m.failure("Check", consequence).Warning(err)
}

// wasTrained warns that an already trained LoRA is trained and paid for again.
func (m trainingMessages) wasTrained(word reply.Text) diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.summary(m.lora.title+" Already Trained"), fmt.Sprintf(
		"The %s LoRA of character %q is trained already (status %q). The apply trains it again, which costs "+
			"credits; to manage the existing training instead, import it.",
		m.lora.name,
		m.characterID(),
		word,
	))
}

// cannotStartYet says what is missing for a start. If it is still missing at
// the apply, nothing is bought.
func (m trainingMessages) cannotStartYet(status *api.TrainingStatus) diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.lora.title+" Training Cannot Start Yet", fmt.Sprintf(
		"The service says that no %s training of character %q can start now. %s\n\nIf that is still so when the "+
			"apply gets there, it fails after %s and buys nothing.",
		m.lora.name,
		m.characterID(),
		describeStatus(status),
		wait.ShortDuration(startTimeout),
	))
}

// Messages of a start.

// cannotStartStill describes a training that could not start in time.
func (m trainingMessages) cannotStartStill(status *api.TrainingStatus, after time.Duration) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(
		path.Root("character_id"),
		"Unable to Start "+m.lora.title+" Training",
		fmt.Sprintf(
			"The service says that no %s training of character %q can start now, and has kept saying so for "+
				"%s.\n%s\n\n"+
				"Nothing was bought. Add what is missing (images, captions), or let the running training end, then "+
				"apply again.",
			m.lora.name,
			m.characterID(),
			wait.Lasted(after),
			describeStatus(status),
		),
	)
}

// runsAlready refuses to start a training while another is running, and names
// the import. A job is never adopted unless a reply to this resource has named
// it.
func (m trainingMessages) runsAlready(job string, isHeld bool) diag.Diagnostic {
	manage := "This resource has not started it, so it is not adopted. To manage it, which buys nothing, import " +
		"it:\n\n" +
		framework.ImportBlock(
			framework.Quote(framework.ImportID(m.characterID(), job)),
		) +
		"\n\nOtherwise apply once it has ended. With create_before_destroy it may belong to the resource that is " +
		"being replaced: wait, or remove create_before_destroy."
	if isHeld {
		manage = "In the state another object holds it: another resource, or this one's own that is tainted or left " +
			"by create_before_destroy. Apply once it has ended; or remove this resource, write a moved block for a " +
			"new name, or untaint it."
	}
	return diag.NewAttributeErrorDiagnostic(
		path.Root("character_id"),
		m.lora.title+" Training Runs Already",
		fmt.Sprintf(
			"The %s training %q of character %q runs. Nothing was bought. %s\n\nA destroy plans the configuration "+
				"first: add -refresh=false to destroy without that.",
			m.lora.name,
			job,
			m.characterID(),
			manage,
		),
	)
}

// namesNoJob is the reason why an accepted training is unconfirmed.
func namesNoJob(receipt *api.Receipt) string {
	const accepted = "it was accepted, and its credits deducted, but the service's answer "
	if receipt.OddJobID != "" {
		return fmt.Sprintf(accepted+"gives %q for its job, which is no id that a request could name", receipt.OddJobID)
	}
	return accepted + "names no job"
}

// isUnconfirmed says that a training may be paid for, and which jobs may be
// that training.
func (m trainingMessages) isUnconfirmed(unconfirmed framework.Unconfirmed, jobs []string) diag.Diagnostic {
	doubt := framework.Doubt{
		Summary: m.summary(m.lora.title + " Training Unconfirmed"),
		Look: "Look for the training at the service. No job that may be it has been seen so far; later plans name " +
			"one that appears.",
		Again:  "If the service has started none, change triggers to train again, which costs credits.",
		Object: fmt.Sprintf("%s LoRA %s", m.lora.name, m.object()),
		Also:   " A destroy cancels nothing.",
	}
	if len(jobs) > 0 {
		doubt.Look = fmt.Sprintf(
			"Look at the jobs that have appeared since: %q. If one of them is it, import it in place of this "+
				"resource, which buys nothing:",
			jobs,
		)
		doubt.Import = framework.ImportLines(framework.Quote(framework.ImportID(m.characterID(), jobs[0])))
	}
	return unconfirmed.Warning(doubt)
}

// Messages of a read.

// staysUnconfirmed warns of an unconfirmed start about which a read could tell
// nothing.
func (m trainingMessages) staysUnconfirmed(err error) diag.Diagnostic {
	return m.failure("Read", "It stays in the state as unconfirmed, and nothing is bought.").Warning(err)
}

// notShown warns of a job that no status has shown since its start.
func (m trainingMessages) notShown(made time.Time) diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.lora.title+" Training Not Shown", fmt.Sprintf(
		"No status of character %q has shown the training %q since it was started, %s. It stays in the state, "+
			"and nothing is bought: it may wait in a queue, so that time proves nothing.\n\n"+
			"If it does not exist, set trust_not_found (MEDIAGEN_TRUST_NOT_FOUND=true) for one run, whose plan "+
			"trains again.",
		m.characterID(),
		m.jobID(),
		made.Format(time.RFC3339),
	))
}

// importNotFound refuses the import of a job that is of the other kind, or that
// no status shows.
func (m trainingMessages) importNotFound() diag.Diagnostic {
	return diag.NewErrorDiagnostic(m.lora.title+" Training Not Found", fmt.Sprintf(
		"The status of character %q shows no %s training with the id %q. Nothing was imported.%s",
		m.characterID(),
		m.lora.name,
		m.jobID(),
		m.othersShown(),
	))
}

// Messages about the end of a training.

func (m trainingMessages) endIsUnknown(next string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		"End of "+m.lora.title+" Training Unknown",
		"The "+m.object()+" has ended, but neither its status nor the capabilities of the character tell how. "+next,
	)
}

// hasFailed warns of a training without success. triggers names the attribute
// whose change trains again.
func (m trainingMessages) hasFailed(model *trainingModel, triggers string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		m.summary(m.lora.title+" Training Failed"),
		m.describeFailure(model)+" Change "+triggers+" to train again, which costs credits again.",
	)
}

// importHasFailed warns of a failed imported training. A change of its triggers
// trains nothing: the new value is only taken over.
func (m trainingMessages) importHasFailed(model *trainingModel) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		m.summary(m.lora.title+" Training Failed"),
		m.describeFailure(model)+" To train again, which costs credits again, apply with -replace=ADDRESS, with the "+
			"address of this resource: other triggers are only taken over, since nothing was changed after its import.",
	)
}

func (m trainingMessages) describeFailure(model *trainingModel) string {
	status := "its status is not given"
	credits := "how many credits it cost is not known"
	if !model.Status.IsNull() {
		status = fmt.Sprintf("its status is %q", reply.Text(model.Status.ValueString()))
	}
	if !model.CreditsDeducted.IsNull() {
		credits = fmt.Sprintf("%v credits were deducted when it was started", model.CreditsDeducted.ValueFloat64())
	}
	return fmt.Sprintf("The %s has not succeeded: %s; %s.", m.object(), status, credits)
}

// mayNotRun warns of a job that no status showed during the wait.
func (m trainingMessages) mayNotRun(err error, next string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.lora.title+" Training Not Shown", fmt.Sprintf(
		"It is not known whether the %s runs: %s%s %s",
		m.object(),
		framework.Sentence(err.Error()),
		m.othersShown(),
		next,
	))
}

// Messages of a cancellation.

func (m trainingMessages) cancellationInterrupted(lastSeen string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Cancellation of "+m.lora.title+" Training Interrupted", fmt.Sprintf(
		"It is not known whether the %s has ended. Last seen: %s. Invoking the action again finishes it.",
		m.object(),
		lastSeen,
	))
}

func (m trainingMessages) nothingToCancel() diag.Diagnostic {
	return diag.NewErrorDiagnostic(m.lora.title+" Training Not Found", fmt.Sprintf(
		"The service does not know the %s. Nothing was cancelled.%s",
		m.object(),
		m.othersShown(),
	))
}

// hasNoJob refuses an action on an unconfirmed training. does names the step
// that is impossible.
func (m trainingMessages) hasNoJob(does string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(m.lora.title+" Training Unconfirmed", fmt.Sprintf(
		"No answer has named the job of the %s, so it cannot be %s. Nothing was sent. The plan of its resource "+
			"says what to do.",
		m.object(),
		does,
	))
}
