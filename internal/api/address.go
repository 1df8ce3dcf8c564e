package api

import (
	"context"
	"fmt"
	"net/url"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// offline is the access token of a plan without the service.
const offline = "offline"

// WrongAddress says why base_url is wrong; nil if it is not, or if nobody can tell now.
// Unless the run has found something there, it asks: in a best-effort read, of which
// one that has failed before says nothing.
func (c *Client) WrongAddress(ctx context.Context) (wrong error) {
	if c.found() || c.config.AccessToken == offline {
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
	failure := reply.ErrorOf(err)
	if failure == nil || failure.NotFound == reply.NotFoundUnsaid && !failure.NoJSON {
		return nil, err
	}
	failure.Shared = c.transport.Shared(failure.Reason())
	return &AddressError{Err: failure, Address: c.caller.address}, nil
}

// AddressError says that base_url is not the service's address: nothing was
// found there in this run.
type AddressError struct {
	Err *reply.Error
	// Address is that of the caller.
	Address string
}

// Error returns one line for people.
func (e *AddressError) Error() string {
	return fmt.Sprintf("%s; nothing that this run has asked for was found at %s", e.Err, e.Address)
}

// Unwrap returns the failed request.
func (e *AddressError) Unwrap() error { return e.Err }
