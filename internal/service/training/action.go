package training

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// watchedTraining returns a training for an action, which shows its progress.
// An action has no state: it reads all it knows. A training whose job is
// unknown is an error that names what the action does.
func watchedTraining(data *framework.Data, characterID, jobID types.String, send func(line string), does string) (*training, diag.Diagnostics) {
	t := &training{data: data, named: true, model: trainingModel{CharacterID: characterID, ID: jobID}}
	if framework.IsUnknownID(jobID) {
		return nil, diag.Diagnostics{diag.NewErrorDiagnostic("Body LoRA Training Unknown", fmt.Sprintf(
			"The start of the %s was never answered, and its job has not been found, so it cannot be %s. Nothing was sent; refreshing the resource looks for the job again.", t.model.object(), does))}
	}
	t.progress = wait.NewProgress(data.Clock, t.statusLine, send)
	return t, nil
}

// logProgress logs the progress of a resource's wait. The returned function logs
// how it has ended.
func (t *training) logProgress(ctx context.Context) (end func()) {
	line := func() string {
		return t.describe(fmt.Sprintf("Training %q of character %q", t.jobID(), t.characterID()))
	}
	t.progress = wait.NewProgress(t.data.Clock, line, framework.LogProgress(ctx))
	return func() { t.progress.Say(line()) }
}

// logged logs a line while something else of the character is waited for.
func (t *training) logged(ctx context.Context, format string) *wait.Progress {
	line := fmt.Sprintf(format, t.characterID())
	return wait.NewProgress(t.data.Clock, func() string { return line }, framework.LogProgress(ctx))
}

// statusLine is the training's progress, for a person.
func (t *training) statusLine() string { return t.describe(fmt.Sprintf("Training %q", t.jobID())) }

func (t *training) describe(job string) string {
	m := &t.model
	if !t.private.Shown {
		return job + " is not shown by the service yet"
	}
	var parts []string
	add := func(known bool, format string, value any) {
		if known {
			parts = append(parts, fmt.Sprintf(format, value))
		}
	}
	add(!m.Status.IsNull(), "%s", m.Status.ValueString())
	add(!m.TrainingPhase.IsNull() && m.TrainingPhase != m.Status, "phase %s", m.TrainingPhase.ValueString())
	add(!m.Progress.IsNull(), "%d percent", m.Progress.ValueInt64())
	add(m.ETAMinutes.ValueInt64() == 1, "about %d minute left", int64(1))
	add(m.ETAMinutes.ValueInt64() > 1, "about %d minutes left", m.ETAMinutes.ValueInt64())
	if len(parts) == 0 {
		return job + " has no status yet"
	}
	return job + ": " + strings.Join(parts, ", ")
}
