package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// GenerateImage sends POST /generate/image, which is alpha, and returns the
// addresses of the images, at least one. Its cost is not documented, so it counts as
// a purchase: see IsEffectUnknown.
func (c *Client) GenerateImage(ctx context.Context, prompt string) ([]string, error) {
	call := transport.Post("/generate/image").Paid().JSON(map[string]string{"prompt": prompt}).Expect("output")
	reply, err := c.buyImage(ctx, call, &logEntry{Type: "image"}, prompt)
	if err != nil {
		return nil, err
	}
	addresses := reply.Texts("output")
	if len(addresses) == 0 { // variant: image-later
		return nil, c.transport.WithoutResult(call, reply)
	}
	return addresses, nil
}

// buyImage sends a request that makes one image from a prompt.
func (c *Client) buyImage(ctx context.Context, paid *transport.Request, entry *logEntry, prompt string) (said reply.Object, err error) {
	entry.Prompts = map[string]string{"0": sumOf(prompt)}
	err = c.buy(ctx, paid, Purchase{KindImage, 1}, entry, func(answer reply.Object) (refused int64) {
		said = answer
		if made := value(said.Text("image_id")); made != "" && made != entry.ImageID {
			entry.OtherIDs = append(entry.OtherIDs, made)
		}
		return 0
	})
	return said, err
}
