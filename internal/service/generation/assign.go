package generation

import (
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// assignment says which entry of a batch's reply belongs to which prompt.
type assignment struct {
	// entries holds an entry for each prompt, nil where the reply named none.
	entries []*api.BatchEntry
	// certain: the indices alone leave no doubt.
	certain bool
	// surplus are ids that belong to no prompt of the batch.
	surplus []string
}

// assign reads the base of prompt_index (0 or 1: not documented) off the set
// of indices. Entries without a usable index take the places left over, in
// order, which is a guess that the statuses' prompts have to confirm.
func assign(results []api.BatchEntry, count int) assignment {
	assigned := assignment{entries: make([]*api.BatchEntry, count), certain: true}
	results = withoutDoubles(results, count)
	base, certain := indexBase(results, count)
	assigned.certain = certain
	var homeless []*api.BatchEntry
	for i := range results {
		entry := &results[i]
		if entry.PromptIndex == nil {
			homeless = append(homeless, entry)
			continue
		}
		place := *entry.PromptIndex - base
		if place < 0 || place >= int64(count) || assigned.entries[place] != nil {
			homeless = append(homeless, entry)
			continue
		}
		assigned.entries[place] = entry
	}
	if len(homeless) > 0 {
		assigned.certain = false
	}
	for place := range assigned.entries {
		if assigned.entries[place] == nil && len(homeless) > 0 {
			assigned.entries[place], homeless = homeless[0], homeless[1:]
		}
	}
	for _, entry := range homeless {
		if entry.GenerationID != nil {
			assigned.surplus = append(assigned.surplus, *entry.GenerationID)
		}
	}
	assigned.certain = assigned.certain || count == 1 && len(results) == 1
	return assigned
}

// indexBase is what prompt_index counts from. Only an index of 0, or one of
// the number of prompts, tells.
func indexBase(results []api.BatchEntry, count int) (base int64, certain bool) {
	var zero, full bool
	for _, entry := range results {
		if entry.PromptIndex != nil {
			zero = zero || *entry.PromptIndex == 0
			full = full || *entry.PromptIndex == int64(count)
		}
	}
	if full && !zero {
		return 1, true
	}
	return 0, zero && !full
}

// withoutDoubles drops entries that name a generation for the same prompt a
// second time. One that names it without an index may be that of another prompt,
// unless there are more entries than prompts.
func withoutDoubles(results []api.BatchEntry, count int) []api.BatchEntry {
	type mention struct {
		id, index string
	}
	var unique []api.BatchEntry
	seen := map[mention]bool{}
	for _, entry := range results {
		if hasID(&entry) {
			this := mention{id: *entry.GenerationID}
			if entry.PromptIndex != nil {
				this.index = strconv.FormatInt(*entry.PromptIndex, 10)
			}
			if seen[this] && (this.index != "" || len(results) > count) {
				continue
			}
			seen[this] = true
		}
		unique = append(unique, entry)
	}
	return unique
}
