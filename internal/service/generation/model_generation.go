package generation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

var addressesType = types.ListType{ElemType: types.StringType}

// fromEffect returns what became of a prompt that was submitted.
func fromEffect(effect api.PromptEffect, attempts int64, now time.Time) prompts.Generation {
	if effect.Unconfirmed != "" {
		return unconfirmed(attempts, effect.Unconfirmed, now)
	}
	generation := prompts.Unsubmitted(attempts)
	generation.Status = textOf(types.StringPointerValue(effect.Status))
	if effect.Error != "" {
		generation.Error = prompts.Known(effect.Error)
	}
	if effect.GenerationID != "" {
		generation.ID = prompts.Known(effect.GenerationID)
		if effect.Error != "" {
			generation.Succeeded = prompts.Known(false)
		}
	}
	return generation
}

func unconfirmed(attempts int64, reason string, now time.Time) prompts.Generation {
	return prompts.Unconfirmed(attempts, fmt.Sprintf("It is not confirmed whether this prompt was bought at %s: %s.", now.UTC().Format(time.RFC3339), strings.TrimSuffix(reason, ".")))
}

// withStatus returns the generation with a status applied. What the status
// leaves out is kept.
func withStatus(m prompts.Generation, status *api.Generation) prompts.Generation {
	if status.Status != nil {
		m.Status = prompts.Known(*status.Status)
	}
	stored := m.ResultURLs
	m.Succeeded, m.Error, m.ResultURLs = prompts.Value[bool]{}, prompts.Value[string]{}, nil
	switch status.Phase() {
	case api.Succeeded:
		m.Succeeded = prompts.Known(true)
		m.ResultURLs = sameResults(stored, status.ResultURLs)
	case api.Failed, api.Stopped:
		m.Succeeded = prompts.Known(false)
		m.Error = prompts.Known(status.Reason())
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

// addressList returns a generation's element of result_urls: unknown if a
// plan buys or awaits the generation, and never null.
func addressList(m prompts.Generation) types.List {
	if m.Status.IsUnknown() {
		return types.ListUnknown(types.StringType)
	}
	return stringList(m.ResultURLs)
}
