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
				MarkdownDescription: "Read at most so many, 1 to 100.",
				Validators:          []validator.Int64{int64validator.Between(1, 100)},
			},
			"offset": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Skip so many.",
				Validators:          []validator.Int64{int64validator.AtLeast(0)},
			},
		},
		Fields: []framework.Field[api.CharacterPage]{
			framework.ListField("characters", "In the service's order.",
				func(p *api.CharacterPage) []api.Character { return p.Characters }, characterFields),
			framework.ObjectField("pagination", "If all were read, `returned` is their number.",
				func(p *api.CharacterPage) *api.Pagination { return &p.Pagination }, paginationFields),
			framework.ObjectField("filters", "What this credential can list.",
				func(p *api.CharacterPage) *api.Filters { return &p.Filters }, filterFields),
		},
		Read: readPage,
	}.New()
}

var paginationFields = []framework.Field[api.Pagination]{
	framework.IntegerField("limit", "Page size.", func(p *api.Pagination) *int64 { return p.Limit }),
	framework.IntegerField("offset", "Characters skipped.", func(p *api.Pagination) *int64 { return p.Offset }),
	framework.IntegerField("returned", "Characters read.", func(p *api.Pagination) *int64 { return p.Returned }),
	framework.FlagField("has_more", "More follow.", func(p *api.Pagination) *bool { return p.HasMore }),
}

var filterFields = []framework.Field[api.Filters]{
	framework.TextField("organization_id", "Whose characters.", func(f *api.Filters) *string { return f.OrganizationID }),
	framework.TextField("creator_id", "May be null.", func(f *api.Filters) *string { return f.CreatorID }),
}

// readPage reads one slice, or every page.
func readPage(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.CharacterPage, error) {
	limit, offset := inputs.Integer("limit"), inputs.Integer("offset")
	if limit == nil && offset == nil {
		client.RefreshCharacters()
		return client.AllCharacters(ctx)
	}
	return client.CharactersPage(ctx, limit, offset)
}
