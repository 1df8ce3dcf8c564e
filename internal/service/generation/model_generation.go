package generation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// statusUnconfirmed is the status of what may have been bought.
const statusUnconfirmed = "unconfirmed"

// generationModel is what became of one prompt, as far as plans need it.
type generationModel struct {
	ID        types.String
	Status    types.String
	Succeeded types.Bool
	Error     types.String
	Attempts  types.Int64
	// ResultURLs are stored in the attribute result_urls: terraform test cannot
	// mock the keys of generations.
	ResultURLs []string
}

var addressesType = types.ListType{ElemType: types.StringType}

// unsubmitted returns a prompt of which the service has nothing.
func unsubmitted(attempts int64) generationModel {
	return generationModel{Attempts: types.Int64Value(attempts)}
}

// newGeneration returns a generation of which only the id is known.
func newGeneration(id string) generationModel {
	generation := unsubmitted(1)
	generation.ID = types.StringValue(id)
	return generation
}

// fromEffect returns what became of a prompt that was submitted.
func fromEffect(effect api.PromptEffect, attempts int64, now time.Time) generationModel {
	if effect.Unconfirmed != "" {
		return unconfirmed(attempts, effect.Unconfirmed, now)
	}
	generation := unsubmitted(attempts)
	generation.Status = types.StringPointerValue(effect.Status)
	if effect.Error != "" {
		generation.Error = types.StringValue(effect.Error)
	}
	if effect.GenerationID != "" {
		generation.ID = types.StringValue(effect.GenerationID)
		if effect.Error != "" {
			generation.Succeeded = types.BoolValue(false)
		}
	}
	return generation
}

func unconfirmed(attempts int64, reason string, now time.Time) generationModel {
	generation := unsubmitted(attempts)
	generation.Status = types.StringValue(statusUnconfirmed)
	generation.Error = types.StringValue(fmt.Sprintf("It is not confirmed whether this prompt was bought at %s: %s.", now.UTC().Format(time.RFC3339), strings.TrimSuffix(reason, ".")))
	return generation
}

// tried returns the generation as if it had been submitted so often, or more.
func (m generationModel) tried(times types.Int64) generationModel {
	if times.IsUnknown() || times.ValueInt64() > m.Attempts.ValueInt64() {
		m.Attempts = times
	}
	return m
}

// toBeBought returns the plan of a generation that will be submitted: unknown as
// a whole, which says that credits are spent.
func toBeBought() generationModel {
	return generationModel{
		ID: types.StringUnknown(), Status: types.StringUnknown(), Succeeded: types.BoolUnknown(),
		Error: types.StringUnknown(), Attempts: types.Int64Unknown(),
	}
}

// toBeAwaited returns the plan of a running generation whose wait is resumed:
// it is paid for, so its id and attempts stay known.
func toBeAwaited(running generationModel) generationModel {
	planned := toBeBought()
	planned.ID, planned.Attempts = running.ID, running.Attempts
	return planned
}

// withStatus returns the generation with a status applied. What the status
// leaves out is kept.
func (m generationModel) withStatus(status *api.Generation) generationModel {
	if status.Status != nil {
		m.Status = types.StringValue(*status.Status)
	}
	stored := m.ResultURLs
	m.Succeeded, m.Error, m.ResultURLs = types.BoolNull(), types.StringNull(), nil
	switch status.Phase() {
	case api.Succeeded:
		m.Succeeded = types.BoolValue(true)
		m.ResultURLs = sameResults(stored, status.ResultURLs)
	case api.Failed, api.Stopped:
		m.Succeeded = types.BoolValue(false)
		m.Error = types.StringValue(status.Reason())
	case api.Running:
	}
	return m
}

// sameResults keeps the stored addresses if only their signatures or order
// differ, or if the service leaves them out.
func sameResults(stored, served []string) []string {
	if served == nil {
		return stored
	}
	served = framework.BoundedAddresses(served)
	ordered := slices.Sorted(slices.Values(stored))
	if slices.Equal(framework.SameAddresses(ordered, slices.Sorted(slices.Values(served))), ordered) {
		return stored
	}
	return served
}

// addressList returns the generation's element of result_urls: unknown if a
// plan buys or awaits the generation, and never null.
func (m generationModel) addressList() types.List {
	if m.Status.IsUnknown() {
		return types.ListUnknown(types.StringType)
	}
	return stringList(m.ResultURLs)
}
