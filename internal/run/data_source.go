package run

import (
	"context"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// DataSource describes a data source: its inputs, and the fields of the reply
// T.
type DataSource[T any] struct {
	Name, Noun  string // Name is without the provider's name; Noun is for messages
	Description string
	Inputs      map[string]schema.Attribute
	// Of is the input with the id of the object to read, and OfNoun is the
	// object's noun. A 404 is reported on this input. If the input is null,
	// nothing is read and all fields are null.
	Of, OfNoun string
	Fields     []framework.Field[T]
	// Read returns nil if it has added an error to the inputs' diagnostics.
	Read func(context.Context, *ProviderData, Inputs) (*T, error)
}

// New returns the data source.
func (d DataSource[T]) New() datasource.DataSource { return &dataSource[T]{DataSource: d} }

// CharacterInput is the input with the character to read.
func CharacterInput() schema.Attribute {
	return schema.StringAttribute{
		Required:            true,
		MarkdownDescription: "Id of the character to read.",
		Validators:          []validator.String{framework.ID()},
	}
}

// Inputs are the configuration of a data source.
type Inputs struct {
	config      types.Object
	Diagnostics *diag.Diagnostics
}

// Text returns an input, or null if it is not set.
func (i Inputs) Text(name string) types.String {
	text, _ := i.config.Attributes()[name].(types.String)
	return text
}

// Integer returns an input, or nil if it is not set.
func (i Inputs) Integer(name string) *int64 {
	number, _ := i.config.Attributes()[name].(types.Int64)
	return number.ValueInt64Pointer()
}

// Flag returns an input, or nil if it is not set.
func (i Inputs) Flag(name string) *bool {
	flag, _ := i.config.Attributes()[name].(types.Bool)
	return flag.ValueBoolPointer()
}

// Texts returns an input that is a map of texts, or nil if it is not set.
func (i Inputs) Texts(name string) map[string]string {
	texts, _ := i.config.Attributes()[name].(types.Map)
	return framework.TextsByKey(texts)
}

// dataSource is the data source that a DataSource describes.
type dataSource[T any] struct {
	DataSource[T]
	data *ProviderData
}

func (d *dataSource[T]) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	d.data = DataFrom(req.ProviderData)
}

func (d *dataSource[T]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.Name
}

// Schema returns the inputs and the fields of the reply.
func (d *dataSource[T]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	all := map[string]schema.Attribute{}
	for name, attribute := range framework.AttributesOf(d.Fields) {
		all[name] = attribute
	}
	maps.Copy(all, d.Inputs)
	resp.Schema = schema.Schema{MarkdownDescription: d.Description, Attributes: all}
}

// Read reads the reply once; there is no earlier state to compare with. It
// reads nothing if the id is null.
func (d *dataSource[T]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	inputs := Inputs{config, &resp.Diagnostics}
	said := new(T)
	if id := inputs.Text(d.Of); !id.IsNull() || d.Of == "" {
		if resp.Diagnostics.HasError() || !d.data.Ready(&resp.Diagnostics) {
			return
		}
		said = d.ask(ctx, inputs)
	}
	if said == nil || resp.Diagnostics.HasError() {
		return
	}
	encoded, err := framework.Encode(ctx, config, d.Fields, said)
	if err != nil {
		resp.Diagnostics.Append(cannotBeEncoded(d.Noun, err))
		return
	}
	encoded.WarnOfOmitted(&resp.Diagnostics, req.Config.Raw)
	if !encoded.Answer(ctx) {
		resp.Diagnostics.Append(resp.State.Set(ctx, framework.Show(ctx, config, d.Fields, said))...)
	}
}

// ask reads the reply for the inputs. It adds an error to their diagnostics if
// the read fails.
func (d *dataSource[T]) ask(ctx context.Context, inputs Inputs) *T {
	failure := framework.Failure{Verb: "Read", Noun: d.Noun}
	if d.Of != "" {
		failure.Object = fmt.Sprintf("%s %q", d.OfNoun, inputs.Text(d.Of).ValueString())
		failure.NotFound = path.Root(d.Of)
	}
	said, err := d.DataSource.Read(ctx, d.data, inputs)
	if err != nil {
		inputs.Diagnostics.Append(failure.Error(err))
	}
	return said
}
