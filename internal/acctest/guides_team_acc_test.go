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
// buys nothing. A lower wave is an error, and a renamed character keeps its
// pictures.
func TestAccGuide_studio(t *testing.T) {
	tier.Long(t, "the commands of a guide, with forty characters")
	t.Parallel()
	m := newCast(t)
	before := len(m.Ledger().Entries)
	m.follow("studio", t.TempDir())
	prompts, _ := m.bought(before)
	check.Equal(t, "pictures of the first wave", len(prompts), 20)
	check.Equal(t, "their style", strings.HasSuffix(prompts[0], ", film still, soft light"), true)
	m.replace("production.yaml", "wave: 1\nbudget: 100", "wave: 2\nbudget: 2")
	m.refuses([]string{"would cost more than 2 credits"}, "apply", "-auto-approve")
	m.replace("production.yaml", "budget: 2", "budget: 100")
	before = len(m.Ledger().Entries)
	m.run("apply", "-auto-approve")
	prompts, _ = m.bought(before)
	check.Equal(t, "pictures of the second wave", len(prompts), 20)
	m.wantNoChanges()

	m.ResetJournal()
	m.replace("production.yaml", "wave: 2", "wave: 1")
	m.refuses([]string{"nstance cannot be destroyed"}, "apply", "-auto-approve")
	m.replace("production.yaml", "wave: 1", "wave: 2")
	m.replace("cast.yaml", "c00:", "countess:")
	m.write("moved.tf", strings.ReplaceAll(blocksOf(t, "studio#lose-no-wave", "hcl")[1], `"ada"`, `"c00"`))
	m.run("apply", "-auto-approve")
	m.wantNothingDone()
	m.wantNoChanges()
	m.shows("studio")
}

// Under "keep" the pictures of a scene that is removed stay at the service. A scene
// that comes back is bought anew.
func TestAccGuide_studioKeeps(t *testing.T) {
	tier.Long(t, "the block of a guide")
	t.Parallel()
	m := newExample(t, "studio", "")
	m.run("apply", "-auto-approve")
	policy := blocksOf(t, "studio#lose-no-wave", "hcl")[0]
	m.replace("main.tf", "  lifecycle {\n    prevent_destroy", policy+"\n\n  lifecycle {\n    prevent_destroy")
	m.run("apply", "-auto-approve")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 1})
	const street = "    street   = \"Walking through a street after the rain\"\n"
	m.replace("main.tf", street, "")
	m.run("apply", "-auto-approve")
	check.Equal(t, "generations at the service", len(m.generations()), 4) // two of newExampleService
	m.wantRequests(map[string]int{mockserver.RouteDelete: 0, mockserver.RouteDeleteGroup: 0})
	m.replace("main.tf", "  scenes = {\n", "  scenes = {\n"+street)
	before := len(m.Ledger().Entries)
	m.run("apply", "-auto-approve")
	prompts, _ := m.bought(before)
	check.Equal(t, "what is bought anew", len(prompts), 1)
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

// Each account gets its own requests, and its own log. What both have spent counts
// in the log of the team, which caps the month: neither block has a say in that.
func TestAccGuide_twoAccounts(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "two-accounts"))
	m.needs(tfversion.Version1_10_0, "ephemeral variables")
	m.installable()
	m.run("init")
	production := acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	m.unsetenv("MEDIAGEN_BASE_URL")
	m.unsetenv("MEDIAGEN_API_KEY")
	m.setenv("TF_VAR_staging", fmt.Sprintf(`{"base_url": %q, "api_key": %q}`, m.URL, acctest.APIKey))
	m.setenv("TF_VAR_production", fmt.Sprintf(`{"base_url": %q, "api_key": %q}`, production.URL, acctest.APIKey))
	bucket := newCloud(t)
	m.reachable(bucket)
	m.environment = append(m.environment, credentialsOf(logRole)...)
	before := len(m.Ledger().Entries)
	m.follow("two-accounts", t.TempDir())
	prompts, _ := m.bought(before)
	check.Equal(t, "pictures of staging", len(prompts), 1)
	production.WantCount(t, mockserver.RouteBatch, 1)
	for log, purchases := range map[string]int{
		bucket.lines(): 2, m.read("staging.jsonl"): 1, m.read("production.jsonl"): 1,
	} {
		check.Equal(t, "purchases in a log", strings.Count(log, `"outcome":"answered"`), purchases)
	}

	m.setenv("MEDIAGEN_PURCHASE_LOG", cloudLog)
	m.setenv("MEDIAGEN_PRICES", `{"generation": 1, "training": 100}`)
	m.setenv("MEDIAGEN_MAX_CREDITS_PER_MONTH", "3")
	m.replace("main.tf", "town  =", "river = { prompt = \"A river\" }\n    town  =")
	m.refuses([]string{"Purchase Limit Exceeded", "has 3 as spent in this month"}, "plan")
	m.setenv("MEDIAGEN_MAX_CREDITS_PER_MONTH", "4")
	m.run("apply", "-auto-approve")
	production.WantCount(t, mockserver.RouteBatch, 2)
	bucket.wantObedience()
}

// The overview and the README show lines of a plan of their example.
func TestAccIndex_plan(t *testing.T) {
	t.Parallel()
	m := newExample(t, "provider", "")
	m.run("plan")
	m.shows("../index")
	m.shows("../../README")
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
