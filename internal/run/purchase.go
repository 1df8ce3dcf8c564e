package run

import (
	"context"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// Buyer is what a paid type does with each outcome of its purchase: exactly one
// of these is called. They report what a person must know.
type Buyer[R any] interface {
	// Accepted stores the reply to an order that was sent at that time.
	Accepted(ctx context.Context, reply R, sent time.Time)
	// Unknown stores what may have been bought as unconfirmed, with a warning.
	// Of a reply that was cut off or broken, arrived is what could be read; it
	// is zero if nothing could.
	Unknown(ctx context.Context, arrived R, unconfirmed Unconfirmed)
	// Refused is an error, unless something else has been bought: the order was
	// refused, or not sent.
	Refused(ctx context.Context, err error)
	// Guarded is an error, unless something else has been bought: another run
	// has bought the same, and nothing was sent.
	Guarded(ctx context.Context, found []purchases.Bought)
}

// Buy is the one way to buy: it sends an order, and hands its outcome to the
// buyer.
func Buy[R any](ctx context.Context, d *ProviderData, order api.Order[R], buyer Buyer[R]) api.Outcome {
	sent := d.Clock.Now()
	answer := api.Buy(ctx, d.Client, order)
	switch answer.Outcome {
	case api.Accepted:
		buyer.Accepted(ctx, answer.Reply, sent)
	case api.Unknown:
		buyer.Unknown(ctx, answer.Reply, NewUnconfirmed(sent, answer.Err))
	case api.Refused:
		buyer.Refused(ctx, answer.Err)
	case api.Guarded:
		buyer.Guarded(ctx, answer.Found)
	}
	return answer.Outcome
}
