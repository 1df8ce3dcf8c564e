package acctest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

func TestAccGuide_limitsAndCI(t *testing.T) {
	t.Parallel()
	m := newPipeline(t)
	if !m.hasTools("jq") {
		t.Log("there is no jq")
		return
	}
	m.installable()
	m.write("purchases.jq", repotest.PolicyFile(t, "purchases.jq"))
	m.wantSays(m.follow("limits-and-ci", t.TempDir()), "all: purchases 6, credits unknown", "No changes")
	m.WantCount(t, mockserver.RouteStartTraining, 2)
	m.WantCount(t, mockserver.RouteBatch, 2)
	log := m.read("purchases.jsonl")
	check.True(t, "the purchase log", strings.Count(log, `"outcome":"answered"`) == 4, log)
}

// The workflow tells what its plan buys, and applies just that; beyond its limit it fails.
func TestAccExamples_workflow(t *testing.T) {
	t.Parallel()
	m := newPipeline(t)
	if !m.hasTools("bash", "jq") {
		t.Log("there is no bash or no jq")
		return
	}
	m.installable()
	m.onPath(t.TempDir())
	m.write("purchases.jq", repotest.PolicyFile(t, "purchases.jq"))
	m.setenv("GITHUB_STEP_SUMMARY", filepath.Join(m.directory, "summary.md"))
	var ci struct {
		Env  map[string]string
		Jobs map[string]struct{ Steps []struct{ Run string } }
	}
	readYAML(t, filepath.Join("ci", "mediagen.yml"), &ci)
	for variable, value := range ci.Env {
		if !strings.Contains(value, "${{") {
			m.setenv(variable, value)
		}
	}
	runJob := func(job string) (output string, code int) {
		for _, step := range ci.Jobs[job].Steps {
			if step.Run == "" {
				continue
			}
			printed, code := m.execute(exec.CommandContext(context.WithoutCancel(t.Context()), "bash", "-e", "-c", step.Run))
			if output += printed; code != 0 {
				return output, code
			}
		}
		return output, 0
	}

	if output, code := runJob("plan"); code != 0 || !strings.Contains(output, "all: purchases 6, credits unknown") {
		t.Fatalf("the plan: exit code %d\n%s", code, output)
	}
	m.WantCount(t, mockserver.RouteBatch, 0)
	if output, code := runJob("apply"); code != 0 {
		t.Fatalf("the apply: exit code %d\n%s", code, output)
	}
	m.WantCount(t, mockserver.RouteStartTraining, 2)
	m.WantCount(t, mockserver.RouteBatch, 2)
	log, err := os.ReadFile(filepath.Join(m.directory, ci.Env["MEDIAGEN_PURCHASE_LOG"]))
	check.True(t, "the purchase log", err == nil && strings.Count(string(log), `"outcome":"answered"`) == 4, err, log)
	if output, code := runJob("plan"); code != 0 || !strings.Contains(output, "all: purchases 0, credits 0") {
		t.Errorf("an empty plan: exit code %d\n%s", code, output)
	}
	m.setenv("MEDIAGEN_MAX_PURCHASES", "1")
	m.write("others.tf", `
provider "mediagen" {
  alias = "other"
}
resource "mediagen_generation_group" "one" { prompts = { a = { prompt = "A" } } }
resource "mediagen_generation_group" "other" {
  provider = mediagen.other
  prompts  = { a = { prompt = "A" } }
}
`)
	if output, code := runJob("plan"); code != 1 || !strings.Contains(output, "The plan buys 2; the limit is 1.") {
		t.Errorf("beyond the limit together: exit code %d\n%s", code, output)
	}
	m.setenv("TF_VAR_retrain", "2")
	if output, code := runJob("plan"); code != 1 || !strings.Contains(output, "Purchase Limit Exceeded") {
		t.Errorf("beyond the limit: exit code %d\n%s", code, output)
	}
}
