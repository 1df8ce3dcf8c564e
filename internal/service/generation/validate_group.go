package generation

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// requireCharacter rejects a LoRA without a character: the prompt would be
// bought and certainly fail.
func requireCharacter(ctx context.Context, config tfsdk.Config, prompts types.Map, diags *diag.Diagnostics) {
	var character types.String
	diags.Append(config.GetAttribute(ctx, path.Root("character_id"), &character)...)
	if diags.HasError() || !character.IsNull() {
		return
	}
	configured := promptElements.decode(prompts)
	for _, lora := range loras {
		if at, by := lora.wantedBy(configured, sortedKeys(configured)); by != "" {
			diags.AddAttributeError(at, "LoRA Without a Character",
				fmt.Sprintf("The group has no character_id, and a LoRA is a character's, so these prompts would be bought and fail: %s. Set character_id, or leave %s out. Nothing was sent.", by, lora.attribute))
		}
	}
}
