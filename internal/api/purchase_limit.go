package api

import (
	"errors"
	"fmt"
	"sync"
)

// ErrPurchaseLimit says that a purchase was refused before it was sent, because
// of Config.MaxPurchases.
var ErrPurchaseLimit = errors.New("the purchase limit max_purchases does not allow this purchase")

// purchaseLimit counts the prompts and trainings that one client has bought, may
// have bought, or is about to.
type purchaseLimit struct {
	limit *int64
	began string

	mutex sync.Mutex
	taken int64
}

// take counts a purchase before it is sent, whole or not at all.
func (l *purchaseLimit) take(count int64) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.limit != nil && l.taken+count > *l.limit {
		return fmt.Errorf("%w: it allows %d (prompts and trainings together), this run, which began at %s, has or may have bought %d, and this would be %d more",
			ErrPurchaseLimit, *l.limit, l.began, l.taken, count)
	}
	l.taken += count
	return nil
}

// giveBack undoes take for what is known not to have been bought.
func (l *purchaseLimit) giveBack(count int64) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.taken -= count
}

// MaxPurchases is how many prompts and trainings this client may buy; nil is no
// limit.
func (c *Client) MaxPurchases() *int64 { return c.purchases.limit }

// Began is when the run began whose purchases are counted.
func (c *Client) Began() string { return c.began }

// Purchased is how many prompts and trainings this client has bought, may have
// bought, or is buying.
func (c *Client) Purchased() int64 {
	c.purchases.mutex.Lock()
	defer c.purchases.mutex.Unlock()
	return c.purchases.taken
}
