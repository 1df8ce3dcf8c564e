package generation

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Messages of waits. The wait of an apply ends with a warning, the wait of the
// action await_generations with an error.

// waitEnded warns that the wait of an apply has ended early. The running
// generations are in the state.
func (op *waiting) waitEnded(err error) diag.Diagnostic {
	return framework.Failure{
		Verb:   "Wait for",
		Noun:   "Generations",
		Object: op.group.name(),
		Consequence: fmt.Sprintf(
			"%s still running. Running generations are paid for, continue at the service and are in the state; "+
				"the next apply resumes the wait, which buys nothing.%s",
			framework.Plural(len(op.group.Running()), "generation was", "generations were"),
			op.errorsOfRunning(),
		),
	}.Warning(err)
}

func (op *waiting) stillRunning(after time.Duration) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Generations Still Running", stoppedAfter(after)+" "+op.goesOn())
}

func (op *waiting) waitInterrupted() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Wait for Generations Interrupted", op.goesOn())
}

func (op *waiting) generationsNeverShown(after time.Duration) diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		"Generations Never Shown",
		stoppedAfter(after)+op.neverShown()+"\nWhether they run is not known. Check the ids.",
	)
}

func stoppedAfter(after time.Duration) string {
	return fmt.Sprintf(
		"The wait was given up after %s (timeout sets the time).",
		wait.Lasted(after),
	)
}

// goesOn says what follows an interrupted wait.
func (op *waiting) goesOn() string {
	return fmt.Sprintf(
		"%s.%s\nRunning generations continue at the service. Invoking the action again resumes the wait.%s",
		op.statusLine(),
		op.neverShown(),
		op.errorsOfRunning(),
	)
}

func (op *waiting) awaitFailure() framework.Failure {
	return framework.Failure{
		Verb:        "Wait for",
		Noun:        "Generations",
		Consequence: op.goesOn(),
	}
}

// neverShown lists the generations that no status has shown, each on its own
// line with the last answer.
func (op *waiting) neverShown() (lines string) {
	for _, id := range op.group.Running() {
		if failure := op.lastErrors[id]; failure != nil && !op.group.Seen[id] {
			lines += fmt.Sprintf("\n%q was never shown; the last answer: %s", id, failure)
		}
	}
	return lines
}

// withoutResults names the generations without results, each with its reason.
func (op *waiting) withoutResults() diag.Diagnostic {
	var lines []string
	for _, id := range op.failed() {
		reason := reply.Text(op.group.Generations[id].Error.Get())
		if op.group.Gone[id] {
			reason = "it was deleted during the wait"
		}
		lines = append(lines, fmt.Sprintf("%q: %s", id, reason))
	}
	return diag.NewErrorDiagnostic(
		"Generations Without Results",
		"These generations have ended without results:\n"+framework.Several(lines, "\n"),
	)
}
