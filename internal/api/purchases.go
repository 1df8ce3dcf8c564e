package api

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ErrPurchaseLimit says that a purchase was refused before it was sent, because
// of Config.MaxPurchases or Config.MaxCredits.
var ErrPurchaseLimit = errors.New("does not allow this purchase")

// What can be bought, by the names in Config.Prices.
const (
	KindGeneration = "generation"
	KindTraining   = "training"
	KindDataset    = "dataset"
)

// Purchase is a number of prompts, trainings or datasets.
type Purchase struct {
	Kind  string
	Count int64
}

// Limit is how much may be bought through one client. Its amounts are exact
// decimals: three times 0.1 is not more than 0.3.
type Limit struct {
	// Attribute is the provider's, and Unit what it counts.
	Attribute, Unit string
	// Most is nil if there is no limit, and 0 if nothing may be bought.
	Most *big.Rat
	// prices are what one prompt, training or dataset counts, by kind.
	prices map[string]*big.Rat
	// used is what was bought, may have been bought, or is being bought.
	used *big.Rat
}

// HasPrice reports whether the limit can count such purchases.
func (l *Limit) HasPrice(kind string) bool { return l.prices[kind] != nil }

// Cost is what a purchase counts; 0 without a price.
func (l *Limit) Cost(purchase Purchase) *big.Rat {
	cost := new(big.Rat)
	if price := l.prices[purchase.Kind]; price != nil {
		cost.Mul(price, cost.SetInt64(purchase.Count))
	}
	return cost
}

// Allows reports whether so much may be bought.
func (l *Limit) Allows(sum *big.Rat) bool {
	return l.Most == nil || l.Most.Sign() > 0 && sum.Cmp(l.Most) <= 0
}

// Decimal writes an amount.
func Decimal(amount *big.Rat) string {
	digits, _ := amount.FloatPrec()
	return amount.FloatString(digits)
}

// exactly returns the decimal that a number was written as.
func exactly(number float64) *big.Rat {
	amount, _ := new(big.Rat).SetString(strconv.FormatFloat(number, 'g', -1, 64))
	return amount
}

// purchases are what one client has bought, may have bought, or is buying.
type purchases struct {
	began string
	// turn is held during a purchase while credits are limited: the next one must
	// see what the last one cost.
	turn wait.ContextMutex

	// mutex guards what the limits have used.
	mutex          sync.Mutex
	count, credits Limit
}

func (p *purchases) configure(config Config, began string) {
	p.began = began
	p.count = Limit{
		Attribute: "max_purchases", Unit: "prompts, trainings and datasets", used: new(big.Rat),
		prices: map[string]*big.Rat{KindGeneration: big.NewRat(1, 1), KindTraining: big.NewRat(1, 1), KindDataset: big.NewRat(1, 1)},
	}
	p.credits = Limit{Attribute: "max_credits", Unit: "credits, by your prices", used: new(big.Rat), prices: map[string]*big.Rat{}}
	if config.MaxPurchases != nil {
		p.count.Most = new(big.Rat).SetInt64(*config.MaxPurchases)
	}
	if config.MaxCredits != nil {
		p.credits.Most = exactly(*config.MaxCredits)
	}
	for kind, price := range config.Prices {
		if price != nil {
			p.credits.prices[kind] = exactly(*price)
		}
	}
}

func (p *purchases) limits() []*Limit { return []*Limit{&p.count, &p.credits} }

// receiver takes over the reply to a purchase, also into its log entry, and returns
// how many of it the service has refused.
type receiver func(reply transport.Object) (refused int64)

// buy sends a paid request, if the limits allow it and the purchase log has an
// entry of it. What it should have cost is nil without a price.
func (c *Client) buy(ctx context.Context, paid *transport.Request, purchase Purchase, entry *logEntry, receive receiver) (assumed *float64, err error) {
	unsent := func(err error) error { return &Error{Operation: paid.Operation(), Err: err} }
	p := &c.purchases
	if p.credits.Most != nil {
		if err := p.turn.Lock(ctx); err != nil {
			return nil, unsent(err)
		}
		defer p.turn.Unlock()
	}
	if err := p.begin(purchase); err != nil {
		return nil, unsent(err)
	}
	if err := c.log.announce(entry); err != nil {
		p.release(purchase)
		return nil, unsent(err)
	}
	reply, err := c.do(ctx, paid)
	switch {
	case err == nil:
		refused := Purchase{purchase.Kind, receive(reply)}
		p.release(refused)
		assumed = p.charge(Purchase{purchase.Kind, purchase.Count - refused.Count}, entry.CreditsDeducted)
	case !IsOutcomeUnknown(err):
		p.release(purchase)
	}
	c.log.settle(entry, err)
	return assumed, err
}

// begin counts a purchase before it is sent, whole or not at all.
func (p *purchases) begin(purchase Purchase) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, limit := range p.limits() {
		cost := limit.Cost(purchase)
		switch {
		case limit.Most == nil:
		case !limit.HasPrice(purchase.Kind):
			return fmt.Errorf("%s %w: prices (MEDIAGEN_PRICES) has no %s", limit.Attribute, ErrPurchaseLimit, purchase.Kind)
		case !limit.Allows(new(big.Rat).Add(limit.used, cost)):
			return fmt.Errorf("%s %w: counted in %s, it allows %s, this run, which began at %s, has or may have bought %s, and this would be %s more",
				limit.Attribute, ErrPurchaseLimit, limit.Unit, Decimal(limit.Most), p.began, Decimal(limit.used), Decimal(cost))
		}
	}
	for _, limit := range p.limits() {
		limit.used.Add(limit.used, limit.Cost(purchase))
	}
	return nil
}

// release gives back what is known not to have been bought.
func (p *purchases) release(purchase Purchase) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, limit := range p.limits() {
		limit.used.Sub(limit.used, limit.Cost(purchase))
	}
}

// charge counts what a purchase was dearer than its price, and returns that.
func (p *purchases) charge(purchase Purchase, deducted *float64) (assumed *float64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	cost := p.credits.Cost(purchase)
	if deducted != nil {
		if more := new(big.Rat).Sub(exactly(*deducted), cost); more.Sign() > 0 {
			p.credits.used.Add(p.credits.used, more)
		}
	}
	if p.credits.HasPrice(purchase.Kind) {
		price, _ := cost.Float64()
		assumed = &price
	}
	return assumed
}

// Limits are those that are set.
func (c *Client) Limits() (limits []*Limit) {
	for _, limit := range c.purchases.limits() {
		if limit.Most != nil {
			limits = append(limits, limit)
		}
	}
	return limits
}

// Began is when the run began whose purchases are counted.
func (c *Client) Began() string { return c.purchases.began }

// Bought is what this client has bought, may have bought, or is buying, as a limit
// counts it.
func (c *Client) Bought(limit *Limit) *big.Rat {
	c.purchases.mutex.Lock()
	defer c.purchases.mutex.Unlock()
	return new(big.Rat).Set(limit.used)
}
