package acctest_test

import (
	"fmt"
	"os"
	"path/filepath"
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

const versions = `terraform {
  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

provider "mediagen" {}
`

const organisation = `
list "mediagen_character" "all" {
  provider = mediagen
  limit    = 1000
}

list "mediagen_face_image" "all" {
  for_each = toset([for character in list.mediagen_character.all.data : character.identity.id])
  provider = mediagen
  limit    = 1000

  config {
    character_id = each.value
  }
}

list "mediagen_body_lora_training" "all" {
  for_each = toset([for character in list.mediagen_character.all.data : character.identity.id])
  provider = mediagen
  limit    = 1000

  config {
    character_id = each.value
  }
}
`

func newQuery(t *testing.T, s *acctest.Service, query string) *terminal {
	t.Helper()
	m := newTerminal(t, s, t.TempDir())
	m.needs(tfversion.Version1_14_0, "queries")
	m.write("versions.tf", versions)
	m.write("all.tfquery.hcl", query)
	return m
}

// Two commands adopt everything, and change nothing at the service.
func TestAccQuery_adoptsAnOrganisation(t *testing.T) {
	tier.Long(t, "an organization listed page by page")
	t.Parallel()
	const characters = 101 // two pages; the CLI's time grows with the square of the objects
	s := acctest.NewService(t)
	images := 0
	trainings := 0
	for i := range characters {
		seed := mockserver.CharacterSeed{Name: fmt.Sprintf("Character %d", i), BodyImages: 1}
		if i%3 == 0 {
			seed.FaceImages = 1 + i%2
			seed.Description = "says \"${hello}\"\nand %{ leaves }"
		}
		character := s.AddCharacter(seed)
		if i%2 == 0 {
			s.StartTrainingElsewhere(character)
			trainings++
		}
		images += seed.FaceImages
	}
	s.Clock.Advance(time.Hour)
	m := newQuery(t, s, organisation)
	m.run("query", "-generate-config-out=adopted.tf")
	s.WantCount(t, mockserver.RouteCharacters, 2)
	s.WantCount(t, mockserver.RouteAssets, characters)
	s.WantCount(t, mockserver.RouteTraining, characters)

	s.ResetJournal()
	m.adopts(fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", characters+images+trainings))
	s.WantCount(t, mockserver.RouteUpdate, 0)
}

// Two commands adopt groups, whatever their prompts are written like.
func TestAccQuery_adoptsGroups(t *testing.T) {
	t.Parallel()
	s := acctest.NewService(t, func(o *mockserver.Options) {
		o.Extended = true
		o.GenerationTime = -1
	})
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada"})
	s.FailPrompt("never", "no picture of that")
	s.GenerateElsewhere(
		"char_ada",
		"Says \"${hello}\"\nand %{ leaves }",
		"Ada",
		"Twins",
		"Twins",
		"never",
		"<<EOT\n${a}\n  %{b}\n",
		" \"quoted\"\t",
		"1",
		"null",
		"夜の橋",
	)
	s.GenerateElsewhere("", "", "Café", "Cafe\u0301", "{a}", "[a, 1]")
	s.GenerateElsewhere("", `{"a": 1}`, `{"b": "A picture",  "a": [1, 2.50]}`)
	s.GenerateElsewhere("", "Nothing")
	m := newQuery(t, s, "list \"mediagen_generation_group\" \"all\" {\n  provider = mediagen\n}\n")
	m.setenv("MEDIAGEN_EXTENDED_READS", "true")
	m.run("query", "-generate-config-out=adopted.tf")
	m.wantRequests(map[string]int{mockserver.RouteGroups: 1, mockserver.RouteGroup: 4})
	s.WantCount(t, mockserver.RouteStatus, 1) // of the failed one

	m.adopts("3 imported, 0 added, 3 changed, 0 destroyed") // deletion_policy becomes "keep", in the state alone
}

// A photo edit without a text blocks nothing: the query writes the rest, and
// says what it leaves out.
func TestAccQuery_leavesOutWhatCannotBeConfigured(t *testing.T) {
	tier.Long(t, "an organization listed page by page")
	t.Parallel()
	s := acctest.NewService(t, func(o *mockserver.Options) {
		o.Extended = true
		o.GenerationTime = -1
	})
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada"})
	w := s.Scenario(t) // somebody made them by hand
	photo := core.Object{"source_image_url": "https://images.example.com/chair.jpg"}
	w.Resource("mediagen_generation_group.mixed", core.Object{"prompts": core.Object{
		"a": core.Object{"prompt": "Ada, reading"}, "p": photo,
	}})
	w.Resource("mediagen_generation_group.photos", core.Object{"prompts": core.Object{"p": photo}})
	w.Apply().Must()
	bought := len(s.Ledger().Entries)
	s.ResetJournal()
	m := newQuery(t, s, "list \"mediagen_generation_group\" \"all\" {\n  provider = mediagen\n}\n")
	m.setenv("MEDIAGEN_EXTENDED_READS", "true")
	said := strings.Join(strings.Fields(m.run("query", "-generate-config-out=adopted.tf")), " ")
	check.Equal(t, "what is said", strings.Count(said, "Listed Generations Left Out"), 2)
	for _, group := range []string{"mediagen_generation_group.mixed", "mediagen_generation_group.photos"} {
		left := fmt.Sprintf(
			"The generations %q of the group %q have no text",
			w.Value(group, `generations["p"].id`),
			w.Value(group, "id"),
		)
		check.Contains(t, "what is left out", strings.ReplaceAll(said, "│ ", ""), left)
	}
	check.True(t, "one resource", strings.Count(m.read("adopted.tf"), "resource \"mediagen_generation_group\"") == 1)
	m.adopts("1 imported, 0 added, 1 changed, 0 destroyed")
	check.Equal(t, "purchases", len(s.Ledger().Entries), bought)
}

func TestAccQuery_readsNoFurtherThanTheLimit(t *testing.T) {
	tier.Long(t, "an organization listed page by page")
	t.Parallel()
	s := acctest.NewService(t)
	for range 1000 {
		s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	}
	m := newQuery(t, s, "list \"mediagen_character\" \"few\" {\n  provider = mediagen\n  limit    = 5\n}\n")
	output := m.run("query")
	check.True(t, "five results", strings.Count(output, "list.mediagen_character.few") == 5, output)
	s.WantCount(t, mockserver.RouteCharacters, 1)

	s.ResetJournal()
	m.write("all.tfquery.hcl", "list \"mediagen_character\" \"all\" {\n  provider = mediagen\n  limit    = 5000\n}\n")
	m.run("query")
	s.WantCount(t, mockserver.RouteCharacters, 10)
}

func TestAccQuery_saysWhatFailed(t *testing.T) {
	tier.Long(t, "an organization listed page by page")
	t.Parallel()
	s := acctest.NewService(t)
	for range 250 {
		s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	}
	s.Fault(
		mockserver.Fault{
			Route:  mockserver.RouteCharacters,
			About:  "offset=100",
			Status: 403,
			Body:   `{"error":"forbidden"}`,
		},
	)
	m := newQuery(t, s, organisation)
	m.refuses([]string{"Unable to List Characters"}, "query", "-generate-config-out=adopted.tf")
	_, err := os.Stat(filepath.Join(m.directory, "adopted.tf"))
	check.True(t, "nothing is written", err != nil)
}

// TestAccExamples_queries adopts what each example of a list finds. Fault F27.
func TestAccExamples_queries(t *testing.T) {
	tier.Long(t, "an example beside those of resources")
	t.Parallel()
	queries, err := filepath.Glob(filepath.Join(examples, "list-resources", "*", "*.tfquery.hcl"))
	check.True(t, "there are queries", err == nil && len(queries) != 0, err)
	for _, file := range append(queries, filepath.Join(examples, "adoption", "adoption.tfquery.hcl")) {
		t.Run(strings.TrimPrefix(file, examples), func(t *testing.T) {
			t.Parallel()
			m := newQuery(t, newExampleService(t), readFile(t, file))
			m.trace()
			m.setenv("MEDIAGEN_EXTENDED_READS", "true") // some need it
			m.run("query", "-generate-config-out=adopted.tf")
			summary := " imported, 0 added, 0 changed, 0 destroyed"
			if strings.Contains(m.read("adopted.tf"), `"mediagen_generation_group"`) {
				summary = " changed, 0 destroyed" // deletion_policy becomes "keep", in the state alone
			}
			m.adopts(summary)
			m.wantNoSecrets("trace.log", "adopted.tf", "terraform.tfstate")
		})
	}
}
