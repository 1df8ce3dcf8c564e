package run_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

type thing struct {
	ID    types.String `tfsdk:"id"`
	Parts types.Map    `tfsdk:"parts"`
}

type thingIdentity struct {
	ID types.String `tfsdk:"id"`
}

func emptyThing(ctx context.Context) (*tfsdk.State, *tfsdk.ResourceIdentity) {
	things := schema.Schema{Attributes: map[string]schema.Attribute{
		"id":    schema.StringAttribute{Computed: true},
		"parts": schema.MapAttribute{Computed: true, ElementType: types.StringType},
	}}
	identity := identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{"id": identityschema.StringAttribute{RequiredForImport: true}},
	}
	return &tfsdk.State{Schema: things, Raw: tftypes.NewValue(things.Type().TerraformType(ctx), nil)},
		&tfsdk.ResourceIdentity{Schema: identity, Raw: tftypes.NewValue(identity.Type().TerraformType(ctx), nil)}
}

// It would taint the object, and the next apply would buy it again: it becomes
// null.
func TestPublishLeavesNothingUnknown(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, model := range map[string]thing{
		"an attribute": {ID: types.StringUnknown(), Parts: types.MapNull(types.StringType)},
		"a whole map":  {ID: types.StringValue("t1"), Parts: types.MapUnknown(types.StringType)},
		"an element": {ID: types.StringValue("t1"), Parts: types.MapValueMust(types.StringType, map[string]attr.Value{
			"known": types.StringValue("yes"), "unknown": types.StringUnknown(),
		})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state, identity := emptyThing(ctx)
			diags := run.Publish(ctx, state, identity, model, thingIdentity{ID: types.StringValue("t1")})
			check.True(t, "it is published", !diags.HasError(), diags)
			check.True(t, "the state", state.Raw.IsFullyKnown(), state.Raw)
		})
	}
}

func TestPublishIsAllOrNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	good := thing{ID: types.StringValue("t1"), Parts: types.MapNull(types.StringType)}
	for name, test := range map[string]struct{ model, identity any }{
		"bad state":    {struct{ Nothing types.String }{}, thingIdentity{ID: types.StringValue("t1")}},
		"bad identity": {good, struct{ Nothing types.String }{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state, identity := emptyThing(ctx)
			if diags := run.Publish(ctx, state, identity, test.model, test.identity); !diags.HasError() {
				t.Fatal("no error")
			}
			check.True(t, "state and identity", state.Raw.IsNull() && identity.Raw.IsNull(), state.Raw, identity.Raw)
		})
	}
	state, identity := emptyThing(ctx)
	run.Publish(ctx, state, identity, good, thingIdentity{ID: types.StringValue("t1")})
	check.True(t, "state and identity", !state.Raw.IsNull() && !identity.Raw.IsNull(), state.Raw, identity.Raw)
}
