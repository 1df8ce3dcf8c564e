package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Regeneration is what the service says about a regenerated dataset image.
type Regeneration struct {
	Message, ImageID *string
	Approved         *bool
}

// RegenerateImage sends POST
// /{character_id}/dataset/images/{image_id}/regenerate. No cost is documented,
// but it replaces the image, so it is sent once.
func (c *Client) RegenerateImage(ctx context.Context, characterID, imageID, prompt string) (*Regeneration, error) {
	defer c.datasets.Forget(characterID)
	request := transport.Post("/{character_id}/dataset/images/{image_id}/regenerate", characterID, imageID).
		JSON(map[string]string{"prompt": prompt}).Expect("image_id", "approved")
	reply, err := c.do(ctx, request)
	if err != nil {
		return nil, err
	}
	return &Regeneration{
		Message:  reply.Text("message"),
		ImageID:  reply.Text("image_id", "id"),
		Approved: reply.Flag("approved"),
	}, nil
}
