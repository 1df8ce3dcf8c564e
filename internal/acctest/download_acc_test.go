package acctest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestAccActions_generationsAreDownloaded(t *testing.T) {
	t.Parallel()
	m := newActions(t, newExampleService(t), "mediagen_download_generations")
	m.wantSays(m.run("apply", "-auto-approve"), "Downloading the results of 2 generations", "2 files downloaded (")
	m.wantNoChanges()
	m.wantFiles(".mediagen.json", "index.html", "morning.png", "stage.png")
	m.WantCount(t, mockserver.RouteMedia, 2)
	m.remove("portraits/stage.png")
	m.wantSays(
		m.run("apply", "-auto-approve", "-replace=terraform_data.downloaded"),
		"1 file downloaded (",
		"1 already there",
	)
	m.wantFiles(".mediagen.json", "index.html", "morning.png", "stage.png")
	m.wantRequests(map[string]int{mockserver.RouteMedia: 3, mockserver.RouteBatch: 1})
}

// The picture of a changed prompt is on disk after the apply that buys it. What
// somebody has changed stays, and the apply says so: of a triggered action's
// warnings, CLIs show nothing.
func TestAccActions_changedPictureReachesTheDisk(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	m := newActions(t, newExampleService(t), "mediagen_download_generations")
	m.run("apply", "-auto-approve")
	morning := m.read("portraits/morning.png")
	stage := m.read("portraits/stage.png")
	m.replace("action.tf", "red light", "blue light")
	m.wantSays(m.run("apply", "-auto-approve"), "1 file downloaded (", "1 in place of earlier ones, 1 already there")
	m.wantNoChanges()
	check.True(
		t,
		"stage.png was replaced, and morning.png was not",
		m.read("portraits/morning.png") == morning && m.read("portraits/stage.png") != stage,
	)
	m.wantFiles(".mediagen.json", "index.html", "morning.png", "stage.png")
	sheet := m.read("portraits/index.html")
	check.True(
		t,
		"the contact sheet shows the new picture",
		strings.Contains(sheet, "blue light") && !strings.Contains(sheet, "red light"),
		sheet,
	)
	m.write("portraits/stage.png", "retouched")
	m.replace("action.tf", "blue light", "green light")
	m.wantSays(
		m.run("apply", "-auto-approve"),
		"since they differ from what this action wrote: stage.png",
		"1 not replaced",
	)
	check.Equal(t, "a file of somebody else", m.read("portraits/stage.png"), "retouched")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 3, mockserver.RouteMedia: 3})
}

func (m *terminal) wantFiles(want ...string) {
	m.t.Helper()
	entries, err := os.ReadDir(filepath.Join(m.directory, "portraits"))
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	check.True(m.t, "the files", err == nil && slices.Equal(got, want), got, want, err)
}

// A download that is interrupted in the middle of a file ends, and leaves only
// complete files. The CLI then considers the resource that triggers it created.
func TestAccActions_downloadEndsWhenInterrupted(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	s := newExampleService(t)
	m := newActions(t, s, "mediagen_download_generations")
	m.endsWhenInterrupted(func(interrupt func()) {
		s.Fault(
			mockserver.Fault{
				Route:      mockserver.RouteMedia,
				After:      mockserver.RouteMedia,
				Times:      1,
				HoldInBody: true,
				Hold:       make(chan struct{}),
				Reached:    interrupt,
			},
		)
	})
	m.wantFiles(".mediagen.json", "index.html", "morning.png")
	m.run("apply", "-auto-approve", "-replace=terraform_data.downloaded")
	m.wantFiles(".mediagen.json", "index.html", "morning.png", "stage.png")
	s.WantCount(t, mockserver.RouteBatch, 1)
}

// One failed prompt makes no apply red, neither the first nor a later one: there is nothing of it
// to save. Its retake is saved.
func TestAccActions_downloadSkipsAFailedPrompt(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	s := newExampleService(t)
	m := newActions(t, s, "mediagen_download_generations")
	m.replace("action.tf", "red light", "no light")
	s.FailPrompt("no light", "nothing is seen")
	m.wantSays(
		m.run("apply", "-auto-approve"),
		`Skipped, since they have ended without results: "stage" (gen_`,
		"1 file downloaded (",
		"1 without results",
	)
	m.wantFiles(".mediagen.json", "index.html", "morning.png")
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	m.WantCount(t, mockserver.RouteMedia, 1)
	m.replace("action.tf", "no light", "some light")
	m.wantSays(m.run("apply", "-auto-approve"), "1 file downloaded (", "1 already there")
	m.wantFiles(".mediagen.json", "index.html", "morning.png", "stage.png")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 2, mockserver.RouteMedia: 2})
}

func TestAccActions_downloadGoesOnAfterAFailure(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	s := newExampleService(t)
	m := newActions(t, s, "mediagen_download_generations")
	s.Fault(mockserver.Fault{Route: mockserver.RouteMedia, After: mockserver.RouteMedia, Times: 1, Status: 404})
	m.refuses(
		[]string{"Unable to Download Generations", `"stage" (gen_`, "404 Not Found", "morning.png (1 file)"},
		"apply",
		"-auto-approve",
	)
	m.wantFiles(".mediagen.json", "index.html", "morning.png")
	m.wantSays(m.run("apply", "-auto-approve"), "1 file downloaded (", "1 already there")
	m.wantFiles(".mediagen.json", "index.html", "morning.png", "stage.png")
	m.wantNoChanges()
	s.WantCount(t, mockserver.RouteBatch, 1)
}

