package inference_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// An image counts for the limits, at plan and before the request of a plan that was
// made without one; what only answers does not.
// Fault F28.
func TestImageIsCounted(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	provide := func(most int64) {
		s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "max_purchases": most})
	}
	const second = "mediagen_image.j"
	s.Resource(chat, least(chat))
	s.Resource(image, least(image))
	s.Resource(second, least(image))
	plan := s.Plan().Must()
	provide(0)
	if found := s.Plan().Diagnostics.Errors().Find("Purchase Limit Exceeded"); len(found) != 1 {
		t.Errorf("want one error:\n%s", found)
	}
	provide(1)
	s.WantError(s.Plan().Diagnostics, "Purchase Limit Exceeded", "buys 2 so far", "- 1: mediagen_image", "prompts, trainings, datasets and images")
	s.wantAsked(0)
	s.WantError(s.ApplyPlan(plan).Diagnostics, "Unable to Create Image", "max_purchases does not allow this purchase", "Nothing was stored")
	s.WantCount(t, routes[image], 1)

	provide(1)
	s.Apply().Must()
	s.Resource(image, with(least(image), core.Object{"prompt": "a tower"}))
	provide(0)
	s.WantError(s.Apply().Diagnostics, "Purchase Limit Exceeded")
	s.WantCount(t, routes[image], 2)
	s.Resource(image, least(image))
	s.Plan().Must().WantEmpty()
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
		s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "max_credits": test.most, "prices": test.prices})
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
	s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "purchase_log": filepath.Join(t.TempDir(), "none", "log")})
	result := s.Apply()
	if len(result.Diagnostics.Warnings().Find("Purchase Log Cannot Be Written")) == 0 || !strings.Contains(result.Diagnostics.Errors().String(), "purchase_log") {
		t.Errorf("the apply says:\n%s", result.Diagnostics)
	}
	s.wantAsked(0)
}
