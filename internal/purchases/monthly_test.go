package purchases_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases/storetest"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

// withMonth limits what a month may cost.
func withMonth(credits float64, clock *waittest.Clock) func(*purchases.Config) {
	return func(config *purchases.Config) {
		config.Terms = purchases.Terms{
			MaxCreditsPerMonth: &credits,
			Prices:             map[string]*float64{purchases.KindGeneration: new(1.0)},
		}
		config.Clock = clock
	}
}

// priced is an order of a prompt that costs one credit.
func priced(key any) *purchases.Entry {
	entry := batch("ch")
	entry.Prompts["a"] = purchases.SumOf(key)
	entry.Cost = new(1.0)
	return entry
}

// So many runs at once as you like spend the credits of a month once, whatever
// becomes of their requests, and the next month begins at midnight UTC. Fault
// F42.
func TestMonth_isSpentOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		most := float64(rapid.IntRange(0, 8).Draw(r, "most"))
		ends := rapid.SliceOfN(
			rapid.SampledFrom([]string{"answered", "dearer", "cheaper", "refused", "unknown", "killed"}),
			12,
			12,
		).
			Draw(r, "ends")
		seed := rapid.Uint64().Draw(r, "seed")
		shelf := storetest.New()
		clock := waittest.NewClock(time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC))
		for month := range 2 {
			spent := new(big.Rat)
			var mutex sync.Mutex
			var runs sync.WaitGroup
			for i, end := range ends {
				log := onShelf(t, shelf, withMonth(most, clock))
				runs.Go(func() {
					entry := priced([]any{seed, month, i})
					err := log.Begin(t.Context(), entry)
					if err != nil {
						isRefused := errors.Is(err, purchases.ErrMonth) && strings.Contains(err.Error(), "are left")
						check.True(t, "it says how much is left", isRefused, err)
						return
					}
					cost := endAs(log, entry, end)
					mutex.Lock()
					spent.Add(spent, cost)
					mutex.Unlock()
				})
			}
			runs.Wait()
			dearer := 0
			for _, end := range ends {
				if end == "dearer" {
					dearer++
				}
			}
			bound := new(big.Rat).SetFloat64(most + float64(dearer)) // what a service deducts beyond the prices
			check.True(t, "the month holds", spent.Cmp(bound) <= 0, spent, most)
			log := onShelf(t, shelf, withMonth(most, clock))
			log.Open(t.Context())
			check.Equal(t, "what the log says", log.SpentThisMonth(clock.Now()).FloatString(1), spent.FloatString(1))
			clock.Advance(time.Second)
		}
	})
}

// endAs ends a request, and returns what it has cost.
func endAs(log *purchases.Log, entry *purchases.Entry, end string) *big.Rat {
	switch end {
	case "killed":
		return big.NewRat(1, 1)
	case "refused":
		log.End(entry, refused)
		return new(big.Rat)
	case "unknown":
		log.End(entry, unknown)
		return big.NewRat(1, 1)
	case "dearer":
		entry.CreditsDeducted = new(2.0)
	case "cheaper":
		entry.CreditsDeducted = new(0.5)
	}
	log.End(entry, nil)
	if entry.CreditsDeducted == nil {
		return big.NewRat(1, 1)
	}
	return new(big.Rat).SetFloat64(*entry.CreditsDeducted)
}

// The month counts in each book that is set. Lines of who has no prices count by
// ours, and a refusal writes nothing.
func TestMonth_countsInEachBook(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	shelf := storetest.New()
	clock := waittest.NewClock(time.Now())
	both := func(config *purchases.Config) { config.Books = []string{path, storetest.Address} }
	unpriced := onShelf(t, shelf)
	entry := priced("another state's")
	entry.Cost = nil
	check.Must(t, unpriced.Begin(t.Context(), entry))
	unpriced.End(entry, &reply.Error{Proves: reply.Proof{Effect: reply.EffectUnknown}})

	log := onShelf(t, shelf, withMonth(2, clock), both)
	check.Must(t, log.Begin(t.Context(), priced("a")))
	err := log.Begin(t.Context(), priced("b"))
	check.True(t, "the store's month is spent", errors.Is(err, purchases.ErrMonth), err)
	check.True(t, "the file has taken it back", strings.Contains(readFile(t, path), `"unsent"`))
	fewer := onShelf(t, storetest.New(), withMonth(2, clock), both)
	check.Must(t, fewer.Begin(t.Context(), priced("b")))
	err = fewer.Begin(t.Context(), priced("c"))
	check.True(t, "the file's month is spent", errors.Is(err, purchases.ErrMonth), err)
	refused := fmt.Sprint(err)
	for _, part := range []string{"max_credits_per_month", path, "allows 2 credits", "0 are left", "1 more"} {
		check.True(t, "it says "+part, strings.Contains(refused, part), refused)
	}
}
