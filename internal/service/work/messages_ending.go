package work

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// endingMessages are the messages about a training's job when the resource is
// destroyed or replaced.
type endingMessages struct {
	subject

	title  string // of the LoRA
	isOurs bool   // a reply to this resource's own request named the job
}

// buysAnother begins the messages about a replaced training.
const buysAnother = "The plan buys another training in its place. "

// isTrainedAgain warns of a replaced training that has ended.
func (m endingMessages) isTrainedAgain() diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		m.summary(m.title+" Will Be Trained Again"),
		buysAnother+"The "+m.object()+" has ended, and is only forgotten.",
	)
}

// isNotCancelled warns of a running training that another object may need, or
// that this resource has not started.
func (m endingMessages) isNotCancelled(bought string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		m.summary("Running Training Is Not Cancelled"),
		bought+m.whyForgotten("may still run. A destroy only forgets it"),
	)
}

func (m endingMessages) isCancelledByDestroy() diag.Diagnostic {
	return diag.NewWarningDiagnostic(m.summary("Destroying Cancels a Running Training"), m.cancelConsequence())
}

// isCancelledByReplacement warns of a running training that is replaced. No
// plan can tell whether it is destroyed before its successor is created.
func (m endingMessages) isCancelledByReplacement(sameCharacter bool) diag.Diagnostic {
	instead := ""
	if sameCharacter {
		instead = " Under create_before_destroy it is not cancelled first, and the replacement cannot start while it " +
			"runs: wait, or remove create_before_destroy."
	}
	return diag.NewWarningDiagnostic(
		m.summary("Destroying Cancels a Running Training"),
		buysAnother+m.cancelConsequence()+instead,
	)
}

func (m endingMessages) cancelConsequence() string {
	return "The " + m.object() + " has not ended, as far as is known. Destroying it cancels it; whether the " +
		"service gives credits back is not documented."
}

// isOfAnother refuses a plan that cancels a job although a second resource
// holds it.
func (m endingMessages) isOfAnother() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Training of Another Resource Would Be Cancelled", fmt.Sprintf(
		"Nothing was changed. Apply once the training has ended: nothing is cancelled then. To leave it running, plan "+
			"again, and not with -refresh=false; if that says the same, let the resource that gives it up depend on "+
			"this one (depends_on), or remove it from the state (terraform state rm). To cancel it, invoke the action "+
			"mediagen_cancel_training. To destroy, add -refresh=false.\n\n"+
			"The plan cancels the %s, which still runs, and two resources hold it: the one that gives it up was "+
			"planned before it could know of this one.",
		m.object(),
	))
}

func (m endingMessages) wasNotCancelled() diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		m.summary("Running Training Was Not Cancelled"),
		m.whyForgotten("may still run. The destroy has only forgotten it"),
	)
}

// whyForgotten says why a running job is not cancelled when its resource ends.
func (m endingMessages) whyForgotten(forgets string) string {
	reason := "this resource has not started it"
	switch {
	case framework.IsUnconfirmedID(m.ID):
		reason = "no answer has named its job"
	case m.isOurs:
		reason = "another resource holds it"
	}
	return fmt.Sprintf(
		"The %s %s: %s. While it runs, no other of its kind can start; the action mediagen_cancel_training cancels a "+
			"job.",
		m.object(),
		forgets,
		reason,
	)
}
