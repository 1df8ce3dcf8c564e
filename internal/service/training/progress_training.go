package training

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// statusLine is the training's progress, for a person.
func (t *training) statusLine() string {
	m, job := &t.model, fmt.Sprintf("Training %q of character %q", t.jobID(), t.characterID())
	switch {
	case t.jobID() == "":
		return fmt.Sprintf("No training of character %q can start yet", t.characterID())
	case !t.private.Shown:
		return job + " is not shown by the service yet"
	}
	var parts []string
	if !m.Status.IsNull() {
		parts = append(parts, m.Status.ValueString())
	}
	if shown := t.job; shown != nil {
		if phase := types.StringPointerValue(shown.TrainingPhase); !phase.IsNull() && phase != m.Status {
			parts = append(parts, "phase "+phase.ValueString())
		}
		if shown.Progress != nil {
			parts = append(parts, fmt.Sprintf("%d percent", *shown.Progress))
		}
		if left := shown.ETAMinutes; left != nil && *left > 0 {
			parts = append(parts, "about "+framework.Plural(int(*left), "minute", "minutes")+" left")
		}
	}
	if len(parts) == 0 {
		return job + " has no status yet"
	}
	return job + ": " + strings.Join(parts, ", ")
}
