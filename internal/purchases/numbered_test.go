package purchases_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases/storetest"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// onShelf is a provider process whose log is in a store.
func onShelf(t testing.TB, s *storetest.Store, change ...func(*purchases.Config)) *purchases.Log {
	t.Helper()
	config := purchases.Config{
		Books:     []string{storetest.Address},
		OpenStore: s.Open,
		Caller:    buyer("org").caller,
		Clock:     wait.System,
	}
	for _, apply := range change {
		apply(&config)
	}
	log, err := purchases.NewLog(config)
	check.Must(t, err)
	t.Cleanup(log.Finish)
	return log
}

// What a store has guards as a file does: another machine refuses what this one
// has bought, whether its reply came or not.
func TestStore_guards(t *testing.T) {
	t.Parallel()
	for _, isAnswered := range []bool{true, false} {
		shelf := storetest.New()
		first := onShelf(t, shelf)
		ctx, _ := purchases.Collect(t.Context(), "object", nil)
		entry := batch("ch", "a")
		check.Must(t, first.Begin(ctx, entry))
		if isAnswered {
			first.End(entry, nil)
		}
		other := onShelf(t, shelf)
		other.Open(t.Context())
		check.Equal(t, "the plan is told", len(other.Find(batch("ch", "a"), "new").Guarded), 1)
		err := onShelf(t, shelf).Begin(ctx, batch("ch", "a"))
		_, isBought := errors.AsType[*purchases.BoughtError](err)
		check.True(t, "the apply refuses", isBought, err)
		check.Must(t, onShelf(t, shelf).Begin(ctx, batch("ch", "b")))
	}
}

// Of runs at once that buy the same, one wins, also where the cloud denies them to
// write what exists.
func TestStore_letsOneWin(t *testing.T) {
	t.Parallel()
	shelf := storetest.New()
	for round := range 40 {
		if round == 20 {
			shelf.Denies()
		}
		var bought atomic.Int64
		var runs sync.WaitGroup
		for range 3 {
			log := onShelf(t, shelf)
			runs.Go(func() {
				entry := batch("ch", fmt.Sprint("round ", round))
				err := log.Begin(t.Context(), entry)
				if err == nil {
					bought.Add(1)
					log.End(entry, nil)
				}
			})
		}
		runs.Wait()
		check.Equal(t, "how many buy", bought.Load(), 1)
	}
}

// Whatever a store does to calls, no two runs buy the same, what was bought is
// there, and a start that reads what objects carry knows what one knows that
// reads all. Fault F40.
func TestStore_survivesFaults(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		seed := rapid.Uint64().Draw(r, "seed")
		part := rapid.Float64Range(0, 0.5).Draw(r, "part")
		orders := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 12).Draw(r, "orders")
		synctest.Test(t, func(t *testing.T) {
			shelf := storetest.New()
			shelf.FailsAtRandom(seed, part)
			bought := map[string]int{}
			var mutex sync.Mutex
			var runs sync.WaitGroup
			for run := range 3 {
				log := onShelf(t, shelf)
				for i, order := range orders {
					if i%3 != run {
						continue
					}
					runs.Go(func() {
						entry := batch("ch", fmt.Sprint("prompt ", order))
						entry.Title = new(fmt.Sprint("run ", run))
						if log.Begin(t.Context(), entry) == nil {
							mutex.Lock()
							bought[fmt.Sprint(order)] |= 1 << run
							mutex.Unlock()
							log.End(entry, nil)
						}
					})
				}
			}
			runs.Wait()
			synctest.Wait()
			shelf.Fails(nil)
			for order, of := range bought {
				isOne := of == 1 || of == 2 || of == 4
				check.True(t, "one run buys "+order, isOne, of)
				found := onShelf(t, shelf)
				found.Open(t.Context())
				check.Equal(t, "it is found", len(found.Find(batch("ch", "prompt "+order), "new").Guarded) > 0, true)
			}
		})
	})
}

// A store that ignores the precondition is found out before anything is bought,
// and what it has is not changed. That a plan has read it is no proof.
func TestStore_isProven(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(*storetest.Store){
		"new":  func(*storetest.Store) {},
		"used": func(s *storetest.Store) { check.Must(t, onShelf(t, s).Begin(t.Context(), batch("ch", "z"))) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shelf := storetest.New()
			before(shelf)
			shelf.Lies()
			log := onShelf(t, shelf)
			log.Open(t.Context())
			err := log.Begin(t.Context(), batch("ch", "a"))
			isFoundOut := errors.Is(err, purchases.ErrLog) && strings.Contains(err.Error(), "overwrites")
			check.True(t, "nothing is bought", isFoundOut, err)
			check.True(t, "no line says so", !strings.Contains(shelf.Text(), purchases.SumOf("a")))
		})
	}
}

