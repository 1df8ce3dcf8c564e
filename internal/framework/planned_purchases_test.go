package framework_test

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

func text(value any) tftypes.Value { return tftypes.NewValue(tftypes.String, value) }

// config is a configuration with a title and some prompts.
func config(title tftypes.Value, prompts ...tftypes.Value) tftypes.Value {
	list := tftypes.List{ElementType: tftypes.String}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"title": tftypes.String, "prompts": list}},
		map[string]tftypes.Value{"title": title, "prompts": tftypes.NewValue(list, prompts)})
}

func planned(kind string, config tftypes.Value, count int64, object string) framework.PlannedPurchase {
	return framework.PlannedPurchase{Purchase: api.Purchase{Kind: kind, Count: count}, Type: kind, Config: config, Object: object}
}

// An object that is planned again counts once, with its largest purchase, even
// if more of it is known by then, as in a test file; another object counts too.
// Fault F28.
func TestPlannedPurchasesAreTheLargestOfEachObject(t *testing.T) {
	t.Parallel()
	unknown := text(tftypes.UnknownValue)
	type object struct {
		kind   string
		config tftypes.Value
		count  int64
	}
	for name, test := range map[string]struct {
		plans []object
		sum   int64
	}{
		"planned twice":           {[]object{{api.KindGeneration, config(text("a")), 2}, {api.KindGeneration, config(text("a")), 2}}, 2},
		"the largest":             {[]object{{api.KindGeneration, config(text("a")), 1}, {api.KindGeneration, config(text("a")), 3}, {api.KindGeneration, config(text("a")), 2}}, 3},
		"the largest, then other": {[]object{{api.KindGeneration, config(text("a")), 1}, {api.KindGeneration, config(text("a")), 3}, {api.KindGeneration, config(text("a")), 2}, {api.KindGeneration, config(text("b")), 1}}, 4},
		"nothing":                 {[]object{{api.KindGeneration, config(text("a")), 0}}, 0},
		"two titles":              {[]object{{api.KindGeneration, config(text("a")), 2}, {api.KindGeneration, config(text("b")), 3}}, 5},
		"two types":               {[]object{{api.KindGeneration, config(text("a")), 2}, {api.KindTraining, config(text("a")), 1}}, 3},
		"null and empty":          {[]object{{api.KindGeneration, config(text(nil)), 1}, {api.KindGeneration, config(text("")), 1}}, 2},
		"known later":             {[]object{{api.KindGeneration, config(unknown, text("p")), 1}, {api.KindGeneration, config(text("a"), text("p")), 1}}, 1},
		"known later, then other": {[]object{{api.KindGeneration, config(unknown), 1}, {api.KindGeneration, config(text("a")), 1}, {api.KindGeneration, config(text("b")), 1}}, 2},
		"more prompts":            {[]object{{api.KindGeneration, config(text("a"), text("p")), 1}, {api.KindGeneration, config(text("a"), text("p"), text("q")), 2}}, 3},
		"another prompt":          {[]object{{api.KindGeneration, config(text("a"), text("p")), 1}, {api.KindGeneration, config(text("a"), text("q")), 1}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, limit := range []int64{test.sum, test.sum - 1} {
				if limit < 0 {
					continue
				}
				client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, AccessToken: "static"}, MaxPurchases: &limit})
				check.Must(t, err)
				data, diags := &framework.Data{Client: client}, diag.Diagnostics{}
				for _, p := range test.plans {
					data.PlanPurchase(planned(p.kind, p.config, p.count, "object"), &diags)
				}
				check.True(t, "limit", diags.HasError() == (limit < test.sum), limit, diags)
			}
		})
	}
}

// Fifty objects beyond the limit are one list, and a line each.
func TestPlannedPurchasesAreListedOnce(t *testing.T) {
	t.Parallel()
	limit := int64(25)
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, AccessToken: "static"}, MaxPurchases: &limit})
	check.Must(t, err)
	data, diags := &framework.Data{Client: client}, diag.Diagnostics{}
	for i := range 50 {
		name := string(rune('a'+i%26)) + string(rune('a'+i/26))
		data.PlanPurchase(planned(api.KindGeneration, config(text(name)), 1, "object "+name), &diags)
	}
	if len(diags) != 25 {
		t.Fatalf("%d errors, want 25", len(diags))
	}
	first, last := diags[0].Detail(), diags[24].Detail()
	if !strings.Contains(first, "- 1 by the object aa\n") || !strings.Contains(first, "\nand 23 more\n") || !strings.Contains(first, "at least 26 so far") {
		t.Errorf("the first says:\n%s", first)
	}
	if strings.Contains(last, "object aa") || !strings.Contains(last, "object xb") || !strings.Contains(last, "at least 50 so far") {
		t.Errorf("the last says:\n%s", last)
	}
}

func TestNoLimitPlansAnything(t *testing.T) {
	t.Parallel()
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, AccessToken: "static"}})
	check.Must(t, err)
	var diags diag.Diagnostics
	for _, data := range []*framework.Data{nil, {}, {Client: client}} {
		data.PlanPurchase(planned(api.KindGeneration, config(text("a")), 1_000, "object"), &diags)
		data.WarnOfUnwrittenEntries(&diags)
	}
	check.True(t, "no message", len(diags) == 0, diags)
}

func TestPurchasesPlannedAtOnceAllCount(t *testing.T) {
	t.Parallel()
	const objects, limit = 100, int64(60)
	most := limit
	client, err := api.New(api.Config{Config: transport.Config{BaseURL: &url.URL{}, AccessToken: "static"}, MaxPurchases: &most})
	if err != nil {
		t.Fatal(err)
	}
	data, refused := &framework.Data{Client: client}, atomic.Int64{}
	var group sync.WaitGroup
	for i := range objects {
		group.Go(func() {
			var diags diag.Diagnostics
			if data.PlanPurchase(planned(api.KindGeneration, config(text(fmt.Sprint(i))), 1, "object"), &diags); diags.HasError() {
				refused.Add(1)
			}
		})
	}
	if group.Wait(); refused.Load() != objects-limit {
		t.Errorf("%d of %d purchases were refused, and %d are allowed", refused.Load(), objects, limit)
	}
}
