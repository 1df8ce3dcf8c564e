package purchases

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// The kinds of purchases, by their names in Terms.Prices.
const (
	KindGeneration = "generation"
	KindTraining   = "training"
	KindDataset    = "dataset"
	KindImage      = "image" // made or regenerated separately
)

const monthlyAttribute = "max_credits_per_month"

// kinds are all kinds. If max_purchases is set, it refuses any other kind.
var kinds = []string{KindGeneration, KindTraining, KindDataset, KindImage}

// Purchase is a number of prompts, trainings, datasets or images.
type Purchase struct {
	Kind  string
	Count int64
}

// Terms are the limits on purchases, and their prices.
type Terms struct {
	// MaxCredits limits the credits that may be spent. MaxPurchases limits the
	// number of prompts, trainings, datasets and images that may be bought. nil
	// is no limit, 0 buys nothing.
	MaxCredits   *float64
	MaxPurchases *int64
	// MaxCreditsPerMonth limits the credits of a calendar month (UTC), as
	// recorded in the log.
	MaxCreditsPerMonth *float64
	// Prices are the credits for one prompt, image, training or dataset, by
	// kind. MaxCredits needs the price of each kind that is bought. nil is not
	// known.
	Prices map[string]*float64
}

// Limit is the largest amount that an account may buy. It counts in exact
// decimals: three times 0.1 is not more than 0.3.
type Limit struct {
	Attribute string              // the provider's attribute
	Unit      string              // the unit that the limit counts
	Most      *big.Rat            // nil if there is no limit, and 0 if nothing may be bought
	IsOfMonth bool                // the log's purchases of the month count, too
	prices    map[string]*big.Rat // the amount that one purchase counts, by kind
	used      *big.Rat            // the amount that was bought, may have been bought, or is being bought
}

// HasPrice reports whether the limit can count purchases of the kind.
func (l *Limit) HasPrice(kind string) bool { return l.prices[kind] != nil }

// Cost returns the amount that a purchase counts; 0 without a price.
func (l *Limit) Cost(purchase Purchase) *big.Rat {
	cost := new(big.Rat)
	if price := l.prices[purchase.Kind]; price != nil {
		cost.Mul(price, cost.SetInt64(purchase.Count))
	}
	return cost
}

// Allows reports whether the sum is within the limit.
func (l *Limit) Allows(sum *big.Rat) bool {
	return l.Most == nil || l.Most.Sign() > 0 && sum.Cmp(l.Most) <= 0
}

// Account counts what a run has bought, may have bought, or is buying.
type Account struct {
	began string
	// turn is held by a purchase while credits are limited: the next purchase
	// must know the cost of this one.
	turn *semaphore.Weighted

	mutex          sync.Mutex // guards the used amounts of the limits
	count, credits Limit
	month          Limit // the log checks purchases against it
}

// NewAccount returns the account of a run that began at the given time.
func NewAccount(terms Terms, began string) *Account {
	one := big.NewRat(1, 1)
	a := &Account{began: began, turn: semaphore.NewWeighted(1)}
	a.count = Limit{
		Attribute: "max_purchases",
		Unit:      "prompts, trainings, datasets and images",
		used:      new(big.Rat),
		prices:    map[string]*big.Rat{},
	}
	for _, kind := range kinds {
		a.count.prices[kind] = one
	}
	a.credits = Limit{
		Attribute: "max_credits",
		Unit:      "credits, by your prices",
		used:      new(big.Rat),
		prices:    map[string]*big.Rat{},
	}
	if terms.MaxPurchases != nil {
		a.count.Most = new(big.Rat).SetInt64(*terms.MaxPurchases)
	}
	if terms.MaxCredits != nil {
		a.credits.Most = decimalOf(*terms.MaxCredits)
	}
	for kind, price := range terms.Prices {
		if price != nil {
			a.credits.prices[kind] = decimalOf(*price)
		}
	}
	a.month = Limit{
		Attribute: monthlyAttribute,
		Unit:      "credits of the calendar month, by your prices",
		IsOfMonth: true,
		used:      new(big.Rat),
		prices:    a.credits.prices,
	}
	if terms.MaxCreditsPerMonth != nil {
		a.month.Most = decimalOf(*terms.MaxCreditsPerMonth)
	}
	return a
}

// own returns the limits of this run.
func (a *Account) own() []*Limit { return []*Limit{&a.count, &a.credits} }

// Limits returns the limits that are set.
func (a *Account) Limits() []*Limit {
	return slices.DeleteFunc(append(a.own(), &a.month), func(limit *Limit) bool { return limit.Most == nil })
}

// Cost returns the cost of purchases by Terms.Prices, and whether they have a
// price.
func (a *Account) Cost(purchase Purchase) (cost *big.Rat, priced bool) {
	return a.credits.Cost(purchase), a.credits.HasPrice(purchase.Kind)
}

// Price returns the cost of purchases by Terms.Prices; nil without a price.
func (a *Account) Price(purchase Purchase) *float64 {
	cost, isPriced := a.Cost(purchase)
	if !isPriced {
		return nil
	}
	price, _ := cost.Float64()
	return &price
}

// Turn waits until a purchase may begin. While credits are limited, purchases
// take turns, one at a time. end ends the turn.
func (a *Account) Turn(ctx context.Context) (end func(), err error) {
	if a.credits.Most == nil && a.month.Most == nil {
		return func() {}, nil
	}
	if a.turn.Acquire(ctx, 1) != nil {
		return nil, wait.Ended(ctx)
	}
	return func() { a.turn.Release(1) }, nil
}

// Reserve counts a purchase before its request is sent, as a whole or not at
// all.
func (a *Account) Reserve(purchase Purchase) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, limit := range a.own() {
		cost := limit.Cost(purchase)
		switch {
		case limit.Most == nil:
		case !limit.HasPrice(purchase.Kind):
			return fmt.Errorf("%s %w: prices (MEDIAGEN_PRICES) has no %s", limit.Attribute, ErrLimit, purchase.Kind)
		case !limit.Allows(new(big.Rat).Add(limit.used, cost)):
			return fmt.Errorf("%s %w: counted in %s, it allows %s, this run, which began at %s, has or may have "+
				"bought %s, and this would be %s more",
				limit.Attribute, ErrLimit, limit.Unit, Decimal(limit.Most), a.began, Decimal(limit.used), Decimal(cost))
		}
	}
	for _, limit := range a.own() {
		limit.used.Add(limit.used, limit.Cost(purchase))
	}
	return nil
}

// Release takes back the count of a purchase that certainly was not made.
func (a *Account) Release(purchase Purchase) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, limit := range a.own() {
		limit.used.Sub(limit.used, limit.Cost(purchase))
	}
}

// Charge counts the amount by which a purchase was dearer than its price, and
// returns the price.
func (a *Account) Charge(purchase Purchase, deducted *float64) (assumed *float64) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	cost := a.credits.Cost(purchase)
	price, _ := cost.Float64()
	if deducted != nil && IsDearer(*deducted, price) { // variant: no-credits
		more := new(big.Rat).Sub(decimalOf(*deducted), cost)
		a.credits.used.Add(a.credits.used, more)
	}
	return a.Price(purchase)
}
