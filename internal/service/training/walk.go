package training

import (
	"context"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// walk is what the trainings of one plan or apply know of each other.
type walk struct {
	mutex      sync.Mutex
	characters map[string]*characterWalk
	held       set // jobs started or adopted by a create
	released   set // jobs cancelled by a destroy
	stored     set // jobs that a refresh has found in the state
}

type set map[string]bool

func (s *set) add(id string) {
	if *s == nil {
		*s = set{}
	}
	(*s)[id] = true
}

type characterWalk struct {
	start  turn // one start of a training at a time
	read   turn // one read of the status at a time
	status *api.TrainingStatus
	age    int // counts the changes that made the status old
}

// turn is a lock that gives up when the context ends.
type turn chan struct{}

func (t turn) take(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t turn) give() { <-t }

func (w *walk) character(id string) *characterWalk {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.characters == nil {
		w.characters = map[string]*characterWalk{}
	}
	if w.characters[id] == nil {
		w.characters[id] = &characterWalk{start: make(turn, 1), read: make(turn, 1)}
	}
	return w.characters[id]
}

// status reads a character's status, once for all trainings of the character
// until something changes it. It is for refreshing and planning: whoever is
// about to pay reads for himself.
func (w *walk) status(ctx context.Context, client *api.Client, characterID string) (*api.TrainingStatus, error) {
	character := w.character(characterID)
	if err := character.read.take(ctx); err != nil {
		return nil, err
	}
	defer character.read.give()
	w.mutex.Lock()
	known, age := character.status, character.age
	w.mutex.Unlock()
	if known != nil {
		return known, nil
	}
	status, err := client.TrainingStatus(ctx, characterID)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if err == nil && age == character.age {
		character.status = status
	}
	return status, err
}

// changed forgets what was read of a character and its LoRAs.
func (w *walk) changed(client *api.Client, characterID string) {
	character := w.character(characterID)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	character.status = nil
	character.age++
	client.ForgetCapabilities(characterID)
}

// hold marks a job as a resource's own: no other may adopt it, and the destroy
// of a predecessor leaves it alone.
func (w *walk) hold(id string) { w.mark(&w.held, id) }

// release marks a job as cancelled: nobody may adopt it while it ends.
func (w *walk) release(id string) { w.mark(&w.released, id) }

// store marks a job as one of the state's: no plan announces that another
// resource adopts it, and no refresh gives it to another.
func (w *walk) store(id string) { w.mark(&w.stored, id) }

func (w *walk) mark(marked *set, id string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	marked.add(id)
}

func (w *walk) isHeld(id string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.held[id]
}

func (w *walk) isStored(id string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.stored[id]
}

// taken says that a job must not be adopted.
func (w *walk) taken(id string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.held[id] || w.released[id] || w.stored[id]
}
