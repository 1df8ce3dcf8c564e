package acctest_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const studioConfiguration = versions + `
locals {
  studio = jsondecode(file("${path.module}/studio.json"))
  kept   = jsondecode(file("${path.module}/kept.json"))
}

resource "mediagen_character" "model" {
  for_each = local.studio
  id       = "char_${each.key}"
}

resource "mediagen_body_lora_training" "body" {
  for_each     = toset([for name in ["ada", "bea"] : name if contains(keys(local.studio), name)])
  character_id = mediagen_character.model[each.key].id
}

resource "mediagen_generation_group" "shoot" {
  for_each        = local.studio
  character_id    = mediagen_character.model[each.key].id
  title           = "Shoot of ${each.key}"
  prompts         = each.value
  deletion_policy = contains(local.kept, each.key) ? "keep" : "delete"
  depends_on      = [mediagen_body_lora_training.body]
}
`

const studioPictures = `
resource "terraform_data" "pictures" {
  for_each = local.studio
  input    = { for key, generation in mediagen_generation_group.shoot[each.key].generations : key => generation.id }

  lifecycle {
    action_trigger {
      events  = [before_create, before_update]
      actions = [action.mediagen_download_generations.pictures[each.key]]
    }
  }
}

action "mediagen_download_generations" "pictures" {
  for_each = local.studio

  config {
    generation_ids = {
      for key, generation in mediagen_generation_group.shoot[each.key].generations :
      key => generation.id if generation.succeeded != false
    }
    directory = "${path.module}/pictures/${each.key}"
    title     = each.key
  }
}
`

const studioTwo = versions + `
resource "mediagen_generation_group" "shoot" {
  character_id = "char_ada"
  title        = "Shoot of ada"
  prompts      = jsondecode(file("${path.module}/studio.json"))
}

import {
  to = mediagen_generation_group.shoot
  id = %q
}
`

type shot struct {
	Prompt string `json:"prompt"`
	Take   int    `json:"take,omitempty"`
}

type studio struct {
	*terminal
	shots  map[string]map[string]shot // by character and key
	kept   []string
	onDisk bool // pictures are downloaded
	bought int  // how many generations were paid for
}

// The first day of a studio, and a change: each buys what its plan shows, and
// the disk has the present pictures.
func TestAccTenDays_theFirst(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	s.firstDays()
	s.run("destroy", "-auto-approve")
	check.Equal(t, "groups after the destroy", len(s.Groups()), 0)
}

func (s *studio) firstDays() {
	s.t.Helper()
	s.day("create", 40, 115, "ada/p01", "ada/p02", "…", func() {})
	s.day("change three prompts", 3, 48, "ada/p01", "ada/p02", "bea/p01", func() {
		for _, at := range [][2]string{{"ada", "p01"}, {"ada", "p02"}, {"bea", "p01"}} {
			s.shots[at[0]][at[1]] = shot{Prompt: s.shots[at[0]][at[1]].Prompt + ", smiling"}
		}
	})
}

// Ten days of a studio: each buys what its plan shows, and the disk has the
// present pictures.
func TestAccTenDays(t *testing.T) {
	tier.Long(t, "ten applies of forty pictures")
	t.Parallel()
	s := newStudio(t)
	s.firstDays()
	s.day("rename a key", 0, 40, "ada/portrait", func() {
		s.shots["ada"]["portrait"] = s.shots["ada"]["p01"]
		delete(s.shots["ada"], "p01")
	})
	s.day("add a character", 2, 43, "dora/p01", "dora/p02", func() { s.cast("dora", 2) })
	s.day("remove a character", 0, 201, func() { delete(s.shots, "bea") })
	s.day("another take", 1, 35, func() {
		s.shots["ada"]["p03"] = shot{s.shots["ada"]["p03"].Prompt, 2} // the service draws the same again
	})
	s.day("retry what failed", 1, 34, "ada/p14", func() {
		s.FailPrompt("never", "")
		s.shots["ada"]["p14"] = shot{s.shots["ada"]["p14"].Prompt, 2}
	})
	s.day("split", 0, 0, func() { s.split("ada") })
	s.day("keep", 0, 6, func() { s.kept = []string{"cleo"} })
	s.day("forget what is kept", 0, 201, func() { delete(s.shots, "cleo") })

	s.run("destroy", "-auto-approve")
	left := map[string]int{}
	for _, group := range s.Groups() {
		left[group.CharacterID] = len(group.Generations)
	}
	// Of ada, whose group is another state's, and of cleo, whose was kept.
	want := map[string]int{"char_ada": 14, "char_cleo": 13}
	check.True(t, "what the destroy leaves", maps.Equal(left, want), left, want)
}

