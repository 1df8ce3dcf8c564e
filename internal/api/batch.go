package api

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Batch is a set of prompts to buy. With a GroupID, the generations join an
// existing group. Without a GroupID, the service makes a group with GroupTitle.
type Batch struct {
	Prompts     []Prompt `json:"prompts"`
	CharacterID *string  `json:"character_id,omitempty"`
	GroupID     *string  `json:"group_id,omitempty"`
	GroupTitle  *string  `json:"group_title,omitempty"`
}

// Prompt is one generation to buy. The service decides about nil fields. Key
// and Take are only for the purchase log: Key is the user's name for the
// prompt, and Take counts the purchases of equal prompts from 0. The log hashes
// the JSON of a prompt: a field without omitempty would change the hash of each
// prompt that was bought before the field existed, and end its guard.
type Prompt struct {
	Key            string  `json:"-"`
	Take           int64   `json:"-"`
	Prompt         string  `json:"prompt,omitempty"`
	FaceSwap       *bool   `json:"face_swap,omitempty"`
	UseFaceLoRA    *bool   `json:"use_face_lora,omitempty"`
	UseBodyLoRA    *bool   `json:"use_body_lora,omitempty"`
	SourceImageURL *string `json:"source_image_url,omitempty"`
}

// Submit returns POST /generation/batch. The reply says what became of each
// prompt. The batch is refused if the reply proves that no prompt was bought.
func (b Batch) Submit() Paid[*BatchReply] {
	request := transport.Post("/generation/batch").Makes().JSON(b).
		Expect("batch_id", "group_id", "results", "successful_submissions", "total_requested", "credits_deducted").
		Receipt(reply.Receipt{
			Counts:  []string{"credits_deducted", "successful_submissions"},
			Results: "results",
			ID:      "generation_id",
		})
	return Paid[*BatchReply]{
		request: request,
		read: func(_ *Client, said reply.Object, receipt *Receipt) (*BatchReply, error) {
			body := decode[batchBody](said)
			if request.SaysFailed(said) {
				body.takeAsOpen()
			}
			body.refuseOddIDs()
			return body.read(receipt, len(b.Prompts))
		},
	}
}
