package generation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// What the reply to a batch says of its prompts: a prompt is bought if it names
// a generation, rejected if the reply proves it, and unknown in every other
// case.

// record takes over what became of each of the keys, and warns of what the
// reply leaves in doubt.
func (p *purchase) record(keys []string, assigned assignment) {
	g := p.group
	tag := fmt.Sprintf("%d/%s", len(g.batches), keys[0])
	for i, key := range keys {
		g.generations[key] = submitted(assigned.entries[i], g.generations[key].Attempts.ValueInt64()+1, p.data.Clock.Now())
		if id := g.generations[key].ID.ValueString(); id != "" {
			g.private.Unverified[id] = placement{Batch: tag, Certain: assigned.certain}
			if former := g.private.Superseded[key]; slices.Contains(former, id) {
				// The service took the failed prompt up again under its id.
				g.private.Superseded[key] = without(former, id)
			}
		}
	}
	p.warnOfUnnamed(slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !g.generations[key].isUnknown() }))
	p.warnOfSurplus(slices.DeleteFunc(assigned.surplus, func(id string) bool { return len(g.keysOf(id)) > 0 }))
	p.share(keys)
}

// share deals with generations that the service has given to several prompts.
// Equal prompts may well have one. Of different ones nobody knows whose it is:
// it is noted for each that was just submitted, to be deleted with the last.
func (p *purchase) share(keys []string) {
	g := p.group
	var equal, different []string
	for _, key := range keys {
		id := g.generations[key].ID.ValueString()
		holders := g.keysOf(id)
		if id == "" || len(holders) < 2 {
			continue
		}
		line := fmt.Sprintf("the generation %q for the prompts %s", id, g.described(holders))
		if !slices.ContainsFunc(holders, func(other string) bool { return g.prompts[other] != g.prompts[key] }) {
			if !slices.Contains(equal, line) {
				equal = append(equal, line)
			}
			continue
		}
		different = append(different, line)
		reason := "the service's reply names " + line + ", which are different"
		for _, holder := range holders {
			if slices.Contains(keys, holder) {
				g.generations[holder] = outcomeUnknown(g.generations[holder].Attempts.ValueInt64(), reason, p.data.Clock.Now())
				g.private.Superseded[holder] = append(without(g.private.Superseded[holder], id), id)
			}
		}
	}
	p.warnOfShared(equal, different)
}

func without(ids []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(other string) bool { return other == id })
}

// submitted is what one entry of a batch's reply says of its prompt.
func submitted(entry *api.BatchEntry, attempts int64, now time.Time) generationModel {
	generation := unsubmitted(attempts)
	if entry == nil {
		return outcomeUnknown(attempts, "the service accepted the batch but its reply names no generation for this prompt", now)
	}
	generation.Status = types.StringPointerValue(entry.Status)
	if hasID(entry) {
		generation.ID = types.StringValue(*entry.GenerationID)
	}
	switch {
	case entry.Error != nil && *entry.Error != "":
		generation.Error = types.StringValue(*entry.Error)
	case refuses(entry):
		generation.Error = types.StringValue(fmt.Sprintf("the service gave no reason (status %q)", *entry.Status))
	case !hasID(entry):
		return outcomeUnknown(attempts, "the service's reply holds neither a generation nor an error for this prompt", now)
	}
	if !generation.Error.IsNull() && hasID(entry) {
		generation.Succeeded = types.BoolValue(false)
	}
	if !hasID(entry) && generation.Status.ValueString() == statusUnknown {
		generation.Status = types.StringValue("rejected")
	}
	return generation
}

func outcomeUnknown(attempts int64, reason string, now time.Time) generationModel {
	generation := unsubmitted(attempts)
	generation.Status = types.StringValue(statusUnknown)
	generation.Error = types.StringValue(fmt.Sprintf("It is unknown whether this prompt was bought at %s: %s.", now.UTC().Format(time.RFC3339), strings.TrimSuffix(reason, ".")))
	return generation
}

// allRejected reports whether a batch's reply proves that no prompt was bought,
// and says why: the entry of each says so, or no entry says anything else and
// the counts agree. Where credits were deducted, something was bought.
func allRejected(assigned assignment, result *api.BatchResult) (string, bool) {
	reason := "no reason was given"
	if result.Message != nil {
		reason = *result.Message
	}
	if len(assigned.surplus) > 0 || result.CreditsDeducted != nil && *result.CreditsDeducted > 0 {
		return "", false
	}
	silent := 0
	for _, entry := range assigned.entries {
		switch {
		case entry == nil || !hasID(entry) && entry.Status == nil && entry.Error == nil:
			silent++
		case hasID(entry) || !refuses(entry):
			return "", false
		case entry.Error != nil:
			reason = *entry.Error
		}
	}
	return reason, silent == 0 || countsReject(result, int64(len(assigned.entries)))
}

// countsReject reports whether the reply counts every prompt as failed, and
// none of its counts says otherwise. A count of 0 successes proves nothing: a
// batch that is still to be worked on has it too.
func countsReject(result *api.BatchResult, prompts int64) bool {
	failed, successful, total := result.FailedSubmissions, result.SuccessfulSubmissions, result.TotalRequested
	return failed != nil && *failed == prompts &&
		(successful == nil || *successful == 0) && (total == nil || *total == prompts)
}

func hasID(entry *api.BatchEntry) bool { return entry.GenerationID != nil && *entry.GenerationID != "" }

// refuses reports whether an entry says that its prompt failed.
func refuses(entry *api.BatchEntry) bool {
	if entry.Error != nil && *entry.Error != "" {
		return true
	}
	if entry.Status == nil {
		return false
	}
	word := api.PhaseOfWord(*entry.Status)
	return word == api.Failed || word == api.Stopped
}
