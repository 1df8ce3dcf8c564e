package character

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// newCapabilitiesDataSource always reads afresh: readiness changes.
func newCapabilitiesDataSource() datasource.DataSource {
	return framework.DataSource[api.Capabilities]{
		Name: "generation_capabilities", Noun: "Generation Capabilities", Of: "character_id", OfNoun: "character",
		Description: "The LoRAs that generations of a character can use.\n\nReading them costs no credits.",
		Inputs:      map[string]schema.Attribute{"character_id": framework.CharacterInput()},
		Fields: []framework.Field[api.Capabilities]{
			framework.ObjectField("face_lora", "State of the character's face LoRA, as far as generations can use it; never null.", func(c *api.Capabilities) *api.LoRA { return known(c.FaceLoRA) }, loraFields),
			framework.ObjectField("body_lora", "State of the character's body LoRA, as far as generations can use it; never null.", func(c *api.Capabilities) *api.LoRA { return known(c.BodyLoRA) }, loraFields),
			framework.FlagField("can_generate", "Whether the service accepts generations of the character.", func(c *api.Capabilities) *bool { return c.CanGenerate }),
			framework.FlagField("generation_ready", "Whether the service calls the character ready for generations.", func(c *api.Capabilities) *bool { return c.GenerationReady }),
		},
		Read: func(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.Capabilities, error) {
			return client.Capabilities(ctx, inputs.Text("character_id").ValueString())
		},
	}.New()
}

var loraFields = []framework.Field[api.LoRA]{
	framework.TextField("status", "Status of the LoRA; its values are not documented.", func(l *api.LoRA) *string { return l.Status }),
	framework.FlagField("available", "Whether generations can use the LoRA.", func(l *api.LoRA) *bool { return l.Available }),
	framework.AddressField("url", "Address of the LoRA's file.", func(l *api.LoRA) *string { return l.URL }),
}

// known never returns nil, so that expressions need not handle a missing object.
func known(lora *api.LoRA) *api.LoRA { return cmp.Or(lora, &api.LoRA{}) }
