// Package run is what one plan or apply knows beyond a single object: its
// client, who holds what, what it has planned to buy, and what it has told.
package run

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"

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
	Limits             []*purchases.Limit // those set, for plans while Client is nil
	Clock              wait.Clock
	Polls              *wait.Limiter // of all waits together
	MaxPromptsPerBatch int64         // splits larger groups; 0 means one batch
	// Labels are those of all that is bought, where an object has no other.
	Labels map[string]string
	// Inform writes a line for people into the CLI's log.
	Inform func(ctx context.Context, line string)

	// Groups, Generations and Trainings record which objects hold which group,
	// generation or job.
	Groups      Holders
	Generations KnownGenerations
	Trainings   Holders
	Characters  CharacterPlans

	purchases plannedPurchases // see PlanPurchase
	progress  progress         // see Command
	imports   atomic.Bool      // see Imports
	forgets   sync.Map         // see Forgets
	released  sync.Map         // see Release
	listed    sync.Map         // see NoteListed
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
		Labels:             d.Labels,
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
	diags.Append(configurationIsUnknown())
	return false
}

// Known is Ready without the error: for reads that only improve a plan's
// warnings.
func (d *ProviderData) Known() bool { return d != nil && d.Client != nil }
