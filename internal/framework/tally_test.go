package framework_test

import (
	"math/big"
	"net/url"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// A cost is the exact decimal that a person would write, of what has a price; what was
// bought without one costs today's.
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
		before framework.Tally
		more   int64
		after  framework.Tally
	}{
		"of nothing":                {new(0.1), framework.Tally{}, 3, framework.Tally{Purchases: types.Int64Value(3), Cost: decimal("0.3")}},
		"more":                      {new(0.1), framework.Tally{Purchases: types.Int64Value(1), Cost: decimal("0.7")}, 2, framework.Tally{Purchases: types.Int64Value(3), Cost: decimal("0.9")}},
		"no price":                  {nil, framework.Tally{}, 3, framework.Tally{Purchases: types.Int64Value(3), Cost: none}},
		"no price any more":         {nil, framework.Tally{Purchases: types.Int64Value(1), Cost: decimal("0.7")}, 2, framework.Tally{Purchases: types.Int64Value(3), Cost: none}},
		"a price now":               {new(2.0), framework.Tally{Purchases: types.Int64Value(3), Cost: none}, 1, framework.Tally{Purchases: types.Int64Value(4), Cost: decimal("8")}},
		"free":                      {new(0.0), framework.Tally{}, 3, framework.Tally{Purchases: types.Int64Value(3), Cost: decimal("0")}},
		"a third":                   {new(0.3333333333333333), framework.Tally{}, 3, framework.Tally{Purchases: types.Int64Value(3), Cost: decimal("0.9999999999999999")}},
		"imported":                  {new(5.0), framework.Tally{}, 0, framework.Tally{Purchases: types.Int64Value(0), Cost: decimal("0")}},
		"a state from before these": {new(5.0), framework.Tally{Purchases: types.Int64Null(), Cost: none}, 1, framework.Tally{Purchases: types.Int64Value(1), Cost: decimal("5")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, err := api.New(api.Config{
				Config: transport.Config{BaseURL: &url.URL{}, Config: credential.Config{AccessToken: "static"}}, Prices: map[string]*float64{api.KindGeneration: test.price},
			})
			check.Must(t, err)
			data := &framework.ProviderData{Client: client}
			after := data.Tally(test.before, api.Purchase{Kind: api.KindGeneration, Count: test.more})
			check.True(t, "tally", after.Purchases.Equal(test.after.Purchases) && after.Cost.Equal(test.after.Cost), after, test.after)
		})
	}
	unconfigured := (&framework.ProviderData{}).Tally(framework.Tally{}, api.Purchase{Kind: api.KindGeneration, Count: 2})
	check.True(t, "without prices yet", unconfigured.Purchases.ValueInt64() == 2 && unconfigured.Cost.IsUnknown(), unconfigured)
}
