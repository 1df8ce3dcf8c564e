package generation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// watchedGenerations are generations that an action waits for while a person
// watches: for the operation, a group whose keys are the ids.
type watchedGenerations struct{ *operation }

// watch leaves out null ids, and counts them.
func watch(data *framework.Data, ids []types.String, send func(line string)) (w *watchedGenerations, skipped int) {
	watched := newGroup()
	for _, id := range ids {
		if id.ValueString() == "" {
			skipped++
			continue
		}
		watched.set(id.ValueString(), newGeneration(id.ValueString()))
	}
	w = &watchedGenerations{newOperation(data, &watched, nil)}
	w.progress = wait.NewProgress(data.Clock, w.statusLine, send)
	return w, skipped
}

func (w *watchedGenerations) total() int { return len(w.group.generations) }

// statusLine says how many have ended, and how far the polled one is.
func (w *watchedGenerations) statusLine() string {
	running := w.group.running()
	text := fmt.Sprintf("%d of %s ended", w.total()-len(running), plural(w.total(), "generation has", "generations have"))
	if without := len(w.withoutResults()); without > 0 {
		text += fmt.Sprintf(", %d of them without results", without)
	}
	if len(running) > 0 {
		text += "; " + w.describe(running[0])
	}
	return text
}

// describe gives the progress of a running generation.
func (w *watchedGenerations) describe(id string) string {
	generation := w.group.generations[id]
	if !w.group.private.Of(id).Shown {
		return fmt.Sprintf("%q is not shown by the service yet", id)
	}
	var parts []string
	if !generation.Status.IsNull() {
		parts = append(parts, generation.Status.ValueString())
	}
	if generation.Progress != nil {
		parts = append(parts, fmt.Sprintf("%d percent", *generation.Progress))
	}
	if len(parts) == 0 {
		parts = []string{"no status yet"}
	}
	return fmt.Sprintf("%q: %s", id, strings.Join(parts, ", "))
}

// withoutResults: the ids that failed, or were deleted during the wait.
func (w *watchedGenerations) withoutResults() []string {
	return slices.DeleteFunc(sortedKeys(w.group.generations), func(id string) bool {
		return !w.group.phaseOf(id).isRetryable() && !w.group.vanished[id]
	})
}

// failures lists the generations without results, one per line.
func (w *watchedGenerations) failures() string {
	var lines []string
	for _, id := range w.withoutResults() {
		reason := w.group.generations[id].Error.ValueString()
		if w.group.vanished[id] {
			reason = "it was deleted during the wait"
		}
		lines = append(lines, fmt.Sprintf("%q: %s", id, reason))
	}
	return strings.Join(lines, "\n")
}

// plural returns a number with its noun.
func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
