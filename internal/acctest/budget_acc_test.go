package acctest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func newBudget(t *testing.T) *terminal {
	t.Helper()
	m := newTerminal(t, acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 }), t.TempDir())
	m.write("main.tf", versions+`
variable "prompts" {
  type    = number
  default = 3
}

variable "budget" {
  type    = number
  default = 0.3
}

resource "mediagen_generation_group" "gallery" {
  prompts = { for i in range(var.prompts) : format("p%02d", i) => { prompt = "Picture ${i}" } }

  `+blocksOf(t, "money", "hcl")[1]+`
}

output "cost" {
  value = mediagen_generation_group.gallery.cost
}
`)
	m.setenv("MEDIAGEN_PRICES", `{"generation": 0.1}`)
	return m
}

func (m *terminal) overBudget(cost string, batches int, arguments ...string) {
	m.t.Helper()
	m.refuses([]string{"Resource postcondition failed", "Over budget.", "self.cost is " + cost}, arguments...)
	m.WantCount(m.t, mockserver.RouteBatch, batches)
}

// A budget fails the plan, also of an apply, with nothing bought, to the exact
// decimal. It is for a life: it fails every plan once it is lower than what was
// spent.
func TestAccBudget(t *testing.T) {
	tier.Long(t, "plans and applies up to a budget")
	t.Parallel()
	m := newBudget(t)
	m.overBudget("0.4", 0, "plan", "-var=prompts=4")
	m.overBudget("0.4", 0, "apply", "-auto-approve", "-var=prompts=4")
	check.Equal(t, "what is bought beyond the budget", len(m.Ledger().Entries), 0)
	m.wantSays(m.run("apply", "-auto-approve"), "+ cost = 0.3", "cost = 0.3\n")
	m.WantCount(t, mockserver.RouteBatch, 1)
	m.wantNoChanges()
	m.overBudget("0.4", 1, "apply", "-auto-approve", "-var=prompts=4")
	m.overBudget("0.3", 1, "plan", "-var=budget=0.2")
	m.wantSays(m.run("plan", "-var=prompts=4", "-var=budget=0.4"), "~ cost = 0.3 -> 0.4")
	m.WantCount(t, mockserver.RouteBatch, 1)
}

// What a replacement costs is not known in its plan, and checked once it is
// bought.
func TestAccBudget_replacement(t *testing.T) {
	tier.Long(t, "plans and applies up to a budget")
	t.Parallel()
	m := newBudget(t)
	m.run("apply", "-auto-approve")
	replace := []string{"-replace=mediagen_generation_group.gallery", "-var=prompts=4"}
	m.wantSays(m.run(append([]string{"plan"}, replace...)...), "~ cost = 0.3 -> (known after apply)")
	m.overBudget("0.4", 2, append([]string{"apply", "-auto-approve"}, replace...)...)
	m.overBudget("0.4", 2, "plan", "-var=prompts=4")
	m.wantSays(m.run("apply", "-auto-approve", "-var=prompts=4", "-var=budget=0.4"), "0 added, 0 changed, 0 destroyed")
	m.WantCount(t, mockserver.RouteBatch, 2)
}

// Without a price there is no cost: a budget is an error then, an optional one
// if it is set.
func TestAccBudget_withoutPrices(t *testing.T) {
	tier.Long(t, "plans and applies up to a budget")
	t.Parallel()
	m := newBudget(t)
	m.setenv("MEDIAGEN_PRICES", "")
	m.refuses([]string{"self.cost is null"}, "plan")
	m.replace("main.tf", "self.cost <= var.budget", "try(self.cost <= var.budget, var.budget == null)")
	m.refuses([]string{"Resource postcondition failed"}, "apply", "-auto-approve")
	m.WantCount(t, mockserver.RouteBatch, 0)
	m.replace("main.tf", "default = 0.3", "default = null")
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	check.True(t, "there is no output", !strings.Contains(m.run("output"), "0"), m.run("output"))
}

// Other prices than the plan's are what CLIs call a bug in the provider, and
// the guides quote it.
func TestAccBudget_pricesDiffer(t *testing.T) {
	tier.Long(t, "plans and applies up to a budget")
	t.Parallel()
	m := newBudget(t)
	m.run("plan", "-out=saved.tfplan")
	m.setenv("MEDIAGEN_PRICES", `{"generation": 0.2}`)
	const summary, blame = "Provider produced inconsistent final plan", "This is a bug in the provider"
	m.refuses(
		[]string{
			"Error: " + summary,
			"produced an invalid new value for .cost",
			blame + ", which should be reported in the provider's own issue tracker.",
		},
		"apply",
		"saved.tfplan",
	)
	m.WantCount(t, mockserver.RouteBatch, 0)
	for _, guide := range []string{"money", "troubleshooting"} {
		quoted := strings.Join(strings.Fields(readFile(t, filepath.Join(root, "docs", "guides", guide+".md"))), " ")
		check.Contains(t, "the guide "+guide, quoted, "*"+summary+" … "+blame+"*")
	}
	m.run("apply", "-auto-approve", "-var=budget=0.6")
	m.WantCount(t, mockserver.RouteBatch, 1)
}

// The budget of the main example is for the pictures of each character.
func TestAccBudget_pipeline(t *testing.T) {
	tier.Long(t, "plans and applies up to a budget")
	t.Parallel()
	m := newPipeline(t)
	m.refuses([]string{"The pictures of ada are over budget, or prices has no generation."}, "plan", "-var=budget=1")
	m.setenv("MEDIAGEN_PRICES", `{"generation": 1, "training": 100}`)
	m.refuses(
		[]string{"The pictures of ada are over budget, or prices has no generation."},
		"apply",
		"-auto-approve",
		"-var=budget=1",
	)
	m.wantRequests(map[string]int{mockserver.RouteStartTraining: 0, mockserver.RouteBatch: 0})
	m.wantSays(m.run("apply", "-auto-approve", "-var=budget=2"), "cost = 204\n")
	m.wantNoChanges("-var=budget=2")
}
