package api

import "context"

// Batch is a set of prompts to buy. With GroupID the generations join an
// existing group; without, the service makes one with GroupTitle.
type Batch struct {
	Prompts     []Prompt `json:"prompts"`
	CharacterID *string  `json:"character_id,omitempty"`
	GroupID     *string  `json:"group_id,omitempty"`
	GroupTitle  *string  `json:"group_title,omitempty"`
}

// Prompt is one generation to buy; what is nil is left to the service.
type Prompt struct {
	Prompt         string  `json:"prompt"`
	FaceSwap       *bool   `json:"face_swap,omitempty"`
	UseFaceLoRA    *bool   `json:"use_face_lora,omitempty"`
	UseBodyLoRA    *bool   `json:"use_body_lora,omitempty"`
	SourceImageURL *string `json:"source_image_url,omitempty"`
}

// BatchResult is the receipt of a batch. EstimatedTime has no documented unit.
type BatchResult struct {
	BatchID, GroupID, GenerationType, Status, Message        *string
	TotalRequested, SuccessfulSubmissions, FailedSubmissions *int64
	EstimatedTime, CreditsDeducted, RemainingBalance         *float64
	Results                                                  []BatchEntry
}

// BatchEntry is what became of one prompt. PromptIndex counts from 0 or from
// 1: the interface does not say.
type BatchEntry struct {
	GenerationID, Status *string
	PromptIndex          *int64
	Error                *string
}

// SubmitBatch sends POST /generation/batch. It costs credits: see
// IsOutcomeUnknown.
func (c *Client) SubmitBatch(ctx context.Context, batch Batch) (*BatchResult, error) {
	reply, err := c.buy(ctx, post("/generation/batch").paid().json(batch).
		expect("batch_id", "results", "successful_submissions", "total_requested", "credits_deducted"))
	if err != nil {
		return nil, err
	}
	result := &BatchResult{
		BatchID:               reply.text("batch_id"),
		GroupID:               reply.text("group_id"),
		GenerationType:        reply.text("generation_type"),
		Status:                reply.text("status"),
		Message:               reply.text("message"),
		TotalRequested:        reply.integer("total_requested"),
		SuccessfulSubmissions: reply.integer("successful_submissions"),
		FailedSubmissions:     reply.integer("failed_submissions"),
		EstimatedTime:         reply.number("estimated_time"),
		CreditsDeducted:       reply.number("credits_deducted"),
		RemainingBalance:      reply.number("remaining_balance"),
	}
	entries, _ := reply.objects("results")
	for _, entry := range entries {
		result.Results = append(result.Results, BatchEntry{
			GenerationID: entry.text("generation_id"),
			Status:       entry.text("status"),
			PromptIndex:  entry.integer("prompt_index"),
			Error:        entry.wording("error"),
		})
	}
	return result, nil
}
