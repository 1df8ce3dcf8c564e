package framework

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Data is what the provider's Configure hands to every type. One Data, and so
// one client, one token and one walk of the characters, serves a whole plan or
// apply.
type Data struct {
	// Client is nil while the provider's configuration holds unknown values.
	Client *api.Client
	// Media fetches what the service has made; nil with Client.
	Media *media.Client
	// Clock is what waits go by.
	Clock wait.Clock
	// Polls limits the polls of all waits.
	Polls *wait.Limiter
	// MaxPromptsPerBatch splits larger groups; 0 is one batch.
	MaxPromptsPerBatch int64
	// Jobs and Assets say which of them belong to the resources of this run.
	Jobs, Assets Claims
	// Characters say what is planned for each character in this run.
	Characters CharacterPlans

	purchases plannedPurchases // see PlanPurchase
}

// Ready reports whether requests can be sent, and adds an error when they
// cannot because the provider's configuration is not known yet.
func (d *Data) Ready(diags *diag.Diagnostics) bool {
	if d != nil && d.Client != nil {
		return true
	}
	diags.AddError("Provider Configuration Not Known Yet",
		"The provider's configuration depends on values that are only known after apply, so the service cannot be read during this plan. "+
			"Nothing was sent. Give the provider values that are known at plan time, or apply what they depend on first with -target.")
	return false
}

// Known reports whether requests can be sent, without an error when not: for
// what a plan only reads to give better warnings.
func (d *Data) Known() bool { return d != nil && d.Client != nil }

// Resource is embedded by every managed and list resource: it holds the
// provider's data. The framework configures a resource at every call, so this
// is a pointer copy.
type Resource struct{ Data *Data }

// Configure takes over the provider's data.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Data = dataFrom(req.ProviderData, &resp.Diagnostics)
}

// DataSource is embedded by every data source.
type DataSource struct{ Data *Data }

// Configure takes over the provider's data.
func (d *DataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.Data = dataFrom(req.ProviderData, &resp.Diagnostics)
}

// EphemeralResource is embedded by every ephemeral resource.
type EphemeralResource struct{ Data *Data }

// Configure takes over the provider's data.
func (e *EphemeralResource) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	e.Data = dataFrom(req.ProviderData, &resp.Diagnostics)
}

// Action is embedded by every action.
type Action struct{ Data *Data }

// Configure takes over the provider's data.
func (a *Action) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.Data = dataFrom(req.ProviderData, &resp.Diagnostics)
}

// dataFrom is nil before the provider was configured, as in validate.
func dataFrom(providerData any, diags *diag.Diagnostics) *Data {
	if providerData == nil {
		return nil
	}
	data, ok := providerData.(*Data)
	if !ok {
		diags.AddError("Unexpected Provider Data", fmt.Sprintf("Expected *framework.Data, got %T. This is a bug in the provider; please report it.", providerData))
	}
	return data
}
