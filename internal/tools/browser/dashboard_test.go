package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

// sketches has a group of two, of which one fails, one of thirteen, then one of
// one.
const sketches = `
resource "mediagen_generation_group" "sketches" {
  character_id = mediagen_character.this["ada"].id
  title        = "Sketches"
  prompts = {
    engine = { prompt = "An engine of brass, drawn with a pencil" }
    lace   = { prompt = "Lace, seen closely" }
  }
}

resource "mediagen_generation_group" "studies" {
  character_id = mediagen_character.this["ada"].id
  title        = "Studies"
  prompts      = { for n in range(1, 14) : format("study-%02d", n) => { prompt = "Study ${n} of a hand" } }
}

resource "mediagen_generation_group" "details" {
  depends_on = [mediagen_generation_group.sketches]

  character_id = mediagen_character.this["ada"].id
  title        = "Details"
  prompts      = { valve = { prompt = "A valve, enlarged" } }
}

resource "mediagen_character" "max" {
  name        = "Max"
  description = "Reports from the harbour."
}

resource "mediagen_face_image" "max" {
  character_id = mediagen_character.max.id
  source       = "${path.module}/faces/lin-1.png"
}

resource "mediagen_body_image" "max" {
  for_each = toset(["ada-1", "ada-2"])

  character_id = mediagen_character.max.id
  image_type   = each.key == "ada-1" ? "body_image_front" : "body_image_back"
  source       = "${path.module}/faces/${each.key}.png"
}

resource "mediagen_dataset" "max" {
  depends_on = [mediagen_body_image.max]

  character_id = mediagen_character.max.id
  prompts      = ["At the quay", "On deck", "In the rain", "Half profile"]
}

resource "mediagen_face_lora_training" "max" {
  depends_on = [mediagen_face_image.max]

  character_id = mediagen_character.max.id
}
`

const (
	picture = `#groups a.picture img`
	// loaded counts the pictures that were fetched and decoded, also those that
	// wait for a scroll.
	loaded = `[...document.querySelectorAll("#groups a.picture img")].filter((i) => (i.loading = "eager") && ` +
		`i.complete && i.naturalWidth > 0).length`
	// settled: a picture that scrolls into view while a destroy runs may be
	// deleted already.
	settled = `[...document.images].every((i) => (i.loading = "eager") && i.complete && i.naturalWidth > 0)`
)

// The page is not loaded again: pictures appear while an apply runs and vanish
// with the destroy, what somebody opened stays open, and the browser leaves no
// trace at the service.
func TestDashboard(t *testing.T) {
	service, clock, stop := startService(t)
	cli := newCLI(t, service)
	page := openPage(t, "dashboard", service+"/")

	page.want(
		"the page that / redirects to",
		`document.querySelector("#start pre").textContent.includes("MEDIAGEN_BASE_URL=`+service+`/v2")`,
	)
	page.screenshots("before")
	if got := ask(t, service+"/_mock/journal"); got != "[]" {
		t.Errorf("the browser's visit is in the journal: %s", got)
	}

	applied := cli.start("apply")
	page.wait(
		"two groups, three trainings and a dataset",
		`document.querySelectorAll("#running progress").length === 6 && document.querySelectorAll("#groups `+
			`progress").length === 15`,
	)
	clock.Advance(time.Minute)
	page.wait(
		"pictures, while others are generated",
		loaded+
			` === 14 && document.querySelectorAll("#groups progress").length === 5 && `+
			`document.querySelector("#running progress")`,
	)
	page.do("open the ledger's prompts", chromedp.Click(`#ledger summary`))
	page.screenshots("during")
	clock.Advance(time.Minute)
	applied()
	page.wait("all pictures and nothing that runs", loaded+` === 19 && !document.querySelector("#running")`)
	page.want(
		"the newest run is the apply, after its plan's refresh",
		`[...document.querySelectorAll(".run > summary b")].map((b) => b.textContent).join() === "apply,refresh"`,
	)
	page.want("what was opened is still open", `document.querySelector("#ledger details").open`)
	page.screenshots("after")
	page.checkEnlarging()
	page.checkWithoutScript()

	cli.start("destroy")()
	page.wait("the pictures vanish", `!document.querySelector("#groups") && document.querySelector("#ledger")`)
	page.wait(
		"the deletions of five groups and a character",
		`[...document.querySelectorAll("#ledger tr")].filter((r) => r.textContent.includes("deleted")).length === 6`,
	)
	page.screenshots("destroyed")
	page.checkReset()

	if got := ask(t, service+"/_mock/violations"); got != "[]" {
		t.Errorf("violations: %s", got)
	}
	stop()
	page.wait(
		"the page says that the service has ended",
		`getComputedStyle(document.querySelector(".lost")).display === "block"`,
	)
	page.checkConsole("Failed to load resource: net::ERR_CONNECTION_REFUSED " + service + "/_mock/events")
}

