package run

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Getter is a plan or a state.
type Getter interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}

// Publish writes state and identity together, or writes neither. Every unknown
// value becomes null: if a new state contained an unknown value, the CLI would
// taint the object, and the next apply would destroy it and buy it again.
// Publish also warns of addresses that are too long for the state.
func Publish(
	ctx context.Context,
	state *tfsdk.State,
	identity *tfsdk.ResourceIdentity,
	model, identityModel any,
) diag.Diagnostics {
	return publish(ctx, state, identity, model, func(_ *tfsdk.State, next *tfsdk.ResourceIdentity) diag.Diagnostics {
		return next.Set(ctx, identityModel)
	})
}

// publish writes state and identity together, or writes neither.
func publish(
	ctx context.Context,
	state *tfsdk.State,
	identity *tfsdk.ResourceIdentity,
	model any,
	identify func(*tfsdk.State, *tfsdk.ResourceIdentity) diag.Diagnostics,
) diag.Diagnostics {
	nextState := tfsdk.State{Schema: state.Schema, Raw: state.Raw.Copy()}
	diags := nextState.Set(ctx, model)
	if diags.HasError() {
		return diags
	}
	if !nextState.Raw.IsFullyKnown() {
		nextState.Raw, _ = tftypes.Transform(
			nextState.Raw,
			func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
				if value.IsKnown() {
					return value, nil
				}
				return tftypes.NewValue(value.Type(), nil), nil // null fits every type, so Transform never fails
			},
		)
	}
	if identity != nil {
		nextIdentity := tfsdk.ResourceIdentity{Schema: identity.Schema, Raw: identity.Raw.Copy()}
		diags.Append(identify(&nextState, &nextIdentity)...)
		if diags.HasError() {
			return diags
		}
		identity.Raw = nextIdentity.Raw
	}
	framework.WarnOfOmitted(&diags, state.Raw, nextState.Raw)
	state.Raw = nextState.Raw
	return diags
}

// Configured returns a stored object with the values that the plan configures.
// If nothing is stored, all computed values are null, so that no unknown value
// of the plan reaches the state.
func Configured(plan tfsdk.Plan, stored tftypes.Value) tfsdk.Plan {
	values := attributesOf(stored)
	planned := attributesOf(plan.Raw)
	for name, attribute := range plan.Schema.GetAttributes() {
		if attribute.IsRequired() || attribute.IsOptional() {
			values[name] = planned[name]
		} else if _, is := values[name]; !is {
			values[name] = tftypes.NewValue(planned[name].Type(), nil)
		}
	}
	plan.Raw = tftypes.NewValue(plan.Raw.Type(), values)
	return plan
}

func attributesOf(object tftypes.Value) map[string]tftypes.Value {
	values := map[string]tftypes.Value{}
	_ = object.As(&values)
	return maps.Clone(values) // the map belongs to the object
}
