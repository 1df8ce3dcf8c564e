package acctest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-version"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const replaceable = versions + `
variable "round" { type = string }

resource "terraform_data" "other" {} # nothing is planned to destroy an empty state

resource "mediagen_body_lora_training" "ada" {
  character_id        = "char_ada"
  triggers            = { round = var.round }
  wait_for_completion = false

  lifecycle {
    create_before_destroy = true
  }
}
`

// No CLI tells a replacement under create_before_destroy of its predecessor:
// while that runs, the apply is an error. So is a plan beside somebody's
// training. Fault F20.
func TestAccCreateBeforeDestroy_runningTraining(t *testing.T) {
	tier.Long(t, "a replacement while a training runs")
	t.Parallel()
	service := acctest.NewService(t, func(o *mockserver.Options) { o.TrainingTime = time.Hour })
	service.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", FaceImages: 10})
	m := newTerminal(t, service, t.TempDir())
	m.write("main.tf", replaceable)
	refuses := func(arguments ...string) {
		t.Helper()
		m.refuses([]string{"Body LoRA Training Runs Already", "create_before_destroy"}, arguments...)
	}
	m.run("apply", "-auto-approve", "-var=round=1")
	m.ResetJournal()
	refuses("apply", "-auto-approve", "-var=round=2")
	if !m.isOpenTofu() { // which leaves the predecessor deposed
		m.wantNoChanges("-var=round=1")
	}
	m.forget("mediagen_body_lora_training.ada")
	refuses("plan", "-var=round=1")
	refuses("destroy", "-auto-approve", "-var=round=1")
	m.run("destroy", "-auto-approve", "-refresh=false", "-var=round=1")
	m.wantRequests(map[string]int{mockserver.RouteStartTraining: 0, mockserver.RouteCancel: 0})
}

// lifecycle { destroy = false }: the CLI deletes nothing and says nothing to
// the purchase log; but Terraform asks once the block is gone, and prompts go
// as they always do.
func TestAccForgottenByTheCLI(t *testing.T) {
	tier.Long(t, "what a CLI forgets")
	t.Parallel()
	const prompts = `a = { prompt = "A" }`
	group := func(title, prompts string) string {
		return "resource \"mediagen_generation_group\" \"g\" {\n  " + title + "\n  prompts = { " + prompts +
			" }\n  lifecycle { destroy = false }\n}\n"
	}
	for name, test := range map[string]struct {
		config  string
		command []string
		says    string
		groups  int // that are deleted: none on OpenTofu, which remembers
		singly  int
	}{
		"a destroy": {config: group("", prompts), command: []string{"destroy"}},
		"a replacement": {
			config:  group(`character_id = "char_lin"`, prompts),
			command: []string{"apply"},
			says:    "Media Will Be Deleted",
		},
		"a removed prompt":  {config: group("", `b = { prompt = "B" }`), command: []string{"apply"}, singly: 1},
		"without its block": {command: []string{"apply"}, groups: 1},
		"with -replace only": {
			config:  group("", prompts),
			command: []string{"apply", "-replace=mediagen_generation_group.g"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExampleService(t)
			m := newTerminal(t, s, t.TempDir())
			since := version.Must(version.NewVersion("1.16.0"))
			if m.isOpenTofu() {
				since = version.Must(version.NewVersion("1.12.0"))
				test.groups = 0
				if name == "a destroy" { // an error otherwise
					test.command = append(test.command, "-suppress-forget-errors")
				}
			}
			m.needs(since, "destroy in a lifecycle block")
			log := filepath.Join(t.TempDir(), "purchases.jsonl")
			m.setenv("MEDIAGEN_PURCHASE_LOG", log)
			m.write("main.tf", versions+group("", prompts))
			m.run("apply", "-auto-approve")
			m.write("main.tf", versions+test.config)
			m.wantSays(m.run(append(test.command, "-auto-approve")...), test.says)
			m.WantCount(t, mockserver.RouteDeleteGroup, test.groups)
			m.WantCount(t, mockserver.RouteDelete, test.singly)
			content, err := os.ReadFile(log)
			check.True(
				t,
				"the log has nothing of it",
				err == nil && !strings.Contains(string(content), `"keep"`),
				err,
				string(content),
			)
		})
	}
}
