package framework

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Holders record which objects of this run hold the same generation group, or
// the same training job. No provider knows an object's address: objects are told
// apart by a random name of their own in private state. The zero value is empty.
//
// They end at the process. Resources of two aliases of a provider, or of two
// states, do not see each other.
type Holders struct {
	mutex sync.Mutex
	byID  map[string][]string
}

// Hold records that an object holds an id, and returns the other objects that
// are known to hold it.
func (h *Holders) Hold(id, holder string) (others []string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.byID == nil {
		h.byID = map[string][]string{}
	}
	if id != "" && holder != "" && !slices.Contains(h.byID[id], holder) {
		h.byID[id] = append(h.byID[id], holder)
	}
	return h.others(id, holder)
}

// Others returns the objects, except one, that are known to hold an id.
func (h *Holders) Others(id, holder string) []string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.others(id, holder)
}

// Release forgets that an object holds an id: it was destroyed.
func (h *Holders) Release(id, holder string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.byID[id] = slices.DeleteFunc(h.byID[id], func(other string) bool { return other == holder })
}

func (h *Holders) others(id, holder string) []string {
	return slices.DeleteFunc(slices.Clone(h.byID[id]), func(other string) bool { return other == holder })
}

// HolderName returns the object's name among Holders. An object without one,
// after its create or import, gets one, if there is private state to write.
func HolderName(ctx context.Context, from PrivateReader, to PrivateWriter, diags *diag.Diagnostics) (name string) {
	if from != nil {
		diags.Append(loadPrivate(ctx, from, holderKey, &name)...)
	}
	if name == "" && to != nil {
		name = strings.ToLower(rand.Text())
		diags.Append(storePrivate(ctx, to, holderKey, name)...)
	}
	return name
}
