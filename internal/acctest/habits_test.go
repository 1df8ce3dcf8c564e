package acctest_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// habits are real services' behaviours from which a provider may conclude too
// much. With the marked ones, not every purchase can be identified.
func habits() (found map[string]mockserver.Variant, untold map[string]bool) {
	found = map[string]mockserver.Variant{}
	known := mockserver.Variants()
	maps.Copy(known, mockserver.LossyVariants())
	for _, name := range []string{
		"plain", "equal-shared", "failed-retaken", "media-inline", "media-inline-large", "asset-times-none", "asset-times-local", "asset-times-epoch",
		"pages-too-long", "pages-repeating", "ids-slash", "ids-percent", "token-org-id", "background", "background-no-ids", "one-id",
		"groups-by-title", "denied", "denied-text", "denied-207", "denied-uncounted", "flapping",
	} {
		found[name] = known[name]
	}
	return found, map[string]bool{"background": true, "background-no-ids": true, "one-id": true, "denied-uncounted": true}
}

const habitsConfiguration = versions + `
locals { character = %[1]q }

resource "mediagen_character" "c" {
  id   = local.character
  name = "Ada Lovelace"
}

resource "mediagen_face_image" "i" {
  character_id = local.character
  source       = "${path.module}/face.png"
}

resource "mediagen_dataset_image_regeneration" "r" {
  character_id = local.character
  image_id     = %[2]q
  prompt       = "in the rain"
}

resource "mediagen_body_lora_training" "t" {
  character_id = local.character
  depends_on   = [mediagen_face_image.i]
}

resource "mediagen_generation_group" "g" {
  character_id = local.character
  title        = "Portraits"
  prompts = {
    one   = { prompt = "at dawn" }
    same  = { prompt = "at dawn" }
    other = { prompt = "at dusk" }
    fails = { prompt = "never" }
  }
  max_attempts = 2
}

resource "mediagen_chat_completion" "chat" {
  messages = [{ role = "user", content = "hello" }]
}

resource "mediagen_vision_completion" "vision" {
  model    = "vision-1"
  messages = [{ role = "user", content = [{ text = "what is it?" }, { image_url = "https://example.com/a.png" }] }]
}

resource "mediagen_media_categorization" "tags" {
  media_url = "https://example.com/a.png"
  metadata  = ["tags", "scene"]
}

resource "mediagen_image" "image" {
  prompt = "a lighthouse"
}
`

// secondGroup has the title of the first.
const secondGroup = `
resource "mediagen_generation_group" "second" {
  title      = "Portraits"
  prompts    = { one = { prompt = "at noon" } }
  depends_on = [mediagen_generation_group.g]
}
`

// TestAccHabits runs every resource with each of the habits: the plan after the
// apply is empty once the attempts are used up, and the destroy leaves nothing
// in the state, and nothing at the service that it could know about but what
// somebody else has generated.
// Fault F14.
func TestAccHabits(t *testing.T) {
	t.Parallel()
	all, untold := habits()
	for name, variant := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := acctest.NewService(t, func(o *mockserver.Options) {
				// The provider is a process of its own, whose clock is the real one.
				o.Variant, o.GenerationTime, o.TrainingTime = variant, -1, -1
				o.OnDelay = func(_ context.Context, d time.Duration) { time.Sleep(d) }
			})
			character := service.AddCharacter(mockserver.CharacterSeed{Name: "Ada", FaceImages: 10})
			service.AddDatasetImages(character, 2)
			theirs := service.GenerateElsewhere(character, "Theirs", "at dawn")
			service.FailPrompt("never", "no picture of that")
			m := newTerminal(t, service, t.TempDir())
			check.Must(t, os.WriteFile(filepath.Join(m.directory, "face.png"), []byte("\x89PNG\r\n\x1a\n of a face"), 0o600))
			m.write("main.tf", fmt.Sprintf(habitsConfiguration, character, service.DatasetImages(character)[0].ID))
			m.run("apply", "-auto-approve")
			m.run("apply", "-auto-approve") // the second attempt of what fails
			m.wantNoChanges()
			if variant.GroupsByTitle {
				// The CLI reads both groups at the same time. If one were planned before
				// the other is read, the plan would be refused.
				service.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Delay: 300 * time.Millisecond})
				m.write("second.tf", secondGroup)
				m.run("apply", "-auto-approve")
				m.write("second.tf", "")
				m.run("apply", "-auto-approve")
				m.wantNoChanges() // the first group has lost nothing
			}
			bought := len(m.Ledger().Entries)
			m.run("destroy", "-auto-approve")
			left := m.objects()
			check.True(t, "the destroy leaves and buys nothing", len(left) == 0 && len(m.Ledger().Entries) == bought, left, m.Ledger().Entries[bought:])
			others, _ := m.Group(theirs.ID)
			check.True(t, "somebody else's group stays", len(others.Generations) == 1, others)
			groups := m.Groups()
			check.True(t, "nothing else is left", len(groups) <= 1 || untold[name], groups)
		})
	}
}
