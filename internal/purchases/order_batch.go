package purchases

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// OrderBatch orders the prompts of a batch. It is refused if the reply proves
// that no prompt was bought.
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

// batchEntry is what the purchase log says of a batch before it is sent.
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

// plainPrompt is equal for prompts that are the same, and for some others: two
// newlines at an end are one. The log rather guards too much than buys twice.
func plainPrompt(p api.Prompt) api.Prompt {
	p.Prompt = same.Key(p.Prompt)
	if p.SourceImageURL != nil {
		p.SourceImageURL = new(same.Unsigned(*p.SourceImageURL))
	}
	return p
}

// receiveBatch takes over what became of the prompts of a batch. The ids are
// certain if the indices decide, and no two different prompts share one.
func receiveBatch(e *Entry, prompts []api.Prompt, received *api.BatchReply) {
	if received.GroupID != nil {
		e.GroupID = *received.GroupID
	}
	placed := receiveEffects(e, prompts, received)
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

// receiveEffects writes what became of each prompt, and returns the ids that it
// has placed. An id that two different prompts share is certain for neither.
func receiveEffects(e *Entry, prompts []api.Prompt, received *api.BatchReply) (placed map[string]bool) {
	e.Generations = map[string]string{}
	e.Certain = new(!received.IsOpen)
	placed = map[string]bool{}
	sums := map[string]string{}
	for place, effect := range received.Effects {
		prompt := prompts[place]
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
