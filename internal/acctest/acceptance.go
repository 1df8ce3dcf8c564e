package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// WithIdentity is the first Terraform that imports by identity. OpenTofu 1.12
// does too.
var WithIdentity = tfversion.Version1_12_0

// Test runs a test case on the real CLI, in parallel with the other tests,
// against the test's own service.
func (s *Service) Test(t *testing.T, testCase resource.TestCase) {
	t.Helper()
	testCase.ProtoV6ProviderFactories = s.Factories()
	resource.ParallelTest(t, testCase)
}

// Disappears is a step that applies, and then removes the object behind
// Terraform's back, so that the next plan creates it again.
func Disappears(config string, remove func()) resource.TestStep {
	return resource.TestStep{
		Config:             config,
		ExpectNonEmptyPlan: true,
		Check: func(*terraform.State) error {
			remove()
			return nil
		},
	}
}

// Sent returns a function for a step's PostApplyFunc, which costs no launch of
// the CLI. The function checks how many requests of a route, as in "POST
// /v2/generation/batch", the service has received since the journal was last
// reset.
func (s *Service) Sent(t *testing.T, route string, want int) func() {
	return func() {
		t.Helper()
		s.WantCount(t, route, want)
	}
}
