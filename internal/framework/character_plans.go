package framework

import (
	"context"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// CharacterPlans hold what the resources of this plan or apply plan for each
// character, or have found out about it. The zero value is empty.
type CharacterPlans struct {
	known, objects sync.Map
	creates        KeyedMutex[characterPart]
}

// characterPart is an attribute of a character, or something else that it has.
type characterPart struct{ id, name string }

// What the plan of one object makes for a character, and those of others need.
const (
	Images  = "images"
	LoRA    = "LoRA"
	Dataset = "dataset"
	// GeneratedDataset is one whose request this apply has sent.
	GeneratedDataset = "generated dataset"
	// Dropped is not made: a refresh has found the character gone. Unknown is one that
	// does not exist, as an error has told.
	Dropped = "dropped"
	Unknown = "unknown"
)

// Want records a configured text, and reports whether the first one that was
// recorded is different.
func (p *CharacterPlans) Want(id, name string, text types.String) (different bool) {
	if text.IsNull() || text.IsUnknown() {
		return false
	}
	known, _ := p.known.LoadOrStore(characterPart{id, name}, text)
	first, _ := known.(types.String)
	return !SameText(first, text.ValueStringPointer()).Equal(first)
}

// Makes records that an object of this plan or apply makes something for a
// character.
func (p *CharacterPlans) Makes(id, name string) { p.makesFirst(id, name) }

// makesFirst is Makes, and reports whether no other object has said so.
func (p *CharacterPlans) makesFirst(id, name string) bool {
	_, known := p.known.LoadOrStore(characterPart{id, name}, true)
	return !known
}

// IsMade reports whether an object that was planned before makes it.
func (p *CharacterPlans) IsMade(id, name string) bool {
	_, made := p.known.Load(characterPart{id, name})
	return made
}

// Note records an object of a character that this run has read or planned.
func (p *CharacterPlans) Note(id, object string) {
	if id != "" {
		p.objects.Store(characterPart{id, object}, true)
	}
}

// Objects returns those that are recorded so far.
func (p *CharacterPlans) Objects(id string) (objects []string) {
	p.objects.Range(func(part, _ any) bool {
		if part, _ := part.(characterPart); part.id == id {
			objects = append(objects, part.name)
		}
		return true
	})
	slices.Sort(objects)
	return objects
}

// LockCreate is held by a create while it reads what the character has, and makes
// something for it.
func (p *CharacterPlans) LockCreate(ctx context.Context, id, name string) (unlock func(), err error) {
	return p.creates.Lock(ctx, characterPart{id, name})
}
