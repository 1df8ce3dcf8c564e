package acctest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases/storetest"
)

// nthCall is a fault of the nth call of a kind, and of no other.
func nthCall(kind storetest.Call, nth int, fault storetest.Fault) func(storetest.Call) storetest.Fault {
	return func(call storetest.Call) storetest.Fault {
		if call != kind {
			return storetest.None
		}
		nth--
		if nth == 0 {
			return fault
		}
		return storetest.None
	}
}

// A call that fails once changes nothing: one purchase is made, and no word is
// lost about it. Fault F40.
func TestStores_oneFault(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]storetest.Fault{
		"lost reply": storetest.LostReply, "lost request": storetest.LostRequest, "409": storetest.Conflict,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, call := range []storetest.Call{storetest.Create, storetest.Read, storetest.Newest} {
				for nth := range 5 {
					k := newKilling(t, nil).inStore()
					k.log.Store.Fails(nthCall(call, nth+1, fault))
					k.groupAt(killedGroup, nil)
					result := k.Apply().Must()
					k.WantSilent(result.Diagnostics, "Purchase Log")
					k.settles()
					k.wantBought(1, 0, 0)
				}
			}
		})
	}
}

// With a store that overwrites nothing is bought, also where a plan has read it.
// Fault F40.
func TestStores_overwrites(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil).inStore()
	k.groupAt(killedGroup, nil)
	k.settles()
	k.groupAt(otherGroup, core.Object{"title": "Others"})
	k.log.Store.Lies()
	k.Plan().Must()
	found := k.Apply().Diagnostics
	k.WantError(found, "Unable to Submit", "overwrites what exists", "it was not sent")
	k.wantBought(1, 0, 0)
}

// Who may list and read plans without a word, and who may do nothing is told once.
// Neither buys. Fault F40.
func TestStores_rights(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil).inStore()
	k.groupAt(killedGroup, nil)
	k.groupAt(otherGroup, core.Object{"title": "Others"})
	k.log.Store.FailsAlways(storetest.Denied, storetest.Create)
	plan := k.Plan().Must()
	check.Equal(t, "what a plan says", len(plan.Diagnostics), 0)
	k.log.Store.FailsAlways(storetest.Denied)
	k.WantWarning(k.Plan().Must().Diagnostics, "Purchase Log Cannot Be Read", "list, to read")
	check.Equal(t, "errors of an apply", len(k.Apply().Diagnostics.Errors()), 2)
	k.wantBought(0, 0, 0)
	k.log.Store.Fails(nil)
	k.settles()
	k.wantBought(2, 0, 0)
}

// A store that is down, or hangs, keeps an apply from buying within 30 seconds. One
// that goes down after the request costs a warning and at most 4 seconds: the
// state has the ids, and the next plan ends the doubt. Fault F40.
func TestStores_down(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]storetest.Fault{"down": storetest.Down, "hangs": storetest.Hang} {
		t.Run(name+" before", func(t *testing.T) {
			t.Parallel()
			acctest.Bubble(t, func(t *testing.T) {
				k := newKilling(t, nil).inStore()
				k.groupAt(killedGroup, nil)
				saved := k.Plan().Must()
				k.log.Store.FailsAlways(fault)
				begun := time.Now()
				k.WantWarning(k.Plan().Must().Diagnostics, "Purchase Log Cannot Be Read")
				check.True(t, "a plan", time.Since(begun) < 10*time.Second, time.Since(begun))
				begun = time.Now()
				k.WantError(
					k.ApplyPlan(saved).Diagnostics,
					"Unable to Submit",
					"in time",
					"it was not sent",
				)
				check.True(t, "an apply", time.Since(begun) <= 30*time.Second, time.Since(begun))
				k.wantBought(0, 0, 0)
			})
		})
		t.Run(name+", and Ctrl-C", func(t *testing.T) {
			t.Parallel()
			acctest.Bubble(t, func(t *testing.T) {
				k := newKilling(t, nil).inStore()
				k.groupAt(killedGroup, nil)
				k.log.Store.FailsAlways(fault)
				for _, after := range []time.Duration{time.Second, 10 * time.Second} { // in the plan, in the apply
					interrupted, interrupt := context.WithCancel(t.Context())
					time.AfterFunc(after, interrupt)
					begun := time.Now()
					k.ApplyContext(interrupted)
					took := time.Since(begun)
					check.True(t, "within 3 seconds", took <= after+3*time.Second, took)
				}
				k.wantBought(0, 0, 0)
			})
		})
		t.Run(name+" after", func(t *testing.T) {
			t.Parallel()
			acctest.Bubble(t, func(t *testing.T) {
				k := newKilling(t, nil).inStore()
				k.groupAt(killedGroup, core.Object{"wait_for_completion": false})
				k.Fault(mockserver.Fault{
					Route:   mockserver.RouteBatch,
					Nth:     1,
					Reached: func() { k.log.Store.FailsAlways(fault) },
				})
				begun := time.Now()
				result := k.Apply().Must()
				check.True(t, "at most 4 seconds", time.Since(begun) <= 4*time.Second, time.Since(begun))
				k.WantWarning(result.Diagnostics, "Purchase Log Is Incomplete", `"outcome":"answered"`, "gen_000001")
				k.Want(killedGroup, core.Object{`generations["a"].id`: "gen_000001"})
				k.ClearFaults()
				k.log.Store.Fails(nil)
				k.settles()
				check.Contains(t, "the log", k.log.Text(), `"outcome":"stored"`)
				k.wantBought(1, 0, 0)
			})
		})
	}
}

