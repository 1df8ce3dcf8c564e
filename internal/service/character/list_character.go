package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// newCharacterList describes the list of characters for terraform query.
func newCharacterList() list.ListResource {
	return run.List{
		Name: "character",
		Noun: "Characters",
		Description: "The characters that the credential can list.\n\nListing them costs no credits; one request " +
			"reads up to 100.",
		Input: "name_contains",
		Attribute: schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Text that the names of the listed characters contain, in upper or lower case. " +
				"Defaults to all characters. Pages are read until `limit` names match.",
			Validators: []validator.String{framework.Text()},
		},
		Read: listCharacters,
	}.New()
}

// listCharacters lists the characters whose names contain a text. It reads no
// more pages once the query has enough results.
func listCharacters(
	ctx context.Context,
	data *run.ProviderData,
	contained types.String,
	results *run.Results,
) error {
	for character, err := range data.Client.Characters.Each(ctx) {
		if err != nil {
			return err
		}
		name := types.StringPointerValue(character.Name)
		if !same.Contains(name.ValueString(), contained.ValueString()) {
			continue
		}
		character.Name = run.ConfigurableText(name).ValueStringPointer()
		character.Description = run.ConfigurableText(types.StringPointerValue(character.Description)).
			ValueStringPointer()
		identity := struct {
			ID string `tfsdk:"id"`
		}{character.ID}
		shown := framework.ObjectOf(adoptedFields, &character)
		if !results.Add(ctx, identity, shown, name.ValueString(), character.ID) {
			return nil
		}
	}
	return nil
}
