package acctest_test

import (
	"net/http"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// bareConfiguration writes no default; writtenConfiguration is the same, with
// each default, and what means none, written.
const (
	bareConfiguration = `
resource "mediagen_generation_group" "g" {
  character_id = "ada"
  prompts      = { a = { prompt = "A" } }
}

resource "mediagen_body_lora_training" "t" {
  character_id = "ada"
}

resource "mediagen_chat_completion" "c" {
  messages = [{ role = "user", content = "hello" }]
}

resource "mediagen_media_categorization" "m" {
  media_url = "https://media.example.com/a.png"
  metadata  = ["tags"]
}
`
	writtenConfiguration = `
resource "mediagen_generation_group" "g" {
  character_id = "ada"
  title        = ""
  labels       = {}
  prompts      = { a = { prompt = "A", take = 1 } }
  timeouts     = { create = "60m" }
}

resource "mediagen_body_lora_training" "t" {
  character_id        = "ada"
  triggers            = {}
  labels              = {}
  wait_for_completion = true
  timeouts            = { update = "180m" }
}

resource "mediagen_chat_completion" "c" {
  messages = [{ role = "user", content = "hello" }]
  stop     = []
  tools    = []
  triggers = {}
}

resource "mediagen_media_categorization" "m" {
  media_url  = "https://media.example.com/a.png"
  metadata   = ["tags"]
  use_scenes = false
  triggers   = {}
}
`
)

// A default that is written after an apply, and what means none, plan nothing,
// and send nothing but reads; nor does the plan that leaves them out again.
// Fault F35.
func TestAccDefaults_planNothing(t *testing.T) {
	tier.Long(t, "values that mean none, through all outputs")
	t.Parallel()
	s := newReachable(t)
	m := newTerminal(t, s, t.TempDir())
	m.write("versions.tf", `terraform {
  required_providers { mediagen = { source = "mediagen/mediagen" } }
}
`)
	m.write("main.tf", bareConfiguration)
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	bought := len(s.Ledger().Entries)
	s.ResetJournal()
	for _, configuration := range []string{writtenConfiguration, bareConfiguration} {
		m.write("main.tf", configuration)
		m.wantNoChanges()
		m.run("apply", "-auto-approve")
	}
	m.wantNothingDone()
	for _, sent := range s.Journal() {
		check.True(t, "only reads", sent.Method == http.MethodGet || sent.Route == mockserver.RouteToken, sent.Route)
	}
	check.Equal(t, "purchases", len(s.Ledger().Entries), bought)
}
