package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// GenerateImage sends POST /generate/image, which is alpha, and returns the
// addresses of the images, at least one. Its outcome may be unknown, see
// IsOutcomeUnknown.
func (c *Client) GenerateImage(ctx context.Context, prompt string) ([]string, error) {
	call := transport.Post("/generate/image").Paid().JSON(map[string]string{"prompt": prompt}).Expect("output")
	reply, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	addresses := reply.Texts("output")
	if len(addresses) == 0 {
		return nil, c.transport.WithoutResult(call, reply)
	}
	return addresses, nil
}
