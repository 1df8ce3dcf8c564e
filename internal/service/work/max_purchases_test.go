package work_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func (s *scenario) allow(purchases int64) {
	s.Set(core.Object{"max_purchases": purchases})
}

// A create and a replacement are a purchase each, an update is none, however
// often each is planned. Fault F28.
func TestMaxPurchases(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.allow(0)
	s.configure(round("1"))
	const over = "Purchase Limit Exceeded"
	s.WantError(s.Apply().Diagnostics, over, "- 1: body LoRA training of character \""+s.character+"\"", "allows 0")
	s.wantPaid(0)
	s.allow(1)
	s.Apply().Must()
	s.wantPaid(1)

	s.allow(0)
	s.Plan().WantEmpty()
	config := round("1")
	config["timeouts"] = core.Object{"create": "1h"}
	s.applies(config)
	s.configure(round("2"))
	s.WantError(s.Plan().Diagnostics, over)
	s.allow(1)
	s.Apply().Must()
	s.wantPaid(2)
	s.allow(0)
	s.WantError(s.Plan(core.Replacing(address)).Diagnostics, over)
	s.allow(1)
	s.Apply(core.Replacing(address)).Must()
	s.wantPaid(3)
	s.Plan().WantEmpty()
}

// Equal trainings count each. Where an apply alone has the limit, it refuses the
// second, and taints nothing.
// Fault F28.
func TestMaxPurchases_equalTrainings(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	const other = "mediagen_body_lora_training.other"
	s.configure(nil)
	plan := s.Plans(other, core.Object{"character_id": s.character})
	s.allow(1)
	s.WantError(s.Apply().Diagnostics, "Purchase Limit Exceeded", "buys 2 so far")
	s.wantPaid(0)
	s.WantError(
		s.ApplyPlan(plan).Diagnostics,
		"Unable to Start Body LoRA Training",
		"max_purchases",
		"nothing was bought",
	)
	s.wantPaid(1)
	check.True(t, "nothing is in the state", s.State(other) == nil, s.State(other))
	s.WantCount(t, mockserver.RouteCancel, 0)
}

// A training has a price of its own, which is reserved before it is started. One
// that was dearer than that is told.
// Fault F28.
func TestMaxCredits(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(nil)
	allow := func(credits float64, prices core.Object) {
		s.Set(core.Object{"max_credits": credits, "prices": prices})
	}
	allow(1000, core.Object{"generation": 1.0})
	s.WantError(
		s.Apply().Diagnostics,
		"Missing Price",
		"prices",
		"the body LoRA training of character \""+s.character+"\"",
	)
	allow(99, core.Object{"training": 100.0})
	s.WantError(
		s.Apply().Diagnostics,
		"Purchase Limit Exceeded",
		"- 100: body LoRA training",
		"for 100 credits so far; max_credits allows 99.",
	)
	s.wantPaid(0)

	const other = "mediagen_body_lora_training.other"
	s.Resource(other, core.Object{"character_id": s.character})
	allow(160, core.Object{"training": 80.0})
	plan := s.Plan().Must()
	allow(100, core.Object{"training": 80.0})
	result := s.ApplyPlan(plan)
	s.WantWarning(result.Diagnostics.Warnings(), "Price Differs", "100 instead of 80")
	s.WantError(
		result.Diagnostics,
		"Unable to Start Body LoRA Training",
		"max_credits does not allow this purchase",
		"it allows 100",
		"has or may have bought 100, and this would be 80 more",
	)
	s.wantPaid(1)
	allow(80, core.Object{"training": 80.0})
	s.Apply().Must()
	s.wantPaid(2)
	s.Plan().Must().WantEmpty()
}
