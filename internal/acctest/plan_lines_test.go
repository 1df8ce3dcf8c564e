package acctest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// galleryOf is a group of so many prompts.
const galleryOf = versions + `
resource "mediagen_generation_group" "gallery" {
  title   = "Gallery"
  prompts = { for i in range(%d) : format("p%%02d", i) => { prompt = "Picture ${i}" } }
}
`

// Who adds a prompt to a group that was extended often reads what that changes,
// and not what was bought before: it was 138 lines, 102 of them old receipts.
func TestAccPlanLines_onePromptMore(t *testing.T) {
	t.Parallel()
	const prompts, extended, most = 40, 6, 30
	m := newTerminal(t, acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 }), t.TempDir())
	for count := prompts - extended; count <= prompts; count++ {
		m.write("main.tf", fmt.Sprintf(galleryOf, count))
		m.run("apply", "-auto-approve")
	}
	m.write("main.tf", fmt.Sprintf(galleryOf, prompts+1))
	plan := m.run("plan")
	_, change, begins := strings.Cut(plan, "  # mediagen_generation_group.gallery")
	change, _, ends := strings.Cut(change, "\n    }\n")
	lines := 2 + strings.Count(change, "\n")
	check.True(t, "the lines of one more prompt", begins && ends && lines <= most, lines, most, plan)
	bought := `+ "p40" = (known after apply)`
	_, generations, _ := strings.Cut(change, "~ generations")
	generations, _, _ = strings.Cut(generations, "}\n")
	check.True(t, "what is bought is in generations", strings.Contains(generations, bought), bought, plan)
	m.WantCount(t, mockserver.RouteBatch, 1+extended)
}
