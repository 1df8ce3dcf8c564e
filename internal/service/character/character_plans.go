package character

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// characterPlans is shared by all character resources of a plan or apply.
type characterPlans struct {
	mutex   sync.Mutex
	dropped map[string]bool
	texts   map[characterText]types.String
}

// characterText is a configured attribute of a character.
type characterText struct{ id, name string }

func (r *characterResource) plans() *characterPlans { return framework.Recall[characterPlans](r.Data) }

// drop notes that a refresh found a character gone.
func (p *characterPlans) drop(id string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.dropped == nil {
		p.dropped = map[string]bool{}
	}
	p.dropped[id] = true
}

func (p *characterPlans) wasDropped(id string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.dropped[id]
}

// want notes a configured text, and returns the first one that was noted if it
// is different.
func (p *characterPlans) want(id, name string, text types.String) (other string, different bool) {
	if text.IsNull() || text.IsUnknown() {
		return "", false
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.texts == nil {
		p.texts = map[characterText]types.String{}
	}
	key := characterText{id, name}
	first, known := p.texts[key]
	if !known {
		p.texts[key] = text
		return "", false
	}
	return first.ValueString(), !framework.SameText(first, text.ValueStringPointer()).Equal(first)
}
