package generation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// What the reply to a batch says about its prompts: which result belongs to
// which, and what became of it. A prompt is bought if the reply names a
// generation, rejected if the reply proves that, and otherwise unconfirmed.

// assignment says which entry of a batch's reply belongs to which prompt.
type assignment struct {
	// entries has one entry per prompt, nil where the reply named none.
	entries []*api.BatchEntry
	// open: the indices leave in doubt which entry is whose.
	open bool
	// surplus holds ids that belong to no prompt of the batch.
	surplus []string
}

// assign infers the base of prompt_index (0 or 1: not documented) from the set
// of indices. Entries without a usable index fill the gaps in order, until the
// statuses show whose they are.
func assign(results []api.BatchEntry, count int) assignment {
	results = withoutDuplicates(results, count)
	base, known := indexBase(results, count)
	assigned := assignment{entries: make([]*api.BatchEntry, count)}
	var unplaced []*api.BatchEntry
	for i := range results {
		entry, place := &results[i], int64(-1)
		if entry.PromptIndex != nil {
			place = *entry.PromptIndex - base
		}
		if place < 0 || place >= int64(count) || assigned.entries[place] != nil {
			unplaced = append(unplaced, entry)
			continue
		}
		assigned.entries[place] = entry // variant: results-reordered
	}
	assigned.open = (!known || len(unplaced) > 0) && (count > 1 || len(results) > 1)
	for place := range assigned.entries {
		if assigned.entries[place] == nil && len(unplaced) > 0 { // variant: index-missing, index-missing-reordered, index-doubled, index-baseless
			assigned.entries[place], unplaced = unplaced[0], unplaced[1:]
		}
	}
	for _, entry := range unplaced {
		if entry.GenerationID != nil {
			assigned.surplus = append(assigned.surplus, *entry.GenerationID)
		}
	}
	return assigned
}

// ids returns the generations by key. They are certain if the indices
// decide, and no two different prompts share one.
func (a assignment) ids(keys []string, prompts map[string]prompts.Prompt) (ids map[string]string, certain bool) {
	ids, certain = map[string]string{}, !a.open
	first := map[string]string{}
	for place, entry := range a.entries {
		if !hasID(entry) {
			continue
		}
		key, id := keys[place], *entry.GenerationID
		ids[key] = id
		if other, shared := first[id]; shared && prompts[other].Sent() != prompts[key].Sent() {
			certain = false
		}
		first[id] = key
	}
	return ids, certain
}

// indexBase returns what prompt_index counts from. Only an index of 0, or of
// the number of prompts, decides that.
func indexBase(results []api.BatchEntry, count int) (base int64, known bool) {
	var zero, full bool
	for _, entry := range results {
		if entry.PromptIndex != nil {
			zero = zero || *entry.PromptIndex == 0
			full = full || *entry.PromptIndex == int64(count)
		}
	}
	if full && !zero { // variant: index-from-1, reordered-from-1
		return 1, true
	}
	return 0, zero && !full
}

// withoutDuplicates drops entries that name a generation for the same prompt
// again. One without an index may belong to another prompt, unless there are
// more entries than prompts.
func withoutDuplicates(results []api.BatchEntry, count int) []api.BatchEntry {
	var kept []api.BatchEntry
	seen := map[[2]string]bool{} // ids and indices
	for _, entry := range results {
		if hasID(&entry) {
			this := [2]string{*entry.GenerationID}
			if entry.PromptIndex != nil {
				this[1] = strconv.FormatInt(*entry.PromptIndex, 10)
			}
			if seen[this] && (this[1] != "" || len(results) > count) {
				continue
			}
			seen[this] = true
		}
		kept = append(kept, entry)
	}
	return kept
}

