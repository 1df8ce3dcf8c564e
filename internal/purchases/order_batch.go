package purchases

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// OrderBatch orders the prompts of a batch. The order is refused if the reply
// proves that no prompt was bought.
func OrderBatch(batch api.Batch) Order[*api.BatchReply] {
	entry := batchEntry(batch)
	return Order[*api.BatchReply]{
		Purchase: Purchase{Kind: KindGeneration, Count: int64(len(batch.Prompts))},
		Entry:    entry,
		request:  batch.Submit(),
		note: func(_ reply.Object, received *api.BatchReply, _ error) (refused int64) {
			receiveBatch(entry, batch.Prompts, received)
			return received.Refused
		},
	}
}

// batchEntry returns the entry of a batch in the purchase log before the batch
// is sent.
func batchEntry(b api.Batch) *Entry {
	entry := &Entry{
		Type:        "batch",
		CharacterID: reply.ValueOf(b.CharacterID),
		Title:       b.GroupTitle,
		GroupID:     reply.ValueOf(b.GroupID),
		Prompts:     map[string]string{},
	}
	for _, prompt := range b.Prompts {
		entry.Prompts[prompt.Key] = SumOf(struct {
			api.Prompt
			Take int64 `json:"take,omitempty"`
		}{plainPrompt(prompt), prompt.Take})
	}
	return entry
}

// plainPrompt returns equal values for equal prompts. Some different prompts
// also become equal: two newlines at an end equal one newline. Guarding too
// much is safer than buying twice.
func plainPrompt(p api.Prompt) api.Prompt {
	p.Prompt = same.Key(p.Prompt)
	if p.SourceImageURL != nil {
		p.SourceImageURL = new(same.Unsigned(*p.SourceImageURL))
	}
	return p
}

// receiveBatch writes the outcome of each prompt to the entry. The ids are
// certain if the indices decide, and if no two different prompts share an id.
func receiveBatch(e *Entry, ordered []api.Prompt, received *api.BatchReply) {
	if received.GroupID != nil {
		e.GroupID = *received.GroupID
	}
	placed := receiveEffects(e, ordered, received)
	if received.Refused < int64(len(e.Rejected)) {
		e.Rejected = nil
	}
	e.OtherIDs = append(e.OtherIDs, received.OtherIDs...)
	for _, id := range received.ResultIDs {
		if id != "" && !placed[id] {
			e.OtherIDs = append(e.OtherIDs, id)
		}
	}
}

// receiveEffects writes the outcome of each prompt to the entry. It returns the
// ids that belong to a prompt. If two different prompts share an id, no id is
// certain.
func receiveEffects(e *Entry, ordered []api.Prompt, received *api.BatchReply) (placed map[string]bool) {
	e.Generations = map[string]string{}
	e.Certain = new(!received.IsOpen)
	placed = map[string]bool{}
	sums := map[string]string{}
	for place, effect := range received.Effects {
		prompt := ordered[place]
		id := effect.GenerationID
		switch {
		case id != "":
			sum := SumOf(plainPrompt(prompt))
			if placed[id] && sums[id] != sum {
				*e.Certain = false
			}
			e.Generations[prompt.Key] = id
			placed[id] = true
			sums[id] = sum
		case effect.Error != "":
			e.Rejected = append(e.Rejected, prompt.Key)
		}
	}
	return placed
}
