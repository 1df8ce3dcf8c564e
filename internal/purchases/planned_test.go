package purchases_test

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"

	"fmt"
	"math/big"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

func planned(kind, holder string, count int64, object string) purchases.PlannedPurchase {
	return purchases.PlannedPurchase{
		Purchase: purchases.Purchase{Kind: kind, Count: count},
		Holder:   holder,
		Object:   object,
	}
}

// Every create counts, however alike; an object that has a name counts once,
// with what it planned last: a replacement carries its predecessor's. Fault
// F28.
func TestPlannedPurchasesAreThoseOfEachObject(t *testing.T) {
	t.Parallel()
	type object struct {
		kind, holder string
		count        int64
	}
	const generation = purchases.KindGeneration
	for name, test := range map[string]struct {
		plans []object
		sum   int64
	}{
		"two creates":             {[]object{{generation, "", 2}, {generation, "", 2}}, 4},
		"nothing":                 {[]object{{generation, "", 0}}, 0},
		"two types":               {[]object{{generation, "", 2}, {purchases.KindTraining, "", 1}}, 3},
		"two updates":             {[]object{{generation, "a", 1}, {generation, "b", 1}}, 2},
		"an update, its apply":    {[]object{{generation, "a", 3}, {generation, "a", 3}}, 3},
		"a replacement":           {[]object{{generation, "a", 1}, {generation, "a", 3}}, 3},
		"a replacement with less": {[]object{{generation, "a", 3}, {generation, "a", 1}, {generation, "", 2}}, 3},
		"a replacement, a create": {[]object{{generation, "a", 1}, {generation, "", 2}, {generation, "a", 3}}, 5},
	} {
		for _, limit := range []int64{test.sum, test.sum - 1} {
			if limit < 0 {
				continue
			}
			data := buysUnder(t, purchases.Terms{MaxPurchases: &limit})
			diags := diag.Diagnostics{}
			for _, p := range test.plans {
				data.PlanPurchase(
					t.Context(),
					resource.ModifyPlanRequest{},
					planned(p.kind, p.holder, p.count, "object"),
					&diags,
				)
			}
			check.True(t, name, diags.HasError() == (limit < test.sum), limit, diags)
		}
	}
}

// buysUnder is a purchaser under these terms.
func buysUnder(t *testing.T, terms purchases.Terms) *purchases.Purchaser {
	t.Helper()
	config := evidence.Config{}
	config.BaseURL = &url.URL{}
	config.AccessToken = "static"
	purchaser := &purchases.Purchaser{Clock: wait.System}
	check.Must(t, purchaser.Connect(evidence.New(config), purchases.Config{Terms: terms}))
	return purchaser
}

// One error a limit says what was planned so far, and names the dearest.
func TestPlannedPurchasesAreRefusedOnce(t *testing.T) {
	t.Parallel()
	prices := map[string]*float64{purchases.KindGeneration: new(2.5), purchases.KindTraining: new(100.0)}
	diags := diag.Diagnostics{}
	data := buysUnder(t, purchases.Terms{MaxPurchases: new(int64(40)), MaxCredits: new(250.0), Prices: prices})
	data.PlanPurchase(
		t.Context(),
		resource.ModifyPlanRequest{},
		planned(purchases.KindTraining, "", 1, "training"),
		&diags,
	)
	for i := range 50 {
		data.PlanPurchase(
			t.Context(),
			resource.ModifyPlanRequest{},
			planned(purchases.KindGeneration, "", int64(1+i%2), fmt.Sprint("group ", i)),
			&diags,
		)
	}
	if len(diags) != 2 {
		t.Fatalf("%d errors, want one a limit: %v", len(diags), diags)
	}
	purchases := diags[0].Detail()
	spent := diags[1].Detail()
	check.Contains(
		t,
		"of purchases",
		purchases,
		"The configuration buys 41 so far; max_purchases allows 40.",
		"- 2: group 1\n",
		"- and 23 more objects",
	)
	check.Contains(
		t,
		"of credits",
		spent,
		"The configuration buys 62 for 252.5 credits so far; max_credits allows 250.",
		"- 100: training\n- 5: group 1\n- 5: group 3\n- 5: group 5\n- 5: group 7\n- and 37 more objects",
		"a plan without the limit shows the whole sum",
	)
}

// What has no price is told once a kind.
func TestMissingPriceIsToldOnce(t *testing.T) {
	t.Parallel()
	data := buysUnder(t, purchases.Terms{MaxCredits: new(250.0)})
	diags := diag.Diagnostics{}
	for _, kind := range []string{purchases.KindGeneration, purchases.KindTraining, purchases.KindGeneration} {
		data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(kind, "", 1, "object"), &diags)
	}
	check.Equal(t, "errors", len(diags), 2)
}

