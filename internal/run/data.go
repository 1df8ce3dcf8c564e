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

// ProviderData is the data that every type receives. All types of a run share
// it.
type ProviderData struct {
	// Purchaser has the client, and the purchases of the run.
	purchases.Purchaser

	Media              *media.Client // nil while Client is nil
	Polls              *wait.Limiter // limits all waits together
	MaxPromptsPerBatch int64         // splits larger groups; 0 means one batch
	// Inform writes a line for people into the CLI's log.
	Inform func(ctx context.Context, line string)

	// Groups, Generations and Trainings record which objects hold a group,
	// generation or job.
	Groups      Holders
	Generations KnownGenerations
	Trainings   Holders
	Characters  CharacterPlans

	forgets  sync.Map // see WarnOfForgotten
	released sync.Map // see Release
	listed   sync.Map // see NoteListed
}

// anew returns the data of the next run. It has the same client, and no memory
// of the earlier run.
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

// Ready reports whether requests can be sent. It adds an error if they cannot
// be sent yet.
func (d *ProviderData) Ready(diags *diag.Diagnostics) bool {
	if d.Known() {
		return true
	}
	diags.Append(configurationIsUnknown())
	return false
}

// Known reports whether requests can be sent. Use it for reads that only
// improve a plan's warnings; Ready also adds an error.
func (d *ProviderData) Known() bool { return d != nil && d.Purchaser.Known() }

// NoteListed notes the generations that a group's list has shown to a refresh
// of this run. The group's plan warns if it buys their texts again.
func (d *ProviderData) NoteListed(group *api.Group) {
	if group != nil {
		d.listed.Store(group.ID, group.Generations)
	}
}

// Listed returns the generations that NoteListed has noted for a group.
func (d *ProviderData) Listed(groupID string) []*api.Generation {
	listed, _ := d.listed.Load(groupID)
	generations, _ := listed.([]*api.Generation)
	return generations
}
