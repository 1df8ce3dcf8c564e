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

// Data is what the provider's Configure passes to every type. A whole plan or
// apply shares one Data, and so one client, one token and one character list.
type Data struct {
	// Client is nil while the provider's configuration has unknown values.
	Client *api.Client
	// Media downloads result files; nil with Client.
	Media *media.Client
	// Clock measures waits.
	Clock wait.Clock
	// Polls limits the polls of all waits together.
	Polls *wait.Limiter
	// MaxPromptsPerBatch splits larger groups; 0 means one batch.
	MaxPromptsPerBatch int64
	// Jobs and Assets record which of them belong to the resources of this run.
	Jobs, Assets Claims
	// Groups, Generations and Trainings record which objects of this run hold
	// which group, generation or job.
	Groups, Generations, Trainings Holders
	// Characters hold what is planned for each character in this run.
	Characters CharacterPlans

	purchases plannedPurchases // see PlanPurchase
}

// Ready reports whether requests can be sent, and adds an error if they cannot
// because the provider's configuration is not known yet.
func (d *Data) Ready(diags *diag.Diagnostics) bool {
	if d != nil && d.Client != nil {
		return true
	}
	diags.AddError("Provider Configuration Not Known Yet",
		"The provider's configuration depends on values that are only known after apply, so the service cannot be read during this plan. "+
			"Nothing was sent. Give the provider values that are known at plan time, or apply what they depend on first with -target.")
	return false
}

// Known is Ready without the error: for reads that only improve a plan's
// warnings.
func (d *Data) Known() bool { return d != nil && d.Client != nil }

// Resource is embedded by every managed and list resource. The framework
// configures a resource at every call, so that this is only a pointer copy.
type Resource struct{ Data *Data }

// Configure stores the provider's data.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Data = dataFrom(req.ProviderData, &resp.Diagnostics)
}

// DataSource is embedded by every data source.
type DataSource struct{ Data *Data }

// Configure stores the provider's data.
func (d *DataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.Data = dataFrom(req.ProviderData, &resp.Diagnostics)
}

// EphemeralResource is embedded by every ephemeral resource.
type EphemeralResource struct{ Data *Data }

// Configure stores the provider's data.
func (e *EphemeralResource) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	e.Data = dataFrom(req.ProviderData, &resp.Diagnostics)
}

// Action is embedded by every action.
type Action struct{ Data *Data }

// Configure stores the provider's data.
func (a *Action) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.Data = dataFrom(req.ProviderData, &resp.Diagnostics)
}

// dataFrom returns nil before the provider is configured, as in validate.
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
