//go:build unix

package acctest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const adoption = versions + `
resource "mediagen_character" "ada" {
  id   = "char_ada"
  name = "Countess"
}

import {
  to = mediagen_generation_group.ada
  id = "{\"a\": \"%s\"}"
}

resource "mediagen_generation_group" "ada" {
  character_id = "char_ada"
  title        = "Portraits"
  prompts      = { a = { prompt = "A", face_swap = true } }
  depends_on   = [mediagen_character.ada]
}

import {
  to = mediagen_body_lora_training.ada
  id = "char_ada/%s"
}

resource "mediagen_body_lora_training" "ada" {
  character_id = "char_ada"
  triggers     = { round = "1" }
  depends_on   = [mediagen_character.ada]
}
`

const wholeAdoption = versions + `
import {
  to = mediagen_generation_group.ada
  %s
}

resource "mediagen_generation_group" "ada" {
  character_id = "char_ada"
  title        = "Portraits"
  prompts = {
    dawn = { prompt = "Ada at dawn", face_swap = true }
    one  = { prompt = "Twins" }
    two  = { prompt = "Twins" }
  }
}
`

// A group's id is all that a real CLI needs: as an id, an identity and in the
// command. Fault F28.
func TestAccImport_wholeGroup(t *testing.T) {
	tier.Long(t, "a further story of imports")
	t.Parallel()
	for name, by := range map[string]string{
		"id":       `id = "grp_000001"`,
		"identity": `identity = { id = "grp_000001" }`,
		"command":  "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewService(t, func(o *mockserver.Options) {
				o.Extended = true
				o.GenerationTime = -1
			})
			s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada"})
			s.GenerateElsewhere("char_ada", "Portraits", "Ada at dawn", "Twins", "Twins")
			m := newTerminal(t, s, t.TempDir())
			m.setenv("MEDIAGEN_EXTENDED_READS", "true")
			config := fmt.Sprintf(wholeAdoption, by)
			switch {
			case by == "":
				before, rest, _ := strings.Cut(config, "import {")
				_, after, _ := strings.Cut(rest, "}")
				m.write("main.tf", before+after)
				m.run("import", theGroup, "grp_000001")
			case name == "identity" && !m.atLeast(acctest.WithIdentity):
				t.Skip("this CLI knows no identities")
			default:
				m.needs(tfversion.Version1_5_0, "import blocks")
				m.write("main.tf", config)
			}
			m.adopts("0 added, 1 changed, 0 destroyed")
			s.WantCount(t, mockserver.RouteStatus, 0)
		})
	}
}

// Whatever a real CLI does between an import and the object's own update, the
// import holds: nothing is replaced, bought, trained or deleted. Fault F21.
func TestAccImport_holdsUntilItsOwnUpdate(t *testing.T) {
	tier.Long(t, "a further story of imports")
	t.Parallel()
	s := acctest.NewService(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada", FaceImages: 10})
	byHand := s.Scenario(t)
	byHand.Resource(theGroup, core.Object{"prompts": core.Object{"a": core.Object{"prompt": "A"}}})
	byHand.Apply().Must()
	job := s.StartTrainingElsewhere("char_ada")
	s.Clock.Advance(time.Hour)
	bought := s.Ledger()
	s.ResetJournal()

	m := newTerminal(t, s, t.TempDir())
	m.needs(tfversion.Version1_5_0, "import blocks")
	m.write("main.tf", fmt.Sprintf(adoption, byHand.Value(theGroup, `generations["a"].id`), job))
	s.Fault(mockserver.Fault{Route: mockserver.RouteUpdate, Status: 422, Body: `{"error":"refused"}`})
	for range 2 {
		m.refuses(nil, "apply", "-auto-approve")
	}
	s.ClearFaults()
	for range 2 {
		m.run("apply", "-refresh-only", "-auto-approve")
	}
	m.run("refresh")
	m.run("apply", "-auto-approve", "-target="+theCharacter)
	for _, change := range m.plan("update.plan").Changes {
		if want := map[string]string{
			theGroup:     "update",
			theTraining:  "update",
			theCharacter: "no-op",
		}[change.Address]; change.action() != want {
			t.Fatalf("%s: the plan is to %s it, want %s\n%s", change.Address, change.action(), want, m.transcript)
		}
	}
	m.run("apply", "update.plan")
	m.wantNoChanges()
	check.Equal(t, "the ledger", s.Ledger(), bought)
	for _, route := range []string{
		mockserver.RouteBatch,
		mockserver.RouteStartTraining,
		mockserver.RouteCancel,
		mockserver.RouteDelete,
		mockserver.RouteDeleteGroup,
	} {
		s.WantCount(t, route, 0)
	}
}