// Three aliases, two states, two jobs and a laptop spend the credits of a month
// once, by the log of the environment, whatever log their states have. What is
// refused says how much is left, and the next month begins at midnight UTC. Fault
// F42.
func TestStores_month(t *testing.T) {
	t.Parallel()
	s := acctest.NewRepeatable(t)
	s.AddAda()
	s.NewStoreBook()
	s.Environment["MEDIAGEN_PURCHASE_LOG"] = storetest.Address
	s.Environment["MEDIAGEN_MAX_CREDITS_PER_MONTH"] = "3"
	s.Environment["MEDIAGEN_PRICES"] = `{"generation": 1}`
	s.Clock.Advance(time.Date(2026, 1, 31, 23, 0, 0, 0, time.UTC).Sub(s.Clock.Now()))
	var all []*killing
	for i := range 6 {
		k := &killing{Scenario: s.Scenario(t), log: acctest.NewFileBook(t)}
		k.set(core.Object{"max_credits_per_month": 100.0}) // it cannot be lifted
		k.groupAt(killedGroup, core.Object{"title": fmt.Sprint("state ", i), "wait_for_completion": false})
		all = append(all, k)
	}
	spend := func() (refusals int) {
		var mutex sync.Mutex
		var runs sync.WaitGroup
		for _, k := range all {
			if len(k.Addresses()) > 0 {
				continue
			}
			runs.Go(func() {
				found := k.Apply().Diagnostics.Errors().String()
				mutex.Lock()
				defer mutex.Unlock()
				isTold := strings.Contains(found, "max_credits_per_month") && strings.Contains(found, "3")
				check.True(t, "a refusal is told", found == "" || isTold, found)
				if found != "" {
					refusals++
				}
			})
		}
		runs.Wait()
		return refusals
	}
	check.Equal(t, "refused in this month", spend(), 3)
	check.Equal(t, "refused again", spend(), 3)
	check.Equal(t, "bought", len(s.Ledger().Entries), 3)
	for _, k := range all {
		if len(k.Addresses()) == 0 {
			k.WantError(
				k.Plan().Diagnostics,
				"Purchase Limit Exceeded",
				"has 3 as spent in this month",
				"max_credits_per_month",
			)
		}
	}
	s.Clock.Advance(time.Hour)
	check.Equal(t, "refused in the next month", spend(), 0)
	check.Equal(t, "bought", len(s.Ledger().Entries), 6)
}

// A limit of the month needs a log. Fault F42.
func TestStores_monthWithoutLog(t *testing.T) {
	t.Parallel()
	s := acctest.NewScenario(t)
	s.Set(core.Object{"max_credits_per_month": 3.0})
	s.Resource(killedGroup, core.Object{"character_id": "ada", "prompts": core.Object{"a": core.Object{"prompt": "A"}}})
	s.WantMessage(s.Plan().Diagnostics, "max_credits_per_month", "only a log knows what the month has cost")
	check.Equal(t, "requests", len(s.Requests("")), 0)
}
