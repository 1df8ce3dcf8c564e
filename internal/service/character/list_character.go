package character

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ list.ListResourceWithConfigure = (*characterList)(nil)

type characterList struct{ framework.Resource }

func newCharacterList() list.ListResource { return &characterList{} }

type characterListModel struct {
	NameContains types.String `tfsdk:"name_contains"`
}

func (l *characterList) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_character"
}

func (l *characterList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The characters that the credential can list, in the service's order. One request for each hundred, and none beyond `limit`. Costs no credits.",
		Attributes: map[string]schema.Attribute{
			"name_contains": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "List only characters whose name contains this text, in upper or lower case. The service has no such filter: all pages are read until `limit` names match.",
				Validators:          []validator.String{framework.Text()},
			},
		},
	}
}

// List reads page after page as long as results are requested.
func (l *characterList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var config characterListModel
	diags := req.Config.Get(ctx, &config)
	if diags.HasError() || !l.Data.Ready(&diags) {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = framework.Limited(req.Limit, func(yield func(list.ListResult) bool) {
		for character, err := range l.Data.Client.Characters(ctx) {
			if err != nil {
				yield(framework.ListMessage(framework.Failure{Verb: "List", Noun: "Characters"}.Error(err)))
				return
			}
			if config.matches(&character) && !yield(listedCharacter(ctx, req, &character)) {
				return
			}
		}
	})
}

func (m *characterListModel) matches(character *api.Character) bool {
	name := types.StringPointerValue(character.Name).ValueString()
	return strings.Contains(strings.ToLower(name), strings.ToLower(m.NameContains.ValueString()))
}

func listedCharacter(ctx context.Context, req list.ListRequest, character *api.Character) list.ListResult {
	model := characterFromAPI(character)
	name := model.Name.ValueString()
	model.Name, model.Description = framework.ConfigurableText(model.Name), framework.ConfigurableText(model.Description)
	return framework.Listed(ctx, req, model.identity(), &model, name, character.ID)
}
