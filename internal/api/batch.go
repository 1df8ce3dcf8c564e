package api

import (
	"cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Batch is a set of prompts to buy. With GroupID the generations join an
// existing group; without, the service makes one with GroupTitle.
type Batch struct {
	Prompts     []Prompt `json:"prompts"`
	CharacterID *string  `json:"character_id,omitempty"`
	GroupID     *string  `json:"group_id,omitempty"`
	GroupTitle  *string  `json:"group_title,omitempty"`
}

// Prompt is one generation to buy; nil fields are left to the service. Key, the
// user's name for it, and Take, which counts the purchases of equal prompts
// from 0, are only for the purchase log.
type Prompt struct {
	Key            string  `json:"-"`
	Take           int64   `json:"-"`
	Prompt         string  `json:"prompt,omitempty"`
	FaceSwap       *bool   `json:"face_swap,omitempty"`
	UseFaceLoRA    *bool   `json:"use_face_lora,omitempty"`
	UseBodyLoRA    *bool   `json:"use_body_lora,omitempty"`
	SourceImageURL *string `json:"source_image_url,omitempty"`
}

// Order is POST /generation/batch. Its reply says what became of each prompt; it
// is refused if that proves that none was bought.
func (b Batch) Order() Order[*BatchReply] {
	request := transport.Post("/generation/batch").Paid().JSON(b).
		Expect("batch_id", "group_id", "results", "successful_submissions", "total_requested", "credits_deducted").
		Receipt(reply.Receipt{
			Counts:  []string{"credits_deducted", "successful_submissions"},
			Results: "results",
			ID:      "generation_id",
		})
	entry := b.entry()
	return Order[*BatchReply]{
		Purchase: purchases.Purchase{Kind: purchases.KindGeneration, Count: int64(len(b.Prompts))},
		Entry:    entry,
		request:  request,
		receive: func(_ *Client, said reply.Object) (*BatchReply, int64, error) {
			body := decode[batchBody](said)
			if request.SaysFailed(said) {
				body.takeAsOpen()
			}
			body.refuseOddIDs()
			received, refusal := body.read(&entry.Receipt, len(b.Prompts))
			receiveBatch(entry, b.Prompts, body.Results, received)
			return received, received.Refused, refusal
		},
		refresh: changesNothing,
	}
}

// entry is what the purchase log says of the batch before it is sent.
func (b Batch) entry() *purchases.Entry {
	entry := &purchases.Entry{
		Type:        "batch",
		CharacterID: value(b.CharacterID),
		Title:       b.GroupTitle,
		GroupID:     value(b.GroupID),
		Prompts:     map[string]string{},
	}
	for _, prompt := range b.Prompts {
		entry.Prompts[prompt.Key] = purchases.SumOf(struct {
			Prompt
			Take int64 `json:"take,omitempty"`
		}{prompt.plain(), prompt.Take})
	}
	return entry
}

// plain is equal for prompts that are the same, and for some others: two
// newlines at an end are one. The log rather guards too much than buys twice.
func (p Prompt) plain() Prompt {
	p.Prompt = same.Key(p.Prompt)
	if p.SourceImageURL != nil {
		p.SourceImageURL = new(same.Unsigned(*p.SourceImageURL))
	}
	return p
}

// receiveBatch takes over what became of the prompts of a batch. The ids are
// certain if the indices decide, and no two different prompts share one.
func receiveBatch(e *purchases.Entry, prompts []Prompt, results []batchEntry, reply *BatchReply) {
	if reply.GroupID != nil {
		e.GroupID = *reply.GroupID
	}
	placed := receiveEffects(e, prompts, reply)
	if reply.Refused < int64(len(e.Rejected)) {
		e.Rejected = nil
	}
	e.OtherIDs = append(e.OtherIDs, reply.OtherIDs...)
	for _, result := range results {
		id := cmp.Or(value(result.GenerationID), result.odd)
		if id != "" && !placed[id] {
			e.OtherIDs = append(e.OtherIDs, id)
		}
	}
}

// receiveEffects writes what became of each prompt, and returns the ids that it
// has placed. An id that two different prompts share is certain for neither.
func receiveEffects(e *purchases.Entry, prompts []Prompt, reply *BatchReply) (placed map[string]bool) {
	e.Generations = map[string]string{}
	e.Certain = new(!reply.IsOpen)
	placed = map[string]bool{}
	sums := map[string]string{}
	for place, effect := range reply.Effects {
		prompt := prompts[place]
		id := effect.GenerationID
		switch {
		case id != "":
			sum := purchases.SumOf(prompt.plain())
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
