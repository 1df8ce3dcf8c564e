package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// buy sends a paid request for so many prompts or trainings, if the limits allow
// it and the purchase log has a line of it. The line after it is the caller's if
// there is a reply: it knows what that says.
func (c *Client) buy(ctx context.Context, paid *transport.Request, count int64, line *logLine) (transport.Object, error) {
	refused := func(err error) (transport.Object, error) { return nil, &Error{Operation: paid.Operation(), Err: err} }
	leave, err := c.budget.enter(ctx)
	if err != nil {
		return refused(err)
	}
	defer leave()
	if err := c.purchases.take(count); err != nil {
		return refused(err)
	}
	if err := c.log.announce(line); err != nil {
		c.purchases.giveBack(count)
		return refused(err)
	}
	reply, err := c.do(ctx, paid)
	c.budget.book(reply, err)
	if err != nil {
		if !IsOutcomeUnknown(err) {
			c.purchases.giveBack(count)
		}
		c.log.settle(line, err)
		return nil, err
	}
	return reply, nil
}
