package acctest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var skill = filepath.Join("..", "..", "skills", "mediagen", "SKILL.md")

// Each command of the skill, in its order, on the skill's own configuration: it buys
// the two pictures once. Over the limit, nothing is sent.
func TestAccSkill(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	m.installable()
	m.write("main.tf", strings.Join(blocksIn(t, skill, "", "hcl"), "\n"))
	typed := strings.Join(blocksIn(t, skill, "", "shell"), "\n")
	m.onPath(t.TempDir())
	tooMuch := strings.Replace(typed, "MEDIAGEN_MAX_CREDITS=10", "MEDIAGEN_MAX_CREDITS=1", 1)
	refused, code := m.typed(tooMuch)
	check.True(t, "over the limit", code == 1, refused)
	m.wantSays(refused, "Purchase Limit Exceeded")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 0})

	output, code := m.typed(typed)
	check.True(t, "exit code", code == 0, output)
	m.wantSays(output, "purchases", "cost", "1 added", `{"morning":["`, "No changes")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 1})
}

// What the skill says of an unconfirmed purchase: the plan without purchases shows
// it and succeeds, and nothing is sent again.
func TestAccSkill_unconfirmed(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	m.installable()
	m.write("main.tf", strings.Join(blocksIn(t, skill, "", "hcl"), "\n"))
	m.onPath(t.TempDir())
	m.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	output, code := m.typed(strings.Join(blocksIn(t, skill, "", "shell"), "\n"))
	check.True(t, "exit code", code == 0, output)
	m.wantSays(output, "Unconfirmed Prompts")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 1})
}