func TestNoLimitPlansAnything(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	for _, data := range []*purchases.Purchaser{nil, {}, buysUnder(t, purchases.Terms{})} {
		data.PlanPurchase(
			t.Context(),
			resource.ModifyPlanRequest{},
			planned(purchases.KindGeneration, "", 1_000, "object"),
			&diags,
		)
		data.WarnOfUnwrittenEntries(&diags)
	}
	check.True(t, "no message", len(diags) == 0, diags)
}

func TestPurchasesPlannedAtOnceAllCount(t *testing.T) {
	t.Parallel()
	const objects, limit = 100, int64(60)
	data := buysUnder(t, purchases.Terms{MaxPurchases: new(limit)})
	refused := atomic.Int64{}
	check.Times(objects, func(i int) {
		var diags diag.Diagnostics
		data.PlanPurchase(
			t.Context(),
			resource.ModifyPlanRequest{},
			planned(purchases.KindGeneration, "", 1, fmt.Sprint("object ", i)),
			&diags,
		)
		for _, refusal := range diags {
			refused.Add(1)
			check.Contains(t, "the first beyond the limit", refusal.Detail(), fmt.Sprintf("buys %d so far", limit+1))
		}
	})
	check.Equal(t, "refusals", refused.Load(), 1)
}

// A cost is the exact decimal of what has a price; what was bought without one
// costs today's.
func TestTally(t *testing.T) {
	t.Parallel()
	decimal := func(text string) types.Number {
		number, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		check.Must(t, err)
		return types.NumberValue(number)
	}
	none := types.NumberNull()
	for name, test := range map[string]struct {
		price  *float64
		before purchases.Tally
		more   int64
		after  purchases.Tally
	}{
		"of nothing": {
			new(0.1),
			purchases.Tally{},
			3,
			purchases.Tally{Purchases: types.Int64Value(3), Cost: decimal("0.3")},
		},
		"more": {
			new(0.1),
			purchases.Tally{Purchases: types.Int64Value(1), Cost: decimal("0.7")},
			2,
			purchases.Tally{Purchases: types.Int64Value(3), Cost: decimal("0.9")},
		},
		"no price": {nil, purchases.Tally{}, 3, purchases.Tally{Purchases: types.Int64Value(3), Cost: none}},
		"no price any more": {
			nil,
			purchases.Tally{Purchases: types.Int64Value(1), Cost: decimal("0.7")},
			2,
			purchases.Tally{Purchases: types.Int64Value(3), Cost: none},
		},
		"a price now": {
			new(2.0),
			purchases.Tally{Purchases: types.Int64Value(3), Cost: none},
			1,
			purchases.Tally{Purchases: types.Int64Value(4), Cost: decimal("8")},
		},
		"free": {
			new(0.0),
			purchases.Tally{},
			3,
			purchases.Tally{Purchases: types.Int64Value(3), Cost: decimal("0")},
		},
		"a third": {
			new(0.3333333333333333),
			purchases.Tally{},
			3,
			purchases.Tally{Purchases: types.Int64Value(3), Cost: decimal("0.9999999999999999")},
		},
		"imported": {
			new(5.0),
			purchases.Tally{},
			0,
			purchases.Tally{Purchases: types.Int64Value(0), Cost: decimal("0")},
		},
		"a state from before these": {
			new(5.0),
			purchases.Tally{Purchases: types.Int64Null(), Cost: none},
			1,
			purchases.Tally{Purchases: types.Int64Value(1), Cost: decimal("5")},
		},
	} {
		data := buysUnder(t, purchases.Terms{Prices: map[string]*float64{purchases.KindGeneration: test.price}})
		after := data.Tally(test.before, purchases.Purchase{Kind: purchases.KindGeneration, Count: test.more})
		check.True(
			t,
			name,
			after.Purchases.Equal(test.after.Purchases) && after.Cost.Equal(test.after.Cost),
			after,
			test.after,
		)
	}
	unconfigured := (&purchases.Purchaser{}).Tally(
		purchases.Tally{},
		purchases.Purchase{Kind: purchases.KindGeneration, Count: 2},
	)
	check.True(
		t,
		"without prices yet",
		unconfigured.Purchases.ValueInt64() == 2 && unconfigured.Cost.IsUnknown(),
		unconfigured,
	)
}
