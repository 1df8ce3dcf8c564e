package acctest_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// purchaseKind is a type that buys: what its first configuration sends, and the
// change that buys it again.
type purchaseKind struct {
	address, route string
	config, again  core.Object
	unconfirmed    string // the summary of its warning
	ownID          bool   // the state has an id that no reply tells
	once           bool   // the service makes it once
}

func purchaseKinds(t *testing.T) []purchaseKind {
	t.Helper()
	subjects := acctest.Subjects(t)
	of := func(name, unconfirmed string) purchaseKind {
		subject := subjects[name]
		return purchaseKind{
			address:     name + ".x",
			route:       subject.Makes,
			config:      subject.With(nil),
			again:       core.Object{"triggers": core.Object{"round": "2"}},
			unconfirmed: unconfirmed,
		}
	}
	group := of("mediagen_generation_group", "Unconfirmed Prompts")
	prompts := func(take int64) core.Object {
		return core.Object{"prompts": core.Object{"a": core.Object{"prompt": "A", "take": take}}}
	}
	maps.Copy(group.config, prompts(1))
	group.again = prompts(2)
	face := of("mediagen_face_lora_training", "Face LoRA Training Unconfirmed")
	face.once = true
	regeneration := of("mediagen_dataset_image_regeneration", "Regeneration Unconfirmed")
	regeneration.ownID = true
	return []purchaseKind{
		group,
		of("mediagen_body_lora_training", "Body LoRA Training Unconfirmed"),
		face,
		of("mediagen_dataset", "Dataset Unconfirmed"),
		regeneration,
		of("mediagen_image", "Image Unconfirmed"),
	}
}

// purchase is one purchase in a scenario of its own.
type purchase struct {
	*acctest.Scenario
	purchaseKind
	isLogged bool
}

// happens applies the configuration, while something becomes of the request.
func (p purchase) happens(fault mockserver.Fault) *core.Result {
	p.T.Helper()
	fault.Route = p.route
	fault.Nth = 1
	p.Fault(fault)
	p.Resource(p.address, p.config)
	result := p.Apply()
	p.ClearFaults()
	return result
}

// wantSent checks how often the purchase was sent, and that the service has
// booked it no more often than that.
func (p purchase) wantSent(times int) {
	p.T.Helper()
	p.WantCount(p.T, p.route, times)
	check.True(p.T, "the ledger", len(p.Ledger().Entries) <= times, p.Ledger().Entries)
}

// wantUnconfirmed checks that the state is complete, and that it and the
// messages say that the purchase may have been made.
func (p purchase) wantUnconfirmed(said core.Diagnostics) {
	p.T.Helper()
	id, _ := p.Value(p.address, "id").(string)
	isMarked := p.ownID || strings.HasPrefix(id, "unconfirmed-")
	check.True(p.T, "unconfirmed, and not tainted", isMarked && !p.Tainted(p.address), p.State(p.address))
	check.Equal(p.T, "what was planned to be bought", p.Value(p.address, "purchases"), any(int64(1)))
	check.Equal(p.T, "warnings", len(said.Warnings().Find(p.unconfirmed)), 1)
}

// staysUnconfirmed checks that each later run says the same, and buys nothing.
func (p purchase) staysUnconfirmed() {
	p.T.Helper()
	for range 3 {
		plan := p.Plan().Must()
		plan.WantEmpty()
		p.wantUnconfirmed(plan.Diagnostics)
		p.ApplyPlan(plan).Must()
		p.wantSent(1)
	}
}

// settles checks that later runs have nothing to say, and buy nothing.
func (p purchase) settles(sent int) {
	p.T.Helper()
	for range 3 {
		plan := p.Plan().Must()
		plan.WantEmpty()
		p.WantSilent(plan.Diagnostics, "Unconfirmed")
		p.ApplyPlan(plan).Must()
		p.wantSent(sent)
	}
}

// buysAgain changes what a person changes to buy it again.
func (p purchase) buysAgain() {
	p.T.Helper()
	isMade := len(p.Ledger().Entries) > 0
	if p.once && isMade {
		return
	}
	time.Sleep(24 * time.Hour) // in the bubble: what may run by now has ended
	changed := maps.Clone(p.config)
	maps.Copy(changed, p.again)
	p.Resource(p.address, changed)
	p.WantSilent(p.Apply().Must().Diagnostics, p.unconfirmed)
	p.settles(2)
}

