package purchases

import (
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Purchaser buys for one run. It holds the purchases that the run's plans
// announce, the limits, and the log that guards the purchases of other runs.
// Buy sends each paid request through it.
type Purchaser struct {
	Client *evidence.Client // nil while the provider's configuration has unknown values
	Limits []*Limit         // the limits that are set, for plans while Client is nil
	Clock  wait.Clock
	// Labels apply to every purchase, unless the object has a label with the same
	// key.
	Labels map[string]string
	// Progress distinguishes a plan from an apply: see framework.Command.
	Progress framework.Progress

	terms   Terms
	account *Account
	log     *Log
	planned plannedPurchases // see PlanPurchase
	imports atomic.Bool      // see Imports
}

// Connect gives the purchaser its client and the books that it writes to. It
// sends nothing, and opens no book.
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

// Succeed begins the next run of a process. The new run has the same client,
// limits and books as the last run, and has bought and planned nothing yet.
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

// begin starts the account of a run.
func (p *Purchaser) begin() {
	p.account = NewAccount(p.terms, p.Clock.Now().UTC().Format(time.RFC3339))
}

// Known reports whether requests can be sent, because the provider's
// configuration is known.
func (p *Purchaser) Known() bool { return p != nil && p.Client != nil }

// Account returns the purchases and limits of this run.
func (p *Purchaser) Account() *Account { return p.account }

// Log returns the log that records purchases and deletions.
func (p *Purchaser) Log() *Log { return p.log }

// CommandOf returns the command that a plan belongs to.
func (p *Purchaser) CommandOf(req resource.ModifyPlanRequest) framework.Command {
	return p.Progress.Command(req.ClientCapabilities.DeferralAllowed)
}
