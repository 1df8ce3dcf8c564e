package acctest_test

import (
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// buys applies what a person has decided, and checks which prompts that buys.
func (m *terminal) buys(decisions string, want ...string) {
	m.t.Helper()
	m.write("approvals.yaml", decisions)
	before := len(m.Ledger().Entries)
	m.run("apply", "-auto-approve")
	prompts, _ := m.bought(before)
	slices.Sort(prompts)
	slices.Sort(want)
	check.Equal(m.t, "what the decisions buy: "+decisions, prompts, want)
	m.wantNoChanges()
}

// One sample of each character is bought before anything else. An approval buys the
// scenes, a rejection another take, and neither buys a picture twice. A misspelt
// decision buys nothing, and an approval that is taken back deletes nothing.
func TestAccExamples_approval(t *testing.T) {
	tier.Long(t, "an example beside those of resources")
	t.Parallel()
	const (
		portrait = "Portrait in soft morning light"
		stage    = "On a stage in red light"
		street   = "Walking through a street after the rain"
	)
	m := newExample(t, "approval", "")
	m.buys(m.read("approvals.yaml"), portrait, portrait)
	var open map[string][]string
	m.output("undecided", &open)
	check.Equal(t, "samples to look at", len(open["ada/portrait"])+len(open["lin/portrait"]), 2)

	decided := blocksOf(t, "studio#approve-one-sample-first", "yaml")[0]
	m.buys(decided, portrait, stage, street)
	m.buys("ada:\n  portrait: { approved: true }\n  street: { take: 2 }\nlin:\n"+
		"  portrait: { take: 2, approved: true }\n", street, stage, street)
	var approved map[string][]string
	m.output("approved", &approved)
	check.Equal(t, "pictures to hand on", len(approved["ada/portrait"])+len(approved["lin/portrait"]), 2)

	m.ResetJournal()
	for wrong, says := range map[string]string{
		"ada: { portrait: { aproved: true } }":   "ada/portrait",
		"ada: { portrait: { approved: maybe } }": "ada/portrait",
		"ada: { profile: { approved: true } }":   "ada/profile",
		"eve: { portrait: { approved: true } }":  "eve/portrait",
	} {
		m.write("approvals.yaml", wrong)
		m.refuses([]string{"no such decision: " + says + "."}, "apply", "-auto-approve")
	}
	m.write("approvals.yaml", "{}")
	m.refuses([]string{"nstance cannot be destroyed"}, "apply", "-auto-approve")
	m.wantNothingDone()
}

// A training waits until a person has approved each image, of which what is rejected
// is generated again.
func TestAccExamples_approvedTraining(t *testing.T) {
	tier.Long(t, "an example beside those of resources")
	t.Parallel()
	m := newExample(t, "approved-training", "")
	m.run("apply", "-auto-approve")
	m.wantNothingDone()
	var open []string
	m.output("undecided", &open)
	check.Equal(t, "images to look at", len(open), 3)

	m.write("approvals.yaml", blocksOf(t, "from-nothing#look-at-the-dataset", "yaml")[0])
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	m.wantRequests(map[string]int{mockserver.RouteRegenerate: 1, mockserver.RouteApproval: 2})

	m.replace("approvals.yaml", "train: false", "train: true")
	m.refuses([]string{"Not approved: image_000002."}, "apply", "-auto-approve")
	m.WantCount(t, mockserver.RouteStartTraining, 0)
	m.replace("approvals.yaml", "{ take: 2 }", "{ take: 2, approved: true }")
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	m.wantRequests(map[string]int{
		mockserver.RouteRegenerate:    1,
		mockserver.RouteApproval:      3,
		mockserver.RouteStartTraining: 1,
	})

	m.ResetJournal()
	m.replace("approvals.yaml", "image_000003", "image_000009")
	m.refuses([]string{"no such decision: image_000009."}, "apply", "-auto-approve")
	m.write("approvals.yaml", "images: {}\ntrain: false\n")
	m.refuses([]string{"nstance cannot be destroyed"}, "apply", "-auto-approve")
	m.wantNothingDone()
}
