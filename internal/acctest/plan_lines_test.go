package acctest_test

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const galleryOf = versions + `
resource "mediagen_generation_group" "gallery" {
  title   = "Gallery"
  prompts = { for i in range(%d) : format("p%%02d", i) => { prompt = "Picture ${i}" } }
}
`

// Who adds a prompt to a group that was extended often reads what that changes, and not what was
// bought before: it was 138 lines, 102 of them old receipts.
func TestAccPlanLines_onePromptMore(t *testing.T) {
	t.Parallel()
	const prompts, extended, most = 40, 6, 32
	m := newTerminal(t, acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 }), t.TempDir())
	m.setenv("MEDIAGEN_PRICES", `{"generation": 0.1}`)
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
	for _, number := range []string{"~ cost                = 4 -> 4.1\n", "~ purchases           = 40 -> 41\n"} {
		check.Contains(t, "the numbers of its life", change, number)
	}
	check.True(t, "what is bought is in generations", strings.Contains(generations, bought), bought, plan)
	m.WantCount(t, mockserver.RouteBatch, 1+extended)
}

const twentyGroups = versions + `
resource "mediagen_generation_group" "each" {
  count   = 20
  prompts = { only = { prompt = "Picture ${count.index}" } }
}
`

// A plan over a limit says so in one error, which fits a screen, after what it has planned: 20
// groups were 17 errors in 349 lines.
func TestAccPlanLines_overALimit(t *testing.T) {
	t.Parallel()
	const most = 30
	m := newTerminal(t, acctest.NewService(t), t.TempDir())
	m.write("main.tf", twentyGroups)
	m.setenv("MEDIAGEN_MAX_PURCHASES", "3")
	command := exec.CommandContext(t.Context(), m.cli, "plan", "-no-color")
	command.Dir, command.Env = m.directory, m.environment
	_, err := command.Output()
	refused := (*exec.ExitError)(nil)
	if !errors.As(err, &refused) {
		t.Fatalf("the plan is not refused: %v", err)
	}
	said := string(refused.Stderr)
	lines := strings.Count(said, "\n")
	check.True(t, "the lines of the errors", lines <= most && strings.Count(said, "Error: ") == 1, lines, most, said)
	m.wantSays(strings.Join(strings.Fields(said), " "), "Purchase Limit Exceeded", "The plan buys 4 so far; max_purchases allows 3. Nothing is bought.")
	m.WantCount(t, mockserver.RouteBatch, 0)
}

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
