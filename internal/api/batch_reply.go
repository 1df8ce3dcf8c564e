package api

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// BatchReply is the part of a reply to a batch that describes its prompts. A
// prompt is bought if the reply names a generation. It is refused if the reply
// proves that it was not bought. Otherwise it is unconfirmed.
type BatchReply struct {
	*Receipt
	GroupID *string
	Effects []PromptEffect // in the order of the prompts
	IsOpen  bool           // the indices do not decide which prompt has which effect
	// UnmatchedIDs are ids that belong to no prompt. OtherIDs are ids that no
	// prompt receives because the reply contradicts itself.
	UnmatchedIDs, OtherIDs []string
	// ResultIDs are the ids of the results in the reply's order. They include ids
	// that no request could name.
	ResultIDs []string
	Refused   int64 // prompts that the reply proves not to have been bought
}

// PromptEffect is the outcome of one prompt.
type PromptEffect struct {
	GenerationID string // empty if nothing was bought, or if the id is unknown
	Status       *reply.Text
	Error        reply.Text // why the prompt was refused, or why its generation has failed
	Unconfirmed  string     // why the outcome is unknown; empty if it is known
}

// batchBody holds the fields of a reply to a batch that this package reads.
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
	// unknownReason says why the outcome of this prompt is unknown. Either the
	// reply says that the whole batch failed but counts something as bought, or
	// the prompt's id is one that no request could name. Such an id is stored in
	// odd.
	unknownReason, odd string
}

// Accepts reports whether the reply counts or names anything as bought.
func (r *BatchReply) Accepts() bool {
	return reply.ValueOf(r.CreditsDeducted) > 0 || reply.ValueOf(r.SuccessfulSubmissions) > 0 ||
		len(r.UnmatchedIDs) > 0 ||
		slices.ContainsFunc(r.Effects, func(effect PromptEffect) bool { return effect.GenerationID != "" })
}

// Names reports whether at least one prompt has a generation and no error.
func (r *BatchReply) Names() bool {
	return slices.ContainsFunc(
		r.Effects,
		func(effect PromptEffect) bool { return effect.GenerationID != "" && effect.Error == "" },
	)
}

// takeAsOpen handles a reply that contradicts itself. Prompts keep the ids that
// come without an error. The outcome of all other prompts is unknown.
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

// refuseOddIDs removes ids that no request could name. The outcome of their
// prompts becomes unknown, because something may have been made nevertheless.
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

// oddID explains why an id that no request could name is not stored: nothing
// could ever be read or deleted by it.
func oddID(odd string) string {
	return fmt.Sprintf(
		"the service's reply gives %q for this prompt's generation, which is no id that a request could name",
		odd,
	)
}

// read returns the outcome of each of count prompts. The refusal says why all prompts
// were refused; it is nil unless all were.
func (b *batchBody) read(receipt *Receipt, count int) (received *BatchReply, refusal error) {
	received = &BatchReply{
		Receipt:  receipt,
		GroupID:  b.GroupID,
		OtherIDs: b.otherIDs,
	}
	for _, result := range b.Results {
		received.ResultIDs = append(received.ResultIDs, cmp.Or(reply.ValueOf(result.GenerationID), result.odd))
	}
	entries := received.assign(b.Results, count)
	for _, entry := range entries {
		effect := entry.effect()
		received.Effects = append(received.Effects, effect)
		if effect.GenerationID == "" && effect.Error != "" {
			received.Refused++
		}
	}
	received.Refused = max(
		0,
		min(received.Refused, int64(count-len(received.UnmatchedIDs))-reply.ValueOf(received.SuccessfulSubmissions)),
	)
	if reason, all := received.allRefused(entries); all {
		received.Refused = int64(count)
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

// assign returns the entry of each prompt, or nil if the reply has none.
// Entries without a usable index fill the gaps in order. Later statuses show
// which prompt they belong to.
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

// matchByIndex gives each prompt the entry with the prompt's index. It also
// returns the entries whose index is missing, beyond the prompts, or already
// taken by another entry.
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

// indexBase returns the number from which prompt_index counts. Only an index of
// 0 or of count decides the base; known is false without either.
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

// uniqueEntries removes entries that repeat a generation for the same prompt. A
// repeated entry without an index may belong to a different prompt; it is
// removed only if there are more entries than prompts.
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
// gives the reason. The proof is that every entry says so, or that no entry
// says anything else and the counts agree.
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
	// A count of 0 successes proves nothing, because a batch that is still to be
	// processed has the same count.
	failed := reply.ValueOf(r.FailedSubmissions)
	successful := reply.ValueOf(r.SuccessfulSubmissions)
	count := int64(len(entries))
	return reason, silent == 0 || failed == count && successful == 0 && *cmp.Or(r.TotalRequested, &count) == count
}
