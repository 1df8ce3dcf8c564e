package work

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// work has the values of every piece of work, during one operation of its
// resource, of the list or of an action.
type work struct {
	subject

	data     *run.ProviderData
	progress *wait.Progress // nil if nobody watches
	// holder is the work's name among the holders of its job. It is empty for
	// work that no destroy cancels, and for work that an action or a list
	// names.
	holder string
}

// hold records that this object holds the job of its work, and returns the
// other holders.
func (w *work) hold() (others []string) {
	if w.jobID() == "" {
		return nil
	}
	return w.data.Trainings.Hold(w.heldAs(w.jobID()), w.holder)
}

// heldAs returns the name under which a job is held. It contains the character,
// because two characters may have jobs with equal ids.
func (w *work) heldAs(job string) string { return framework.ImportID(w.characterID(), job) }

// isHeld reports whether an object of this run holds a job of the character, or
// has released it.
func (w *work) isHeld(job string) bool { return w.data.Trainings.HasHeld(w.heldAs(job), "") }
