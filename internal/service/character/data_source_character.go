package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

func newCharacterDataSource() datasource.DataSource {
	return run.DataSource[api.Character]{
		Name:        "character",
		Noun:        "Character",
		Description: "A character, found by its id or its exact name.\n\nReading it costs no credits.",
		Inputs: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Optional:            true,
				Computed:            true,
				MarkdownDescription: "Id of the character to read. Set exactly one of `id` and `name`.",
				Validators: []validator.String{
					framework.ID(), stringvalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name")),
				},
			},
			"name": schema.StringAttribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "Exact name of the character to read, including case. It is an error if no " +
					"character has it, or more than one.",
				Validators: []validator.String{framework.Text(), framework.NotBlank()},
			},
		},
		Fields: characterFields,
		Read: func(ctx context.Context, data *run.ProviderData, inputs run.Inputs) (*api.Character, error) {
			if id := inputs.Text("id"); !id.IsNull() {
				return findByID(ctx, data.Client, id.ValueString(), inputs.Diagnostics), nil
			}
			return named(ctx, data.Client, inputs.Text("name").ValueString(), inputs.Diagnostics), nil
		},
	}.New()
}

func findByID(ctx context.Context, client *evidence.Client, id string, diags *diag.Diagnostics) *api.Character {
	client.Characters.Refresh()
	found, complete, err := client.Characters.Find(ctx, id)
	switch {
	case err != nil:
		diags.Append(readFailure(id).Error(err))
	case found == nil && !complete:
		diags.Append(listIsInconsistent(id))
	case found == nil:
		diags.Append(idNotFound(id, client.Characters.Listed()))
	}
	return found
}

// named finds the character of a name. It reads the list until it finds a
// second character of that name: any choice would then be arbitrary.
func named(ctx context.Context, client *evidence.Client, name string, diags *diag.Diagnostics) *api.Character {
	var found *api.Character
	for character, err := range client.Characters.Each(ctx) {
		switch {
		case err != nil:
			diags.Append(framework.Failure{Verb: "Find", Noun: "Character"}.Error(err))
			return nil
		case character.Name == nil || !same.Text(*character.Name, name):
		case found == nil:
			found = &character
		default:
			diags.Append(nameIsNotUnique(found.ID, character.ID))
			return nil
		}
	}
	if found == nil {
		diags.Append(nameNotFound(name, client.Characters.Listed()))
	}
	return found
}

func newCharactersDataSource() datasource.DataSource {
	return run.DataSource[api.CharacterPage]{
		Name:        "characters",
		Noun:        "Characters",
		Description: "The characters that the credential can list.\n\nReading them costs no credits.",
		Inputs: map[string]schema.Attribute{
			"limit": schema.Int64Attribute{
				Optional: true,
				MarkdownDescription: "Maximum number of characters to read, from 1 to 100. If neither `limit` nor " +
					"`offset` is set, all pages are read.",
				Validators: []validator.Int64{int64validator.Between(1, 100)},
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
			framework.ObjectField(
				"pagination",
				"Part of the list that was read; for all pages, `returned` is their sum. Never null.",
				func(p *api.CharacterPage) *api.Pagination { return &p.Pagination },
				paginationFields,
			),
			framework.ObjectField(
				"filters",
				"What the service has limited the list to, by the credential. Never null.",
				func(p *api.CharacterPage) *api.Filters { return &p.Filters },
				filterFields,
			),
		},
		Read: func(ctx context.Context, data *run.ProviderData, inputs run.Inputs) (*api.CharacterPage, error) {
			limit := inputs.Integer("limit")
			offset := inputs.Integer("offset")
			if limit == nil && offset == nil {
				return data.Client.Characters.All(ctx)
			}
			return data.Client.Characters.Page(ctx, limit, offset)
		},
	}.New()
}

var paginationFields = []framework.Field[api.Pagination]{
	framework.IntegerField(
		"limit",
		"Maximum number of characters in a page.",
		func(p *api.Pagination) *int64 { return p.Limit },
	),
	framework.IntegerField(
		"offset",
		"Number of characters that were skipped.",
		func(p *api.Pagination) *int64 { return p.Offset },
	),
	framework.IntegerField(
		"returned",
		"Number of characters that were read.",
		func(p *api.Pagination) *int64 { return p.Returned },
	),
	framework.FlagField(
		"has_more",
		"Whether more characters follow the last one.",
		func(p *api.Pagination) *bool { return p.HasMore },
	),
}

var filterFields = []framework.Field[api.Filters]{
	framework.TextField(
		"organization_id",
		"Id of the organization whose characters are listed.",
		func(f *api.Filters) *string { return f.OrganizationID },
	),
	framework.TextField(
		"creator_id",
		"Id of the creator whose characters are listed. Null if the list has those of all creators.",
		func(f *api.Filters) *string { return f.CreatorID },
	),
}
