package api

import (
	"context"
	"fmt"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Batch is a set of prompts to buy. With GroupID the generations join an
// existing group; without, the service makes one with GroupTitle.
type Batch struct {
	Prompts     []Prompt `json:"prompts"`
	CharacterID *string  `json:"character_id,omitempty"`
	GroupID     *string  `json:"group_id,omitempty"`
	GroupTitle  *string  `json:"group_title,omitempty"`
	// Match reads a reply for the purchase log. It is not sent.
	Match func(result *BatchResult) BatchMatch `json:"-"`
}

// BatchMatch is what a reply says of the prompts of a batch.
type BatchMatch struct {
	// Generations are the ids by key; Certain says that the reply leaves no doubt of
	// them.
	Generations map[string]string
	Certain     bool
	// Refused is how many prompts the reply proves not to have been bought. Rejected
	// are their keys, none if the reply's counts do not agree.
	Refused  int64
	Rejected []string
}

// Prompt is one generation to buy; nil fields are left to the service.
type Prompt struct {
	// Key is the user's name for it in the purchase log. It is not sent.
	Key string `json:"-"`
	// Take tells purchases of equal prompts apart in the purchase log: 0 is the first.
	// It is not sent.
	Take           int64   `json:"-"`
	Prompt         string  `json:"prompt,omitempty"`
	FaceSwap       *bool   `json:"face_swap,omitempty"`
	UseFaceLoRA    *bool   `json:"use_face_lora,omitempty"`
	UseBodyLoRA    *bool   `json:"use_body_lora,omitempty"`
	SourceImageURL *string `json:"source_image_url,omitempty"`
}

// BatchResult is the reply to a batch.
type BatchResult struct {
	Receipt `reply:"-"`
	GroupID *string
	Results []BatchEntry
	// OtherIDs are ids that Results do not give to a prompt, since the reply contradicts itself.
	OtherIDs []string `reply:"-"`
}

// BatchEntry is the result of one prompt. PromptIndex counts from 0 or from 1:
// the interface does not say.
type BatchEntry struct {
	GenerationID, Status *string
	PromptIndex          *int64
	Error                *string `as:"wording"`
	// Contradiction is what the service says of this prompt, if the reply says that the
	// whole batch failed, and yet counts something as bought.
	Contradiction *string `reply:"-"`
}

// SubmitBatch sends POST /generation/batch. It costs credits: see
// IsOutcomeUnknown.
func (c *Client) SubmitBatch(ctx context.Context, batch Batch) (*BatchResult, error) {
	entry := batch.logEntry()
	request := transport.Post("/generation/batch").Paid().JSON(batch).
		Expect("batch_id", "group_id", "results", "successful_submissions", "total_requested", "credits_deducted").
		Receipt(transport.Receipt{Counts: []string{"credits_deducted", "successful_submissions"}, Results: "results", ID: "generation_id"})
	var result *BatchResult
	err := c.buy(ctx, request, Purchase{KindGeneration, int64(len(batch.Prompts))}, entry, func(reply transport.Object) (refused int64) {
		result = decode[BatchResult](reply)
		result.Receipt = entry.Receipt
		if request.Denies(reply) {
			result.leaveOpen()
		}
		return entry.receive(batch, result)
	})
	if err != nil {
		return nil, err
	}
	result.Assumed = entry.Assumed
	return result, nil
}

// Rejected is the error of a batch of which every prompt was rejected.
func (r *BatchResult) Rejected(reason string) *Error {
	failure := &Error{Operation: "POST /generation/batch", Sent: true, Message: "every prompt was rejected: " + reason}
	if r.GroupID != nil {
		failure.Named = map[string]string{namedGroup: *r.GroupID}
	}
	return failure
}

// leaveOpen leaves to the prompts, of a reply that contradicts itself, only the ids
// without an error of their own.
func (r *BatchResult) leaveOpen() {
	for i, entry := range r.Results {
		id := value(entry.GenerationID)
		if id != "" && value(entry.Error) == "" {
			continue
		}
		said := fmt.Sprintf("the service's reply says both that the batch failed and that something was bought, and of this prompt: error %q, generation %q",
			value(entry.Error), id)
		r.Results[i] = BatchEntry{PromptIndex: entry.PromptIndex, Contradiction: &said}
		if id != "" {
			r.OtherIDs = append(r.OtherIDs, id)
		}
	}
}
