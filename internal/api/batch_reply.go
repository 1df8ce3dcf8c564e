package api

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// BatchReply is what the reply to a batch says of its prompts. One is bought if
// the reply names a generation, refused if the reply proves that, and otherwise
// unconfirmed.
type BatchReply struct {
	*Receipt
	GroupID *string
	Effects []PromptEffect // in the order of the prompts
	IsOpen  bool           // the indices leave in doubt which effect is whose
	// UnmatchedIDs are ids that belong to no prompt, and OtherIDs those that are
	// given to none, since the reply contradicts itself.
	UnmatchedIDs, OtherIDs []string
	// ResultIDs are the ids of the results, in the reply's order, also those that
	// no request could name.
	ResultIDs []string
	Refused   int64 // prompts that the reply proves not to have been bought
}

// PromptEffect is what became of a prompt.
type PromptEffect struct {
	GenerationID string // empty if nothing was bought, or that is not known
	Status       *reply.Text
	Error        reply.Text // why it was refused; if there is a generation, why that has failed
	Unconfirmed  string     // why it is not known whether it was bought; empty if it is
}

// batchBody is the reply to a batch, as far as it is known.
type batchBody struct {
	GroupID  *string `as:"odd id"`
	Results  []batchEntry
	otherIDs []string
}

// batchEntry is the result of one prompt.
type batchEntry struct {
	GenerationID *string `as:"odd id"`
	Status       *reply.Text
	PromptIndex  *int64      // from 0 or from 1: the interface does not say
	Error        *reply.Text `as:"error"`
	// unknownReason is why it is not known what became of this prompt: the
	// reply says that the whole batch failed, and yet counts something as
	// bought, or it gives for an id what is none, odd.
	unknownReason, odd string
}

// Accepts reports whether the reply counts or names anything as bought.
func (r *BatchReply) Accepts() bool {
	return reply.ValueOf(r.CreditsDeducted) > 0 || reply.ValueOf(r.SuccessfulSubmissions) > 0 ||
		len(r.UnmatchedIDs) > 0 ||
		slices.ContainsFunc(r.Effects, func(effect PromptEffect) bool { return effect.GenerationID != "" })
}

// Names reports whether a prompt has got a generation, and no error.
func (r *BatchReply) Names() bool {
	return slices.ContainsFunc(
		r.Effects,
		func(effect PromptEffect) bool { return effect.GenerationID != "" && effect.Error == "" },
	)
}

// takeAsOpen leaves to the prompts, of a reply that contradicts itself, the ids
// without an error.
func (b *batchBody) takeAsOpen() {
	for i, entry := range b.Results {
		id := reply.ValueOf(entry.GenerationID)
		if id != "" && reply.ValueOf(entry.Error) == "" {
			continue
		}
		b.Results[i] = batchEntry{PromptIndex: entry.PromptIndex, unknownReason: fmt.Sprintf(
			"the service's reply says both that the batch failed and that something was bought, and of this prompt: "+
				"error %q, generation %q",
			reply.ValueOf(entry.Error),
			id,
		)}
		if id != "" {
			b.otherIDs = append(b.otherIDs, reply.Shown(id, reply.MaxExcerpt))
		}
	}
}

// refuseOddIDs takes for no id what none can be. Something may have been made
// all the same.
func (b *batchBody) refuseOddIDs() {
	b.GroupID, _ = idOf(b.GroupID)
	for i := range b.Results {
		entry := &b.Results[i]
		entry.GenerationID, entry.odd = idOf(entry.GenerationID)
		if entry.odd != "" {
			*entry = batchEntry{
				PromptIndex:   entry.PromptIndex,
				odd:           entry.odd,
				unknownReason: oddID(entry.odd),
			}
		}
	}
}

// oddID is why an id that no request could name is not stored: nothing could
// ever be read or deleted by it.
func oddID(odd string) string {
	return fmt.Sprintf(
		"the service's reply gives %q for this prompt's generation, which is no id that a request could name",
		odd,
	)
}

// read says what became of each prompt, and why all were refused, if they were.
func (b *batchBody) read(receipt *Receipt, prompts int) (received *BatchReply, refusal error) {
	received = &BatchReply{
		Receipt:  receipt,
		GroupID:  b.GroupID,
		OtherIDs: b.otherIDs,
	}
	for _, result := range b.Results {
		received.ResultIDs = append(received.ResultIDs, cmp.Or(reply.ValueOf(result.GenerationID), result.odd))
	}
	entries := received.assign(b.Results, prompts)
	for _, entry := range entries {
		effect := entry.effect()
		received.Effects = append(received.Effects, effect)
		if effect.GenerationID == "" && effect.Error != "" {
			received.Refused++
		}
	}
	received.Refused = max(
		0,
		min(received.Refused, int64(prompts-len(received.UnmatchedIDs))-reply.ValueOf(received.SuccessfulSubmissions)),
	)
	if reason, all := received.allRefused(entries); all {
		received.Refused = int64(prompts)
		failure := &reply.Error{
			Sent: reply.Request{Operation: "POST /generation/batch", Connected: true},
			Said: reply.Answer{Message: "every prompt was rejected: " + reason},
		}
		if received.GroupID != nil {
			failure.Said.Named = map[string]string{namedGroup: *received.GroupID}
		}
		refusal = refusedBy(failure)
	}
	return received, refusal
}

