package training

import (
	"context"
	"fmt"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// logProgress logs the progress of a resource's waits.
func (t *training) logProgress(ctx context.Context) {
	t.progress = wait.NewProgress(t.data.Clock, t.statusLine, framework.LogProgress(ctx))
}

// statusLine is the training's progress, for a person.
func (t *training) statusLine() string {
	m, job := &t.model, fmt.Sprintf("Training %q of character %q", t.jobID(), t.characterID())
	switch {
	case t.jobID() == "":
		return fmt.Sprintf("No training of character %q can start yet", t.characterID())
	case framework.IsUnknownID(m.ID):
		return fmt.Sprintf("Looking for the training of character %q whose start was not answered", t.characterID())
	case !t.private.Shown:
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