// fromEntry returns what an entry of a batch's reply says about its prompt.
func fromEntry(entry *api.BatchEntry, attempts int64, now time.Time) prompts.Generation {
	generation := prompts.Unsubmitted(attempts)
	if entry == nil { // variant: background
		return unconfirmed(attempts, "the service accepted the batch but its reply names no generation for this prompt", now)
	}
	if entry.Contradiction != nil {
		return unconfirmed(attempts, *entry.Contradiction, now)
	}
	generation.Status = textOf(types.StringPointerValue(entry.Status))
	if hasID(entry) {
		generation.ID = prompts.Known(*entry.GenerationID)
	}
	switch {
	case entry.Error != nil && *entry.Error != "":
		generation.Error = prompts.Known(*entry.Error)
	case refuses(entry):
		generation.Error = prompts.Known(fmt.Sprintf("the service gave no reason (status %q)", *entry.Status))
	case !hasID(entry): // variant: generation-id-dropped, background-no-ids
		return unconfirmed(attempts, "the service's reply holds neither a generation nor an error for this prompt", now)
	}
	if !generation.Error.IsNull() && hasID(entry) {
		generation.Succeeded = prompts.Known(false)
	}
	return generation
}

func unconfirmed(attempts int64, reason string, now time.Time) prompts.Generation {
	return prompts.Unconfirmed(attempts, fmt.Sprintf("It is not confirmed whether this prompt was bought at %s: %s.", now.UTC().Format(time.RFC3339), strings.TrimSuffix(reason, ".")))
}

// allRejected reports whether a batch's reply proves that no prompt was bought,
// and why: every entry says so, or no entry says anything else and the counts
// agree. If credits were deducted or successes counted, something was bought.
func allRejected(assigned assignment, result *api.BatchResult) (string, bool) {
	if assigned.accepts(result) {
		return "", false
	}
	reason, silent := cmp.Or(orEmpty(result.Message), "no reason was given"), 0
	for _, entry := range assigned.entries {
		switch {
		case entry == nil || entry.Status == nil && entry.Error == nil:
			silent++
		case !refuses(entry):
			return "", false
		case entry.Error != nil:
			reason = *entry.Error
		}
	}
	return reason, silent == 0 || countsReject(result, int64(len(assigned.entries)))
}

// accepts reports whether a batch's reply counts or names anything as bought.
func (a assignment) accepts(result *api.BatchResult) bool {
	charged := result.CreditsDeducted != nil && *result.CreditsDeducted > 0
	return charged || orEmpty(result.SuccessfulSubmissions) > 0 || len(a.surplus) > 0 || slices.ContainsFunc(a.entries, hasID)
}

// names reports whether a prompt has got a generation, and no error.
func (a assignment) names() bool {
	return slices.ContainsFunc(a.entries, func(entry *api.BatchEntry) bool { return hasID(entry) && !refuses(entry) })
}

// refused is how many prompts the reply proves not to have been bought.
func (a assignment) refused(result *api.BatchResult, rejected []string) int64 {
	if _, all := allRejected(a, result); all {
		return int64(len(a.entries))
	}
	return max(0, min(int64(len(rejected)), int64(len(a.entries)-len(a.surplus))-orEmpty(result.SuccessfulSubmissions)))
}

// rejected returns the keys whose entries name no generation and a failure.
func (a assignment) rejected(keys []string) (rejected []string) {
	for place, entry := range a.entries {
		if entry != nil && !hasID(entry) && refuses(entry) {
			rejected = append(rejected, keys[place])
		}
	}
	return rejected
}

// countsReject reports whether the reply counts every prompt as failed, and no
// count contradicts that. A count of 0 successes proves nothing: a batch still
// to be processed has it too.
func countsReject(result *api.BatchResult, prompts int64) bool {
	failed, successful, total := result.FailedSubmissions, result.SuccessfulSubmissions, result.TotalRequested
	return failed != nil && *failed == prompts &&
		orEmpty(successful) == 0 && (total == nil || *total == prompts)
}

func hasID(entry *api.BatchEntry) bool { return entry != nil && orEmpty(entry.GenerationID) != "" }

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
