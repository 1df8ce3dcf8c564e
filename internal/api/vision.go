package api

import (
	"context"

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

// VisionPart is of the type text or image_url.
type VisionPart struct {
	Type     string    `json:"type"`
	Text     *string   `json:"text,omitempty"`
	ImageURL *ImageURL `json:"image_url,omitempty"`
}

// ImageURL is an http(s) address or a data URI.
type ImageURL struct {
	URL string `json:"url"`
}

// Vision sends POST /media/completions. Its outcome may be unknown, see
// IsEffectUnknown.
func (c *Client) Vision(ctx context.Context, request VisionRequest) (*Completion, error) {
	return c.complete(ctx, transport.Post("/media/completions").JSON(request))
}
