package generation

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// checkCapabilities rejects a purchase that the service would accept and then
// fail. It bypasses what other groups of the run have read, which may be
// outdated, and reads once for all batches of the operation.
func (op *operation) checkCapabilities(ctx context.Context, keys []string) bool {
	character := op.group.model.CharacterID.ValueString()
	if character == "" {
		return true
	}
	capabilities, err := op.data.Client.Capabilities(ctx, character)
	if err != nil {
		op.diags.Append(framework.Failure{
			Verb: "Read", Noun: "Generation Capabilities", Object: fmt.Sprintf("character %q", character),
			Consequence: "The capabilities are read before a batch is paid for. Nothing was bought.", NotFound: path.Root("character_id"),
		}.Error(err))
		return false
	}
	if capabilities.CanGenerate != nil && !*capabilities.CanGenerate {
		op.diags.AddAttributeError(path.Root("character_id"), "Character Cannot Generate",
			fmt.Sprintf("The service says that the character %q cannot generate yet (can_generate is false). Nothing was bought.", character))
		return false
	}
	for _, key := range keys {
		prompt := op.group.prompts[key]
		op.checkLoRA(key, "use_face_lora", prompt.UseFaceLoRA, capabilities.FaceLoRA)
		op.checkLoRA(key, "use_body_lora", prompt.UseBodyLoRA, capabilities.BodyLoRA)
	}
	return !op.diags.HasError()
}

func (op *operation) checkLoRA(key, attribute string, wanted types.Bool, lora *api.LoRA) {
	if !wanted.ValueBool() || lora == nil || lora.Available == nil || *lora.Available {
		return
	}
	status := "no status"
	if lora.Status != nil {
		status = fmt.Sprintf("status %q", *lora.Status)
	}
	op.diags.AddAttributeError(path.Root("prompts").AtMapKey(key).AtName(attribute), "LoRA Is Not Available",
		fmt.Sprintf("prompts[%q].%s is true, but the character %q does not have this LoRA (%s). The generation would be paid for and fail, so nothing was bought. "+
			"Train the LoRA first, and let the group depend on the training.", key, attribute, op.group.model.CharacterID.ValueString(), status))
}
