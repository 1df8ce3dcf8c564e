package character

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Some services show texts in a changed form: escaped, trimmed, cut off. The
// provider remembers the sent text beside the form in which the reply to the
// write showed it, or else the first read after it. As long as the service
// shows that form, there is no difference.

// privateState is the knowledge about a character that the provider must
// remember and that no attribute shows.
type privateState struct {
	evidence.Evidence
	// ID is for the plan of a create that replaces the character, for example
	// with -replace. The CLI gives that create only the private state of the
	// replaced character.
	ID string `json:"id,omitempty"`
	// Written are the texts of the last update by attribute, until a read has
	// shown them in the sent form.
	Written map[string]written `json:"written,omitempty"`
}

// written is a text that was sent, and the form in which the service shows it;
// nil until that is known.
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

// noteSent remembers the planned and sent texts, and their form in the reply.
func (p *privateState) noteSent(plan *characterModel, shown *api.Character, diags *diag.Diagnostics) {
	p.Written = map[string]written{}
	for _, text := range characterTexts {
		if sent := text.of(plan); !sent.IsNull() && !sent.IsUnknown() {
			p.Written[text.name] = written{Sent: sent.ValueString()}
		}
	}
	p.learn(plan, shown, diags)
}

// learn remembers the form in which a reply shows the sent texts for the first
// time, and warns of a changed form.
func (p *privateState) learn(stored *characterModel, shown *api.Character, diags *diag.Diagnostics) {
	var changed []string
	for _, text := range characterTexts {
		sent, isSent := p.Written[text.name]
		now := *text.in(shown)
		isFirst := isSent && sent.Shown == nil && now != nil && sent.Sent == text.of(stored).ValueString()
		isChanged := isFirst && !framework.SameText(text.of(stored), now).Equal(text.of(stored))
		if isChanged && same.Echo(sent.Sent, *now) {
			p.Written[text.name] = written{Sent: sent.Sent, Shown: now}
			changed = append(changed, text.name)
		}
	}
	if len(changed) > 0 {
		diags.Append(shownChanged(shown.ID, changed))
	}
}

// read replaces each text in a reply by the stored text if both mean the same.
// It forgets a sent text that is shown unchanged, or that was changed since.
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

// useSent replaces each text that the service shows in a changed form by the
// sent text.
func (p *privateState) useSent(shown *api.Character) {
	for _, text := range characterTexts {
		now := text.in(shown)
		sent := p.Written[text.name]
		if sent.Shown != nil && *now != nil && same.Text(*sent.Shown, **now) {
			*now = &sent.Sent
		}
	}
}
