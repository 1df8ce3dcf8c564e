package framework_test

import (
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

func planned(kind, holder string, count int64, object string) framework.PlannedPurchase {
	return framework.PlannedPurchase{Purchase: api.Purchase{Kind: kind, Count: count}, Holder: holder, Object: object}
}

// Every create counts, however alike; an object that has a name counts once, with
// what it planned last: a replacement carries its predecessor's.
// Fault F28.
func TestPlannedPurchasesAreThoseOfEachObject(t *testing.T) {
	t.Parallel()
	type object struct {
		kind, holder string
		count        int64
	}
	const generation = api.KindGeneration
	for name, test := range map[string]struct {
		plans []object
		sum   int64
	}{
		"two creates":             {[]object{{generation, "", 2}, {generation, "", 2}}, 4},
		"nothing":                 {[]object{{generation, "", 0}}, 0},
		"two types":               {[]object{{generation, "", 2}, {api.KindTraining, "", 1}}, 3},
		"two updates":             {[]object{{generation, "a", 1}, {generation, "b", 1}}, 2},
		"an update, its apply":    {[]object{{generation, "a", 3}, {generation, "a", 3}}, 3},
		"a replacement":           {[]object{{generation, "a", 1}, {generation, "a", 3}}, 3},
		"a replacement with less": {[]object{{generation, "a", 3}, {generation, "a", 1}, {generation, "", 2}}, 3},
		"a replacement, a create": {[]object{{generation, "a", 1}, {generation, "", 2}, {generation, "a", 3}}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, limit := range []int64{test.sum, test.sum - 1} {
				if limit < 0 {
					continue
				}
				data, diags := limitedTo(t, limit), diag.Diagnostics{}
				for _, p := range test.plans {
					data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(p.kind, p.holder, p.count, "object"), &diags)
				}
				check.True(t, "limit", diags.HasError() == (limit < test.sum), limit, diags)
			}
		})
	}
}

// limitedTo is the data of a provider with max_purchases.
func limitedTo(t *testing.T, limit int64) *framework.ProviderData {
	t.Helper()
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, Config: credential.Config{AccessToken: "static"}}, MaxPurchases: &limit})
	check.Must(t, err)
	return &framework.ProviderData{Client: client}
}

// Once an apply has begun, requests are counted, and plans refuse nothing; the next
// run begins at zero.
// Fault F28.
func TestPlansRefuseNothingDuringAnApply(t *testing.T) {
	t.Parallel()
	var runs framework.Runs
	plan := func() (diags diag.Diagnostics) {
		runs.Current().PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(api.KindGeneration, "", 1, "object"), &diags)
		return diags
	}
	runs.Applies() // of nothing
	runs.Configure(limitedTo(t, 1))
	if said := plan(); said.HasError() {
		t.Errorf("the first: %v", said)
	}
	if said := plan(); !said.HasError() {
		t.Error("the second passes a limit of 1")
	}
	runs.Applies()
	if said := plan(); said.HasError() {
		t.Errorf("during the apply: %v", said)
	}
	runs.Refreshes()
	if said := plan(); said.HasError() {
		t.Errorf("in the next run: %v", said)
	}
	if said := plan(); !said.HasError() {
		t.Error("the second of the next run passes a limit of 1")
	}
}

// Fifty objects beyond the limits are one error a limit: it says what was planned so
// far, and names the dearest.
func TestPlannedPurchasesAreRefusedOnce(t *testing.T) {
	t.Parallel()
	credits, most := 250.0, int64(40)
	client, err := api.New(api.Config{
		Config: transport.Config{BaseURL: &url.URL{}, Config: credential.Config{AccessToken: "static"}}, MaxPurchases: &most, MaxCredits: &credits,
		Prices: map[string]*float64{api.KindGeneration: new(2.5), api.KindTraining: new(100.0)},
	})
	check.Must(t, err)
	data, diags := &framework.ProviderData{Client: client}, diag.Diagnostics{}
	data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(api.KindTraining, "", 1, "training"), &diags)
	for i := range 50 {
		data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(api.KindGeneration, "", int64(1+i%2), fmt.Sprint("group ", i)), &diags)
	}
	if len(diags) != 2 {
		t.Fatalf("%d errors, want one a limit: %v", len(diags), diags)
	}
	purchases, spent := diags[0].Detail(), diags[1].Detail()
	check.Contains(t, "of purchases", purchases, "The plan buys 41 so far; max_purchases allows 40.", "- 2: group 1\n", "- and 23 more objects")
	check.Contains(t, "of credits", spent, "The plan buys 62 for 252.5 credits so far; max_credits allows 250.",
		"- 100: training\n- 5: group 1\n- 5: group 3\n- 5: group 5\n- 5: group 7\n- and 37 more objects", "purchases.jq")
}

// What has no price is told once a kind.
func TestMissingPriceIsToldOnce(t *testing.T) {
	t.Parallel()
	credits := 250.0
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, Config: credential.Config{AccessToken: "static"}}, MaxCredits: &credits})
	check.Must(t, err)
	data, diags := &framework.ProviderData{Client: client}, diag.Diagnostics{}
	for _, kind := range []string{api.KindGeneration, api.KindTraining, api.KindGeneration} {
		data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(kind, "", 1, "object"), &diags)
	}
	check.Equal(t, "errors", len(diags), 2)
}

func TestNoLimitPlansAnything(t *testing.T) {
	t.Parallel()
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, Config: credential.Config{AccessToken: "static"}}})
	check.Must(t, err)
	var diags diag.Diagnostics
	for _, data := range []*framework.ProviderData{nil, {}, {Client: client}} {
		data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(api.KindGeneration, "", 1_000, "object"), &diags)
		data.WarnOfUnwrittenEntries(&diags)
	}
	check.True(t, "no message", len(diags) == 0, diags)
}

func TestPurchasesPlannedAtOnceAllCount(t *testing.T) {
	t.Parallel()
	const objects, limit = 100, int64(60)
	most := limit
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, Config: credential.Config{AccessToken: "static"}}, MaxPurchases: &most})
	check.Must(t, err)
	data, refused := &framework.ProviderData{Client: client}, atomic.Int64{}
	var group sync.WaitGroup
	for i := range objects {
		group.Go(func() {
			var diags diag.Diagnostics
			data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(api.KindGeneration, "", 1, fmt.Sprint("object ", i)), &diags)
			for _, refusal := range diags {
				refused.Add(1)
				check.Contains(t, "the first beyond the limit", refusal.Detail(), fmt.Sprintf("buys %d so far", limit+1))
			}
		})
	}
	if group.Wait(); refused.Load() != 1 {
		t.Errorf("%d refusals, want one", refused.Load())
	}
}
