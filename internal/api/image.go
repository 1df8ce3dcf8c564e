package api

import "context"

// GenerateImage sends POST /generate/image, which is alpha, and returns the
// addresses of the images. Its outcome may be unknown, see IsOutcomeUnknown.
func (c *Client) GenerateImage(ctx context.Context, prompt string) ([]string, error) {
	reply, err := c.do(ctx, post("/generate/image").json(map[string]string{"prompt": prompt}).expect("output"))
	if err != nil {
		return nil, err
	}
	return reply.texts("output"), nil
}
