package work

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// buy buys the work. It refuses if another run has bought the work and no state
// is known to have it. If buy returns an error, nothing was bought as far as
// the service says.
func (p *piece[W]) buy(ctx context.Context) (diags diag.Diagnostics) {
	order := p.order()
	if p.data.RefuseGuarded(ctx, order.Entry, p.guarded, &diags) {
		return diags
	}
	diags.Append(p.kind.refuseStart(p.own, ctx)...)
	if !diags.HasError() {
		purchases.Buy(ctx, &p.data.Purchaser, order, &purchase[W]{p, &diags})
	}
	return diags
}

// purchase is the purchase of a piece of work.
type purchase[W any] struct {
	*piece[W]

	diags *diag.Diagnostics
}

var _ purchases.Buyer[*api.Receipt] = (*purchase[*training])(nil)

// Accepted stores the receipt. If the work needs a job and the receipt names
// none, the work is unconfirmed.
func (p *purchase[W]) Accepted(ctx context.Context, receipt *api.Receipt, sent time.Time) {
	p.kind.accepted(p.own, receipt, sent)
	p.diags.Append(
		purchases.OddReceipt(
			p.object(),
			receipt.CreditsDeducted,
			receipt.Assumed,
			receipt.TooLarge,
			p.summary,
		)...)
	if p.jobID() == "" {
		p.Unknown(ctx, nil, framework.Unconfirmed{Sent: sent, Reason: namesNoJob(receipt)})
	}
}

// Unknown records a start whose effect is not known, under an id of the
// provider's. A reply that was cut off may have arrived in part.
func (p *purchase[W]) Unknown(ctx context.Context, arrived *api.Receipt, unconfirmed framework.Unconfirmed) {
	p.ID = framework.UnconfirmedID()
	p.kind.unknown(p.own, ctx, arrived, unconfirmed)
	p.diags.Append(p.kind.isUnconfirmed(p.own))
}

// Refused is an error: nothing was started.
func (p *purchase[W]) Refused(_ context.Context, err error) {
	p.diags.Append(p.notStarted(p.start, p.noun, err))
}

// Guarded is an error: another run has bought the work since this run asked the
// purchase log.
func (p *purchase[W]) Guarded(_ context.Context, found []purchases.Bought) {
	p.diags.Append(p.guarded(found).Error())
}
