//go:build unix

package acctest_test

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func openTests(t *testing.T) *terminal {
	t.Helper()
	service := acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	m := newTerminal(t, service, filepath.Join(examples, "getting-started"))
	m.needs(tfversion.Version1_6_0, "test files")
	m.write(
		"main.tftest.hcl",
		"provider \"mediagen\" {\n  prices = { generation = 1 }\n}\nrun \"first\" {}\nrun \"second\" {\n  command = "+
			"plan\n}\n",
	)
	m.setenv("MEDIAGEN_PURCHASE_LOG", purchaseLog)
	return m
}

// The first Ctrl-C in a module's tests reaches no provider: what the block has
// bought is destroyed.
func TestAccGuide_testsInterrupted(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := openTests(t)
	got := m.signalled(boundary{mockserver.RouteBatch, 1, answered}, interrupt, "test", "-no-color")
	m.wantSays(got.output, "1 passed, 0 failed, 1 skipped")
	check.True(t, "exit code and groups", got.code == 0 && len(m.Groups()) == 0, got.code, len(m.Groups()), got.output)
}

// The second one leaves no state file: what was bought is in the log alone.
func TestAccGuide_testsInterruptedTwice(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := openTests(t)
	got := m.signalled(boundary{mockserver.RouteStatus, 1, unanswered}, func(process int) {
		interrupt(process)
		time.Sleep(moment)
		interrupt(process)
	}, "test", "-no-color")
	states := m.testStates()
	check.True(t, "exit code and states", got.code == 1 && len(states) == 0, got.code, states, got.output)
	left := m.generations()
	groups := jq(t, guided(t), filepath.Join(m.directory, purchaseLog))
	check.True(
		t,
		"the log has what is left",
		len(left) == 1 && len(groups) == 1 &&
			strings.Contains(groups[0].(map[string]any)["import_id"].(string), left[0].ID),
		left,
		groups,
	)
}

// OpenTofu exits with 0 although a teardown has failed, and leaves a state file.
func TestAccGuide_testsNotTornDown(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := openTests(t)
	m.Fault(
		mockserver.Fault{
			Route:  mockserver.RouteDeleteGroup,
			Status: http.StatusForbidden,
			Body:   `{"error": "not now"}`,
		},
	)
	output, code := m.try("test", "-no-color")
	m.wantSays(output, "Not now")
	switch isOpenTofu := m.isOpenTofu(); {
	case isOpenTofu && (code != 0 || !slices.Contains(
		m.testStates(),
		filepath.Join(m.directory, "errored_test.tfstate"),
	)):
		t.Errorf("exit code %d, and the states %v", code, m.testStates())
	case !isOpenTofu && code != 1:
		t.Errorf("exit code %d", code)
	}
}

func (m *terminal) testStates() (found []string) {
	m.t.Helper()
	err := filepath.WalkDir(m.directory, func(file string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(file, ".tfstate") {
			found = append(found, file)
		}
		return err
	})
	check.Must(m.t, err)
	return found
}

func newSaved(t *testing.T) *terminal {
	t.Helper()
	m := newExample(t, "saved-before-destroy", "")
	m.run("apply", "-auto-approve")
	return m
}

func (m *terminal) wantSaved(want ...string) {
	m.t.Helper()
	found, err := filepath.Glob(filepath.Join(m.directory, "saved", "grp_*", "*.png"))
	check.Must(m.t, err)
	got := []string{}
	for _, file := range found {
		content, err := os.ReadFile(file)
		check.True(m.t, file+" is a picture", err == nil && http.DetectContentType(content) == "image/png", err)
		got = append(got, filepath.Base(file))
	}
	slices.Sort(got)
	check.True(m.t, "what is saved", slices.Equal(got, want), got, want)
}

