package generation_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const otherAddress = "mediagen_generation_group.h"

// allowCredits sets max_credits and what a prompt costs; a training costs 100.
func (s scenario) allowCredits(most, price any) {
	s.Set(core.Object{"max_credits": most, "prices": core.Object{"generation": price, "training": 100.0}})
}

// A plan that announces more credits than are allowed, by the given prices, is an
// error that names what it has counted, and nothing is bought.
// Fault F28.
func TestMaxCredits_plan(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", FaceImages: 10})
	s.Resource("mediagen_body_lora_training.t", core.Object{"character_id": "ch_2", "wait_for_completion": false})
	s.group(map[string]string{"a": "A", "b": "B"})
	s.allowCredits(102.0, 1.1)
	refused := s.Plan().Diagnostics.Errors()
	check.Equal(t, "errors", len(refused), 1)
	s.WantError(
		refused,
		overLimit,
		"buys 3 for 102.2 credits so far; max_credits allows 102.",
		"- 100: body LoRA training of character \"ch_2\"",
		`- 2.2: generation group of character "ch_1": "a", "b"`,
		"MEDIAGEN_MAX_CREDITS",
		"-refresh=false",
	)
	s.Apply()
	check.Equal(t, "credits spent", s.Ledger().Spent(), 0)
	s.allowCredits(102.2, 1.1)
	s.Apply().Must()
	check.Equal(t, "credits spent", s.Ledger().Spent(), 102)
	s.allowCredits(0.0, 1.1)
	s.Plan().Must().WantEmpty()
}

// Two characters that are not created yet look alike, and are two.
// Fault F28.
func TestMaxCredits_equalObjects(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for i, hero := range []string{"ch_2", "ch_3"} {
		s.AddCharacter(mockserver.CharacterSeed{ID: hero, FaceImages: 10})
		character := core.UnknownUntilApply(hero)
		s.Resource(fmt.Sprint("mediagen_body_lora_training.t", i), core.Object{"character_id": character})
		s.Resource(
			fmt.Sprint("mediagen_generation_group.g", i),
			core.Object{"character_id": character, "prompts": texts(map[string]string{"a": "A", "b": "B", "c": "C"})},
		)
	}
	s.allowCredits(205.0, 1.0)
	s.WantError(s.Apply().Diagnostics, overLimit, "for 206 credits so far; max_credits allows 205.")
	check.Equal(t, "credits spent", s.Ledger().Spent(), 0)
	s.allowCredits(206.0, 1.0)
	s.Apply().Must()
	check.Equal(t, "credits spent", s.Ledger().Spent(), 206)
}

// What has no price is an error before anything is sent; what buys nothing
// needs none. Fault F28.
func TestMaxCredits_missingPrice(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(map[string]string{"a": "A"})
	for _, settings := range []core.Object{
		{"max_credits": 100.0},
		{"max_credits": 100.0, "prices": core.Object{"training": 1.0}},
	} {
		s.Set(settings)
		s.WantError(
			s.Apply().Diagnostics,
			"Missing Price",
			"max_credits is set, but prices has no generation",
			`the first to need one is the generation group of character "ch_1": "a"`,
			`MEDIAGEN_PRICES to {"generation": …}`,
		)
		s.WantCount(t, mockserver.RouteBatch, 0)
	}
	s.allowCredits(1.0, 1.0)
	s.Apply().Must()
	s.Set(core.Object{"max_credits": 100.0})
	s.Plan().Must().WantEmpty()
	s.Destroy().Must()
	s.wantNoMedia()
}

