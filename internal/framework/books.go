package framework

import "sync"

// GroupBook is what a run knows of generation groups.
type GroupBook struct {
	Holders
	// Unplanned are the groups that were read and not planned since, by the names of
	// their holders.
	Unplanned sync.Map
}

// GenerationBook is what a run knows of generations.
type GenerationBook struct {
	Holders
	unsaved sync.Map
}

// NoteDownload records how the last download of a generation has ended. One that was
// not saved is not deleted: terraform destroy goes on after a before_destroy action
// that fails, even with on_failure = halt.
func (b *GenerationBook) NoteDownload(id string, saved bool) { b.unsaved.Store(id, !saved) }

// Unsaved returns those of the generations that were to be saved, and were not.
func (b *GenerationBook) Unsaved(ids []string) (unsaved []string) {
	for _, id := range ids {
		if failed, _ := b.unsaved.Load(id); failed == true {
			unsaved = append(unsaved, id)
		}
	}
	return unsaved
}
