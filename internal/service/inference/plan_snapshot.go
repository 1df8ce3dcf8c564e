package inference

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// ModifyPlan keeps the reply if no input changes, and otherwise replaces it. An
// unknown id means that the apply sends a request.
func (s *snapshot[I, R]) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	if !req.State.Raw.IsNull() {
		s.Data.StoredAtPlan(ctx, req, purchases.Holding{}, s.guarded, &resp.Diagnostics)
	}
	if req.Plan.Raw.IsNull() {
		return
	}
	if !req.State.Raw.IsNull() {
		changed := meaning.changed(ctx, req, &resp.Diagnostics)
		if len(changed) == 0 {
			s.warnOfUnconfirmed(ctx, req, &resp.Diagnostics)
			s.planNotation(ctx, req, resp)
			return
		}
		warnOfSimilar(ctx, req, changed, &resp.Diagnostics)
		resp.RequiresReplace = append(resp.RequiresReplace, changed...)
		s.warnOfGuarded(ctx, req, &resp.Diagnostics)
	} else if s.purchase != "" {
		s.Data.PlanCreate(ctx, req, resp, purchases.PlannedPurchase{Purchase: s.one(), Object: "mediagen_" + s.Name})
		s.warnOfGuarded(ctx, req, &resp.Diagnostics)
	}
}

// planNotation plans a change that sends no request. It keeps the outputs,
// which the framework has made unknown, and the stored form of each input that
// has one.
func (s *snapshot[I, R]) planNotation(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	resp.Plan.Raw = req.State.Raw
	for name, attribute := range req.Plan.Schema.GetAttributes() {
		var stored, written attr.Value
		resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root(name), &stored)...)
		resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root(name), &written)...)
		if resp.Diagnostics.HasError() {
			return
		}
		if name == framework.LabelsName || isConfigurable(attribute) && stored.IsNull() {
			resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root(name), written)...)
		}
	}
}

// configurable is the part of an attribute that all schemas have.
type configurable interface {
	IsRequired() bool
	IsOptional() bool
}

func isConfigurable(attribute configurable) bool {
	return attribute.IsRequired() || attribute.IsOptional()
}

// warnOfUnconfirmed warns at every plan of a snapshot that may have been
// bought.
func (s *snapshot[I, R]) warnOfUnconfirmed(
	ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics,
) {
	if s.purchase == "" {
		return
	}
	var id types.String
	var unconfirmed framework.Unconfirmed
	diags.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	diags.Append(framework.LoadPrivate(ctx, req.Private, &unconfirmed)...)
	if framework.IsUnconfirmedID(id) {
		diags.Append(s.isUnconfirmed(id, unconfirmed))
	}
}

// warnOfSimilar warns of changed inputs whose difference may not change the
// reply.
func warnOfSimilar(ctx context.Context, req resource.ModifyPlanRequest, changed path.Paths, diags *diag.Diagnostics) {
	respelled := butSpelling.changed(ctx, req, diags)
	requeried := butQuery.changed(ctx, req, diags)
	for _, at := range changed {
		switch {
		case !respelled.Contains(at):
			diags.Append(framework.Respelled(at))
		case !requeried.Contains(at):
			diags.Append(framework.Requeried(at))
		}
	}
}

// comparison says when two texts are equal, and when two addresses are.
type comparison struct{ text, address func(a, b string) bool }

var (
	meaning     = comparison{text: same.Text, address: same.Address}
	butSpelling = comparison{text: same.Words, address: same.Address}
	butQuery    = comparison{text: same.Text, address: same.ButQuery}
)

// changed reports the inputs that differ in more than their notation. triggers
// is among them.
func (c comparison) changed(
	ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics,
) (changed path.Paths) {
	var stored, planned types.Object
	diags.Append(req.State.Get(ctx, &stored)...)
	diags.Append(req.Plan.Get(ctx, &planned)...)
	before := stored.Attributes()
	after := planned.Attributes()
	for name, attribute := range req.Plan.Schema.GetAttributes() {
		isSent := isConfigurable(attribute) && name != framework.LabelsName
		if isSent && !c.equal(ctx, name, before[name], after[name]) {
			changed = append(changed, path.Root(name))
		}
	}
	return changed
}

// equal compares the stored value of an input, or of a part of an input, with
// the planned value. The only map is triggers.
func (c comparison) equal(ctx context.Context, name string, before, after attr.Value) bool {
	if name == "triggers" || before.IsNull() || after.IsNull() || after.IsUnknown() {
		return framework.IsSame(before, after)
	}
	switch before := before.(type) {
	case types.String:
		return c.equalTexts(ctx, name, before, after)
	case types.List:
		list, isList := after.(types.List)
		return isList && slices.EqualFunc(before.Elements(), list.Elements(), func(a, b attr.Value) bool {
			return c.equal(ctx, name, a, b)
		})
	case types.Object:
		return c.equalObjects(ctx, before, after)
	}
	return before.Equal(after)
}

// equalObjects compares the nested objects attribute by attribute.
func (c comparison) equalObjects(ctx context.Context, before types.Object, after attr.Value) bool {
	planned, isObject := after.(types.Object)
	if !isObject {
		return false
	}
	for name, value := range before.Attributes() {
		if !c.equal(ctx, name, value, planned.Attributes()[name]) {
			return false
		}
	}
	return true
}

// equalTexts compares texts. For the parameters of a tool the JSON counts, not
// its white space or its order of keys.
func (c comparison) equalTexts(ctx context.Context, name string, before types.String, after attr.Value) bool {
	planned, isText := after.(types.String)
	if !isText {
		return false
	}
	stored := before.ValueString()
	wanted := planned.ValueString()
	switch name {
	case "media_url", "image_url":
		return c.address(stored, wanted)
	case "parameters":
		equal, _ := jsontypes.NewNormalizedValue(stored).StringSemanticEquals(ctx, jsontypes.NewNormalizedValue(wanted))
		return equal || c.text(stored, wanted)
	}
	return c.text(stored, wanted)
}
