package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Receipt is what the service says of a purchase as a whole.
type Receipt = purchases.Receipt

// Account is what this client has bought, and may buy.
func (c *Client) Account() *purchases.Account { return c.account }

// PurchaseLog is where this client writes down what it buys and deletes.
func (c *Client) PurchaseLog() *purchases.Log { return c.log }

// order is a paid request, what it counts as, and its entry in the purchase log.
type order struct {
	request  *transport.Request
	purchase purchases.Purchase
	entry    *purchases.Entry
}

// buy sends a paid request, if the limits allow it, no open entry of the
// purchase log has it, and the log has an entry of it, which takes its receipt.
// receive, if any, takes over more of the reply, and returns how many of the
// purchase the service has refused. Of an unknown outcome they get what has
// arrived of the reply.
func (c *Client) buy(ctx context.Context, o order, receive func(reply.Object) (refused int64)) error {
	unsent := func(err error) error {
		return &reply.Error{Sent: reply.Request{Operation: o.request.Operation()}, Err: err}
	}
	end, err := c.account.Turn(ctx)
	if err != nil {
		return unsent(err)
	}
	defer end()
	if err := c.account.Reserve(o.purchase); err != nil {
		return unsent(err)
	}
	if err := c.log.Begin(ctx, o.entry); err != nil {
		c.account.Release(o.purchase)
		return unsent(err)
	}
	said, err := c.do(ctx, o.request)
	switch {
	case err == nil:
		c.charge(o, said, receive)
	case reply.IsEffectUnknown(err):
		o.receiveArrived(reply.ErrorOf(err).Said.Arrived, receive)
		c.account.Charge(o.purchase, o.entry.CreditsDeducted)
	default:
		c.account.Release(o.purchase)
	}
	c.log.End(o.entry, err)
	return err
}

// charge takes over the receipt of what was accepted.
func (c *Client) charge(o order, said reply.Object, receive func(reply.Object) (refused int64)) {
	o.entry.Receipt = receiptOf(said)
	o.entry.TooLarge = said.TooLarge("estimated_time", "credits_deducted", "remaining_balance")
	if receive != nil {
		refused := receive(said)
		c.account.Release(purchases.Purchase{Kind: o.purchase.Kind, Count: refused})
		o.purchase.Count -= refused
	}
	o.entry.Assumed = c.account.Charge(o.purchase, o.entry.CreditsDeducted)
}
