package character

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ list.ListResourceWithConfigure = (*imageList)(nil)

type imageList struct {
	framework.Resource
	kind imageKind
}

type imageListModel struct {
	CharacterID types.String `tfsdk:"character_id"`
}

func (l *imageList) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + l.kind.typeName
}

func (l *imageList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The " + l.kind.noun + "s of a character, in the service's order, with one request. The configuration that is generated for them has no `source`: an imported image needs none. Costs no credits.",
		Attributes: map[string]schema.Attribute{
			"character_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Character whose " + l.kind.noun + "s are listed; `for_each` over the list of characters lists those of all.",
				Validators:          []validator.String{framework.ID()},
			},
		},
	}
}

// List reads the character's assets once.
func (l *imageList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var config imageListModel
	diags := req.Config.Get(ctx, &config)
	if diags.HasError() || !l.Data.Ready(&diags) {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	id := config.CharacterID.ValueString()
	stream.Results = framework.Limited(req.Limit, func(yield func(list.ListResult) bool) {
		assets, err := l.Data.Client.Assets(ctx, id, l.kind.AssetType)
		if err != nil {
			failure := framework.Failure{Verb: "List", Noun: l.kind.title + "s", Object: object(id), NotFound: path.Root("character_id")}
			yield(framework.ListMessage(failure.Error(err)))
			return
		}
		if !assets.Complete && !yield(framework.ListMessage(diag.NewWarningDiagnostic("Asset List Incomplete",
			fmt.Sprintf("The service's list of the assets of character %q is inconsistent: %ss may be missing.", id, l.kind.noun)))) {
			return
		}
		listed := map[string]bool{} // a service may repeat one
		for i := range assets.Items {
			asset := &assets.Items[i]
			if asset.ID == nil || listed[*asset.ID] {
				continue
			}
			listed[*asset.ID] = true
			if !yield(listedImage(ctx, req, id, asset)) {
				return
			}
		}
	})
}

func listedImage(ctx context.Context, req list.ListRequest, characterID string, asset *api.Asset) list.ListResult {
	model := imageModel{CharacterID: types.StringValue(characterID), ID: types.StringPointerValue(asset.ID)}
	model.listed(asset)
	name := *asset.ID
	if !model.Filename.IsNull() {
		name = fmt.Sprintf("%s (%s)", model.Filename.ValueString(), name)
	}
	model.Filename = framework.ConfigurableText(model.Filename)
	return framework.Listed(ctx, req, model.identity(), &model, name)
}
