package api

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var (
	// ErrSpendLimit says that a purchase was refused before it was sent, because
	// of Config.MaxCredits.
	ErrSpendLimit = errors.New("the spend limit max_credits does not allow this purchase")
	// ErrPurchaseLimit says the same of Config.MaxPurchases.
	ErrPurchaseLimit = errors.New("the purchase limit max_purchases does not allow this purchase")
)

// purchases are what one client has bought, may have bought, or is buying.
type purchases struct {
	maxCredits *float64
	maxCount   *int64
	began      string
	// turn is held during a purchase while there is a spend limit: the next one
	// must see what the last one cost.
	turn wait.ContextMutex

	mutex sync.Mutex
	// count is that of the prompts and trainings, spent that of the credits.
	count   int64
	spent   float64
	balance *float64
	// uncounted is why it is not known what was spent, nil if it is.
	uncounted error
}

// buy sends a paid request for so many prompts or trainings, if the limits allow
// it and the purchase log has an entry of it. The entry after it is the caller's
// if there is a reply: it knows what that says.
func (c *Client) buy(ctx context.Context, paid *transport.Request, count int64, entry *logEntry) (transport.Object, error) {
	refused := func(err error) (transport.Object, error) { return nil, &Error{Operation: paid.Operation(), Err: err} }
	if c.purchases.maxCredits != nil {
		if err := c.purchases.turn.Lock(ctx); err != nil {
			return refused(err)
		}
		defer c.purchases.turn.Unlock()
	}
	if err := c.purchases.begin(count); err != nil {
		return refused(err)
	}
	if err := c.log.announce(entry); err != nil {
		c.purchases.end(count, nil, err)
		return refused(err)
	}
	reply, err := c.do(ctx, paid)
	c.purchases.end(count, reply, err)
	if err != nil {
		c.log.settle(entry, err)
		return nil, err
	}
	return reply, nil
}

// begin counts a purchase before it is sent, whole or not at all.
func (p *purchases) begin(count int64) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch {
	case p.maxCredits != nil && p.uncounted != nil:
		return fmt.Errorf("%w: %w", ErrSpendLimit, p.uncounted)
	case p.maxCredits != nil && p.spent >= *p.maxCredits:
		return fmt.Errorf("%w: %g of %g credits are spent in this run, which began at %s", ErrSpendLimit, p.spent, *p.maxCredits, p.began)
	case p.maxCount != nil && p.count+count > *p.maxCount:
		return fmt.Errorf("%w: it allows %d (prompts and trainings together), this run, which began at %s, has or may have bought %d, and this would be %d more",
			ErrPurchaseLimit, *p.maxCount, p.began, p.count, count)
	}
	p.count += count
	return nil
}

// end counts what a purchase cost: what the service says was deducted, else what
// is missing from the balance. What is known not to have been bought is not
// counted any more.
func (p *purchases) end(count int64, reply transport.Object, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if IsOutcomeUnknown(err) {
		p.uncounted = errors.New("it is unknown whether an earlier purchase of this run was made")
		return
	}
	if err != nil {
		p.count -= count
		return
	}
	price, balance := reply.Number("credits_deducted"), reply.Number("remaining_balance")
	if price == nil && balance != nil && p.balance != nil {
		price = new(*p.balance - *balance)
	}
	if price == nil {
		p.uncounted = errors.New("the service did not say what an earlier purchase of this run cost")
	} else {
		p.spent += max(*price, 0)
	}
	if balance != nil {
		p.balance = balance
	}
}

// MaxPurchases is how many prompts and trainings this client may buy; nil is no
// limit.
func (c *Client) MaxPurchases() *int64 { return c.purchases.maxCount }

// Began is when the run began whose purchases are counted.
func (c *Client) Began() string { return c.purchases.began }

// Purchased is how many prompts and trainings this client has bought, may have
// bought, or is buying.
func (c *Client) Purchased() int64 {
	c.purchases.mutex.Lock()
	defer c.purchases.mutex.Unlock()
	return c.purchases.count
}
