package api

import (
	"context"
	"errors"
	"net/url"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Judge decides from the result of a request whether an object is gone. It asks
// for it when all reads of the object have ended: if none of this run has found
// anything, the address may be wrong, and one more request finds out.
func (c *Client) Judge(ctx context.Context, answer error, last Sighting) (Verdict, error) {
	verdict, err := c.transport.Judge(answer, last)
	if verdict == Gone && !c.transport.Found() {
		if err := c.probe(ctx); err != nil {
			return Undecided, err
		}
	}
	return verdict, err
}

// probe reads what every service has, once for all that want to know whether
// the address is right.
func (c *Client) probe(ctx context.Context) error {
	wrong, err := c.address.get(ctx, "", func(ctx context.Context) (*error, error) {
		_, err := c.do(ctx, transport.Get("/characters").Query(url.Values{"limit": {"1"}}))
		wrong := c.transport.JudgeAddress(err)
		if _, is := errors.AsType[*AddressError](wrong); !is {
			return new(error), err
		}
		return &wrong, nil
	})
	if err != nil {
		return err
	}
	return *wrong
}
