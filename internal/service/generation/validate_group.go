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
	for _, key := range sortedKeys(configured) {
		refuseLoRA(key, "use_face_lora", configured[key].UseFaceLoRA, diags)
		refuseLoRA(key, "use_body_lora", configured[key].UseBodyLoRA, diags)
	}
}

func refuseLoRA(key, attribute string, wanted types.Bool, diags *diag.Diagnostics) {
	if wanted.ValueBool() {
		diags.AddAttributeError(path.Root("prompts").AtMapKey(key).AtName(attribute), "LoRA Without a Character",
			fmt.Sprintf("prompts[%q].%s is true, and the group has no character_id. A LoRA is a character's, so the prompt would be bought and fail. "+
				"Set character_id, or leave %[2]s out. Nothing was sent.", key, attribute))
	}
}
