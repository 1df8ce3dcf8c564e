package acctest_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// newCast is the example of a studio with forty characters in four waves.
func newCast(t *testing.T) *terminal {
	t.Helper()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "studio"))
	m.needs(tfversion.Version1_8_0, "functions of providers")
	m.installable()
	var cast strings.Builder
	for i := range 40 {
		id := m.AddCharacter(mockserver.CharacterSeed{Name: fmt.Sprint("Character ", i)})
		fmt.Fprintf(&cast, "c%02d:\n  id: %s\n  name: Character %d\n  wave: %d\n", i, id, i, 1+i/10)
	}
	m.write("cast.yaml", cast.String())
	return m
}

// A wave buys the pictures of its characters alone, and a plan over the budget
// buys nothing.
func TestAccGuide_studio(t *testing.T) {
	tier.Long(t, "the commands of a guide, with forty characters")
	t.Parallel()
	m := newCast(t)
	before := len(m.Ledger().Entries)
	m.follow("studio", t.TempDir())
	prompts, _ := m.bought(before)
	check.Equal(t, "pictures of the first wave", len(prompts), 20)
	check.Equal(t, "their style", strings.HasSuffix(prompts[0], ", film still, soft light"), true)
	m.refuses([]string{"would cost more than 2 credits"}, "apply", "-auto-approve", "-var=wave=2", "-var=budget=2")
	m.shows("studio")
	before = len(m.Ledger().Entries)
	m.run("apply", "-auto-approve", "-var=wave=2")
	prompts, _ = m.bought(before)
	check.Equal(t, "pictures of the second wave", len(prompts), 20)
	m.wantNoChanges("-var=wave=2")
}

// One prompt of three is refused: it alone is bought again.
func TestAccGuide_refusedPrompts(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "refused-prompt"))
	m.installable()
	m.RejectPrompt("A battle", "not allowed")
	m.run("init")
	m.run("apply", "-auto-approve")
	m.shows("refused-prompts")
	m.replace("main.tf", `"A battle"`, `"Two armies far away"`)
	before := len(m.Ledger().Entries)
	m.follow("refused-prompts", t.TempDir())
	prompts, _ := m.bought(before)
	check.Equal(t, "what is bought", prompts, []string{"Two armies far away"})
	m.wantNoChanges()
}

// Each account gets its own requests, and its own log, which the cap of a month
// reads.
func TestAccGuide_twoAccounts(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "two-accounts"))
	m.needs(tfversion.Version1_10_0, "ephemeral variables")
	production := acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	m.unsetenv("MEDIAGEN_BASE_URL")
	m.unsetenv("MEDIAGEN_API_KEY")
	m.setenv("TF_VAR_staging", fmt.Sprintf(`{"base_url": %q, "api_key": %q}`, m.URL, acctest.APIKey))
	m.setenv("TF_VAR_production", fmt.Sprintf(`{"base_url": %q, "api_key": %q}`, production.URL, acctest.APIKey))
	before := len(m.Ledger().Entries)
	m.run("apply", "-auto-approve")
	prompts, _ := m.bought(before)
	check.Equal(t, "pictures of staging", len(prompts), 1)
	production.WantCount(t, mockserver.RouteBatch, 1)

	m.write("purchases.jsonl", m.read("production.jsonl"))
	m.write("month.tf", blocksOf(t, "two-accounts", "hcl")[0])
	m.replace(
		"month.tf",
		`"mediagen_purchases" "all" {`,
		`"mediagen_purchases" "all" {`+"\n  provider = mediagen.production",
	)
	m.run("apply", "-auto-approve")
	m.replace("month.tf", "< 500", "< 0")
	m.refuses([]string{"credits this month"}, "plan")
}

// The first page shows lines of a plan of its example.
func TestAccIndex_plan(t *testing.T) {
	t.Parallel()
	m := newExample(t, "provider", "")
	m.run("plan")
	m.shows("../index")
}

// An older provider reads the state of a newer one whose schema has the same
// version: it leaves out what it does not know, and buys nothing.
func TestAccGuide_olderProvider(t *testing.T) {
	tier.Long(t, "what a guide promises")
	t.Parallel()
	m := newExample(t, "provider", "")
	m.run("apply", "-auto-approve")
	m.replace("terraform.tfstate", `"deletion_policy":`, `"of_a_newer_version": "x", "deletion_policy":`)
	m.wantNoChanges()
	m.WantCount(t, mockserver.RouteBatch, 1)
}
