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
		Description: "The characters that the credential can list: all of them, or one slice if `limit` or `offset` is set. Costs no credits.",
		Inputs: map[string]schema.Attribute{
			"limit": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Read one slice of at most so many characters, 1 to 100. Unset without `offset`: all characters.",
				Validators:          []validator.Int64{int64validator.Between(1, 100)},
			},
			"offset": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Read one slice that begins after so many characters.",
				Validators:          []validator.Int64{int64validator.AtLeast(0)},
			},
		},
		Fields: []framework.Field[api.CharacterPage]{
			framework.ListField("characters", "The characters, in the service's order.",
				func(p *api.CharacterPage) []api.Character { return p.Characters }, characterFields),
			framework.ObjectField("pagination", "What the service says about the slice. When all characters were read: `offset` 0 and the number of all in `returned`.",
				func(p *api.CharacterPage) *api.Pagination { return &p.Pagination }, paginationFields),
			framework.ObjectField("filters", "What the service filters the list by, for this credential.",
				func(p *api.CharacterPage) *api.Filters { return &p.Filters }, filterFields),
		},
		Read: readPage,
	}.New()
}

var paginationFields = []framework.Field[api.Pagination]{
	framework.IntegerField("limit", "Largest number of characters in a page.", func(p *api.Pagination) *int64 { return p.Limit }),
	framework.IntegerField("offset", "Number of characters before the first one.", func(p *api.Pagination) *int64 { return p.Offset }),
	framework.IntegerField("returned", "Number of characters read.", func(p *api.Pagination) *int64 { return p.Returned }),
	framework.FlagField("has_more", "Whether there are characters after the last one.", func(p *api.Pagination) *bool { return p.HasMore }),
}

var filterFields = []framework.Field[api.Filters]{
	framework.TextField("organization_id", "Organization whose characters are listed.", func(f *api.Filters) *string { return f.OrganizationID }),
	framework.TextField("creator_id", "Creator whose characters are listed; may be null.", func(f *api.Filters) *string { return f.CreatorID }),
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
