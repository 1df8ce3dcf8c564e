package api

import (
	"context"
	"errors"
	"fmt"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ErrSpendLimit says that a purchase was refused before it was sent, because
// of Config.MaxCredits.
var ErrSpendLimit = errors.New("the spend limit max_credits does not allow this purchase")

// budget is the spend limit of one client. While there is a limit, purchases
// go one at a time: the next one must see what the last one cost.
type budget struct {
	limit *float64
	began string
	mutex wait.ContextMutex

	// Guarded by mutex:
	spent   float64
	balance *float64
	// doubt is why it is not known what was spent, nil if it is.
	doubt error
}

func newBudget(limit *float64, began string) *budget {
	return &budget{limit: limit, began: began}
}

// enter lets the next purchase through if the spend limit allows it; leave lets
// in the one after it.
func (b *budget) enter(ctx context.Context) (leave func(), err error) {
	if b.limit == nil {
		return func() {}, nil
	}
	if err := b.mutex.Lock(ctx); err != nil {
		return nil, err
	}
	if err := b.allows(); err != nil {
		b.mutex.Unlock()
		return nil, err
	}
	return b.mutex.Unlock, nil
}

func (b *budget) allows() error {
	switch {
	case b.doubt != nil:
		return fmt.Errorf("%w: %w", ErrSpendLimit, b.doubt)
	case b.spent >= *b.limit:
		return fmt.Errorf("%w: %g of %g credits are spent in this run, which began at %s", ErrSpendLimit, b.spent, *b.limit, b.began)
	default:
		return nil
	}
}

// book counts what a purchase cost: what the service says was deducted, else
// what is missing from the balance.
func (b *budget) book(reply transport.Object, err error) {
	if b.limit == nil {
		return
	}
	if IsOutcomeUnknown(err) {
		b.doubt = errors.New("it is unknown whether an earlier purchase of this run was made")
		return
	}
	if err != nil {
		return
	}
	price, balance := reply.Number("credits_deducted"), reply.Number("remaining_balance")
	if price == nil && balance != nil && b.balance != nil {
		difference := *b.balance - *balance
		price = &difference
	}
	if price == nil {
		b.doubt = errors.New("the service did not say what an earlier purchase of this run cost")
	} else {
		b.spent += max(*price, 0)
	}
	if balance != nil {
		b.balance = balance
	}
}
