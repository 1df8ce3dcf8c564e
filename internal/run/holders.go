package run

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Holders record which objects of this run hold a generation group, generation
// or job. Two objects may hold the same id. No provider knows an object's
// address; a random name in private state distinguishes the objects. Objects of
// two aliases of a provider, or of two states, do not see each other. The zero
// value is empty.
type Holders struct {
	mutex       sync.Mutex
	byID        map[string]map[string]bool // by id: objects that hold it (true) or have released it (false)
	deletedWith map[string]string          // by id: the object with which the plan deletes it
}

// Hold records that an object holds an id. It returns all other objects that
// are known to hold the id.
func (h *Holders) Hold(id, holder string) (others []string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.set(id, holder, true)
	return h.others(id, holder)
}

// Others returns all objects that are known to hold an id, except holder.
func (h *Holders) Others(id, holder string) []string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.others(id, holder)
}

// HasHeld reports whether an object holds or has released an id in this run. An
// empty holder stands for any object.
func (h *Holders) HasHeld(id, holder string) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	_, known := h.byID[id][holder]
	return known || holder == "" && len(h.byID[id]) > 0
}

// Release records that an object is destroyed and no longer holds an id. It
// returns the objects that still hold the id. These are known to this run, or
// an earlier refresh has stored their names. Only the last object to be
// destroyed gets none.
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

// ReleaseAll records that an object is destroyed and no longer holds anything.
func (h *Holders) ReleaseAll(holder string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, holders := range h.byID {
		if holders[holder] {
			holders[holder] = false
		}
	}
}

// PlanDeletion records which ids of an object the plan deletes, in place of the
// earlier record for the object. It returns, sorted, the ids that another
// object holds too, and that must therefore stay. An object that is planned
// later calls IsDeletedWithAnother.
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

// IsDeletedWithAnother reports whether the plan is known to delete an id
// together with a different object.
func (h *Holders) IsDeletedWithAnother(id, holder string) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	by, isDeleted := h.deletedWith[id]
	return isDeleted && by != holder
}

// set records whether an object holds an id.
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

// others returns all objects that hold an id, except holder.
func (h *Holders) others(id, holder string) (others []string) {
	for other, holds := range h.byID[id] {
		if holds && other != holder {
			others = append(others, other)
		}
	}
	slices.Sort(others)
	return others
}

// KnownGenerations records facts about generations: their holders and
// downloads.
type KnownGenerations struct {
	Holders
	downloads sync.Map // the Download of an id: how the last download has ended
	unnamed   atomic.Bool
}

// Download says how far the media of a generation were saved. Only generations
// that an action was asked to save have a Download.
type Download int

// The values of Download.
const (
	DownloadFailed Download = iota // or the download was only requested
	DownloadEmpty                  // the generation has ended without results, as the service says
	DownloadSaved                  // or the media are proven gone at their host
)

// NoteDownload records how the last download of a generation has ended. An
// action notes a failure before it does anything that can fail, because a
// destroy continues after a failed before_destroy action, even with on_failure
// = halt.
func (b *KnownGenerations) NoteDownload(id string, how Download) { b.downloads.Store(id, how) }

// NoteUnnamedDownload records that a download was requested for unknown
// generations. No generation may be deleted then.
func (b *KnownGenerations) NoteUnnamedDownload() { b.unnamed.Store(true) }

// Unsaved returns the generations that an action was asked to save and that are
// not saved. A generation that has ended without results counts only if it had
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

// Release records that an object is destroyed. If the object shares anything
// with other objects, the purchase log records it too: later runs then know
// that the other objects are the last holders.
func (d *ProviderData) Release(object string, shares bool) {
	d.Groups.ReleaseAll(object)
	d.Generations.ReleaseAll(object)
	d.released.Store(object, true)
	if shares && d.Known() {
		d.Log().Release(object)
	}
}

// HasReleased reports whether an object is known to be destroyed. An object
// that the run has not seen may exist, because -target may leave it out.
func (d *ProviderData) HasReleased(object string) bool {
	_, here := d.released.Load(object)
	return here || d.Known() && d.Log().HasReleased(object)
}
