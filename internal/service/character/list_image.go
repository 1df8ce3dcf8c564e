package character

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// listResource returns the list of face images. Body images have no list: no
// list tells their types, so that a configuration generated from one would lack
// them, and could not be planned.
func (k imageKind) listResource() list.ListResource {
	return run.List{
		Name: k.typeName,
		Noun: k.title + "s",
		Description: "The " + k.noun + "s of a character.\n\nListing them costs no credits. Generated configuration " +
			"has no `source`, which an imported image does not need.",
		Input:     "character_id",
		Attribute: framework.ListCharacter("face images"),
		Read:      k.list,
	}.New()
}

// list lists the images of a character. A list that contradicts itself is
// reported.
func (k imageKind) list(
	ctx context.Context,
	data *run.ProviderData,
	character types.String,
	results *run.Results,
) error {
	assets, err := data.Client.Images.List(ctx, character.ValueString(), k.AssetType)
	if err != nil {
		return err
	}
	if !assets.AllListed && !results.Say(k.someMayBeMissing(character.ValueString())) {
		return nil
	}
	seen := map[string]bool{} // a service may repeat an image
	for i := range assets.Items {
		asset := &assets.Items[i]
		if asset.ID == nil || seen[*asset.ID] {
			continue
		}
		seen[*asset.ID] = true
		model := imageModel{
			imageAttributes: imageAttributes{CharacterID: character, ID: types.StringPointerValue(asset.ID)},
		}
		model.listed(asset)
		name := *asset.ID
		if !model.Filename.IsNull() {
			name = fmt.Sprintf("%s (%s)", model.Filename.ValueString(), name)
		}
		model.Filename = run.ConfigurableText(model.Filename)
		if !results.Add(
			ctx,
			run.OwnedIdentity{CharacterID: character, ID: model.ID},
			k.attributes(&model),
			name,
		) {
			return nil
		}
	}
	return nil
}
