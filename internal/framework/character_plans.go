package framework

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// CharacterPlans hold what the resources of this plan or apply plan for each
// character, or have found out about it. The zero value is empty.
type CharacterPlans struct {
	mutex   sync.Mutex
	dropped map[string]bool
	texts   map[characterPart]types.String
	makes   map[characterPart]bool
}

// characterPart is an attribute of a character, or something else that it has.
type characterPart struct{ id, name string }

// What the plan of one object makes for a character, and those of others need.
const (
	Images = "images"
	LoRA   = "LoRA"
)

// Drop records that a refresh found a character gone.
func (p *CharacterPlans) Drop(id string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.dropped == nil {
		p.dropped = map[string]bool{}
	}
	p.dropped[id] = true
}

// WasDropped reports whether a refresh found the character gone.
func (p *CharacterPlans) WasDropped(id string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.dropped[id]
}

// Want records a configured text. It returns the first one that was recorded,
// and whether it is different.
func (p *CharacterPlans) Want(id, name string, text types.String) (other string, different bool) {
	if text.IsNull() || text.IsUnknown() {
		return "", false
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.texts == nil {
		p.texts = map[characterPart]types.String{}
	}
	key := characterPart{id, name}
	first, known := p.texts[key]
	if !known {
		p.texts[key] = text
		return "", false
	}
	return first.ValueString(), !SameText(first, text.ValueStringPointer()).Equal(first)
}

// Makes records that an object of this plan or apply makes something for a
// character.
func (p *CharacterPlans) Makes(id, name string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.makes == nil {
		p.makes = map[characterPart]bool{}
	}
	p.makes[characterPart{id, name}] = true
}

// IsMade reports whether an object that was planned before makes it.
func (p *CharacterPlans) IsMade(id, name string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.makes[characterPart{id, name}]
}
