package framework

import (
	"context"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ProviderData is what every type gets. A whole run shares one ProviderData, and so one client,
// one character list and one count of purchases.
type ProviderData struct {
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

	// Groups, Generations and Trainings record which objects of this run hold
	// which group, generation or job.
	Groups      GroupBook
	Generations GenerationBook
	Trainings   Holders
	// Characters hold what is planned for each character in this run.
	Characters CharacterPlans

	purchases plannedPurchases // see PlanPurchase
	applied   atomic.Bool      // see Runs
	refreshed atomic.Bool      // see Runs
}

// anew returns the data of another run of the same configured provider.
func (d *ProviderData) anew() *ProviderData {
	next := &ProviderData{Client: d.Client, Media: d.Media, Clock: d.Clock, Polls: d.Polls, MaxPromptsPerBatch: d.MaxPromptsPerBatch}
	if d.Known() {
		next.Client = d.Client.Anew()
	}
	return next
}

// Ready reports whether requests can be sent, and adds an error if they cannot
// because the provider's configuration is not known yet.
func (d *ProviderData) Ready(diags *diag.Diagnostics) bool {
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
func (d *ProviderData) Known() bool { return d != nil && d.Client != nil }

// Resource is embedded by every managed and list resource. The framework
// configures a resource at every call, so that this is only a pointer copy.
type Resource struct {
	Data *ProviderData
	// Name is the type's name without the provider's.
	Name string
}

// Metadata names the type. Of what is deferred with the provider's configuration, the
// plan says all the same what is unknown: otherwise it would seem to be null.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.Name
	resp.ResourceBehavior.ProviderDeferred.EnablePlanModification = true
}

// Configure stores the provider's data.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.Data = dataFrom(req.ProviderData)
}

// Delete is that of a type whose objects are only forgotten.
func (r *Resource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// EphemeralResource is embedded by every ephemeral resource.
type EphemeralResource struct{ Data *ProviderData }

// Configure stores the provider's data.
func (e *EphemeralResource) Configure(_ context.Context, req ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	e.Data = dataFrom(req.ProviderData)
}

// dataFrom returns nil before the provider is configured, as in validate.
func dataFrom(providerData any) *ProviderData {
	if runs, is := providerData.(*Runs); is {
		return runs.Current()
	}
	return nil
}
