//go:build unix

package acctest_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const replaceable = versions + `
variable "round" { type = string }
variable "wait" { type = bool }

resource "mediagen_body_lora_training" "ada" {
  character_id        = "char_ada"
  triggers            = { round = var.round }
  wait_for_completion = var.wait

  lifecycle {
    create_before_destroy = true
  }
}
`

// Ctrl-C in the wait of a replacement leaves two objects with one running, paid
// job. The next apply destroys the predecessor, whether or not the replacement
// needs an update of its own, and leaves the job; a destroy cancels it.
// Fault F20.
func TestAccInterrupt_replacement(t *testing.T) {
	t.Parallel()
	for name, updated := range map[string]bool{"the replacement is updated": true, "the replacement stays": false} {
		for _, parallelism := range []string{"-parallelism=10", "-parallelism=1"} {
			t.Run(name+" "+parallelism, func(t *testing.T) {
				t.Parallel()
				service := acctest.NewService(t, func(o *mockserver.Options) { o.TrainingTime = time.Hour })
				service.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", FaceImages: 10})
				m := newTerminal(t, service, t.TempDir())
				m.write("main.tf", replaceable)
				m.run("apply", "-auto-approve", "-var=round=1", "-var=wait=false")
				m.run("plan", "-out="+planned, "-var=round=2", "-var=wait=true")
				m.ResetJournal()
				m.signalled(boundary{mockserver.RouteTraining, 2, followed}, interrupt, "apply", "-no-color", planned)
				m.ClearFaults()
				if !updated {
					m.stopWaiting()
				}
				output := m.run("apply", "-auto-approve", parallelism, "-var=round=2", "-var=wait=false")
				if !strings.Contains(output, "Running Training Left to Another Resource") {
					t.Errorf("the apply says:\n%s", output)
				}
				m.WantCount(t, mockserver.RouteCancel, 0)
				m.wantNoChanges("-var=round=2", "-var=wait=false")
				m.run("destroy", "-auto-approve", "-var=round=2", "-var=wait=false")
				m.WantCount(t, mockserver.RouteCancel, 1)
				m.WantCount(t, mockserver.RouteStartTraining, 0)
				if jobs, ledger := m.Trainings("char_ada"), m.Ledger(); len(jobs) != 1 || jobs[0].Status != "cancelled" || len(ledger.Entries) != 1 {
					t.Errorf("the service has %v, and booked %v", jobs, ledger.Entries)
				}
			})
		}
	}
}

// stopWaiting edits the state: no training waits any more.
func (m *terminal) stopWaiting() {
	m.t.Helper()
	const file = "terraform.tfstate"
	state := readFile(m.t, filepath.Join(m.directory, file))
	m.write(file, strings.ReplaceAll(state, `"wait_for_completion": true`, `"wait_for_completion": false`))
}
