package character

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newImageList(kind imageKind) list.ListResource {
	return framework.List{
		Name: kind.typeName, Noun: kind.title + "s",
		Description: "The " + kind.noun + "s of a character, in the service's order, with one request. The configuration that is generated for them has no `source`: an imported image needs none. Costs no credits.",
		Input:       "character_id",
		Attribute: schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "Character whose " + kind.noun + "s are listed; `for_each` over the list of characters lists those of all.",
			Validators:          []validator.String{framework.ID()},
		},
		Read: kind.list,
	}.New()
}

// list reads the character's assets once.
func (k imageKind) list(ctx context.Context, data *framework.Data, character types.String, results *framework.Results) error {
	assets, err := data.Client.Assets(ctx, character.ValueString(), k.AssetType)
	if err != nil {
		return err
	}
	if !assets.Complete && !results.Say(diag.NewWarningDiagnostic("Asset List Incomplete",
		fmt.Sprintf("The service's list of the assets of character %q is inconsistent: %ss may be missing.", character.ValueString(), k.noun))) {
		return nil
	}
	seen := map[string]bool{} // a service may repeat one
	for i := range assets.Items {
		asset := &assets.Items[i]
		if asset.ID == nil || seen[*asset.ID] {
			continue
		}
		seen[*asset.ID] = true
		model := imageModel{imageAttributes: imageAttributes{CharacterID: character, ID: types.StringPointerValue(asset.ID)}}
		model.listed(asset)
		name := *asset.ID
		if !model.Filename.IsNull() {
			name = fmt.Sprintf("%s (%s)", model.Filename.ValueString(), name)
		}
		model.Filename = framework.ConfigurableText(model.Filename)
		if !results.Add(ctx, model.identity(), k.attributes(&model), name) {
			return nil
		}
	}
	return nil
}
