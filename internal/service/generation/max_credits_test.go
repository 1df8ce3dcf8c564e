package generation_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const otherAddress = "mediagen_generation_group.h"

// Each group of the test costs 2 credits.
// Fault F28.
func TestMaxCredits(t *testing.T) {
	t.Parallel()
	lost := mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true}
	for name, test := range map[string]struct {
		limit   float64
		variant string
		fault   *mockserver.Fault
		batches int
	}{
		"nothing may be bought":                    {0, "plain", nil, 0},
		"the limit is reached by the first":        {2, "plain", nil, 1},
		"the limit is passed by the second":        {3, "plain", nil, 2},
		"there is room for both":                   {100, "plain", nil, 2},
		"an unknown price stops":                   {100, "no-credits", nil, 1},
		"an unknown outcome stops":                 {100, "plain", &lost, 1},
		"the balance tells, the first is in doubt": {100, "balance-only", nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			variant, known := mockserver.Variants()[test.variant]
			if !known {
				t.Fatalf("no variant %q", test.variant)
			}
			s := newScenario(t, func(o *mockserver.Options) { o.Variant = variant })
			s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "max_credits": test.limit})
			s.Parallel(2)
			if test.fault != nil {
				s.Fault(*test.fault)
			}
			s.group(map[string]string{"a": "A", "b": "B"})
			s.Resource(otherAddress, core.Object{"character_id": "ch_1", "prompts": texts(map[string]string{"c": "C", "d": "D"})})
			result := s.Apply()
			s.WantCount(t, mockserver.RouteBatch, test.batches)
			refused := result.Diagnostics.Errors().Find("Unable to Submit Generation Batch")
			if len(refused) != 2-test.batches {
				t.Errorf("%d purchases were refused, want %d:\n%s", len(refused), 2-test.batches, result.Diagnostics)
			}
			if test.fault == nil {
				// A new apply has a limit of its own.
				s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey})
				s.Apply().Must()
				s.Plan().Must().WantEmpty()
			}
		})
	}
}