// Prompts that are not known yet cost at least one. An apply that knows them, or
// the prices, checks again.
// Fault F28.
func TestMaxCredits_unknown(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	two := texts(map[string]string{"a": "A", "b": "B"})
	s.Resource(groupAddress, core.Object{"character_id": "ch_1", "prompts": core.UnknownUntilApply(two)})
	s.allowCredits(1.5, 2.0)
	s.WantError(s.Plan().Diagnostics, overLimit, "buys 1 for 2 credits so far", "not known yet")
	s.allowCredits(3.5, 2.0)
	s.WantError(s.ApplyPlan(s.Plan().Must()).Diagnostics, overLimit, "buys 2 for 4 credits so far")
	for _, later := range []core.Object{
		{"max_credits": 3.5, "prices": core.Object{"generation": core.UnknownUntilApply(2.0)}},
		{"max_credits": 3.5, "prices": core.UnknownUntilApply(core.Object{"generation": 2.0})},
	} {
		s.Resource(groupAddress, core.Object{"character_id": "ch_1", "prompts": two})
		s.Set(later)
		s.WantError(s.ApplyPlan(s.Plan().Must()).Diagnostics, overLimit, "buys 2 for 4 credits so far")
	}
	s.WantCount(t, mockserver.RouteBatch, 0)
	s.allowCredits(4.0, 2.0)
	s.Apply().Must()
	s.Plan().Must().WantEmpty()
}