const ofAcme = `
resource "mediagen_body_lora_training" "ada" {
  character_id = "char_ada"
}

resource "mediagen_generation_group" "acme" {
  character_id = mediagen_body_lora_training.ada.character_id
  title        = "Acme"
  labels       = { client = "Acme" }
  prompts      = { hall = { prompt = "In a hall", use_body_lora = true } }
}

resource "terraform_data" "acme" {
  input = mediagen_generation_group.acme.generations["hall"].id

  lifecycle {
    action_trigger {
      events  = [before_create, before_update]
      actions = [action.mediagen_download_generations.acme]
    }
  }
}

action "mediagen_download_generations" "acme" {
  config {
    generation_ids = { hall = mediagen_generation_group.acme.generations["hall"].id }
    directory      = "${path.module}/portraits/acme"
    groups         = [mediagen_generation_group.acme]
    trainings      = [mediagen_body_lora_training.ada]
  }
}

output "jobs" {
  value = { ada = mediagen_body_lora_training.ada.id }
}
`

// The page's command tells client and model of the pictures of a folder, from
// what a configuration hands over as whole resources.
func TestAccGuide_record(t *testing.T) {
	tier.Long(t, "a further story of downloads")
	t.Parallel()
	m, hasActions := newDownload(t)
	if !hasActions {
		return
	}
	m.write("acme.tf", ofAcme)
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	output := m.follow("record", ciTools(t))
	jobs := map[string]string{}
	m.output("jobs", &jobs)
	m.wantSays(output, "no client\tportraits/morning.png\t", "Acme\tportraits/acme/hall.png\t", "\t"+jobs["ada"]+"\n")
	m.WantCount(t, mockserver.RouteBatch, 2)
}

// The example serves CLIs without actions too; what replaces them is in
// TestAccGuide_openTofu.
func TestAccDownload(t *testing.T) {
	t.Parallel()
	m, hasActions := newDownload(t)
	m.run("apply", "-auto-approve")
	m.wantResults("morning", "stage")
	m.wantNoChanges()
	if hasActions {
		m.wantFiles(".mediagen.json", "index.html", "morning.png", "stage.png")
	}
	m.WantCount(t, mockserver.RouteBatch, 1)
}

func TestAccDownload_changedPrompt(t *testing.T) {
	tier.Long(t, "a further story of downloads")
	t.Parallel()
	m, hasActions := newDownload(t)
	if !m.hasTools("curl", "jq") {
		t.Log("there is no curl or no jq")
		return
	}
	if hasActions {
		m.remove("actions.tf")
	}
	m.run("apply", "-auto-approve")
	m.downloadByScript()
	morning := m.scriptFile("morning")
	former := m.scriptFile("stage")
	m.wantFiles(morning, former)
	m.replace("main.tf", "red light", "blue light")
	m.run("apply", "-auto-approve")
	m.downloadByScript()
	m.wantFiles(morning, former, m.scriptFile("stage"))
	m.WantCount(t, mockserver.RouteMedia, 3)
}

func (m *terminal) scriptFile(key string) string {
	m.t.Helper()
	ids := map[string]string{}
	m.output("ids", &ids)
	return key + "-" + ids[key] + ".png"
}

func newDownload(t *testing.T) (m *terminal, hasActions bool) {
	t.Helper()
	m = newTerminal(t, newExampleService(t), filepath.Join(examples, "download"))
	hasActions = m.atLeast(tfversion.Version1_14_0)
	if !hasActions && !m.isOpenTofu() {
		m.remove("actions.tf")
	}
	return m, hasActions
}

func TestAccDownload_rejected(t *testing.T) {
	tier.Long(t, "a further story of downloads")
	t.Parallel()
	m, hasActions := newDownload(t)
	m.RejectPrompt("stage", "not allowed")
	m.run("apply", "-auto-approve")
	m.wantNoChanges()
	if hasActions {
		m.wantFiles(".mediagen.json", "index.html", "morning.png")
		m.remove("portraits")
	}
	if m.hasTools("curl", "jq") {
		m.downloadByScript()
		m.wantFiles(m.scriptFile("morning"))
	}
	m.run("destroy", "-auto-approve")
	m.WantCount(t, mockserver.RouteBatch, 1)
}

func (m *terminal) downloadByScript() {
	m.t.Helper()
	m.setenv("TERRAFORM", m.cli)
	m.setenv("DOWNLOAD_PROTOCOLS", "http,https") // the mock service has no https
	m.shell("./download.sh")
}

func (m *terminal) hasTools(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		_, err := exec.LookPath(name)
		return err != nil
	})
}

func (m *terminal) remove(name string) {
	m.t.Helper()
	check.Must(m.t, os.RemoveAll(filepath.Join(m.directory, name)))
}

func (m *terminal) read(name string) string {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.directory, name))
	check.NoError(m.t, err)
	return string(content)
}
