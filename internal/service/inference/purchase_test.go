package inference_test

import (
	"path/filepath"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// An image counts for the limits, at plan and before the request of a plan that
// was made without one; what only answers does not. Fault F28.
func TestImageIsCounted(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	const second = "mediagen_image.j"
	s.Resource(chat, least(chat))
	s.Resource(image, least(image))
	plan := s.Plans(second, least(image))
	s.Set(core.Object{"max_purchases": 0})
	s.WantError(s.Plan().Diagnostics, "Purchase Limit Exceeded")
	s.Set(core.Object{"max_purchases": 1})
	s.WantError(
		s.Plan().Diagnostics,
		"Purchase Limit Exceeded",
		"buys 2 so far",
		"- 1: mediagen_image",
		"prompts, trainings, datasets and images",
	)
	s.wantAsked(0)
	s.WantError(
		s.ApplyPlan(plan).Diagnostics,
		"Unable to Create Image",
		"max_purchases does not allow this purchase",
		"Nothing was stored",
	)
	s.WantCount(t, routes[image], 1)

	s.Set(core.Object{"max_purchases": 1})
	s.Apply().Must()
	s.Resource(image, with(least(image), core.Object{"prompt": "a tower"}))
	s.Set(core.Object{"max_purchases": 0})
	s.WantError(s.Apply().Diagnostics, "Purchase Limit Exceeded")
	s.WantCount(t, routes[image], 2)
	s.Plans(image, least(image)).WantEmpty()
}

// Without a price max_credits refuses it.
// Fault F28.
func TestImageHasAPrice(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Resource(image, least(image))
	for _, test := range []struct {
		most   float64
		prices core.Object
		says   string
	}{
		{10, core.Object{"generation": 1.0}, "Missing Price"},
		{1, core.Object{"image": 2.0}, "Purchase Limit Exceeded"},
		{2, core.Object{"image": 2.0}, ""},
	} {
		s.Set(core.Object{"max_credits": test.most, "prices": test.prices})
		result := s.Apply()
		if test.says == "" {
			result.Must()
			s.WantCount(t, routes[image], 1)
			continue
		}
		s.WantError(result.Diagnostics, test.says, "mediagen_image")
		s.wantAsked(0)
	}
}

// An image that no log can have is not made.
func TestImageIsLogged(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Resource(image, least(image))
	s.Set(core.Object{"purchase_log": filepath.Join(t.TempDir(), "none", "log")})
	result := s.Apply()
	check.Contains(t, "the errors", result.Diagnostics.Errors().String(), "purchase_log")
	check.True(
		t,
		"it was the plan's",
		len(result.Diagnostics.Errors().Find("Purchase Log Cannot Be Written")) > 0,
		result.Diagnostics,
	)
	s.wantAsked(0)
}
