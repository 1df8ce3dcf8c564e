package api

import (
	"context"
	"errors"
)

var errNoResult = errors.New("the reply has no result")

// GenerateImage sends POST /generate/image, which is alpha, and returns the
// addresses of the images, of which there is at least one. Its outcome may be
// unknown, see IsOutcomeUnknown.
func (c *Client) GenerateImage(ctx context.Context, prompt string) ([]string, error) {
	call := post("/generate/image").json(map[string]string{"prompt": prompt}).expect("output", "outputs")
	reply, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	for _, name := range call.expected {
		if addresses := reply.texts(name); len(addresses) > 0 {
			return addresses, nil
		}
	}
	return nil, c.withoutResult(call, reply)
}

// withoutResult is the error of a 2xx that has nothing of what was asked for:
// it may be yet to come, and charged for. One that names an error has failed.
func (c *Client) withoutResult(call *call, reply object) error {
	failure := &Error{Operation: call.operation(), Sent: true, Err: errNoResult, Outcome: OutcomeUnknown}
	failure.describe(c.secrets.redact, reply)
	if reply.wording("error") != nil {
		failure.Outcome = OutcomeKnown
	}
	return failure
}
