package acctest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const twoGroups = versions + `
resource "mediagen_generation_group" "shoot" {
  for_each = toset(["one", "two"])
  title    = each.key
  prompts  = { cover = { prompt = %q } }
}
`

// CLIs fold warnings of equal summaries: the plan of two deletions told of one.
func TestAccWarnings_areNotFolded(t *testing.T) {
	t.Parallel()
	s := acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	m := newTerminal(t, s, t.TempDir())
	m.write("main.tf", fmt.Sprintf(twoGroups, "Before"))
	m.run("apply", "-auto-approve")
	want := func(what, output string, times int) {
		t.Helper()
		for _, group := range s.Groups() {
			found := strings.Count(output, "Warning: Media Will Be Deleted: group "+group.ID+"\n")
			check.True(t, what+": the warnings of "+group.ID, found == times && !strings.Contains(output, "similar warning"), found, times, output)
		}
	}
	m.write("main.tf", fmt.Sprintf(twoGroups, "After"))
	want("a change", m.run("plan", "-out=change.tfplan"), 1)
	applied := m.run("apply", "-parallelism=1", "change.tfplan")
	if m.isOpenTofu() { // an apply that tells nothing before its first change
		check.True(t, "its apply", strings.Count(applied, "Warning: Media") <= 1, applied)
	} else {
		want("its apply", applied, 0)
	}
	want("a destroy", m.run("plan", "-destroy", "-out=destroy.tfplan"), 1)
	want("its apply", m.run("apply", "destroy.tfplan"), 0)
}
