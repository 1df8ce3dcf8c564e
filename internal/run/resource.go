package run

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Resource is embedded by every managed and list resource.
type Resource struct {
	Data *ProviderData
	Name string // without the provider's name
}

// Metadata names the type. If an object is deferred with the provider's
// configuration, its plan still marks unknown values; otherwise they would seem
// to be null.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.Name
	resp.ResourceBehavior.ProviderDeferred.EnablePlanModification = true
}

// Configure stores the provider's data.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.Data = DataFrom(req.ProviderData)
}

// Delete is the delete of a type whose objects are only forgotten.
func (r *Resource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// EphemeralResource is embedded by every ephemeral resource.
type EphemeralResource struct{ Data *ProviderData }

// Configure stores the provider's data.
func (e *EphemeralResource) Configure(
	_ context.Context,
	req ephemeral.ConfigureRequest,
	_ *ephemeral.ConfigureResponse,
) {
	e.Data = DataFrom(req.ProviderData)
}
