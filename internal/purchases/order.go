package purchases

import (
	"context"
	"errors"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Order is a paid request, with its count for the limits and its entry in the
// purchase log. Its reply is read as an R. An order is bought once.
type Order[R any] struct {
	Purchase Purchase
	Entry    *Entry
	request  api.Paid[R]
	// note completes the entry from a reply. It returns the number of the order's
	// purchases that the reply refuses.
	note func(said reply.Object, received R, refusal error) (refused int64)
	// refresh makes later reads read again everything that the order may have
	// changed; nil if the order changes nothing that is remembered.
	refresh func(*evidence.Client)
}

// Buyer handles the outcome of a purchase for one paid type. Exactly one of the
// methods is called. Each reports what a person must know.
type Buyer[R any] interface {
	// Accepted stores the reply to an order that was sent at the given time.
	Accepted(ctx context.Context, received R, sent time.Time)
	// Unknown stores the possible purchase as unconfirmed, with a warning. arrived
	// is the readable part of a reply that was cut off or broken; it is zero if
	// nothing could be read.
	Unknown(ctx context.Context, arrived R, unconfirmed framework.Unconfirmed)
	// Refused reports that the order was refused or not sent. It adds an error,
	// unless a different order has been bought.
	Refused(ctx context.Context, err error)
	// Guarded reports that another run has bought the same, and that nothing was
	// sent. It adds an error, unless a different order has been bought.
	Guarded(ctx context.Context, found []Bought)
}

// Outcome says how an Order has ended.
type Outcome int

// The outcomes of a purchase. Each paid type handles all of them: see Buyer.
const (
	// Accepted: the service has taken the order, and may have charged for it.
	Accepted Outcome = iota + 1
	// Guarded: the purchase log has an equal order of another run. Nothing was
	// sent.
	Guarded
	// Refused: the service has refused the order, or the order was not sent.
	Refused
	// Unknown: the service may have taken the order. The order is not sent again.
	Unknown
)

// Answer is the result of an Order.
type Answer[R any] struct {
	Outcome Outcome
	Reply   R        // if Unknown, the part that has arrived; zero if nothing has
	Found   []Bought // the equal purchases, if Guarded
	Err     error    // nil if Accepted
}

// Buy is the only way to buy. It sends an order, and passes the outcome to the
// buyer.
func Buy[R any](ctx context.Context, p *Purchaser, order Order[R], buyer Buyer[R]) Outcome {
	sent := p.Clock.Now()
	answer := Send(ctx, p, order)
	switch answer.Outcome {
	case Accepted:
		buyer.Accepted(ctx, answer.Reply, sent)
	case Unknown:
		buyer.Unknown(ctx, answer.Reply, framework.NewUnconfirmed(sent, answer.Err))
	case Refused:
		buyer.Refused(ctx, answer.Err)
	case Guarded:
		buyer.Guarded(ctx, answer.Found)
	}
	return answer.Outcome
}

// Send sends an order once. It sends nothing if a limit forbids the purchase,
// if an equal purchase lives in the purchase log, or if the log cannot be
// written. No other function sends a paid request.
func Send[R any](ctx context.Context, p *Purchaser, order Order[R]) Answer[R] {
	if order.refresh != nil {
		defer order.refresh(p.Client)
	}
	end, err := p.account.Turn(ctx)
	if err != nil {
		return order.notSent(err)
	}
	defer end()
	err = p.account.Reserve(order.Purchase)
	if err != nil {
		return order.notSent(err)
	}
	order.Entry.Cost = p.account.Price(order.Purchase)
	err = p.log.Begin(ctx, order.Entry)
	if err != nil {
		p.account.Release(order.Purchase)
		return order.notSent(err)
	}
	answer := order.send(ctx, p)
	p.log.End(order.Entry, answer.Err)
	return answer
}

// notSent returns the answer to an order that was not sent.
func (o Order[R]) notSent(err error) Answer[R] {
	answer := Answer[R]{
		Outcome: Refused,
		Err:     &reply.Error{Sent: reply.Request{Operation: o.request.Operation()}, Err: err},
	}
	bought, isBought := errors.AsType[*BoughtError](err)
	if isBought {
		answer.Outcome = Guarded
		answer.Found = bought.Found
	}
	return answer
}

// send sends an order that the account has reserved and the log has written.
func (o Order[R]) send(ctx context.Context, p *Purchaser) Answer[R] {
	said, err := o.request.Send(ctx, p.Client.Endpoints())
	switch {
	case err == nil:
		return o.take(p, said)
	case reply.IsEffectUnknown(err):
		arrived := o.takeArrived(p, reply.ErrorOf(err).Said.Arrived)
		p.account.Charge(o.Purchase, o.Entry.CreditsDeducted)
		return Answer[R]{
			Outcome: Unknown,
			Reply:   arrived,
			Err:     err,
		}
	default:
		p.account.Release(o.Purchase)
		return Answer[R]{Outcome: Refused, Err: err}
	}
}

// take takes over the reply to an order, and releases the refused part of the
// reservation.
func (o Order[R]) take(p *Purchaser, said reply.Object) Answer[R] {
	received, refused, refusal := o.receive(p, said)
	p.account.Release(Purchase{Kind: o.Purchase.Kind, Count: refused})
	o.Purchase.Count -= refused
	o.Entry.Assumed = p.account.Charge(o.Purchase, o.Entry.CreditsDeducted)
	o.Entry.Cost = o.Entry.Assumed
	if refusal != nil {
		return Answer[R]{Outcome: Refused, Err: refusal}
	}
	return Answer[R]{Outcome: Accepted, Reply: received}
}

// takeArrived takes over the readable part of a reply that was cut off or
// broken. The missing part may contradict it, so the readable part proves
// nothing about any prompt.
func (o Order[R]) takeArrived(p *Purchaser, arrived reply.Object) (received R) {
	if !arrived.Says() {
		return received
	}
	received, _, _ = o.receive(p, arrived)
	o.Entry.TooLarge = nil // a number that was cut off may seem too large
	o.Entry.Rejected = nil
	if o.Entry.Certain != nil {
		o.Entry.Certain = new(false)
	}
	return received
}

// receive reads a reply, and completes the entry. refusal is the error of a
// reply that refuses the whole order.
func (o Order[R]) receive(p *Purchaser, said reply.Object) (received R, refused int64, refusal error) {
	o.Entry.Receipt = api.ReceiptOf(said)
	roundCredits(&o.Entry.Receipt)
	received, refusal = o.request.Read(p.Client.Endpoints(), said, &o.Entry.Receipt)
	return received, o.note(said, received, refusal), refusal
}
