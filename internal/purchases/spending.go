package purchases

import (
	"math/big"
	"slices"
)

// spending is the cost of each month in credits, according to a book. A
// purchase counts in the month in which it was sent, by UTC: before its answer
// at its price, and then at the deducted amount, if the answer tells it.
type spending struct {
	prices prices
	months map[string]*big.Rat // by year and month, as in "2026-11"
	open   map[string]charge   // by request; the amount may still change
}

type charge struct {
	month string
	cost  *big.Rat
}

// prices are the credits for one prompt, image, training or dataset, by kind.
type prices map[string]*big.Rat

func newSpending(prices prices) spending {
	return spending{
		prices: prices,
		months: map[string]*big.Rat{},
		open:   map[string]charge{},
	}
}

// monthOf returns the month of a time in RFC 3339 and UTC.
func monthOf(time string) string { return time[:min(len(time), len("2026-11"))] }

// in returns the cost of a month.
func (s *spending) in(month string) *big.Rat {
	if s.months[month] == nil {
		s.months[month] = new(big.Rat)
	}
	return s.months[month]
}

func (s *spending) take(entry *Entry) {
	if !slices.Contains(bought, entry.Type) {
		return
	}
	sent, isOpen := s.open[entry.Request]
	switch {
	case entry.Outcome == outcomeSending && !isOpen:
		sent = charge{monthOf(entry.Time), s.costOf(entry)}
		s.open[entry.Request] = sent
		s.in(sent.month).Add(s.in(sent.month), sent.cost)
		return
	case !isOpen || !slices.Contains(endings, entry.Outcome):
		return
	}
	delete(s.open, entry.Request)
	month := s.in(sent.month)
	month.Sub(month, sent.cost)
	month.Add(month, costOnceEnded(entry, sent.cost))
}

// costOf returns the expected cost of a purchase. An entry that was written
// without a cost counts at the reader's prices.
func (s *spending) costOf(sending *Entry) *big.Rat {
	if sending.Cost != nil {
		return decimalOf(*sending.Cost)
	}
	kind, isBatch := kindOf(sending.Type)
	cost := new(big.Rat)
	if price := s.prices[kind]; price != nil {
		cost.Set(price)
	}
	if isBatch {
		cost.Mul(cost, new(big.Rat).SetInt64(int64(len(sending.Prompts))))
	}
	return cost
}

// kindOf returns the kind of an entry type's purchase, by its name in
// Terms.Prices.
func kindOf(entryType string) (kind string, isBatch bool) {
	switch entryType {
	case "batch":
		return KindGeneration, true
	case "image_regeneration":
		return KindImage, false
	default:
		return entryType, false
	}
}

// costOnceEnded returns the actual cost of a purchase. An uncertain purchase
// counts at its price, or at more if the service has said so.
func costOnceEnded(ending *Entry, before *big.Rat) *big.Rat {
	if ending.Outcome == outcomeRefused || ending.Outcome == outcomeUnsent {
		return new(big.Rat)
	}
	cost := before
	if ending.Cost != nil {
		cost = decimalOf(*ending.Cost)
	}
	if ending.CreditsDeducted == nil {
		return cost
	}
	deducted := decimalOf(*ending.CreditsDeducted)
	isCertain := ending.Outcome == outcomeAnswered && deducted.Sign() >= 0
	if !isCertain && deducted.Cmp(cost) < 0 {
		return cost
	}
	return deducted
}
