package framework

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// Guarded is about work that another run has bought. It names the job to a
// person, who has to find it if no reply has named it. Work that has an id is in
// the state, where an import takes its place.
func (w *WorkModel) Guarded(object string, found []purchases.Bought, summary func(what string) string) run.Guarded {
	job := cmp.Or(found[len(found)-1].JobID, "JOB_ID")
	guarded := run.Guarded{
		Object:    object,
		Found:     found,
		Import:    report.Quote(ImportID(w.CharacterID.ValueString(), job)),
		IsInState: w.ID.ValueString() != "",
		Again:     "triggers",
		Summary:   summary,
	}
	if guarded.IsInState && !run.IsUnconfirmedID(w.ID) {
		guarded.Leaves = []string{fmt.Sprintf("the job %q", w.ID.ValueString())}
	}
	return guarded
}

// Holding is what a state has of the purchase of work, which the order would buy
// again.
func (w *WorkModel) Holding(order *purchases.Entry) purchases.Holding {
	has := purchases.Holding{CharacterID: w.CharacterID.ValueString()}
	if id := w.ID.ValueString(); id != "" && !run.IsUnconfirmedID(w.ID) {
		has.JobID = id
		order.JobID = &id
		has.Order = func() *purchases.Entry { return order }
	}
	return has
}

// InputChanges reports whether one of the inputs begins other work, and whether
// an import could not read one, which is then only taken over.
func InputChanges(
	ctx context.Context, req resource.ModifyPlanRequest, inputs []string, diags *diag.Diagnostics,
) (replaces, takesOver bool) {
	imported := privatestate.Imported(ctx, req.Private)
	for _, name := range inputs {
		var before, after attr.Value
		diags.Append(req.State.GetAttribute(ctx, path.Root(name), &before)...)
		diags.Append(req.Plan.GetAttribute(ctx, path.Root(name), &after)...)
		switch {
		case diags.HasError() || attributes.IsSame(before, after):
		case before.IsNull() && imported:
			takesOver = true
		default:
			replaces = true
		}
	}
	return replaces, takesOver
}

// Configured returns a stored object with what the plan configures. Where none is
// stored, no unknown value of the plan can reach the state.
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
	return maps.Clone(values) // they are the object's own
}
