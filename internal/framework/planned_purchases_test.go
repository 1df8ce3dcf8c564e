package framework_test

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
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
		"a replacement with less": {[]object{{generation, "a", 3}, {generation, "a", 1}}, 1},
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
					diags = nil // that of the last plan is of all
					data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(p.kind, p.holder, p.count, "object"), &diags)
				}
				check.True(t, "limit", diags.HasError() == (limit < test.sum), limit, diags)
			}
		})
	}
}

// limitedTo is the data of a provider with max_purchases.
func limitedTo(t *testing.T, limit int64) *framework.Data {
	t.Helper()
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, AccessToken: "static"}, MaxPurchases: &limit})
	check.Must(t, err)
	return &framework.Data{Client: client}
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

// Fifty objects beyond the limit are one list, and a line each.
func TestPlannedPurchasesAreListedOnce(t *testing.T) {
	t.Parallel()
	data, diags := limitedTo(t, 25), diag.Diagnostics{}
	for i := range 50 {
		name := string(rune('a'+i%26)) + string(rune('a'+i/26))
		data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(api.KindGeneration, "", 1, "object "+name), &diags)
	}
	if len(diags) != 25 {
		t.Fatalf("%d errors, want 25", len(diags))
	}
	first, last := diags[0].Detail(), diags[24].Detail()
	if !strings.Contains(first, "- 1 by the object aa\n") || !strings.Contains(first, "\nand 23 more\n") || !strings.Contains(first, "at least 26 so far") {
		t.Errorf("the first says:\n%s", first)
	}
	check.True(t, "the last says", !strings.Contains(last, "object aa") && strings.Contains(last, "object xb") && strings.Contains(last, "at least 50 so far"), last)
}

func TestNoLimitPlansAnything(t *testing.T) {
	t.Parallel()
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, AccessToken: "static"}})
	check.Must(t, err)
	var diags diag.Diagnostics
	for _, data := range []*framework.Data{nil, {}, {Client: client}} {
		data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(api.KindGeneration, "", 1_000, "object"), &diags)
		data.WarnOfUnwrittenEntries(&diags)
	}
	check.True(t, "no message", len(diags) == 0, diags)
}

func TestPurchasesPlannedAtOnceAllCount(t *testing.T) {
	t.Parallel()
	const objects, limit = 100, int64(60)
	most := limit
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, AccessToken: "static"}, MaxPurchases: &most})
	check.Must(t, err)
	data, refused := &framework.Data{Client: client}, atomic.Int64{}
	var group sync.WaitGroup
	for i := range objects {
		group.Go(func() {
			var diags diag.Diagnostics
			if data.PlanPurchase(t.Context(), resource.ModifyPlanRequest{}, planned(api.KindGeneration, "", 1, fmt.Sprint("object ", i)), &diags); diags.HasError() {
				refused.Add(1)
			}
		})
	}
	if group.Wait(); refused.Load() != objects-limit {
		t.Errorf("%d of %d purchases were refused, and %d are allowed", refused.Load(), objects, limit)
	}
}