// An apply counts exactly what a plan cannot, here one that was approved
// without a limit: it reserves the price of a batch, then counts what was
// deducted if that is more. It gives back what the service has refused, and
// keeps what may have been bought. A batch that exceeds the limit is not sent,
// which is an error before anything was bought in its operation, and a warning
// after. Fault F28.
func TestLimits_apply(t *testing.T) {
	tier.Long(t, "36 limits, each planned and applied")
	t.Parallel()
	lost := mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true}
	refused := mockserver.Fault{
		Route:  mockserver.RouteBatch,
		Nth:    1,
		Status: 402,
		Body:   `{"error":"insufficient_credits"}`,
	}
	type costs struct{ most, price, really float64 } // of prices of 1: max_purchases too
	for name, test := range map[string]struct {
		costs
		perBatch         int64
		variant          string
		fault            *mockserver.Fault
		rejected         []string
		batches          int
		spent            float64
		dearer           int
		errors, warnings int // of batches that were not accepted
	}{
		"there is room for both":       {costs{4, 1, 1}, 2, "plain", nil, nil, 2, 4, 0, 0, 0},
		"not for the second":           {costs{3, 1, 1}, 2, "plain", nil, nil, 1, 2, 0, 1, 0},
		"for half of the second":       {costs{3, 1, 1}, 1, "plain", nil, nil, 3, 3, 0, 0, 1},
		"tenths":                       {costs{0.4, 0.1, 0.1}, 1, "plain", nil, nil, 4, 0.4, 0, 0, 0},
		"dearer, room for both":        {costs{8, 1, 2}, 2, "plain", nil, nil, 2, 8, 2, 0, 0},
		"dearer, at the limit":         {costs{4, 1, 2}, 2, "plain", nil, nil, 1, 4, 1, 1, 0},
		"dearer, passed by one":        {costs{2, 1, 2}, 2, "plain", nil, nil, 1, 4, 1, 1, 0},
		"cheaper: the price counts":    {costs{3, 1, 0.5}, 2, "plain", nil, nil, 1, 1, 0, 1, 0},
		"free, says the price":         {costs{1, 0, 1}, 2, "plain", nil, nil, 1, 2, 1, 1, 0},
		"no credits in the reply":      {costs{4, 1, 1}, 2, "no-credits", nil, nil, 2, 4, 0, 0, 0},
		"no credits, no room":          {costs{3, 1, 1}, 2, "no-credits", nil, nil, 1, 2, 0, 1, 0},
		"unknown, room for both":       {costs{4, 1, 1}, 2, "plain", &lost, nil, 2, 4, 0, 0, 0},
		"unknown keeps":                {costs{3, 1, 1}, 2, "plain", &lost, nil, 1, 2, 0, 1, 0},
		"refused gives back":           {costs{2, 1, 1}, 2, "plain", &refused, nil, 2, 2, 0, 1, 0},
		"one rejected gives back one":  {costs{3, 1, 1}, 2, "plain", nil, []string{"B"}, 2, 2, 0, 0, 0},
		"all rejected gives back both": {costs{2, 1, 1}, 2, "plain", nil, []string{"A", "B"}, 2, 0, 0, 2, 0},
		"one rejected, the other lost": {costs{3, 1, 1}, 2, "plain", &lost, []string{"B"}, 1, 1, 0, 1, 0},
		"one rejected, the other dear": {costs{3, 1, 2}, 2, "plain", nil, []string{"B"}, 1, 2, 1, 1, 0},
		"one rejected, in doubt whose": {costs{3, 1, 1}, 2, "index-missing", nil, []string{"B"}, 2, 2, 0, 0, 0},
		"accepted in the background":   {costs{3, 1, 1}, 2, "background", nil, nil, 1, 2, 0, 1, 0},
		"dearer, and nothing tells it": {costs{3, 1, 2}, 2, "no-credits", nil, nil, 1, 4, 0, 1, 0},
		"nothing for the second":       {costs{2, 1, 1}, 1, "plain", nil, nil, 2, 2, 0, 1, 0},
	} {
		for attribute, allow := range map[string]func(scenario){
			"max_credits":   func(s scenario) { s.allowCredits(test.most, test.price) },
			"max_purchases": func(s scenario) { s.allow(int64(test.most)) },
		} {
			if attribute == "max_purchases" && (test.price != 1 || test.really != 1) {
				continue
			}
			t.Run(name+", "+attribute, func(t *testing.T) {
				t.Parallel()
				variants := mockserver.Variants()
				maps.Copy(variants, mockserver.LossyVariants())
				variant, known := variants[test.variant]
				check.True(t, "the variant is known", known, test.variant)
				s := newScenario(t, func(o *mockserver.Options) {
					o.Variant = variant
					o.PromptCost = test.really
				})
				if test.fault != nil {
					s.Fault(*test.fault)
				}
				for _, text := range test.rejected {
					s.RejectPrompt(text, "not allowed")
				}
				batches := core.Object{"max_prompts_per_batch": test.perBatch}
				s.group(map[string]string{"a": "A", "b": "B"}, batches)
				s.other(map[string]string{"a": "A", "b": "B"}, batches)
				if attribute == "max_credits" {
					s.allowCredits(1000, test.price) // an apply at other prices fails: the plan knows what it costs
				}
				plan := s.Plan().Must()
				allow(s)
				all := s.ApplyPlan(plan).Diagnostics
				s.WantCount(t, mockserver.RouteBatch, test.batches)
				check.True(
					t,
					"credits spent",
					math.Abs(s.Ledger().Spent()-test.spent) < 1e-9,
					s.Ledger().Spent(),
					test.spent,
				)
				check.Equal(t, "warnings of a price", len(all.Warnings().Find("Price Differs")), test.dearer)
				said := slices.Concat(
					all.Find("Unable to Submit Generation Batch"),
					all.Find("Not Enough Credits (402)"),
				)
				check.True(
					t,
					"errors and warnings",
					len(said.Errors()) == test.errors && len(said.Warnings()) == test.warnings,
					all,
				)
				if wanted := int(4 / test.perBatch); test.batches < wanted {
					check.Contains(
						t,
						"what the limit refuses",
						said.String(),
						attribute+" does not allow this purchase",
					)
				}
				if test.fault == nil && test.rejected == nil && test.variant == "plain" {
					s.Set(nil)
					s.Apply().Must()
					s.Plan().Must().WantEmpty()
					check.Equal(t, "prompts charged in the end", s.charged(), 4)
				}
			})
		}
	}
}

// Dearer than assumed is told with both numbers, without a limit too.
func TestMaxCredits_priceDiffers(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.PromptCost = 1_500_000 })
	s.SetBalance(1e9)
	s.Set(core.Object{"prices": core.Object{"generation": 0.5}})
	s.group(map[string]string{"a": "A", "b": "B"})
	s.WantWarning(s.Apply().Diagnostics, "Price Differs", `prompts "a"`, "3000000 instead of 1", "MEDIAGEN_PRICES")
	s.Plan().Must().WantEmpty()
}

