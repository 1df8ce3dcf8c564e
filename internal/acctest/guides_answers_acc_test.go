package acctest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// The log tells who has bought what, and for whom.
func TestAccGuide_whoBought(t *testing.T) {
	tier.Long(t, "the block of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	m.setenv("MEDIAGEN_PURCHASE_LOG", purchaseLog)
	m.setenv("MEDIAGEN_LABELS", `{"client": "acme"}`)
	m.setenv("GITHUB_ACTIONS", "")
	m.write("main.tf", versions+blocksOf(t, "changing", "hcl")[0])
	m.run("apply", "-auto-approve")
	m.write("spent.tf", blocksOf(t, "books#what-was-spent", "hcl")[0])
	m.run("apply", "-auto-approve")
	var who []struct {
		Group, User string
		Keys        []string
	}
	m.output("who", &who)
	check.True(
		t,
		"one purchase, its keys and its buyer",
		len(who) == 1 && len(who[0].Keys) == 2 && who[0].User != "" && strings.HasPrefix(who[0].Group, "grp_"),
		who,
	)
	check.Contains(t, "the log", m.read(purchaseLog), `"client":"acme"`)
}

// A key that is removed stops its generation, which has not ended, and no other.
func TestAccGuide_stopping(t *testing.T) {
	tier.Long(t, "what a guide promises")
	t.Parallel()
	s := acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = time.Hour })
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada"})
	m := newTerminal(t, s, t.TempDir())
	m.write("main.tf", versions+strings.Replace(
		blocksOf(t, "changing", "hcl")[0], "  prompts = {", "  wait_for_completion = false\n  prompts = {", 1))
	m.run("apply", "-auto-approve")
	m.replace("main.tf", `    stage   = { prompt = "On a stage in red light" }`+"\n", "")
	m.run("apply", "-auto-approve")
	left := m.generations()
	check.True(t, "what is left", len(left) == 1 && left[0].Prompt == "Portrait in soft morning light", left)
	m.run("destroy", "-auto-approve")
	check.Equal(t, "generations after a destroy", len(m.generations()), 0)
	m.wantRequests(map[string]int{mockserver.RouteBatch: 1, mockserver.RouteDelete: 1, mockserver.RouteDeleteGroup: 1})
}

// A plan with a new key of the organization is empty, so that the old one may be
// revoked. A key of another organization is noticed before that.
func TestAccGuide_colleagueLeaves(t *testing.T) {
	tier.Long(t, "what a guide promises")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	m.setenv("MEDIAGEN_PURCHASE_LOG", purchaseLog)
	m.write("main.tf", versions+blocksOf(t, "changing", "hcl")[0])
	m.run("apply", "-auto-approve")
	m.AddAPIKey("the-new-key", "another-person")
	m.setenv("MEDIAGEN_API_KEY", "the-new-key")
	m.wantNoChanges()
	m.AddOrganization("of-another-organization", "org_other")
	m.setenv("MEDIAGEN_API_KEY", "of-another-organization")
	m.refuses(nil, "plan")
	m.WantCount(t, mockserver.RouteBatch, 1)
}

// A picture of one character is edited in a group of another. A text of any length and
// in any script is sent as it is.
func TestAccGuide_twoCharacters(t *testing.T) {
	tier.Long(t, "the block of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	m.write("main.tf", versions+blocksOf(t, "changing", "hcl")[0])
	m.write("together.tf", blocksOf(t, "from-nothing#two-characters-in-one-picture", "hcl")[0])
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	long := strings.Repeat("雨の街を歩く, ", 2000)
	m.replace("together.tf", "The same two people on a bridge", long)
	before := len(m.Ledger().Entries)
	m.run("apply", "-auto-approve")
	prompts, _ := m.bought(before)
	check.Equal(t, "the long text", prompts, []string{long})
	m.wantNoChanges()
	m.WantCount(t, mockserver.RouteBatch, 3)
}
