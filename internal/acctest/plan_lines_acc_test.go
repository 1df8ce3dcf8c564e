package acctest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

const galleryOf = versions + `
resource "mediagen_generation_group" "gallery" {
  title   = "Gallery"
  prompts = { for i in range(%d) : format("p%%02d", i) => { prompt = "Picture ${i}" } }
}
`

// Who adds a prompt to a group that was extended often reads what that changes,
// and not what was bought before: it was 138 lines, 102 of them old receipts.
func TestAccPlanLines_onePromptMore(t *testing.T) {
	tier.Long(t, "a large plan, read line by line")
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

// A plan over a limit says so in one error, which fits a screen, after what it
// has planned: 20 groups were 17 errors in 349 lines.
func TestAccPlanLines_overALimit(t *testing.T) {
	tier.Long(t, "a large plan, read line by line")
	t.Parallel()
	const most = 30
	m := newTerminal(t, acctest.NewService(t), t.TempDir())
	m.write("main.tf", twentyGroups)
	m.setenv("MEDIAGEN_MAX_PURCHASES", "3")
	command := exec.CommandContext(t.Context(), m.cli, "plan", "-no-color")
	command.Dir = m.directory
	command.Env = m.environment
	_, err := command.Output()
	refused := (*exec.ExitError)(nil)
	if !errors.As(err, &refused) {
		t.Fatalf("the plan is not refused: %v", err)
	}
	said := string(refused.Stderr)
	lines := strings.Count(said, "\n")
	check.True(t, "the lines of the errors", lines <= most && strings.Count(said, "Error: ") == 1, lines, most, said)
	m.wantSays(
		strings.Join(strings.Fields(said), " "),
		"Purchase Limit Exceeded",
		"The configuration buys 4 so far; max_purchases allows 3.",
	)
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
	tier.Long(t, "a configuration with many warnings")
	t.Parallel()
	s := acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	m := newTerminal(t, s, t.TempDir())
	m.write("main.tf", fmt.Sprintf(twoGroups, "Before"))
	m.run("apply", "-auto-approve")
	want := func(what, output string, times int) {
		t.Helper()
		for _, group := range s.Groups() {
			found := strings.Count(output, "Warning: Media Will Be Deleted: group "+group.ID+"\n")
			check.True(
				t,
				what+": the warnings of "+group.ID,
				found == times && !strings.Contains(output, "similar warning"),
				found,
				times,
				output,
			)
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

func TestAccPolicies(t *testing.T) {
	tier.Long(t, "policies over all plans")
	t.Parallel()
	service := newExampleService(t)
	m := newTerminal(t, service, t.TempDir())
	configure := func(later, title, prompts, round string) {
		m.write("main.tf", fmt.Sprintf(versions+`
resource "terraform_data" "later" { input = %q }
resource "mediagen_generation_group" "g" {
  title   = %s
  prompts = { for key, text in %s : key => { prompt = text } }
}
resource "mediagen_body_lora_training" "t" {
  character_id = "char_lin"
  triggers     = { round = %q }
}
`, later, title, prompts, round))
	}
	const (
		g, tr    = "mediagen_generation_group.g", "mediagen_body_lora_training.t"
		titled   = `"Portraits"`
		output   = "terraform_data.later.output"
		two      = `{ a = "A", b = "B" }`
		unknowns = `{ for key in split(" ", ` + output + `) : key => key }`
	)
	shown := func(arguments ...string) string {
		t.Helper()
		_, _ = m.try(append([]string{"plan", "-out=plan"}, arguments...)...)
		return m.run("show", "-json", "plan")
	}
	want := func(what, sum string, objects []string, arguments ...string) {
		t.Helper()
		t.Log(what)
		repotest.WantPolicies(t, shown(arguments...), append(objects, "all: "+sum)...)
	}
	const (
		none    = "purchases 0, credits 0"
		unknown = "purchases unknown, credits unknown"
		once    = tr + ": purchases 1, credits 100"
	)
	both := []string{g + ": purchases 2, credits 0.2", once}
	m.setenv("MEDIAGEN_PRICES", `{"generation": 0.1, "training": 100}`)

	configure("1", output, two, "1")
	want("create with an unknown title", "purchases 3, credits 100.2", both)
	configure("1 2", titled, unknowns, "1")
	want("create with unknown prompts", unknown, []string{g + ": " + unknown, once})
	configure("1", titled, two, "1")
	want("create", "purchases 3, credits 100.2", both)
	m.run("apply", "plan")
	want("nothing", none, nil)
	want("refresh only", none, nil, "-refresh-only")
	want("destroy", none, nil, "-destroy")
	want(
		"replacement",
		"purchases 3, credits unknown",
		[]string{g + ": purchases 2, credits unknown", tr + ": purchases 1, credits unknown"},
		"-replace="+g,
		"-replace="+tr,
	)

	configure("1", `"Faces"`, two, "1")
	want("a title", none, nil)
	configure("1", titled, `{ a = "A", c = "B" }`, "1")
	want("a renamed key", none, nil)
	configure("1", titled, `{ a = "A2", b = "B", c = "C" }`, "2")
	want(
		"update",
		"purchases 3, credits unknown",
		[]string{g + ": purchases 2, credits 0.2", tr + ": purchases 1, credits unknown"},
	)
	configure("2", output, two, "1")
	want("an unknown title", none, nil)
	configure("2", titled, `{ a = "A", b = `+output+` }`, "1")
	want("one unknown text", unknown, []string{g + ": " + unknown})
	configure("a b", titled, unknowns, "1")
	want("unknown prompts", unknown, []string{g + ": " + unknown})

	elsewhere := map[string]string{}
	for i, generation := range service.Groups()[0].Generations {
		elsewhere[fmt.Sprintf("i%d", i)] = generation.ID
	}
	id, err := json.Marshal(elsewhere)
	check.Must(t, err)
	configure("1", titled, two, "1")
	imports := func(more string) {
		m.write("imports.tf", fmt.Sprintf(`
import {
  to = mediagen_generation_group.i
  id = %q
}
resource "mediagen_generation_group" "i" {
  character_id = "char_ada"
  prompts = {
    i0 = { prompt = "Portrait in soft morning light" }
    i1 = { prompt = "On a stage in red light" }
    %s
  }
}
`, id, more))
	}
	imports("")
	want("import", none, nil)
	imports(`i2 = { prompt = "In the rain" }`)
	want(
		"import and add",
		"purchases 1, credits 0.1",
		[]string{"mediagen_generation_group.i: purchases 1, credits 0.1"},
	)
	if !m.atLeast(tfversion.Version1_6_0) {
		return // it writes no plan that has failed
	}
	m.setenv("MEDIAGEN_MAX_PURCHASES", "0")
	check.Equal(t, "of a plan that failed", repotest.ByJQ(t, shown(), 50).Denied, repotest.NotTold)
}