// A store that is down, or hangs, ends a purchase within 30 seconds of the
// apply's beginning, and an interrupt at once. A state waits for it 3 seconds,
// and nothing waits for a note.
func TestStore_isDown(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]func(*storetest.Store){
		"down":  func(s *storetest.Store) { s.FailsAlways(storetest.Down) },
		"hangs": func(s *storetest.Store) { s.FailsAlways(storetest.Hang) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				shelf := storetest.New()
				bought := onShelf(t, shelf)
				entry := batch("ch", "a")
				check.Must(t, bought.Begin(t.Context(), entry))
				breaks(shelf)

				begun := time.Now()
				bought.End(entry, nil)
				check.True(t, "a state waits 3 seconds", time.Since(begun) <= 3*time.Second, time.Since(begun))
				check.Equal(t, "the line is told", len(bought.Unwritten()), 1)
				check.Equal(t, "once", len(bought.Unwritten()), 0)
				begun = time.Now()
				for range 100 {
					bought.End(entry, nil)
				}
				check.True(t, "and not at each state", time.Since(begun) <= 30*time.Second, time.Since(begun))

				begun = time.Now()
				apply := onShelf(t, shelf)
				apply.Open(t.Context())
				check.Equal(t, "nothing is known", len(apply.Refuse(t.Context(), batch("ch", "b"))), 0)
				err := apply.Begin(t.Context(), batch("ch", "b"))
				check.True(t, "an error", errors.Is(err, purchases.ErrLog), err)
				check.True(t, "within 30 seconds", time.Since(begun) <= 30*time.Second, time.Since(begun))

				interrupted, interrupt := context.WithCancel(t.Context())
				begun = time.Now()
				time.AfterFunc(time.Second, interrupt)
				err = onShelf(t, shelf).Begin(interrupted, batch("ch", "b"))
				check.True(
					t,
					"an interrupt",
					wait.IsCanceled(err) && time.Since(begun) == time.Second,
					err,
					time.Since(begun),
				)

				plan := onShelf(t, shelf)
				plan.Open(t.Context())
				begun = time.Now()
				plan.Open(t.Context())
				found := plan.Find(batch("ch", "a"), "new")
				plan.Want(found, nil)
				check.Equal(t, "nobody waits twice", time.Since(begun), 0)
				_, isOfStore := errors.AsType[*purchases.StoreError](plan.Check())
				check.True(t, "the plan is told", isOfStore, plan.Check())
			})
		})
	}
}

// Who may only list and read plans without a word, and buys nothing.
func TestStore_mayOnlyBeRead(t *testing.T) {
	t.Parallel()
	shelf := storetest.New()
	check.Must(t, onShelf(t, shelf).Begin(t.Context(), batch("ch", "a")))
	before := shelf.Text()
	shelf.FailsAlways(storetest.Denied, storetest.Create)
	plan := onShelf(t, shelf)
	plan.Open(t.Context())
	found := plan.Find(batch("ch", "a"), "new")
	plan.Want(found, nil)
	plan.Finish()
	check.Must(t, plan.Check())
	check.Equal(t, "what is found", len(found.Guarded), 1)
	check.Equal(t, "what is told", len(plan.Unwritten()), 0)
	err := onShelf(t, shelf).Begin(t.Context(), batch("ch", "b"))
	check.True(t, "nothing is bought", errors.Is(err, purchases.ErrDenied), err)
	shelf.FailsAlways(storetest.Denied)
	plan = onShelf(t, shelf)
	plan.Open(t.Context())
	check.True(t, "no right at all is told", errors.Is(plan.Check(), purchases.ErrDenied), plan.Check())
	check.Equal(t, "what the store has", shelf.Text(), before)
}

// Lines that wait go into one object, and each purchase takes one request before
// it and one after.
func TestStore_isFrugal(t *testing.T) {
	t.Parallel()
	shelf := storetest.New()
	log := onShelf(t, shelf)
	log.Open(t.Context())
	buys(t, log, "object", batch("ch", "a"), nil)
	creates := shelf.Calls(storetest.Create)
	for i := range 10 {
		buys(t, log, fmt.Sprint("object ", i), batch("ch", fmt.Sprint("key ", i)), nil)
	}
	check.Equal(t, "requests of ten purchases", shelf.Calls(storetest.Create)-creates, 20)
	check.Equal(t, "reads", [2]int{shelf.Calls(storetest.Read), shelf.Calls(storetest.Newest)}, [2]int{0, 1})
}

// A file moves into a store as its first object, and guards there.
func TestStore_beginsWithAFile(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	buys(t, newRun(t, "org", path), "object", batch("ch", "a"), nil)
	content, err := os.ReadFile(path)
	check.Must(t, err)
	shelf := storetest.New()
	shelf.Put(1, content)
	err = onShelf(t, shelf).Begin(t.Context(), batch("ch", "a"))
	_, isBought := errors.AsType[*purchases.BoughtError](err)
	check.True(t, "it guards", isBought, err)
	listed, err := onShelf(t, shelf).Recorded(t.Context(), storetest.Address)
	check.Must(t, err)
	check.Equal(t, "it is listed", len(listed), 1)
	shelf.Put(2, append([]byte("\xff\xfe"), content...))
	err = onShelf(t, shelf).Begin(t.Context(), batch("ch", "b"))
	check.True(
		t,
		"what cannot be read is told",
		err != nil && strings.Contains(err.Error(), "object 2 is encoded"),
		err,
	)
}
