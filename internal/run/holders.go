package run

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Holders record which objects of this run hold the same generation group,
// generation or job. No provider knows an object's address: a random name in
// private state tells objects apart. Those of two aliases of a provider, or of
// two states, do not see each other. The zero value is empty.
type Holders struct {
	mutex       sync.Mutex
	byID        map[string]map[string]bool // who holds an id (true), and who has released it (false)
	deletedWith map[string]string          // with which object the plan deletes an id
}

// Hold records that an object holds an id, and returns the others that are
// known to hold it.
func (h *Holders) Hold(id, holder string) (others []string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.set(id, holder, true)
	return h.others(id, holder)
}

// Others returns the objects, except one, that are known to hold an id.
func (h *Holders) Others(id, holder string) []string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.others(id, holder)
}

// HasHeld reports whether an object, or any if it is empty, holds or has
// released an id in this run.
func (h *Holders) HasHeld(id, holder string) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	_, known := h.byID[id][holder]
	return known || holder == "" && len(h.byID[id]) > 0
}

// Release records that an object is destroyed, and no longer holds an id. It
// returns who still does, as this run knows or an earlier refresh has stored:
// only the last to be destroyed gets none.
func (h *Holders) Release(id, holder string, stored ...string) (holders []string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.set(id, holder, false)
	for _, other := range stored {
		if _, known := h.byID[id][other]; !known {
			holders = append(holders, other)
		}
	}
	return append(holders, h.others(id, holder)...)
}

// ReleaseAll records that an object is destroyed, and holds nothing any longer.
func (h *Holders) ReleaseAll(holder string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, holders := range h.byID {
		if holders[holder] {
			holders[holder] = false
		}
	}
}

// PlanDeletion records what the plan deletes of all that an object holds, in
// place of what it had deleted before. It returns, sorted, what another holds,
// so that it has to stay; a later one asks IsDeletedWithAnother.
func (h *Holders) PlanDeletion(holder string, deletes func(id string) bool) (shared []string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.deletedWith == nil {
		h.deletedWith = map[string]string{}
	}
	maps.DeleteFunc(h.deletedWith, func(_, by string) bool { return by == holder })
	for id, holders := range h.byID {
		switch {
		case !holders[holder] || !deletes(id):
		case len(h.others(id, holder)) > 0:
			shared = append(shared, id)
		default:
			h.deletedWith[id] = holder
		}
	}
	slices.Sort(shared)
	return shared
}

// IsDeletedWithAnother reports whether the plan is known to delete an id with
// another object.
func (h *Holders) IsDeletedWithAnother(id, holder string) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	by, isDeleted := h.deletedWith[id]
	return isDeleted && by != holder
}

// set notes that an object holds an id, or holds it no more.
func (h *Holders) set(id, holder string, holds bool) {
	switch {
	case id == "" || holder == "":
		return
	case h.byID == nil:
		h.byID = map[string]map[string]bool{}
		fallthrough
	case h.byID[id] == nil:
		h.byID[id] = map[string]bool{}
	}
	h.byID[id][holder] = holds
}

// others are those besides the object that hold the id.
func (h *Holders) others(id, holder string) (others []string) {
	for other, holds := range h.byID[id] {
		if holds && other != holder {
			others = append(others, other)
		}
	}
	slices.Sort(others)
	return others
}

// KnownGenerations is what a run knows of generations.
type KnownGenerations struct {
	Holders
	downloads sync.Map // how the last download of an id has ended, as a Download
	unnamed   atomic.Bool
}

// Download is how far the media of a generation were saved that an action was
// asked to save.
type Download int

// The ends of a download.
const (
	DownloadFailed Download = iota // or it has only been asked for
	DownloadEmpty                  // the service says that it has ended without results
	DownloadSaved                  // or the host of the media has proven them gone
)

// NoteDownload records how the last download of a generation has ended. An
// action that is asked for one notes a failure before it does anything that can
// fail: a destroy goes on after a before_destroy action that fails, even with
// on_failure = halt.
func (b *KnownGenerations) NoteDownload(id string, how Download) { b.downloads.Store(id, how) }

// NoteUnnamedDownload records that a download was asked for, and not of what:
// nothing is deleted.
func (b *KnownGenerations) NoteUnnamedDownload() { b.unnamed.Store(true) }

// Unsaved returns those of the generations that were to be saved, and were not.
// One that has ended without results leaves nothing to save, unless it had
// results before.
func (b *KnownGenerations) Unsaved(ids []string, hadResults func(id string) bool) (unsaved []string) {
	for _, id := range ids {
		how, asked := b.downloads.Load(id)
		isUnsaved := how == DownloadFailed || how == DownloadEmpty && hadResults(id)
		if b.unnamed.Load() || asked && isUnsaved {
			unsaved = append(unsaved, id)
		}
	}
	return unsaved
}

// Release notes that an object is destroyed. If it shares something with others,
// so does the purchase log: they are then the last to hold that, in later runs,
// too.
func (d *ProviderData) Release(object string, shares bool) {
	d.Groups.ReleaseAll(object)
	d.Generations.ReleaseAll(object)
	d.released.Store(object, true)
	if shares && d.Known() {
		d.Log().Release(object)
	}
}

// HasReleased reports whether an object is known to be destroyed. That a run has
// not seen an object proves nothing: -target may leave it out.
func (d *ProviderData) HasReleased(object string) bool {
	_, here := d.released.Load(object)
	return here || d.Known() && d.Log().HasReleased(object)
}