func newStudio(t *testing.T) *studio {
	t.Helper()
	service := acctest.NewService(t, func(o *mockserver.Options) {
		o.GenerationTime = -1
		o.TrainingTime = -1
	})
	for _, name := range []string{"ada", "bea", "cleo", "dora"} {
		service.AddCharacter(mockserver.CharacterSeed{ID: "char_" + name, Name: name, FaceImages: 10})
	}
	service.FailPrompt("never", "no picture of that")
	s := &studio{terminal: newTerminal(t, service, t.TempDir()), shots: map[string]map[string]shot{}, kept: []string{}}
	s.cast("ada", 14)
	s.shots["ada"]["p14"] = shot{Prompt: "never"}
	s.cast("bea", 13)
	s.cast("cleo", 13)
	s.write("main.tf", studioConfiguration)
	s.onDisk = !s.isOpenTofu() && s.atLeast(tfversion.Version1_14_0)
	if s.onDisk {
		s.write("pictures.tf", studioPictures)
	}
	return s
}

func (s *studio) cast(name string, prompts int) {
	s.shots[name] = map[string]shot{}
	for i := range prompts {
		s.shots[name][fmt.Sprintf("p%02d", i+1)] = shot{Prompt: fmt.Sprintf("%s in scene %d", name, i+1)}
	}
}

func (s *studio) split(name string) {
	s.t.Helper()
	address := fmt.Sprintf("mediagen_generation_group.shoot[%q]", name)
	ids := map[string]string{}
	for key, generation := range s.stored(name) {
		ids[key] = generation.ID
	}
	id, _ := json.Marshal(ids)
	s.forget(address)
	two := newTerminal(s.t, s.Service, s.t.TempDir())
	two.write("studio.json", encoded(s.shots[name]))
	two.write("main.tf", fmt.Sprintf(studioTwo, id))
	check.Contains(s.t, "the other configuration", two.run("apply", "-auto-approve"), "1 imported, 0 added")
	two.wantNoChanges()
	delete(s.shots, name)
}

// day applies what its last argument changes: so many generations are bought,
// and no group's change has more lines. The others are the new pictures ("…":
// and any others).
func (s *studio) day(name string, buys, lines int, more ...any) {
	s.t.Helper()
	before := s.pictures()
	more[len(more)-1].(func())()
	s.write("studio.json", encoded(s.shots))
	s.write("kept.json", encoded(s.kept))

	plan := s.run("plan", "-out=day.tfplan")
	longest := longestChange(plan)
	check.True(s.t, name+": the lines of a group's change", longest <= lines, longest, lines, plan)
	s.run("apply", "day.tfplan")
	s.wantNoChanges()
	s.bought += buys
	charged, purchases := s.terminal.bought(0)
	check.True(
		s.t,
		name+": generations and trainings bought",
		len(charged) == s.bought && purchases["training"] == 2,
		charged,
		purchases,
		s.bought,
	)
	if s.onDisk {
		s.wantPictures(name, before, more[:len(more)-1])
	}
}

func longestChange(plan string) (longest int) {
	changes := strings.Split(plan, "  # mediagen_generation_group.")
	for _, change := range changes[1:] {
		change, _, _ = strings.Cut(change, "\n    }\n")
		longest = max(longest, 2+strings.Count(change, "\n"))
	}
	return longest
}

func (s *studio) wantPictures(name string, before map[string]string, changed []any) {
	s.t.Helper()
	got := []any{}
	now := s.pictures()
	for _, picture := range slices.Sorted(maps.Keys(now)) {
		if now[picture] != before[picture] {
			got = append(got, picture)
		}
	}
	if i := slices.Index(changed, any("…")); i >= 0 {
		changed = changed[:i]
		got = got[:min(i, len(got))]
	}
	check.True(s.t, name+": the pictures that are new or changed", slices.Equal(got, changed), got, changed)
	for character := range s.shots {
		sheet := s.read(filepath.Join("pictures", character, "index.html"))
		for key, generation := range s.stored(character) {
			check.True(
				s.t,
				name+": the sheet of "+character,
				!generation.Succeeded || strings.Contains(sheet, generation.ID),
				key,
				generation.ID,
			)
		}
	}
}

func (s *studio) pictures() map[string]string {
	s.t.Helper()
	found := map[string]string{}
	files, err := filepath.Glob(filepath.Join(s.directory, "pictures", "*", "*.png"))
	check.Must(s.t, err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		check.Must(s.t, err)
		name := filepath.Base(filepath.Dir(file))
		key := strings.TrimSuffix(filepath.Base(file), ".png")
		found[name+"/"+key] = fmt.Sprintf("%x", sha256.Sum256(content))
	}
	return found
}

type storedGeneration struct {
	ID        string
	Succeeded bool
}

func (s *studio) stored(name string) map[string]storedGeneration {
	s.t.Helper()
	var state struct {
		Resources []struct {
			Type      string
			Instances []struct {
				Key        string `json:"index_key"`
				Attributes struct{ Generations map[string]storedGeneration }
			}
		}
	}
	decode(s.t, s.read("terraform.tfstate"), &state)
	for _, resource := range state.Resources {
		for _, instance := range resource.Instances {
			if resource.Type == "mediagen_generation_group" && instance.Key == name {
				return instance.Attributes.Generations
			}
		}
	}
	s.t.Fatalf("the state has no group of %s", name)
	return nil
}

func encoded(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}
