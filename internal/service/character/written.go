package character

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Texts that the service shows otherwise than they were sent: escaped, trimmed,
// cut off. What the reply to our own write shows, else the first read after it,
// is remembered beside what was sent; as long as the service shows that, there
// is no difference.

// privateState is what the provider must remember of a character and no
// attribute shows.
type privateState struct {
	api.Evidence
	// ID is there for the plan of a create that replaces the character, as with
	// -replace: the CLI gives it the private state alone of what it replaces.
	ID string `json:"id,omitempty"`
	// Written are the texts of the last update, by their attributes, until a
	// read has shown them as they were sent.
	Written map[string]written `json:"written,omitempty"`
}

// written is a text that was sent, and what the service has made of it; nil
// until that is known.
type written struct {
	Sent  string  `json:"sent"`
	Shown *string `json:"shown,omitempty"`
}

// characterTexts are the texts that an update sends.
var characterTexts = []struct {
	name string
	of   func(*characterModel) types.String
	in   func(*api.Character) **string
}{
	{
		name: "name",
		of:   func(m *characterModel) types.String { return m.Name },
		in:   func(c *api.Character) **string { return &c.Name },
	},
	{
		name: "description",
		of:   func(m *characterModel) types.String { return m.Description },
		in:   func(c *api.Character) **string { return &c.Description },
	},
}

// noteSent remembers what was planned and sent, and what the reply shows of it.
func (p *privateState) noteSent(plan *characterModel, reply *api.Character, diags *diag.Diagnostics) {
	p.Written = map[string]written{}
	for _, text := range characterTexts {
		if sent := text.of(plan); !sent.IsNull() && !sent.IsUnknown() {
			p.Written[text.name] = written{Sent: sent.ValueString()}
		}
	}
	p.learn(plan, reply, diags)
}

// learn remembers what a reply shows for the first time of what was sent, and
// warns of it.
func (p *privateState) learn(stored *characterModel, shown *api.Character, diags *diag.Diagnostics) {
	var changed []string
	for _, text := range characterTexts {
		sent, isOpen := p.Written[text.name]
		now := *text.in(shown)
		isOpen = isOpen && sent.Shown == nil && now != nil && sent.Sent == text.of(stored).ValueString()
		isChanged := isOpen && !framework.SameText(text.of(stored), now).Equal(text.of(stored))
		if isChanged && same.Echo(sent.Sent, *now) {
			p.Written[text.name] = written{Sent: sent.Sent, Shown: now}
			changed = append(changed, text.name)
		}
	}
	if len(changed) > 0 {
		diags.Append(shownChanged(shown.ID, changed))
	}
}

// read takes from what a read shows the texts as they are stored, where they
// are no other, and forgets what was sent and is shown as it is, or was changed
// since.
func (p *privateState) read(state *characterModel, shown *api.Character, diags *diag.Diagnostics) {
	p.learn(state, shown, diags)
	p.useSent(shown)
	for _, text := range characterTexts {
		now := text.in(shown)
		*now = framework.SameText(text.of(state), *now).ValueStringPointer()
		if p.Written[text.name].Shown == nil || !types.StringPointerValue(*now).Equal(text.of(state)) {
			delete(p.Written, text.name)
		}
	}
}

// useSent puts what was sent in place of what the service has made of it.
func (p *privateState) useSent(shown *api.Character) {
	for _, text := range characterTexts {
		now := text.in(shown)
		sent := p.Written[text.name]
		if sent.Shown != nil && *now != nil && same.Text(*sent.Shown, **now) {
			*now = &sent.Sent
		}
	}
}
