package main

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// object is a resource that exists in the state alone.
type object struct {
	name     string
	schema   schema.Schema
	identity identityschema.Schema
}

func (o object) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "blank_" + o.name
	resp.ResourceBehavior.MutableIdentity = true // that of a group lists its generations
}

func (o object) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = o.schema
}

func (o object) IdentitySchema(
	_ context.Context,
	_ resource.IdentitySchemaRequest,
	resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = o.identity
}

func (o object) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	o.store(ctx, req.Plan, &resp.State, resp.Identity, &resp.Diagnostics)
}

func (object) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (o object) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	o.store(ctx, req.Plan, &resp.State, resp.Identity, &resp.Diagnostics)
}

func (object) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// store stores the plan, and a value in place of each unknown one.
func (o object) store(
	ctx context.Context,
	plan tfsdk.Plan,
	state *tfsdk.State,
	identity *tfsdk.ResourceIdentity,
	diags *diag.Diagnostics,
) {
	var prompts map[string]types.Object
	if o.schema.Attributes["prompts"] != nil {
		diags.Append(plan.GetAttribute(ctx, path.Root("prompts"), &prompts)...)
	}
	keys := slices.Sorted(maps.Keys(prompts))
	known, err := tftypes.Transform(plan.Raw, func(
		_ *tftypes.AttributePath, value tftypes.Value,
	) (tftypes.Value, error) {
		if value.IsKnown() {
			return value, nil
		}
		return sample(value.Type(), keys), nil
	})
	if err != nil {
		diags.AddError("Not Stored", err.Error())
		return
	}
	state.Raw = known
	for name, attribute := range o.identity.Attributes {
		if attribute.GetType().Equal(types.StringType) {
			var id types.String
			diags.Append(state.GetAttribute(ctx, path.Root(name), &id)...)
			diags.Append(identity.SetAttribute(ctx, path.Root(name), id)...)
		} else {
			diags.Append(identity.SetAttribute(ctx, path.Root(name), keys)...)
		}
	}
}

// sample is a value of a type. A map has an element for each key, as the results
// of a group have for each prompt, and a list has one.
func sample(of tftypes.Type, keys []string) tftypes.Value {
	switch of := of.(type) {
	case tftypes.Map:
		elements := map[string]tftypes.Value{}
		for _, key := range keys {
			elements[key] = sample(of.ElementType, nil)
		}
		return tftypes.NewValue(of, elements)
	case tftypes.List:
		return tftypes.NewValue(of, []tftypes.Value{sample(of.ElementType, nil)})
	case tftypes.Object:
		attributes := map[string]tftypes.Value{}
		for name, attribute := range of.AttributeTypes {
			attributes[name] = sample(attribute, nil)
		}
		return tftypes.NewValue(of, attributes)
	}
	switch {
	case of.Is(tftypes.String):
		return tftypes.NewValue(of, "any text")
	case of.Is(tftypes.Number):
		return tftypes.NewValue(of, 1)
	case of.Is(tftypes.Bool):
		return tftypes.NewValue(of, true)
	default:
		return tftypes.NewValue(of, nil)
	}
}
