package generation

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// notice is a part of the one warning that a plan, or an apply, gives of a group: what
// is bought, what is deleted and what stays, in this order. One without what only adds
// to others.
type notice struct {
	what, text string
	deletes    bool
}

// summary is that of a warning of the group.
func (g *group) summary(what string) string {
	of := quoted(g.Keys())
	if character := g.model.CharacterID.ValueString(); character != "" {
		of = fmt.Sprintf("character %s (%s)", character, of)
	}
	return framework.Summary(what, "group", g.model.ID.ValueString(), of)
}

// warn adds the warning, if there is one. It is called what cannot be undone, else what
// comes first.
func (g *group) warn(add func(summary, detail string), notices ...notice) {
	what, texts := "", []string{}
	for _, notice := range notices {
		if notice.text != "" {
			texts = append(texts, notice.text)
		}
		if notice.text != "" && (what == "" || notice.deletes) {
			what = notice.what
		}
	}
	if what != "" {
		add(g.summary(what), strings.Join(texts, "\n\n"))
	}
}

// onPrompts adds a warning on the prompts.
func onPrompts(diags *diag.Diagnostics) func(summary, detail string) {
	return func(summary, detail string) { diags.AddAttributeWarning(path.Root("prompts"), summary, detail) }
}
