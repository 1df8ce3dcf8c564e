package acctest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func commands(t *testing.T, guide string) []string { return blocksOf(t, guide, "shell") }

// blocksOf returns the blocks of a language that a guide has, or a section of
// it: "guide#section".
func blocksOf(t *testing.T, guide, language string) (blocks []string) {
	t.Helper()
	page, section, _ := strings.Cut(guide, "#")
	return blocksIn(t, filepath.Join("..", "..", "docs", "guides", page+".md"), section, language)
}

// blocksIn returns the blocks of a page, or of a section of it.
func blocksIn(t *testing.T, page, section, language string) (blocks []string) {
	t.Helper()
	content := acctest.Section(readFile(t, page), section)
	for _, found := range regexp.MustCompile("(?s)\n```"+language+"\n(.*?)\n```\n").FindAllStringSubmatch(content, -1) {
		blocks = append(blocks, found[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("%s#%s has no blocks of %s", page, section, language)
	}
	return blocks
}

func (m *terminal) follow(guide, tools string, replacements ...string) (output string) {
	m.t.Helper()
	typed := strings.NewReplacer(replacements...).Replace(strings.Join(commands(m.t, guide), "\n"))
	m.onPath(tools)
	output, code := m.typed(typed)
	if code != 0 {
		m.t.Fatalf("the commands of the guide %s: exit code %d\n%s", guide, code, output)
	}
	return output
}

// typed runs the commands of a page, up to the first that fails.
func (m *terminal) typed(commands string) (output string, code int) {
	m.t.Helper()
	command := exec.CommandContext(context.WithoutCancel(m.t.Context()), "sh", "-euxc", commands)
	command.WaitDelay = 5 * time.Second // what a guide starts and does not stop keeps the output open
	return m.execute(command)
}

// shows: the CLI has printed what a guide shows of it. Ids, ports and where
// lines end differ.
func (m *terminal) shows(guide string) {
	m.t.Helper()
	drawn := regexp.MustCompile(`\x1b\[[0-9;]*m|│`)
	own := regexp.MustCompile(`\b(grp|gen|job|image|unconfirmed|127\.0\.0\.1)[_:-]\w+`)
	plain := func(text string) string {
		return strings.Join(strings.Fields(own.ReplaceAllString(drawn.ReplaceAllString(text, ""), "$1")), " ")
	}
	printed := plain(m.transcript.String())
	for _, block := range blocksOf(m.t, guide, "text") {
		for line := range strings.Lines(block) {
			check.True(
				m.t,
				"the CLI has printed what the guide shows",
				strings.Contains(printed, plain(line)),
				guide,
				line,
			)
		}
	}
}

func (m *terminal) onPath(tools string) {
	m.t.Helper()
	for _, name := range []string{"terraform", "tofu"} {
		check.Must(m.t, os.Symlink(m.cli, filepath.Join(tools, name)))
	}
	m.setenv("PATH", tools+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// installable has the CLI install the provider from a mirror on disk, as users
// do from a registry.
func (m *terminal) installable() {
	m.t.Helper()
	mirror := m.t.TempDir()
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		target := filepath.Join(mirror, host, "mediagen", "mediagen", "0.1.0", runtime.GOOS+"_"+runtime.GOARCH)
		check.Must(m.t, os.MkdirAll(target, 0o750))
		check.Must(
			m.t,
			os.Symlink(
				filepath.Join(built, "terraform-provider-mediagen"),
				filepath.Join(target, "terraform-provider-mediagen_v0.1.0"),
			),
		)
	}
	settings := filepath.Join(m.t.TempDir(), "cli.tfrc")
	check.Must(
		m.t,
		os.WriteFile(
			settings,
			fmt.Appendf(nil, "provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror),
			0o600,
		),
	)
	m.setenv("TF_CLI_CONFIG_FILE", settings)
}

func TestAccGuide_gettingStarted(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "getting-started"))
	m.installable()
	m.unsetenv("MEDIAGEN_BASE_URL")
	m.unsetenv("MEDIAGEN_API_KEY")
	output := m.follow(
		"getting-started",
		t.TempDir(),
		"https://api.example.com/v2",
		m.URL,
		"your-api-key",
		acctest.APIKey,
	)
	m.wantSays(
		output,
		"1 to add, 0 to change, 0 to destroy",
		"No changes",
		"0 to add, 1 to change, 0 to destroy",
		"1 destroyed",
	)
	m.shows("getting-started")
	page := readFile(t, filepath.Join(m.directory, "pictures.html"))
	check.Equal(t, "pictures of the page", strings.Count(page, `<img src="`+m.Host), 2)
	m.wantRequests(map[string]int{mockserver.RouteBatch: 2, mockserver.RouteDeleteGroup: 1})
}

func TestAccGuide_import(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	s := acctest.NewService(t, func(o *mockserver.Options) {
		o.GenerationTime = -1
		o.TrainingTime = -1
	})
	for _, id := range []string{"char_ada", "char_lin"} {
		s.AddCharacter(mockserver.CharacterSeed{ID: id, FaceImages: 3, BodyImages: 1})
		s.StartTrainingElsewhere(id)
	}
	submitElsewhere(t, s)
	m := newTerminal(t, s, filepath.Join(examples, "adoption-for-each"))
	m.needs(tfversion.Version1_7_0, "import blocks with for_each")
	m.installable()
	const rest = "images_and_trainings.tf"
	further := m.read(rest)
	m.remove(rest) // the guide shows only the other file
	applies := func(says string) {
		t.Helper()
		m.run("plan", "-out=adoption.tfplan")
		m.wantSays(m.run("apply", "adoption.tfplan"), says)
	}
	m.wantSays(m.follow("import", t.TempDir()), "2 imported, 0 added, 0 changed, 0 destroyed")
	m.shows("import")
	m.write(rest, further)
	applies("8 imported, 0 added, 0 changed, 0 destroyed")
	m.write("portraits.tf", blocksOf(t, "import", "terraform")[1]+`
resource "mediagen_generation_group" "portraits" {
  character_id = "char_ada"
  title        = "Portraits"
  prompts = {
    morning = { prompt = "Portrait in soft morning light" }
    stage   = { prompt = "On a stage in red light" }
  }
}
`)
	applies("1 imported, 0 added, 1 changed, 0 destroyed")
	m.wantNoChanges()
	m.wantNothingDone()
	m.WantCount(t, mockserver.RouteUpdate, 0)
}

// The guide's postcondition names what has no results, also in each later plan.
func TestAccGuide_money(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	s := newExampleService(t)
	s.FailPrompt("storm", "no picture of that")
	m := newTerminal(t, s, t.TempDir())
	m.write("main.tf", versions+`
resource "mediagen_generation_group" "weather" {
  prompts = {
    calm  = { prompt = "A calm sea" }
    storm = { prompt = "A storm" }
  }
`+blocksOf(t, "money", "hcl")[0]+`
}
`)
	for _, command := range [][]string{{"apply", "-auto-approve"}, {"plan"}} {
		m.refuses([]string{"Resource postcondition failed", "No results: storm."}, command...)
	}
	m.shows("money")
	m.WantCount(t, mockserver.RouteBatch, 1)
	m.run("destroy", "-auto-approve")
}

// A group moves to another state and is split in two: nothing is bought, each
// deletes only its own.
func TestAccGuide_moving(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	m.needs(acctest.WithIdentity, "identities in import blocks")
	group := func(name, prompts string) string {
		return fmt.Sprintf(
			"resource \"mediagen_generation_group\" %q {\n  title   = \"Portraits\"\n  prompts = { %s }\n}\n",
			name,
			prompts,
		)
	}
	const (
		morning = `morning = { prompt = "Portrait in soft morning light" }`
		stage   = `stage = { prompt = "On a stage in red light" }`
	)
	portraits := group("portraits", "\n"+morning+"\n"+stage+"\n")
	for name, content := range map[string]string{
		"studio/main.tf":      versions + group("landscapes", `coast = { prompt = "A rocky coast at dusk" }`),
		"studio/portraits.tf": portraits,
		"portraits/main.tf":   versions,
	} {
		check.Must(t, os.MkdirAll(filepath.Dir(filepath.Join(m.directory, name)), 0o700))
		m.write(name, content)
	}
	top := m.directory
	in := func(directory string, arguments ...string) string {
		t.Helper()
		m.directory = filepath.Join(top, directory)
		return m.run(arguments...)
	}
	applies := func(directory, says string) {
		t.Helper()
		m.wantSays(in(directory, "apply", "-auto-approve"), says)
	}
	applies("studio", "2 added, 0 changed, 0 destroyed")
	var state struct {
		Values struct {
			Root struct {
				Resources []struct {
					Name     string
					Identity struct{ Generations []string }
				}
			} `json:"root_module"`
		}
	}
	decode(t, m.run("show", "-json"), &state)
	id := map[string]string{}
	for _, managed := range state.Values.Root.Resources {
		for _, pair := range managed.Identity.Generations {
			key, generation, _ := strings.Cut(pair, "=")
			id[key] = generation
		}
	}
	m.ResetJournal()

	blocks := blocksOf(t, "moving", "hcl")
	imports := strings.NewReplacer(
		"morning=gen_000001",
		"morning="+id["morning"],
		"stage=gen_000002",
		"stage="+id["stage"],
	).
		Replace(blocks[0])
	m.directory = top
	m.write("portraits/portraits.tf", imports+"\n"+portraits)
	m.write("studio/portraits.tf", blocks[1])
	applies("studio", "0 added, 0 changed, 0 destroyed")
	m.setenv("MEDIAGEN_MAX_PURCHASES", "0")
	in("portraits", "plan")
	m.shows("moving")
	applies("portraits", "1 imported, 0 added, 1 changed, 0 destroyed")

	m.forget("mediagen_generation_group.portraits")
	split := group("days", morning) + group("stages", stage)
	for name, key := range map[string]string{"days": "morning", "stages": "stage"} {
		split += fmt.Sprintf(
			"import {\n  to = mediagen_generation_group.%s\n  id = jsonencode({ %s = %q })\n}\n",
			name,
			key,
			id[key],
		)
	}
	m.write("portraits.tf", split)
	applies("portraits", "2 imported, 0 added, 2 changed, 0 destroyed")
	m.wantNoChanges()
	in("studio", "plan", "-detailed-exitcode")
	m.wantNothingDone()
	in("portraits", "destroy", "-auto-approve", "-target=mediagen_generation_group.stages")
	m.wantRequests(map[string]int{mockserver.RouteDelete: 1, mockserver.RouteDeleteGroup: 0})
}

// OpenTofu has no actions: outputs and a script replace them, as elsewhere
// without the file.
func TestAccGuide_openTofu(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "download"))
	if !m.hasTools("curl", "jq") {
		t.Log("there is no curl or no jq: only the configuration is run, by TestAccDownload")
		return
	}
	m.installable()
	if !m.isOpenTofu() {
		m.remove("actions.tf")
	}
	m.setenv("DOWNLOAD_PROTOCOLS", "http,https")
	m.follow("where-it-runs#opentofu", t.TempDir())
	m.wantFiles(m.scriptFile("morning"), m.scriptFile("stage"))
	m.wantRequests(map[string]int{mockserver.RouteBatch: 1, mockserver.RouteMedia: 2})
}

func TestAccGuide_largeOrganizations(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "large-organization"))
	m.installable()
	m.wantSays(m.follow("large-organizations", t.TempDir()), "3 added, 0 changed, 0 destroyed")
	m.wantSays(m.follow("large-organizations", t.TempDir(), "000", "001"), "2 added, 0 changed, 0 destroyed")
	for slice, other := range map[string]string{"000": "001", "001": "000"} {
		m.run("init", "-reconfigure", "-backend-config=path=organization/"+slice+".tfstate")
		m.wantNoChanges("-var", "slice="+slice)
		m.refuses([]string{"nstance cannot be destroyed"}, "plan", "-var", "slice="+other)
	}
	m.wantRequests(map[string]int{mockserver.RouteBatch: 1, mockserver.RouteDeleteGroup: 0})
}
