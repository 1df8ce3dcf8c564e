package generation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// watch returns an operation on generations that an action waits for while a
// person watches: a group whose keys are the ids. It leaves out null ids, and
// counts them.
func watch(data *framework.ProviderData, ids []types.String, send func(line string)) (op *operation, skipped int) {
	watched := newGroup()
	for _, id := range ids {
		if id.ValueString() == "" {
			skipped++
			continue
		}
		watched.Set(id.ValueString(), prompts.NewGeneration(id.ValueString()))
	}
	op = newOperation(data, &watched, nil, nil)
	op.progress = wait.NewProgress(data.Clock, op.statusLine, send)
	return op, skipped
}

func (op *operation) total() int { return len(op.group.PresentIDs()) }

// groupLine is the statusLine of a group.
func (op *operation) groupLine() string {
	return fmt.Sprintf("Generation group %q: %s", op.group.model.ID.ValueString(), op.statusLine())
}

// statusLine says how many have ended, and how far the polled one is.
func (op *operation) statusLine() string {
	running := op.group.Running()
	text := fmt.Sprintf("%d of %s ended", op.total()-len(running), framework.Plural(op.total(), "generation has", "generations have"))
	if without := len(op.failed()); without > 0 {
		text += fmt.Sprintf(", %d of them without results", without)
	}
	if len(running) > 0 {
		text += "; " + op.describe(running[0])
	}
	return text
}

// describe gives the progress of a running generation.
func (op *operation) describe(id string) string {
	generation := op.group.Of(id)
	if !op.isShown(id) {
		return fmt.Sprintf("%q is not shown by the service yet", id)
	}
	var parts []string
	if !generation.Status.IsNull() {
		parts = append(parts, generation.Status.Get())
	}
	if status := op.statuses[id]; status != nil && status.Progress != nil {
		parts = append(parts, fmt.Sprintf("%d percent", *status.Progress))
	}
	if len(parts) == 0 {
		parts = []string{"no status yet"}
	}
	return fmt.Sprintf("%q: %s", id, strings.Join(parts, ", "))
}

// failed returns the ids that failed, or were deleted during the wait.
func (op *operation) failed() []string {
	return slices.DeleteFunc(op.group.PresentIDs(), func(id string) bool {
		key, _ := op.group.KeyOf(id)
		return !op.group.PhaseOf(key).IsRetryable() && !op.group.Vanished[id]
	})
}

func (op *operation) isShown(id string) bool { return op.group.Seen[id] }

// neverShown lists the generations that no status has shown, with what was said
// instead, one per line.
func (op *operation) neverShown() (lines string) {
	for _, id := range op.group.Running() {
		if failure := op.lastErrors[id]; failure != nil && !op.isShown(id) {
			lines += fmt.Sprintf("\n%q was never shown; the last answer: %s", id, failure)
		}
	}
	return lines
}

// failures lists the generations without results, one per line.
func (op *operation) failures() string {
	var lines []string
	for _, id := range op.failed() {
		reason := op.group.Generations[id].Error.Get()
		if op.group.Vanished[id] {
			reason = "it was deleted during the wait"
		}
		lines = append(lines, fmt.Sprintf("%q: %s", id, reason))
	}
	return framework.Several(lines, "\n")
}
