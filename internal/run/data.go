package run

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ProviderData is what every type gets. A run shares one, its client and its
// count of purchases.
type ProviderData struct {
	// Purchaser has the client, and what the run buys.
	purchases.Purchaser

	Media              *media.Client // nil while Client is
	Polls              *wait.Limiter // of all waits together
	MaxPromptsPerBatch int64         // splits larger groups; 0 means one batch
	// Inform writes a line for people into the CLI's log.
	Inform func(ctx context.Context, line string)

	// Groups, Generations and Trainings record which objects hold which group,
	// generation or job.
	Groups      Holders
	Generations KnownGenerations
	Trainings   Holders
	Characters  CharacterPlans

	forgets  sync.Map // see Forgets
	released sync.Map // see Release
	listed   sync.Map // see NoteListed
}

// anew is what the next run knows: the same client, and nothing of the run
// before.
func (d *ProviderData) anew() *ProviderData {
	next := &ProviderData{
		Media:              d.Media,
		Polls:              d.Polls,
		MaxPromptsPerBatch: d.MaxPromptsPerBatch,
		Inform:             d.Inform,
	}
	next.Succeed(&d.Purchaser)
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
func (d *ProviderData) Known() bool { return d != nil && d.Purchaser.Known() }

// NoteListed notes what the own list of a group has shown to a refresh of this
// run: its plan may buy what is there.
func (d *ProviderData) NoteListed(group *api.Group) {
	if group != nil {
		d.listed.Store(group.ID, group.Generations)
	}
}

// Listed returns the generations that the list of a group has shown.
func (d *ProviderData) Listed(groupID string) []*api.Generation {
	listed, _ := d.listed.Load(groupID)
	generations, _ := listed.([]*api.Generation)
	return generations
}