// What a plan buys is unknown as long as a prompt, max_attempts or a price is;
// the apply knows it. What buys nothing leaves the numbers as they are.
// Fault F28.
func TestGroup_tallyOfWhatIsNotKnownYet(t *testing.T) {
	t.Parallel()
	prompts := func(more core.Object) core.Object {
		all := core.Object{"a": core.Object{"prompt": "A"}, "b": core.Object{"prompt": "B fails"}}
		maps.Copy(all, more)
		return core.Object{"prompts": all}
	}
	for name, test := range map[string]struct {
		edit             core.Object
		price            any
		planned, cost    any
		purchases, costs any
	}{
		"prompts": {
			core.Object{
				"prompts": core.UnknownUntilApply(prompts(core.Object{"c": core.Object{"prompt": "C"}})["prompts"]),
			},
			2.5,
			core.Unknown,
			core.Unknown,
			int64(3),
			7.5,
		},
		"a prompt": {
			prompts(core.Object{"c": core.Object{"prompt": core.UnknownUntilApply("C")}}),
			2.5,
			core.Unknown,
			core.Unknown,
			int64(3),
			7.5,
		},
		"an option": {
			prompts(core.Object{"c": core.Object{"prompt": "C", "face_swap": core.UnknownUntilApply(true)}}),
			2.5,
			core.Unknown,
			core.Unknown,
			int64(3),
			7.5,
		},
		"max_attempts": {
			core.Object{"max_attempts": core.UnknownUntilApply(2)},
			2.5,
			core.Unknown,
			core.Unknown,
			int64(3),
			7.5,
		},
		"the price": {
			prompts(core.Object{"c": core.Object{"prompt": "C"}}),
			core.UnknownUntilApply(2.5),
			int64(3),
			core.Unknown,
			int64(3),
			7.5,
		},
		"nothing": {prompts(core.Object{"c": core.Object{"prompt": "C"}}), 2.5, int64(3), 7.5, int64(3), 7.5},
		"another price": {
			prompts(core.Object{"c": core.Object{"prompt": "C"}}),
			1.0,
			int64(3),
			int64(6),
			int64(3),
			int64(6),
		},
		"a title": {core.Object{"title": "Faces"}, 1.0, int64(2), int64(5), int64(2), int64(5)},
		"without one": {
			core.Object{"prompts": core.Object{"a": core.Object{"prompt": "A"}}},
			1.0,
			int64(2),
			int64(5),
			int64(2),
			int64(5),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.FailPrompt("fails", "no")
			config := core.Object{"character_id": "ch_1", "prompts": prompts(nil)["prompts"]}
			s.Resource(groupAddress, config)
			s.Set(core.Object{"prices": core.Object{"generation": 2.5}})
			s.Apply().Must()
			maps.Copy(config, test.edit)
			s.Resource(groupAddress, config)
			s.Set(core.Object{"prices": core.Object{"generation": test.price}})
			plan := s.Plan(core.Refresh(name != "the price")).Must() // without which nothing can be read
			after := plan.Change(groupAddress).After
			check.True(
				t,
				"the plan",
				after["purchases"] == test.planned && after["cost"] == test.cost,
				after["purchases"],
				after["cost"],
			)
			s.ApplyPlan(plan).Must()
			s.Want(groupAddress, core.Object{"purchases": test.purchases, "cost": test.costs})
			check.Equal(t, "prompts charged", int64(s.charged()), test.purchases.(int64))
			s.Plan().Must().WantEmpty()
		})
	}
}

// An apply at other prices than its plan's fails, and buys nothing.
// Fault F28.
func TestGroup_pricesChangeBeforeTheApply(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(map[string]string{"a": "A"})
	s.Set(core.Object{"prices": core.Object{"generation": 2.5}})
	plan := s.Plan().Must()
	s.Set(core.Object{"prices": core.Object{"generation": 3.0}})
	said := s.ApplyPlan(plan).Diagnostics
	check.Contains(t, "the error", said.String(), "Provider produced inconsistent final plan", "cost")
	check.Equal(t, "prompts charged", s.charged(), 0)
}
