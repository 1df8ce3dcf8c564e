package training

import (
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// jobRegistry is what the trainings of one plan or apply know of each other:
// which job is spoken for, and that a create of a character is under way.
type jobRegistry struct {
	mutex   sync.Mutex
	owners  map[string]jobOwner
	creates map[string]*wait.ContextMutex
}

// jobOwner is who speaks for a job. There may be several.
type jobOwner uint8

const (
	// byCreate: it was started or adopted. No other create may adopt it, and the
	// destroy of a predecessor leaves it alone.
	byCreate jobOwner = 1 << iota
	// byDestroy: it was cancelled. Nobody may adopt it while it ends.
	byDestroy
	// byState: a refresh has found it in the state. No plan announces that
	// another resource adopts it, and no refresh gives it to another.
	byState
)

func jobsOf(data *framework.Data) *jobRegistry { return framework.Recall[jobRegistry](data) }

func (r *jobRegistry) claim(id string, owner jobOwner) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.owners == nil {
		r.owners = map[string]jobOwner{}
	}
	r.owners[id] |= owner
}

func (r *jobRegistry) isClaimed(id string, owner jobOwner) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.owners[id]&owner != 0
}

// isSpokenFor says that a job must not be adopted.
func (r *jobRegistry) isSpokenFor(id string) bool {
	return r.isClaimed(id, byCreate|byDestroy|byState)
}

// createMutex is held by the one create of a character that looks for a job to
// adopt, or starts one.
func (r *jobRegistry) createMutex(characterID string) *wait.ContextMutex {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.creates == nil {
		r.creates = map[string]*wait.ContextMutex{}
	}
	if r.creates[characterID] == nil {
		r.creates[characterID] = new(wait.ContextMutex)
	}
	return r.creates[characterID]
}