func TestAccSaved(t *testing.T) {
	tier.Long(t, "pictures saved before a destroy")
	t.Parallel()
	without := func(text string) func(*terminal) { return func(m *terminal) { m.replace("main.tf", text, "") } }
	all := []string{"coast.png", "morning.png", "stage.png"}
	for name, test := range map[string]struct {
		change      func(*terminal)
		command     []string
		saved       []string
		halts       bool // if an action fails
		generations int  // that stay, otherwise
	}{
		"destroy": {command: []string{"destroy"}, saved: all},
		"destroy, with halt": {
			change: func(m *terminal) {
				m.replace("main.tf", "[before_destroy]", "[before_destroy]\n on_failure = halt")
			},
			command: []string{"destroy"}, saved: all,
		},
		"a replacement": {
			command: []string{"apply", `-replace=mediagen_generation_group.all["Landscapes"]`},
			saved:   []string{"coast.png"}, halts: true, generations: 3,
		},
		"a group is removed": {
			change:  without("    Landscapes = {\n      coast = \"A rocky coast at dusk\"\n    }\n"),
			command: []string{"apply"}, saved: []string{"coast.png"}, halts: true, generations: 2,
		},
		"a prompt is removed": {
			change:      without("      stage   = \"On a stage in red light\"\n"),
			command:     []string{"apply"},
			generations: 2,
		},
		"the block is removed": {
			change:  func(m *terminal) { m.write("main.tf", versions) },
			command: []string{"apply"},
		},
	} {
		for how, status := range map[string]int{"": 0, ", the media are gone": 404, ", the media's host is down": 503} {
			fails := status != 0
			if fails && test.saved == nil {
				continue
			}
			t.Run(name+how, func(t *testing.T) {
				t.Parallel()
				m := newSaved(t)
				if test.change != nil {
					test.change(m)
				}
				saved := test.saved
				generations := test.generations
				code := 0
				if fails {
					m.Fault(mockserver.Fault{Route: mockserver.RouteMedia, Times: 1000, Status: status})
					saved = nil
				}
				// What is gone is not there to be saved; what is left is not
				// deleted.
				if fails && test.halts || status == 503 {
					generations = 3
					code = 1
				}
				output, got := m.try(append(test.command, "-auto-approve", "-no-color")...)
				check.True(t, "exit code", got == code, got, output)
				if fails {
					m.wantSays(output, "Unable to Download Generations", `"coast" (gen_`)
				}
				if status == 503 && !test.halts {
					m.wantSays(output, "Unable to Delete Generation Group", "remove the action_trigger")
					m.wantRequests(map[string]int{mockserver.RouteDeleteGroup: 0, mockserver.RouteDelete: 0})
				}
				m.wantSaved(saved...)
				if found := len(m.generations()) - 2; found != generations { // two are those of submitElsewhere
					t.Errorf("the service has %d generations, want %d", found, generations)
				}
			})
		}
	}
}

// An action that several objects call is narrowed to one of them by -target.
func TestAccSaved_oneCaller(t *testing.T) {
	tier.Long(t, "pictures saved before a destroy")
	t.Parallel()
	m := newSaved(t)
	m.run(
		"apply",
		"-auto-approve",
		"-invoke=action.mediagen_download_generations.save",
		`-target=mediagen_generation_group.all["Portraits"]`,
	)
	m.wantSaved("morning.png", "stage.png")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 2})
}

// An action that cannot even begin has saved nothing: the destroy is an error
// that sends nothing, and the next one, with the obstacle gone, saves and
// deletes. Fault F34.
func TestAccSaved_directoryIsAFile(t *testing.T) {
	tier.Long(t, "pictures saved before a destroy")
	t.Parallel()
	for _, failure := range []string{"[before_destroy]", "[before_destroy]\n on_failure = continue"} {
		m := newSaved(t)
		m.replace("main.tf", "[before_destroy]", failure)
		m.write("saved", "in the way")
		output, code := m.try("destroy", "-auto-approve", "-no-color")
		check.True(t, "the destroy fails", code == 1, code, output)
		m.wantSays(output, "Unable to Delete Generation Group", "othing was sent", "remove the action_trigger")
		m.wantRequests(map[string]int{mockserver.RouteDeleteGroup: 0, mockserver.RouteDelete: 0})
		check.Equal(t, "generations at the service", len(m.generations()), 3+2) // two are those of submitElsewhere

		m.remove("saved")
		m.run("destroy", "-auto-approve")
		m.wantSaved("coast.png", "morning.png", "stage.png")
		check.Equal(t, "generations at the service", len(m.generations()), 2)
		m.wantRequests(map[string]int{mockserver.RouteDeleteGroup: 2, mockserver.RouteDelete: 0})
	}
}

// The safe order of the guide: what fails to be saved fails before anything is
// destroyed.
func TestAccGuide_destroying(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newSaved(t)
	m.Fault(mockserver.Fault{Route: mockserver.RouteMedia, Nth: 1, Status: 404})
	m.refuses(nil, "apply", "-auto-approve", "-invoke=action.mediagen_download_generations.save")
	output := m.follow("destroying", t.TempDir())
	m.wantSays(output, "Actions: 2 to invoke", "already there", "2 destroyed")
	m.shows("destroying")
	m.wantSaved("coast.png", "morning.png", "stage.png")
	m.wantRequests(map[string]int{mockserver.RouteDeleteGroup: 2, mockserver.RouteMedia: 4})
}
