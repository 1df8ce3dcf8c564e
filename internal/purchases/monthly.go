package purchases

import (
	"fmt"
	"math/big"
	"time"
)

// monthlyTerms limit the credits of a calendar month (UTC). A book orders all
// its writers, so that any number of concurrent runs spends the limit only
// once.
type monthlyTerms struct {
	most   *big.Rat // nil if there is no limit
	prices prices
}

func newMonthlyTerms(terms Terms) monthlyTerms {
	m := monthlyTerms{prices: prices{}}
	if terms.MaxCreditsPerMonth != nil {
		m.most = decimalOf(*terms.MaxCreditsPerMonth)
	}
	for kind, price := range terms.Prices {
		if price != nil {
			m.prices[kind] = decimalOf(*price)
		}
	}
	return m
}

// allow returns ErrMonth if a book already has too many credits in the entry's
// month.
func (m monthlyTerms) allow(b book, entry *Entry) error {
	if m.most == nil {
		return nil
	}
	kind, _ := kindOf(entry.Type)
	if entry.Cost == nil {
		return fmt.Errorf("%s %w: prices (MEDIAGEN_PRICES) has no %s", monthlyAttribute, ErrLimit, kind)
	}
	said := b.said()
	said.mutex.Lock()
	spent := new(big.Rat).Set(said.spent.in(monthOf(entry.Time)))
	said.mutex.Unlock()
	cost := decimalOf(*entry.Cost)
	if m.most.Sign() > 0 && new(big.Rat).Add(spent, cost).Cmp(m.most) <= 0 {
		return nil
	}
	left := new(big.Rat).Sub(m.most, spent)
	if left.Sign() < 0 {
		left = new(big.Rat)
	}
	return fmt.Errorf(
		"%s %w: it allows %s credits in a calendar month (UTC). By %s, %s has cost %s, so that %s are left, and this "+
			"would be %s more",
		monthlyAttribute,
		ErrMonth,
		Decimal(m.most),
		b.address(),
		monthOf(entry.Time),
		Decimal(spent),
		Decimal(left),
		Decimal(cost),
	)
}

// SpentThisMonth returns the cost of a time's month in the book with the
// highest cost, as far as the books were read.
func (l *Log) SpentThisMonth(now time.Time) *big.Rat {
	month := monthOf(timeOf(now))
	most := new(big.Rat)
	for _, b := range l.books {
		_ = b.recall() // Check returns the error
		said := b.said()
		said.mutex.Lock()
		spent := said.spent.in(month)
		if spent.Cmp(most) > 0 {
			most.Set(spent)
		}
		said.mutex.Unlock()
	}
	return most
}