// wantBought checks that the state has what was bought.
func (p purchase) wantBought(said core.Diagnostics) {
	p.T.Helper()
	p.WantSilent(said, "Unconfirmed")
	id, _ := p.Value(p.address, "id").(string)
	isReal := id != "" && !strings.HasPrefix(id, "unconfirmed-")
	check.True(p.T, "bought, and not tainted", isReal && !p.Tainted(p.address), p.State(p.address))
	p.wantSent(1)
}

// purchaseOutcomes are what can become of the request of a purchase, and of its
// object from then on.
var purchaseOutcomes = map[string]func(purchase){
	"answered": func(p purchase) {
		p.wantBought(p.happens(mockserver.Fault{}).Must().Diagnostics)
		p.settles(1)
	},
	"reply lost": func(p purchase) {
		p.wantUnconfirmed(p.happens(mockserver.Fault{DropAfterWork: true}).Must().Diagnostics)
		p.staysUnconfirmed()
		p.buysAgain()
	},
	"reply cut": func(p purchase) {
		p.wantUnconfirmed(p.happens(mockserver.Fault{Truncate: -1}).Must().Diagnostics)
		p.staysUnconfirmed()
		p.buysAgain()
	},
	"not received": func(p purchase) {
		p.wantUnconfirmed(p.happens(mockserver.Fault{DropBefore: true}).Must().Diagnostics)
		p.staysUnconfirmed()
		p.buysAgain()
	},
	"interrupted": func(p purchase) {
		hold := make(chan struct{})
		defer close(hold)
		p.wantUnconfirmed(p.happens(mockserver.Fault{
			Hold:          hold,
			HoldAfterWork: true,
			Reached:       p.Interrupt,
		}).Diagnostics)
		p.staysUnconfirmed()
		p.buysAgain()
	},
	"guarded": func(p purchase) {
		p.wantBought(p.happens(mockserver.Fault{}).Must().Diagnostics)
		time.Sleep(24 * time.Hour) // in the bubble: what may run by now has ended
		p.Forget(p.address)        // the state is lost
		if !p.isLogged {
			return // nothing tells of it
		}
		for range 3 {
			p.WantWarning(p.Plan().Must().Diagnostics, anotherRun)
			p.WantError(p.Apply().Diagnostics, anotherRun)
			check.True(p.T, "it stays out of the state", p.State(p.address) == nil, p.State(p.address))
			p.wantSent(1)
		}
		p.buysAgain()
	},
	"refused": func(p purchase) {
		refusal := mockserver.Fault{Status: 402, Body: `{"error":"insufficient_credits","message":"no credits"}`}
		errors := p.happens(refusal).Diagnostics.Errors()
		check.True(p.T, "one error, and no state", len(errors) == 1 && p.State(p.address) == nil, errors)
		check.Equal(p.T, "what was booked", len(p.Ledger().Entries), 0)
		p.Apply().Must()
		p.settles(2)
	},
}

// Each paid type handles each outcome: what may have been bought is in a
// complete state, is told by every plan, and is bought again only when a person
// asks for it. Faults F4 and F39.
func TestPurchaseOutcomes(t *testing.T) {
	t.Parallel()
	for _, kind := range purchaseKinds(t) {
		for name, becomes := range purchaseOutcomes {
			for log, settings := range map[string]core.Object{
				"without a log": nil,
				"with a log":    {"purchase_log": filepath.Join(t.TempDir(), "purchases.jsonl")},
			} {
				t.Run(strings.Join([]string{kind.address, name, log}, " "), func(t *testing.T) {
					t.Parallel()
					acctest.Bubble(t, func(t *testing.T) {
						s := acctest.NewForSubjects(t).Scenario(t)
						s.Set(settings)
						becomes(purchase{
							Scenario:     s,
							purchaseKind: kind,
							isLogged:     settings != nil,
						})
					})
				})
			}
		}
	}
}
