package api

import "context"

// Regeneration is what the service says about a regenerated dataset image.
type Regeneration struct {
	Message, ImageID *string
	Approved         *bool
}

// RegenerateImage sends POST
// /{character_id}/dataset/images/{image_id}/regenerate. It costs no credits as
// far as is documented, but replaces the image, so it is sent once.
func (c *Client) RegenerateImage(ctx context.Context, characterID, imageID, prompt string) (*Regeneration, error) {
	request := post("/{character_id}/dataset/images/{image_id}/regenerate", characterID, imageID).
		json(map[string]string{"prompt": prompt}).expect("image_id", "approved")
	reply, err := c.do(ctx, request)
	if err != nil {
		return nil, err
	}
	return &Regeneration{
		Message:  reply.text("message"),
		ImageID:  reply.text("image_id", "id"),
		Approved: reply.flag("approved"),
	}, nil
}
