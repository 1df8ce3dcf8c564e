//go:build unix

package acctest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// mostOfSix is how many lines six groups may have that are refused for one
// reason: one in full, and for each other its short message in the CLI's frame,
// which has six lines.
const mostOfSix = 30 + 5*(mostLines+6)

// Six groups of three prompts in a blocked account. Fault F18.
func TestAccRefusal_once(t *testing.T) {
	tier.Long(t, "each refusal once")
	t.Parallel()
	for _, status := range []int{http.StatusPaymentRequired, http.StatusForbidden} {
		m := newTerminal(t, acctest.NewService(t), t.TempDir())
		m.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Status: status, Body: blocked})
		m.write("main.tf", versions+`
resource "mediagen_generation_group" "g" {
  for_each = toset([for i in range(6) : "g${i}"])
  title    = each.key
  prompts  = { for place in ["beach", "forest", "city"] : place => { prompt = "A portrait at the ${place}" } }
}
`)
		said, lines := m.fail([]string{"apply", "-auto-approve"})
		check.True(t, "six errors, one in full", strings.Count(said, "\nError: ") == 6 && repeated(said) == 5, said)
		check.True(t, "lines", lines <= mostOfSix, lines, said)
		m.wantAskedAgainAtMostOnce(status, 6)
	}
}

// wantAskedAgainAtMostOnce fails the test if a batch was sent again for another
// reason than that a renewed token may change a 403. On OpenTofu the provider
// has looked at the address before, with that token; how many batches were on
// their way with it is a matter of time.
func (m *terminal) wantAskedAgainAtMostOnce(status, batches int) {
	m.t.Helper()
	most := batches
	if status == http.StatusForbidden && m.Count(mockserver.RouteCharacters) > 0 {
		most = 2 * batches
	}
	sent := m.Count(mockserver.RouteBatch)
	check.True(m.t, "batches", batches <= sent && sent <= most, m.Story())
}
