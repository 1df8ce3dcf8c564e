package training

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// watching is a job that an action follows while a person watches.
type watching struct {
	*bodyLoRATraining
	*wait.Progress
	model  trainingModel
	record record
}

func watch(data *framework.Data, characterID, jobID string, send func(line string)) *watching {
	w := &watching{
		Progress: wait.NewProgress(data.Clock, send),
		model:    trainingModel{CharacterID: types.StringValue(characterID), ID: types.StringValue(jobID)},
	}
	w.bodyLoRATraining = &bodyLoRATraining{framework.Resource{Data: data.WithClock(w.Clock(w.line))}}
	return w
}

// line is how the job stands.
func (w *watching) line() string {
	job, m := fmt.Sprintf("Training %q", w.model.ID.ValueString()), &w.model
	if !w.record.Shown {
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

func (w *watching) object() string {
	return fmt.Sprintf("training %q of character %q", w.model.ID.ValueString(), w.model.CharacterID.ValueString())
}
