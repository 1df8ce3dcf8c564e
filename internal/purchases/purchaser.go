package purchases

import (
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Purchaser buys for one run: it holds what the plans of the run announce, what
// the limits allow, and the log that guards what other runs have bought. Buy
// sends each paid request through it.
type Purchaser struct {
	Client *evidence.Client // nil while the provider's configuration has unknown values
	Limits []*Limit         // that are set, for plans while Client is nil
	Clock  wait.Clock
	// Labels are those of all that is bought, where an object has no other.
	Labels map[string]string
	// Progress tells a plan from an apply: see framework.Command.
	Progress framework.Progress

	terms   Terms
	account *Account
	log     *Log
	planned plannedPurchases // see PlanPurchase
	imports atomic.Bool      // see Imports
}

// Connect gives the purchaser the client that it buys with, and the books that
// it writes to. It sends nothing, and opens no book.
func (p *Purchaser) Connect(client *evidence.Client, config Config) error {
	config.Caller = client.Caller
	config.Clock = p.Clock
	log, err := NewLog(config)
	if err != nil {
		return err
	}
	p.Client = client
	p.terms = config.Terms
	p.log = log
	p.begin()
	return nil
}

// Succeed begins the next run of a process: with the same client, limits and
// books, and nothing bought or planned yet.
func (p *Purchaser) Succeed(last *Purchaser) {
	p.Limits = last.Limits
	p.Clock = last.Clock
	p.Labels = last.Labels
	if !last.Known() {
		return
	}
	p.Client = last.Client.Anew()
	p.terms = last.terms
	p.log = last.log
	p.log.Anew()
	p.begin()
}

// begin begins to count what a run buys.
func (p *Purchaser) begin() {
	p.account = NewAccount(p.terms, p.Clock.Now().UTC().Format(time.RFC3339))
}

// Known reports whether requests can be sent: the provider's configuration is
// known.
func (p *Purchaser) Known() bool { return p != nil && p.Client != nil }

// Account is what this run has bought, and may buy.
func (p *Purchaser) Account() *Account { return p.account }

// Log is where purchases and deletions are written down.
func (p *Purchaser) Log() *Log { return p.log }

// CommandOf returns the command that a plan belongs to.
func (p *Purchaser) CommandOf(req resource.ModifyPlanRequest) framework.Command {
	return p.Progress.Command(req.ClientCapabilities.DeferralAllowed)
}
