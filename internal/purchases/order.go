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

// Order is a paid request whose reply is read as R: what the limits count of it,
// and its entry in the purchase log. It is bought once.
type Order[R any] struct {
	Purchase Purchase
	Entry    *Entry
	request  api.Paid[R]
	// note completes the entry by a reply, and returns how many of the order the
	// reply refuses.
	note func(said reply.Object, received R, refusal error) (refused int64)
	// refresh has the next reads read again what the order may have changed; nil
	// if that is nothing.
	refresh func(*evidence.Client)
}

// Buyer is what a paid type does with each outcome of its purchase: exactly one
// of these is called. They report what a person must know.
type Buyer[R any] interface {
	// Accepted stores the reply to an order that was sent at that time.
	Accepted(ctx context.Context, reply R, sent time.Time)
	// Unknown stores what may have been bought as unconfirmed, with a warning.
	// Of a reply that was cut off or broken, arrived is what could be read; it
	// is zero if nothing could.
	Unknown(ctx context.Context, arrived R, unconfirmed framework.Unconfirmed)
	// Refused is an error, unless something else has been bought: the order was
	// refused, or not sent.
	Refused(ctx context.Context, err error)
	// Guarded is an error, unless something else has been bought: another run
	// has bought the same, and nothing was sent.
	Guarded(ctx context.Context, found []Bought)
}

// Outcome is what has become of an Order.
type Outcome int

// How a purchase ends. Each paid type handles all of them: see Buyer.
const (
	// Accepted: the service has taken the order, and may have charged for it.
	Accepted Outcome = iota + 1
	// Guarded: the purchase log has it, of another run, and nothing was sent.
	Guarded
	// Refused: the service has refused the order, or it was not sent.
	Refused
	// Unknown: the service may have taken the order, which is not sent again.
	Unknown
)

// Answer is how an Order has ended.
type Answer[R any] struct {
	Outcome Outcome
	Reply   R        // of what is Unknown: what has arrived, zero if nothing has
	Found   []Bought // of what is guarded
	Err     error    // nil if Accepted
}

// Buy is the one way to buy: it sends an order, and hands its outcome to the
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

// Send sends an order, once, if the limits allow it, if nothing that lives in the
// purchase log has it, and if the log can be written. It is the only place that
// sends a paid request.
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

// notSent is the answer to an order that was not sent.
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

// send sends what the account has reserved and the log has written.
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

// take takes over the reply to an order, and gives back what it refuses.
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

// takeArrived takes over what could be read of a reply that was cut off or
// broken. What did not arrive may say otherwise, so it proves nothing of any
// prompt.
func (o Order[R]) takeArrived(p *Purchaser, arrived reply.Object) (received R) {
	if !arrived.Says() {
		return received
	}
	received, _, _ = o.receive(p, arrived)
	o.Entry.TooLarge = nil // what is too large may have been cut off within
	o.Entry.Rejected = nil
	if o.Entry.Certain != nil {
		o.Entry.Certain = new(false)
	}
	return received
}

// receive reads a reply, and completes the entry. The refusal is the error of a
// reply that says so.
func (o Order[R]) receive(p *Purchaser, said reply.Object) (received R, refused int64, refusal error) {
	o.Entry.Receipt = api.ReceiptOf(said)
	roundCredits(&o.Entry.Receipt)
	received, refusal = o.request.Read(p.Client.Endpoints(), said, &o.Entry.Receipt)
	return received, o.note(said, received, refusal), refusal
}
