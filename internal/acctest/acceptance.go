package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// WithIdentity is the first Terraform that imports by identity, like OpenTofu
// 1.12.
var WithIdentity = tfversion.Version1_12_0

// Test runs a test case on the real CLI, in parallel with the others, against
// the test's own service.
func (s *Service) Test(t *testing.T, testCase resource.TestCase) {
	t.Helper()
	testCase.ProtoV6ProviderFactories = s.Factories()
	resource.ParallelTest(t, testCase)
}

// CheckCount checks how many requests of a route, as in "POST
// /v2/generation/batch", the service has received since the journal was last
// reset.
func (s *Service) CheckCount(route string, want int) resource.TestCheckFunc {
	return func(*terraform.State) error {
		return s.expectCount(route, want)
	}
}
