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
		Description: "The characters that the credential can list.\n\nReading them costs no credits.",
		Inputs: map[string]schema.Attribute{
			"limit": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Maximum number of characters to read, from 1 to 100. If neither `limit` nor `offset` is set, all pages are read.",
				Validators:          []validator.Int64{int64validator.Between(1, 100)},
			},
			"offset": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Number of characters to skip. Defaults to none.",
				Validators:          []validator.Int64{int64validator.AtLeast(0)},
			},
		},
		Fields: []framework.Field[api.CharacterPage]{
			framework.ListField("characters", "Characters that were read, in the service's order.",
				func(p *api.CharacterPage) []api.Character { return p.Characters }, characterFields),
			framework.ObjectField("pagination", "Part of the list that was read; for all pages, `returned` is their sum. Never null.",
				func(p *api.CharacterPage) *api.Pagination { return &p.Pagination }, paginationFields),
			framework.ObjectField("filters", "What the service has limited the list to, by the credential. Never null.", func(p *api.CharacterPage) *api.Filters { return &p.Filters }, filterFields),
		},
		Read: readPage,
	}.New()
}

var paginationFields = []framework.Field[api.Pagination]{
	framework.IntegerField("limit", "Maximum number of characters in a page.", func(p *api.Pagination) *int64 { return p.Limit }),
	framework.IntegerField("offset", "Number of characters that were skipped.", func(p *api.Pagination) *int64 { return p.Offset }),
	framework.IntegerField("returned", "Number of characters that were read.", func(p *api.Pagination) *int64 { return p.Returned }),
	framework.FlagField("has_more", "Whether more characters follow the last one.", func(p *api.Pagination) *bool { return p.HasMore }),
}

var filterFields = []framework.Field[api.Filters]{
	framework.TextField("organization_id", "Id of the organization whose characters are listed.", func(f *api.Filters) *string { return f.OrganizationID }),
	framework.TextField("creator_id", "Id of the creator whose characters are listed. Null if the list has those of all creators, or if not reported.", func(f *api.Filters) *string { return f.CreatorID }),
}

// readPage reads one slice, or every page.
func readPage(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.CharacterPage, error) {
	limit, offset := inputs.Integer("limit"), inputs.Integer("offset")
	if limit == nil && offset == nil {
		return client.AllCharacters(ctx)
	}
	return client.CharactersPage(ctx, limit, offset)
}
