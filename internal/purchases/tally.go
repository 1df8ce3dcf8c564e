package purchases

import (
	"context"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Tally is the number and cost of the purchases that an object has been planned
// to make in its life. It is an upper bound. It depends only on configuration,
// prior state and prices. A plan therefore knows the tally if it knows what it
// buys, and a budget can fail the plan.
type Tally struct {
	Purchases types.Int64  `tfsdk:"purchases"`
	Cost      types.Number `tfsdk:"cost"` // an exact decimal: a budget of 0.3 allows three times 0.1
}

// UnknownTally is the tally of a plan that does not know what it buys, or what
// its object's predecessor has bought.
func UnknownTally() Tally { return Tally{types.Int64Unknown(), types.NumberUnknown()} }

// TallyAttributes returns the attributes of a Tally. counted names the
// purchases in the plural ("prompts"); kind is their kind.
func TallyAttributes(counted, kind string) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"purchases": schema.Int64Attribute{
			Computed: true,
			MarkdownDescription: "Number of " + counted + " that this resource has bought, and those in this plan. " +
				"Limit it with a postcondition. `0` after an import.",
		},
		"cost": schema.NumberAttribute{
			Computed: true,
			MarkdownDescription: "Cost of `purchases` in credits, by the provider's `prices`. Null if `prices` lacks " +
				"`" + kind + "`. The service may have deducted less.",
		},
	}
}

// Tally returns a tally with more purchases. The cost grows by their number
// times the price of their kind, in exact decimals. If the cost was null for
// want of a price, all earlier purchases cost the present price.
func (p *Purchaser) Tally(before Tally, more Purchase) Tally {
	count := before.Purchases.ValueInt64()
	after := Tally{types.Int64Value(count + more.Count), types.NumberUnknown()}
	if !p.Known() {
		return after
	}
	spent := new(big.Rat)
	if before.Cost.IsNull() {
		more.Count += count
	} else {
		spent.SetString(before.Cost.ValueBigFloat().Text('f', -1))
	}
	after.Cost = types.NumberNull()
	if cost, priced := p.account.Cost(more); priced {
		decimal, _, _ := big.ParseFloat(Decimal(spent.Add(spent, cost)), 10, 512, big.ToNearestEven)
		after.Cost = types.NumberValue(decimal)
	}
	return after
}

// Set sets the attributes of the tally in a plan or a state.
func (t Tally) Set(ctx context.Context, set func(context.Context, path.Path, any) diag.Diagnostics) diag.Diagnostics {
	diags := set(ctx, path.Root("purchases"), t.Purchases)
	return append(diags, set(ctx, path.Root("cost"), t.Cost)...)
}
