package api

import (
	"context"
	"errors"
	"net/url"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// offline is the access token of a plan without the service.
const offline = "offline"

// WrongAddress says why base_url is wrong; nil if it is not, or if nobody can tell now.
// Unless the run has found something there, it asks: in a best-effort read, of which
// one that has failed before says nothing.
func (c *Client) WrongAddress(ctx context.Context) (wrong error) {
	if c.transport.Found() || c.config.AccessToken == offline {
		return nil
	}
	c.bestEffort.take(ctx, func(ctx context.Context) {
		wrong, _ = c.address.Get(ctx, struct{}{})
		c.bestEffort.failed = c.bestEffort.failed || wrong != nil
	})
	return wrong
}

// probe reads what every service has, and says why the address is wrong, if it
// is.
func (c *Client) probe(ctx context.Context, _ struct{}) (wrong, err error) {
	_, err = c.do(ctx, transport.Get("/characters").Query(url.Values{"limit": {"1"}}))
	wrong = c.transport.JudgeAddress(err)
	if _, is := errors.AsType[*transport.AddressError](wrong); !is {
		return nil, err
	}
	return wrong, nil
}
