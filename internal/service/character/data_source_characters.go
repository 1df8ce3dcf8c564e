package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newCharactersDataSource() datasource.DataSource {
	return framework.DataSource[api.CharacterPage]{
		Name: "characters", Noun: "Characters",
		Description: "The characters that the credential can list.\n\nCosts no credits. Without `limit` and `offset` all are read.",
		Inputs: map[string]schema.Attribute{
			"limit": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "How many characters to read at most, 1 to 100, in one request. With neither `limit` nor `offset` all pages are read.",
				Validators:          []validator.Int64{int64validator.Between(1, 100)},
			},
			"offset": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "How many characters to skip, 0 or more. Default: none.",
				Validators:          []validator.Int64{int64validator.AtLeast(0)},
			},
		},
		Fields: []framework.Field[api.CharacterPage]{
			framework.ListField("characters", "The characters that were read, in the service's order.",
				func(p *api.CharacterPage) []api.Character { return p.Characters }, characterFields),
			framework.ObjectField("pagination", "Which part of the list was read; of all pages, `returned` is the sum. Never null.", func(p *api.CharacterPage) *api.Pagination { return &p.Pagination }, paginationFields),
			framework.ObjectField("filters", "What the service has limited the list to, by the credential. Never null.", func(p *api.CharacterPage) *api.Filters { return &p.Filters }, filterFields),
		},
		Read: readPage,
	}.New()
}

var paginationFields = []framework.Field[api.Pagination]{
	framework.IntegerField("limit", "Maximum number of characters on a page.", func(p *api.Pagination) *int64 { return p.Limit }),
	framework.IntegerField("offset", "Number of characters that were skipped.", func(p *api.Pagination) *int64 { return p.Offset }),
	framework.IntegerField("returned", "Number of characters that were read.", func(p *api.Pagination) *int64 { return p.Returned }),
	framework.FlagField("has_more", "Whether more characters follow the last one.", func(p *api.Pagination) *bool { return p.HasMore }),
}

var filterFields = []framework.Field[api.Filters]{
	framework.TextField("organization_id", "Id of the organization whose characters are listed.", func(f *api.Filters) *string { return f.OrganizationID }),
	framework.TextField("creator_id", "Id of whoever created the characters; null if that limits nothing, or if the service does not say.", func(f *api.Filters) *string { return f.CreatorID }),
}

// readPage reads one slice, or every page.
func readPage(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.CharacterPage, error) {
	limit, offset := inputs.Integer("limit"), inputs.Integer("offset")
	if limit == nil && offset == nil {
		return client.AllCharacters(ctx)
	}
	return client.CharactersPage(ctx, limit, offset)
}
