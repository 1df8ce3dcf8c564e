package api

import (
	"context"
	"encoding/json"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// VisionRequest is a conversation about images; nil fields are left to the
// service.
type VisionRequest struct {
	Messages    []VisionMessage `json:"messages"`
	Model       *string         `json:"model,omitempty"`
	Temperature *float64        `json:"temperature,omitempty"`
}

// VisionMessage is one message of such a conversation; a nil Role is left to the
// service.
type VisionMessage struct {
	Role    *string      `json:"role,omitempty"`
	Content []VisionPart `json:"content"`
}

// VisionPart is a text or, if ImageURL is set, an image: an http(s) address or
// a data URI.
type VisionPart struct{ Text, ImageURL *string }

// MarshalJSON writes the part with its type.
func (p VisionPart) MarshalJSON() ([]byte, error) {
	type address struct {
		URL string `json:"url"`
	}
	part := struct {
		Type     string   `json:"type"`
		Text     *string  `json:"text,omitempty"`
		ImageURL *address `json:"image_url,omitempty"`
	}{Type: "text", Text: p.Text}
	if p.ImageURL != nil {
		part.Type, part.Text, part.ImageURL = "image_url", nil, &address{*p.ImageURL}
	}
	return json.Marshal(part)
}

// Vision sends POST /media/completions. Its outcome may be unknown, see
// IsOutcomeUnknown.
func (c *Client) Vision(ctx context.Context, request VisionRequest) (*Completion, error) {
	call := transport.Post("/media/completions").Paid().JSON(request).Expect("choices")
	reply, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	return c.completion(call, reply)
}