// assign returns the entry of each prompt, nil where the reply named none.
// Entries without a usable index fill the gaps in order, until the statuses
// show whose they are.
func (r *BatchReply) assign(results []batchEntry, count int) []*batchEntry {
	results = uniqueEntries(results, count)
	base, known := indexBase(results, count)
	entries, unplaced := matchByIndex(results, count, base)
	r.IsOpen = (!known || len(unplaced) > 0) && (count > 1 || len(results) > 1)
	// variant: index-missing, index-missing-reordered, index-doubled, index-baseless
	for place := range entries {
		if entries[place] == nil && len(unplaced) > 0 {
			entries[place] = unplaced[0]
			unplaced = unplaced[1:]
		}
	}
	for _, entry := range unplaced {
		if entry.GenerationID != nil {
			r.UnmatchedIDs = append(r.UnmatchedIDs, *entry.GenerationID)
		}
	}
	return entries
}

// matchByIndex gives each prompt the result that names its index, and returns
// those that name none, one beyond the prompts, or that of another result.
func matchByIndex(results []batchEntry, count int, base int64) (entries, unplaced []*batchEntry) {
	entries = make([]*batchEntry, count)
	for i := range results {
		entry := &results[i]
		place := int64(-1)
		if entry.PromptIndex != nil {
			place = *entry.PromptIndex - base
		}
		isPlace := 0 <= place && place < int64(count)
		if !isPlace || entries[place] != nil {
			unplaced = append(unplaced, entry)
			continue
		}
		entries[place] = entry // variant: results-reordered
	}
	return entries, unplaced
}

// indexBase returns what prompt_index counts from. Only an index of 0 or of
// count decides that.
func indexBase(results []batchEntry, count int) (base int64, known bool) {
	has := func(index int) bool {
		return slices.ContainsFunc(
			results,
			func(e batchEntry) bool { return e.PromptIndex != nil && *e.PromptIndex == int64(index) },
		)
	}
	if has(count) && !has(0) { // variant: index-from-1, reordered-from-1
		return 1, true
	}
	return 0, has(0)
}

// uniqueEntries drops entries that name a generation for the same prompt
// again. One without an index may belong to another prompt, unless there are
// more entries than prompts.
func uniqueEntries(results []batchEntry, count int) (once []batchEntry) {
	type entryKey struct{ id, index string }
	seen := map[entryKey]bool{}
	for _, entry := range results {
		this := entryKey{id: reply.ValueOf(entry.GenerationID)}
		if entry.PromptIndex != nil {
			this.index = strconv.FormatInt(*entry.PromptIndex, 10)
		}
		isSure := this.index != "" || len(results) > count
		if isAgain := seen[this] && this.id != "" && isSure; !isAgain {
			once = append(once, entry)
		}
		seen[this] = true
	}
	return once
}

func (e *batchEntry) effect() PromptEffect {
	if e == nil { // variant: background
		return PromptEffect{
			Unconfirmed: "the service accepted the batch but its reply names no generation for this prompt",
		}
	}
	effect := PromptEffect{
		GenerationID: reply.ValueOf(e.GenerationID),
		Status:       e.Status,
		Error:        reply.ValueOf(e.Error),
		Unconfirmed:  e.unknownReason,
	}
	switch {
	case effect.Unconfirmed != "" || effect.Error != "":
	case e.hasFailed():
		effect.Error = reply.Text(fmt.Sprintf("the service gave no reason (status %q)", *e.Status))
	case effect.GenerationID == "": // variant: generation-id-dropped, background-no-ids
		effect.Unconfirmed = "the service's reply holds neither a generation nor an error for this prompt"
	}
	return effect
}

func (e *batchEntry) hasFailed() bool {
	word := PhaseOfWord(reply.ValueOf(e.Status))
	return reply.ValueOf(e.Error) != "" || word == Failed || word == Stopped
}

// allRefused reports whether the reply proves that no prompt was bought, and
// why: every entry says so, or no entry says anything else and the counts
// agree.
func (r *BatchReply) allRefused(entries []*batchEntry) (reason string, all bool) {
	if r.Accepts() {
		return "", false
	}
	reason = reply.Text(reply.ValueOf(r.Message)).Or("no reason was given")
	silent := 0
	for _, entry := range entries {
		switch {
		case entry != nil && entry.unknownReason != "":
			return "", false
		case entry == nil || entry.Status == nil && entry.Error == nil:
			silent++
		case !entry.hasFailed():
			return "", false
		case entry.Error != nil:
			reason = fmt.Sprint(*entry.Error)
		}
	}
	// A count of 0 successes proves nothing: a batch still to be processed has
	// it too.
	failed := reply.ValueOf(r.FailedSubmissions)
	successful := reply.ValueOf(r.SuccessfulSubmissions)
	prompts := int64(len(entries))
	return reason, silent == 0 || failed == prompts && successful == 0 && *cmp.Or(r.TotalRequested, &prompts) == prompts
}
