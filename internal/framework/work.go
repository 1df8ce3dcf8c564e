package framework

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// WorkModel is what the models have in common of work that the service does for
// a character, after one paid request: a training, or the generation of a
// dataset.
type WorkModel struct {
	CharacterID       types.String   `tfsdk:"character_id"`
	Triggers          types.Map      `tfsdk:"triggers"`
	WaitForCompletion types.Bool     `tfsdk:"wait_for_completion"`
	Timeouts          timeouts.Value `tfsdk:"timeouts"`
	ID                types.String   `tfsdk:"id"`
	run.Tally
}

// WorkSchedule is when the status of work is polled.
var WorkSchedule = wait.Schedule{
	First:    1500 * time.Millisecond,
	Shortest: 10 * time.Second,
	Longest:  5 * time.Minute,
}

// PropagationTimeout is how long one reply may contradict another: a status is
// still that from before the start, a LoRA does not exist yet, a refused
// cancellation takes effect.
const PropagationTimeout = 2 * time.Minute

// IsAwaited reports whether an apply waits for it, as far as a plan can know.
func (w *WorkModel) IsAwaited() bool {
	return w.WaitForCompletion.ValueBool() || w.WaitForCompletion.IsUnknown()
}

// NameOf names a character in messages.
func NameOf(character types.String) string {
	if character.IsUnknown() {
		return "a character that is not known yet"
	}
	return fmt.Sprintf("character %q", character.ValueString())
}

// NotBought completes the failure to begin work, as far as the service says.
func NotBought(failure report.Failure, work *WorkModel, not string, err error) diag.Diagnostic {
	failure.Object = NameOf(work.CharacterID)
	failure.NotFound = path.Root("character_id")
	failure.Consequence = not + ", and nothing was bought."
	if failure.Verb != "Read" && reply.IsRefused(err) && !reply.LacksEndpoint(err) {
		failure.Consequence = "The service says that it refused to " + strings.ToLower(failure.Verb) + " it."
	}
	return failure.Error(err)
}

// Resumes is what a wait of a resource leads to that has ended early.
const Resumes = "It is in the state; the next apply resumes the wait and buys nothing."

// EndedEarly warns that a wait has ended before the work, called noun in
// summaries. It is no error: that would have what was paid for destroyed and
// bought again.
func EndedEarly(err error, noun, doing, object, next string) diag.Diagnostic {
	switch {
	case wait.IsTimeout(err):
		return diag.NewWarningDiagnostic(
			noun+" Still "+doing,
			fmt.Sprintf(
				"The %s has not ended, and goes on at the service: %s %s",
				object,
				report.Sentence(err.Error()),
				next,
			),
		)
	case wait.IsCanceled(err):
		return diag.NewWarningDiagnostic(
			"Wait for "+noun+" Interrupted",
			fmt.Sprintf(
				"The wait for the %s was interrupted, which does not end it: it goes on at the service. %s",
				object,
				next,
			),
		)
	}
	return report.Failure{
		Verb:        "Follow",
		Noun:        noun,
		Object:      object,
		Consequence: "It may go on at the service. " + next,
	}.Warning(err)
}
