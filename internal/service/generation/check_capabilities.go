package generation

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// reportMissingCapabilities says in a plan which missing capabilities would end
// its apply. It skips an answer that may have changed by then. The plan that an
// apply makes does not ask: the first plan has asked, CLIs drop the warnings of
// an apply's plan, and the apply reads the deciding answer before the purchase.
func (p *planning) reportMissingCapabilities(ctx context.Context, keys []string) {
	g := p.want
	character := g.values.CharacterID.ValueString()
	buys := len(keys) > 0 || p.promptsAreUnknown()
	isAsked := buys && character != "" && p.data.Known()
	if !isAsked || p.data.CommandOf(p.req).PlansInApply() {
		return
	}
	capabilities, existence := p.data.RefuseUnknown(ctx, character, "The "+g.name()+" buys prompts", p.diags)
	characters := &p.data.Characters
	if existence == evidence.Present && !characters.IsMade(character, run.Images) &&
		!characters.IsMade(character, run.LoRA) {
		if capabilities.CanGenerate != nil && !*capabilities.CanGenerate {
			p.diags.Append(cannotGenerate(character))
		}
		checkLoRAs(g,
			capabilities,
			keys,
			"If that is still so when the apply gets there, it fails and buys nothing.",
			p.diags.AddAttributeWarning,
		)
	}
}

// refuseMissingLoRAs refuses prompts whose LoRA is not available, and reports
// whether it did: the service would accept the prompts, deduct credits, and fail.
func (op *execution) refuseMissingLoRAs(ctx context.Context, keys []string) (refused bool) {
	character := op.group.values.CharacterID.ValueString()
	asks := func(l lora) bool { _, by := l.wantedBy(op.group.Prompts, keys); return by != "" }
	if character == "" || !slices.ContainsFunc(loras, asks) {
		return false
	}
	capabilities, err := op.data.Client.Characters.CapabilitiesToBuy(ctx, character)
	if err != nil {
		op.diags.Append(capabilitiesFailure(character).Error(err))
		return true
	}
	checkLoRAs(op.group, capabilities, keys, "Nothing was bought.", op.diags.AddAttributeError)
	return op.diags.HasError()
}

// checkLoRAs adds an error or a warning for each LoRA that these prompts ask
// for and the service calls unavailable. A LoRA that the service does not
// mention is no error: the batch is sent, and the service decides.
func checkLoRAs(
	g *group,
	capabilities *api.Capabilities,
	keys []string,
	consequence string,
	add func(at path.Path, summary, detail string),
) {
	character := g.values.CharacterID.ValueString()
	for _, lora := range loras {
		at, by := lora.wantedBy(g.Prompts, keys)
		has := lora.of(capabilities)
		isUnavailable := has != nil && has.Available != nil && !*has.Available
		if by == "" || !isUnavailable {
			continue
		}
		status := "no status"
		if has.Status != nil {
			status = fmt.Sprintf("status %q", *has.Status)
		}
		add(at, "LoRA Is Not Available", fmt.Sprintf(
			"Train the LoRA first, and let the group depend on the training. %s\n\nThe character %q does not have a "+
				"LoRA that the prompts ask for (%s): %s. They would be paid for and fail.",
			consequence,
			character,
			status,
			by,
		))
	}
}

// lora is one of the two LoRAs that a prompt may ask for, with the attribute
// that asks for it and its place in a character's capabilities.
type lora struct {
	attribute string
	isWanted  func(prompts.Prompt) prompts.Value[bool]
	of        func(*api.Capabilities) *api.LoRA
}

var loras = []lora{
	{
		"use_face_lora",
		func(p prompts.Prompt) prompts.Value[bool] { return p.UseFaceLoRA },
		func(c *api.Capabilities) *api.LoRA { return c.FaceLoRA },
	},
	{
		"use_body_lora",
		func(p prompts.Prompt) prompts.Value[bool] { return p.UseBodyLoRA },
		func(c *api.Capabilities) *api.LoRA { return c.BodyLoRA },
	},
}

// wantedBy returns the attribute of the first prompt that asks for the LoRA,
// and a list of some of these prompts. The list is empty if no prompt asks.
func (l lora) wantedBy(all map[string]prompts.Prompt, keys []string) (first path.Path, some string) {
	var asking []string
	for _, key := range keys {
		if !l.isWanted(all[key]).Get() {
			continue
		}
		at := path.Root("prompts").AtMapKey(key).AtName(l.attribute)
		asking = append(asking, at.String())
		if len(asking) == 1 {
			first = at
		}
	}
	return first, framework.Several(asking, ", ")
}
