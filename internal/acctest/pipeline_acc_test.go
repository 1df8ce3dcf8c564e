package acctest_test

import (
	"bufio"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const extraPrompts = `-var=extra_prompts={ada={beach="On the beach, late summer"}}`

func newPipeline(t *testing.T) *terminal {
	t.Helper()
	return newTerminal(t, newExampleService(t), filepath.Join(examples, "pipeline"))
}

func TestAccPipeline(t *testing.T) {
	t.Parallel()
	m := newPipeline(t)
	before := len(m.Ledger().Entries)

	planned := m.plan("first.plan")
	m.run("apply", "first.plan")
	m.wantBought(planned, before, map[string]int{"training": 2, "prompt": 4})
	m.WantCount(t, mockserver.RouteUpload, 3)
	m.wantNoChanges()

	before = len(m.Ledger().Entries)
	planned = m.plan("second.plan", extraPrompts)
	m.run("apply", "second.plan")
	m.wantBought(planned, before, map[string]int{"prompt": 1})
	check.Equal(t, "bought", m.Ledger().Entries[before].Prompts, []string{"On the beach, late summer"})
	m.wantNoChanges(extraPrompts)

	m.wantWarnings(map[string]int{
		"Media Will Be Deleted: group":  2,
		"Characters Will Be Forgotten":  1,
		"Face Images Will Be Forgotten": 1,
	}, "plan", "-destroy", extraPrompts)
	before = len(m.Ledger().Entries)
	m.run("destroy", "-auto-approve", extraPrompts)
	m.run("destroy", "-auto-approve", extraPrompts)
	bought := m.Ledger().Entries[before:]
	check.True(t, "the destroy buys nothing", len(bought) == 0, bought)
	for _, group := range m.Groups() {
		if group.Title != "Portraits" { // of the examples, not of the pipeline
			t.Errorf("the group %s is left", group.ID)
		}
	}
}

// bookedAs is what the ledger calls a purchase, but for a batch, whose prompts
// count.
var bookedAs = map[string]string{
	"mediagen_body_lora_training": "training",
	"mediagen_face_lora_training": "training",
	"mediagen_dataset":            "dataset",
	"mediagen_generation_group":   "prompt",
}

func (m *terminal) wantBought(planned shownPlan, before int, want map[string]int) {
	m.t.Helper()
	announced := map[string]int{}
	for _, change := range planned.Changes {
		kind := bookedAs[change.Type]
		bought := len(change.bought(m.t))
		if kind != "" && bought > 0 {
			announced[kind] += bought
		}
	}
	check.Equal(m.t, "what the plan announces", announced, want)
	prompts, bought := m.bought(before)
	delete(bought, "batch")
	if len(prompts) > 0 {
		bought["prompt"] = len(prompts)
	}
	check.Equal(m.t, "what was announced and bought", bought, announced)
}

func (m *terminal) bought(before int) (prompts []string, purchases map[string]int) {
	purchases = map[string]int{}
	for _, entry := range m.Ledger().Entries[before:] {
		prompts = append(prompts, entry.Prompts...)
		purchases[entry.Kind]++
	}
	return prompts, purchases
}

func (m *terminal) wantWarnings(want map[string]int, arguments ...string) {
	m.t.Helper()
	got := map[string]int{}
	lines := bufio.NewScanner(strings.NewReader(m.run(append(arguments, "-json")...)))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var line struct {
			Type       string
			Diagnostic struct{ Severity, Summary, Detail string }
		}
		if json.Unmarshal(lines.Bytes(), &line) != nil || line.Type != "diagnostic" {
			continue
		}
		summary := line.Diagnostic.Summary
		if about := strings.LastIndex(summary, " "); want[summary] == 0 && about > 0 {
			summary = summary[:about] // which is not counted
		}
		if line.Diagnostic.Severity == "warning" && want[summary] > 0 {
			got[summary]++
		}
	}
	check.Equal(m.t, strings.Join(arguments, " "), got, want)
}

// A failed prompt makes the run fail, and is bought again only when
// max_attempts says so.
func TestAccPipeline_failedPrompt(t *testing.T) {
	tier.Long(t, "the main example once more")
	t.Parallel()
	m := newPipeline(t)
	m.FailPrompt("soldering", "too bright")
	fails := func() { m.refuses([]string{"Some prompts of ada have no results"}, "apply", "-auto-approve") }
	fails()
	bought := len(m.Ledger().Entries)
	state := m.run("show")
	check.True(t, "nothing is tainted", !strings.Contains(state, "tainted"), state)
	fails()
	check.Equal(t, "what an apply that does not ask for it has bought", len(m.Ledger().Entries), bought)

	m.FailPrompt("soldering", "")
	m.write("again_override.tf", "resource \"mediagen_generation_group\" \"this\" {\n  max_attempts = 2\n}\n")
	planned := m.plan("again.plan")
	m.run("apply", "again.plan")
	m.wantBought(planned, bought, map[string]int{"prompt": 1})
	m.wantNoChanges()
}

// validate, and a plan that reads nothing, need no credential.
func TestAccPipeline_withoutCredential(t *testing.T) {
	tier.Long(t, "the main example once more")
	t.Parallel()
	m := newPipeline(t)
	m.run("apply", "-auto-approve")
	m.ResetJournal()
	m.unsetenv("MEDIAGEN_API_KEY")
	m.run("validate")
	said := m.refuses(nil, "plan")
	check.True(t, "the plan says it once", strings.Count(said, "Error: Missing Credential") == 1, said)
	m.setenv("MEDIAGEN_ACCESS_TOKEN", "offline")
	m.wantNoChanges("-refresh=false")
	m.WantNoRequests(t)
}

func TestAccPipeline_progressIsLogged(t *testing.T) {
	tier.Long(t, "the main example once more")
	t.Parallel()
	m := newPipeline(t)
	file := filepath.Join(m.directory, "progress.log")
	m.setenv("TF_LOG_PROVIDER", "INFO")
	m.setenv("TF_LOG_PATH", file)
	m.run("apply", "-auto-approve")
	content := readFile(t, file)
	var own []string
	for line := range strings.Lines(content) {
		if strings.Contains(line, "provider.terraform-provider-mediagen") &&
			strings.Contains(line, "@module=mediagen") {
			own = append(own, line)
		}
	}
	log := strings.Join(own, "")
	m.wantSays(log, "generations have ended", `of character "char_ada": completed, 100 percent`)
	for _, noise := range []string{"[DEBUG]", "[TRACE]", "Sent a request", "configuration not found"} {
		check.True(t, "the log at INFO is without noise", !strings.Contains(content, noise), noise, content)
	}
	check.True(t, "the lines", len(own) <= 8, len(own), log)
}
