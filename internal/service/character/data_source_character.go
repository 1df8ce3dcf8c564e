package character

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ datasource.DataSourceWithConfigure = (*characterDataSource)(nil)

type characterDataSource struct{ framework.DataSource }

func newCharacterDataSource() datasource.DataSource { return &characterDataSource{} }

func (d *characterDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_character"
}

func (d *characterDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := characterAttributes()
	attributes["id"] = schema.StringAttribute{
		Optional: true, Computed: true,
		MarkdownDescription: "Id of the character. Exactly one of `id` and `name` must be set.",
		Validators: []validator.String{
			framework.ID(), stringvalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name")),
		},
	}
	attributes["name"] = schema.StringAttribute{
		Optional: true, Computed: true,
		MarkdownDescription: "Exact name of the character. Two characters of the name are an error.",
		Validators:          []validator.String{framework.Text(), framework.NotBlank()},
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "One character, found by its id or by its exact name. Costs no credits.",
		Attributes:          attributes,
	}
}

// characterAttributes are all attributes of a character, as the service gives
// them.
func characterAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"id":          schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the character."},
		"name":        schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the character."},
		"description": schema.StringAttribute{Computed: true, MarkdownDescription: "Description of the character."},
	}
	for _, texts := range []map[string]string{lasting, changing} {
		for name, text := range texts {
			attributes[name] = schema.StringAttribute{Computed: true, MarkdownDescription: text}
		}
	}
	for name, text := range counts {
		attributes[name] = schema.Int64Attribute{Computed: true, MarkdownDescription: text}
	}
	return attributes
}

// Read finds the character in the list.
func (d *characterDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config characterModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || !d.Data.Ready(&resp.Diagnostics) {
		return
	}
	d.Data.Client.RefreshCharacters()
	var found *api.Character
	if config.ID.IsNull() {
		found = d.named(ctx, config.Name.ValueString(), &resp.Diagnostics)
	} else {
		found = d.identified(ctx, config.ID.ValueString(), &resp.Diagnostics)
	}
	if found == nil {
		return
	}
	model := characterFromAPI(found)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

func (d *characterDataSource) identified(ctx context.Context, id string, diags *diag.Diagnostics) *api.Character {
	found, complete, err := d.Data.Client.FindCharacter(ctx, id)
	switch {
	case err != nil:
		diags.Append(readFailure(id).Error(err))
	case found == nil && !complete:
		diags.AddAttributeError(path.Root("id"), "Character List Incomplete",
			fmt.Sprintf("The service's list of characters was inconsistent and did not show character %q. Try again.", id))
	case found == nil:
		diags.AddAttributeError(path.Root("id"), "Character Not Found",
			fmt.Sprintf("No character that this credential can list has the id %q.%s", id, similar(id, d.Data.Client.ListedCharacters())))
	}
	return found
}

// named returns the one character of the name. It reads the whole list, since
// with a second one the choice would be arbitrary.
func (d *characterDataSource) named(ctx context.Context, name string, diags *diag.Diagnostics) *api.Character {
	all, err := d.Data.Client.AllCharacters(ctx)
	if err != nil {
		diags.Append(framework.Failure{Verb: "Read", Noun: "Character", Object: fmt.Sprintf("character named %q", name)}.Error(err))
		return nil
	}
	var found *api.Character
	for i := range all.Characters {
		character := &all.Characters[i]
		if character.Name == nil || *character.Name != name {
			continue
		}
		if found != nil {
			diags.AddAttributeError(path.Root("name"), "Character Name Not Unique",
				fmt.Sprintf("Characters %q and %q are both named %q. Name the one you want by its id.", found.ID, character.ID, name))
			return nil
		}
		found = character
	}
	if found == nil {
		diags.AddAttributeError(path.Root("name"), "Character Not Found",
			fmt.Sprintf("No character that this credential can list is named %q. Names must match exactly, upper and lower case too.%s", name, similar(name, all.Characters)))
	}
	return found
}
