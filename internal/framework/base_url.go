package framework

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// addressCheck is what the first plan that buys has found out about base_url.
type addressCheck struct {
	once  sync.Once
	wrong bool
}

// addressIsRight reports whether what a plan buys can be bought at base_url, as far as
// is known. The first plan of a run finds out, and tells it for all. An apply's plan
// does not: its plan did.
func (d *ProviderData) addressIsRight(ctx context.Context, req resource.ModifyPlanRequest, object string, diags *diag.Diagnostics) bool {
	if d.applies(req) {
		return true
	}
	d.address.once.Do(func() {
		if wrong := d.Client.WrongAddress(ctx); wrong != nil {
			d.address.wrong = true
			diags.Append(Failure{Verb: "Plan", Noun: "Purchase", Object: object}.Error(wrong))
		}
	})
	return !d.address.wrong
}

// applies: a CLI allows a deferral in applies alone; OpenTofu says nothing before the
// first change.
func (d *ProviderData) applies(req resource.ModifyPlanRequest) bool {
	return req.ClientCapabilities.DeferralAllowed || d.Applying()
}
