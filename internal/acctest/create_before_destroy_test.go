package acctest_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
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

// No CLI tells a replacement under create_before_destroy of its predecessor: while that runs, the
// apply is an error. So is a plan beside somebody's training, unless it refreshes nothing.
// Fault F20.
func TestAccCreateBeforeDestroy_runningTraining(t *testing.T) {
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
	if output, code := m.try("state", "rm", "mediagen_body_lora_training.ada"); code != 0 {
		t.Fatal(output)
	}
	refuses("plan", "-var=round=1")
	refuses("destroy", "-auto-approve", "-var=round=1")
	m.run("destroy", "-auto-approve", "-refresh=false", "-var=round=1")
	m.WantCount(t, mockserver.RouteStartTraining, 0)
	m.WantCount(t, mockserver.RouteCancel, 0)
}