func (p *page) checkEnlarging() {
	p.do("enlarge a picture", chromedp.Click(picture))
	p.wait("the enlarged picture", `document.querySelector("dialog[open] img").naturalWidth > 0`)
	p.do("close it", chromedp.KeyEvent(kb.Escape))
	p.wait("the page behind it", `!document.querySelector("dialog[open]")`)
}

func (p *page) checkReset() {
	const button = `header > button`
	p.do("ask for a reset", chromedp.Click(button))
	p.screenshots("reset")
	p.do("cancel it", chromedp.Click(`#reset button[type="button"]`))
	p.wait(
		"everything is still there",
		`!document.querySelector("#reset:popover-open") && document.querySelector("#ledger")`,
	)
	p.do("ask for it again and confirm", chromedp.Click(button), chromedp.Click(`#reset button:not([type])`))
	p.wait(
		"the service as it was",
		`document.querySelector("#start") && !document.querySelector("#ledger, #reset:popover-open")`,
	)
	p.wait("its pictures", settled)
}

func (p *page) checkWithoutScript() {
	p.do("switch scripts off", allowScripts(false), chromedp.Reload())
	p.wait("the pictures without a script", loaded+` === 19`)
	p.do("follow a picture's link", chromedp.Click(picture))
	p.wait(
		"the picture by itself",
		`location.pathname.startsWith("/_mock/pictures/") && document.querySelector("img").naturalWidth > 0`,
	)
	p.do("switch scripts on", allowScripts(true), chromedp.Navigate(p.address))
	p.wait("all pictures of the page", loaded+` === 19 && `+settled)
}

// Its time passes when the test says so; the function wants it to end although
// a page is open.
func startService(t *testing.T) (origin string, clock *waittest.Clock, stop func()) {
	t.Helper()
	clock = waittest.NewClock(time.Now())
	service, err := mockserver.New(mockserver.Options{
		Now: clock.Now, Balance: 1000, Extended: true, FailPrompts: []string{"seen closely"},
		GenerationTime: time.Minute, TrainingTime: time.Minute, DatasetTime: time.Minute,
	})
	must(t, err)
	service.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Character 1"})
	service.AddCharacter(
		mockserver.CharacterSeed{ID: "char_lin", Name: "Character 2", FaceImages: 1, BodyImages: 2, DatasetImages: 3},
	)
	server := httptest.NewServer(service)
	stop = sync.OnceFunc(func() {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
		defer cancel()
		if err := server.Config.Shutdown(bounded); err != nil {
			t.Errorf("the service did not end well: %v", err)
		}
	})
	t.Cleanup(stop)
	return server.URL, clock, stop
}

type cli struct {
	t         *testing.T
	directory string
	settings  []string
}

func newCLI(t *testing.T, service string) *cli {
	t.Helper()
	directory := t.TempDir()
	config := filepath.Join(directory, "cli.tfrc")
	overrides := fmt.Sprintf(
		"provider_installation {\n dev_overrides {\n \"mediagen/mediagen\" = %q\n }\n direct {}\n}\n",
		setting(t, "PROVIDER_DIR"),
	)
	workspace := filepath.Join(directory, "pipeline")
	for _, err := range []error{
		os.CopyFS(workspace, os.DirFS(filepath.Join("..", "..", "..", "examples", "pipeline"))),
		os.WriteFile(filepath.Join(workspace, "sketches.tf"), []byte(sketches), 0o600),
		os.WriteFile(config, []byte(overrides), 0o600),
	} {
		must(t, err)
	}
	return &cli{t, workspace, append(os.Environ(), "TF_CLI_CONFIG_FILE="+config, "CHECKPOINT_DISABLE=1",
		"MEDIAGEN_BASE_URL="+service+"/v2", "MEDIAGEN_API_KEY=mock-api-key")}
}

func (c *cli) start(verb string) (wait func()) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 4*patience)
	command := exec.CommandContext(ctx, setting(c.t, "CLI"), verb, "-auto-approve", "-no-color")
	command.Dir = c.directory
	command.Env = c.settings
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	var output strings.Builder
	command.Stdout = &output
	command.Stderr = &output
	must(c.t, command.Start())
	return func() {
		c.t.Helper()
		defer cancel()
		if err := command.Wait(); err != nil {
			c.t.Fatalf("%s: %v\n%s", verb, err, output.String())
		}
	}
}

func ask(t *testing.T, address string) string {
	t.Helper()
	reply, err := http.Get(address)
	must(t, err)
	defer reply.Body.Close()
	var answer any
	must(t, json.NewDecoder(reply.Body).Decode(&answer))
	compact, _ := json.Marshal(answer)
	return string(compact)
}

func setting(t *testing.T, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set: run make test-dashboard", name)
	}
	return value
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
