package work

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// work is what every piece of work has, during one operation of its resource,
// of the list or of an action.
type work struct {
	subject

	data     *run.ProviderData
	progress *wait.Progress // nil if nobody watches
	// holder is its name among the holders of its job; empty for work that no
	// destroy cancels, or that an action or a list names.
	holder string
}

// hold records that this object holds the job of its work, and returns who else
// does.
func (w *work) hold() (others []string) {
	if w.jobID() == "" {
		return nil
	}
	return w.data.Trainings.Hold(w.heldAs(w.jobID()), w.holder)
}

// heldAs is the name that a job is held by: two characters may have jobs of the
// same id.
func (w *work) heldAs(job string) string { return run.ImportID(w.characterID(), job) }

// isHeld reports whether an object of this run holds a job of the character, or
// has released it.
func (w *work) isHeld(job string) bool { return w.data.Trainings.HasHeld(w.heldAs(job), "") }
