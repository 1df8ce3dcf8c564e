// Package framework contains helpers for the plugin framework. It knows no
// resource by name.
package framework

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ProviderData is what every type gets. A run shares one, its client and its
// count of purchases.
type ProviderData struct {
	// Client and Media are nil while the provider's configuration has unknown
	// values.
	Client             *api.Client
	Media              *media.Client
	Limits             []*purchases.Limit // that plans go by meanwhile
	Clock              wait.Clock
	Polls              *wait.Limiter // of all waits together
	MaxPromptsPerBatch int64         // splits larger groups; 0 means one batch
	// Inform writes a line for people into the CLI's log.
	Inform func(ctx context.Context, line string)

	// Groups, Generations and Trainings record which objects hold which group,
	// generation or job.
	Groups      Holders
	Generations GenerationBook
	Trainings   Holders
	Characters  CharacterPlans

	purchases plannedPurchases // see PlanPurchase
	applied   atomic.Bool      // see Runs
	refreshed atomic.Bool      // see Runs
	imports   atomic.Bool      // see Imports
	forgets   sync.Map         // see Forgets
}

// anew is what the next run knows: the same client, and nothing of the run
// before.
func (d *ProviderData) anew() *ProviderData {
	next := &ProviderData{
		Client:             d.Client,
		Media:              d.Media,
		Limits:             d.Limits,
		Clock:              d.Clock,
		Polls:              d.Polls,
		MaxPromptsPerBatch: d.MaxPromptsPerBatch,
		Inform:             d.Inform,
	}
	if d.Known() {
		next.Client = d.Client.Anew()
	}
	return next
}

// Ready reports whether requests can be sent, and adds an error if they cannot
// yet.
func (d *ProviderData) Ready(diags *diag.Diagnostics) bool {
	if d.Known() {
		return true
	}
	diags.AddError(
		"Provider Configuration Not Known Yet",
		"The provider's configuration depends on values that are only known after apply, so the service cannot be "+
			"read during this plan. Nothing was sent. Give the provider values that are known at plan time, or apply "+
			"what they depend on first with -target.",
	)
	return false
}

// Known is Ready without the error: for reads that only improve a plan's
// warnings.
func (d *ProviderData) Known() bool { return d != nil && d.Client != nil }

// Resource is embedded by every managed and list resource.
type Resource struct {
	Data *ProviderData
	Name string // without the provider's
}

// Metadata names the type. Of what is deferred with the provider's
// configuration, the plan still says what is unknown: otherwise it would seem
// to be null.
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
func (e *EphemeralResource) Configure(
	_ context.Context,
	req ephemeral.ConfigureRequest,
	_ *ephemeral.ConfigureResponse,
) {
	e.Data = dataFrom(req.ProviderData)
}

// dataFrom returns nil before the provider is configured, as in validate.
func dataFrom(providerData any) *ProviderData {
	if runs, is := providerData.(*Runs); is {
		return runs.Current()
	}
	return nil
}

// Runs hold the data of the current run. A process serves one plan or apply;
// only Terraform 1.16 has one serve all runs of a test file, and a debugger
// may. So another run begins with the first refresh of a managed resource that
// follows an apply: within a plan or apply nothing is refreshed any more then,
// but data sources may be read.
type Runs struct{ data atomic.Pointer[ProviderData] }

// Configure sets the data of the first run.
func (r *Runs) Configure(data *ProviderData) { r.data.Store(data) }

// Current returns the data of the current run; nil before Configure. Calls
// under way keep theirs.
func (r *Runs) Current() *ProviderData { return r.data.Load() }

// Applies notes that a create, update or delete begins.
func (r *Runs) Applies() {
	if data := r.Current(); data != nil {
		data.applied.Store(true)
	}
}

// Refreshes notes that a refresh of a managed resource begins.
func (r *Runs) Refreshes() {
	data := r.Current()
	if data == nil {
		return
	}
	if data.applied.Load() {
		r.data.CompareAndSwap(data, data.anew()) // another refresh may have been first
		data = r.Current()
	}
	data.refreshed.Store(true)
}

// Repeats reports whether a plan is made again by an apply, so that a person
// has read its warnings. CLIs allow a deferral in applies, and in plans only of
// stacks, which refresh first; OpenTofu tells nothing before the first change.
func (r *Runs) Repeats(mayDefer bool) bool {
	data := r.Current()
	return data != nil && (data.Applying() || mayDefer && !data.refreshed.Load())
}

// IsFinal reports whether a plan is certainly made by an apply, of what a plan
// has shown before. A refusal rests on it: neither that a deferral is allowed
// (stacks' plans), nor that nothing was refreshed (-refresh=false), is enough.
// Where it says no of an apply's plan, as under OpenTofu, the CLI itself
// refuses what is not as planned.
func (r *Runs) IsFinal(mayDefer bool) bool {
	data := r.Current()
	return data != nil && mayDefer && (data.Applying() || !data.refreshed.Load())
}

// Ends reports whether a character ends with the run's plan, as far as is
// known: see CharacterPlans.
func (r *Runs) Ends(id string) bool {
	data := r.Current()
	return data != nil && data.Characters.Ends(id)
}

// Applying reports whether this run has begun to create, update or delete.
func (d *ProviderData) Applying() bool { return d.applied.Load() }
