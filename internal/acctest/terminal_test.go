package acctest_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-version"
	"go.uber.org/goleak"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

const switchOn = "TF_ACC"

// promptly is how long the CLI may take from a Ctrl-C: less than any time-out
// that a provider could be waiting for, and more than the promised three
// seconds, which tests in process check.
const promptly = 25 * time.Second

var built string

func TestMain(m *testing.M) {
	if file := os.Getenv(callsFile); file != "" {
		if err := serveRecorded(file); err != nil {
			log.Fatal(err)
		}
		return
	}
	var err error
	built, err = os.MkdirTemp("", "mediagen-provider-")
	if err != nil {
		log.Fatal(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(built)
		os.Exit(code)
	}))
}

var build = sync.OnceValue(func() error {
	binary := filepath.Join(built, "terraform-provider-mediagen")
	output, err := exec.Command("go", "build", "-C", filepath.Join("..", ".."), "-buildvcs=false", "-o", binary, ".").
		CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	return nil
})

type terminal struct {
	*acctest.Service
	t           *testing.T
	cli         string
	directory   string
	environment []string
	transcript  *bytes.Buffer
	issuer      *acctest.Issuer
}

func newTerminal(t *testing.T, service *acctest.Service, example string) *terminal {
	t.Helper()
	if os.Getenv(switchOn) == "" {
		t.Skip("acceptance tests need TF_ACC, see CONTRIBUTING.md")
	}
	check.Must(t, build())
	workspace := t.TempDir()
	cli, err := exec.LookPath(cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"))
	check.Must(t, err)
	m := &terminal{
		Service:    service,
		t:          t,
		cli:        cli,
		directory:  filepath.Join(workspace, "configuration"),
		transcript: &bytes.Buffer{},
	}
	check.Must(t, os.CopyFS(m.directory, os.DirFS(example)))
	settings := filepath.Join(workspace, "cli.tfrc")
	check.Must(t, os.WriteFile(settings, []byte(overridesOf(built)), 0o600))
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "MEDIAGEN_") {
			m.environment = append(m.environment, variable)
		}
	}
	m.setenv("TF_CLI_CONFIG_FILE", settings)
	m.setenv("TF_IN_AUTOMATION", "1")
	m.setenv("TF_INPUT", "0")
	m.setenv("CHECKPOINT_DISABLE", "1")
	m.setenv("MEDIAGEN_BASE_URL", service.URL)
	m.setenv("MEDIAGEN_API_KEY", acctest.APIKey)
	return m
}

// overridesOf are settings of a CLI that takes the provider from a directory.
func overridesOf(directory string) string {
	return fmt.Sprintf(
		"provider_installation {\n  dev_overrides {\n    \"mediagen/mediagen\" = %q\n    \"hashicorp/mediagen\" = "+
			"%[1]q\n  }\n  direct {}\n}\n",
		directory,
	)
}

func (m *terminal) setenv(variable, value string) {
	m.environment = append(m.environment, variable+"="+value)
}

func (m *terminal) unsetenv(variable string) { m.setenv(variable, "") }

func (m *terminal) write(name, content string) {
	m.t.Helper()
	check.Must(m.t, os.WriteFile(filepath.Join(m.directory, name), []byte(content), 0o600))
}

func (m *terminal) try(arguments ...string) (output string, code int) {
	m.t.Helper()
	return m.execute(exec.CommandContext(m.t.Context(), m.cli, arguments...))
}

func (m *terminal) execute(command *exec.Cmd) (output string, code int) {
	m.t.Helper()
	var printed bytes.Buffer
	command.Dir = m.directory
	command.Env = m.environment
	command.Stdout = &printed
	command.Stderr = &printed
	err := command.Run()
	m.transcript.Write(printed.Bytes())
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		m.t.Fatalf("%s: %s", command, err)
	}
	return printed.String(), command.ProcessState.ExitCode()
}

func (m *terminal) run(arguments ...string) string {
	m.t.Helper()
	arguments = append(arguments[:1:1], append([]string{"-no-color"}, arguments[1:]...)...)
	output, code := m.try(arguments...)
	if code != 0 {
		m.t.Fatalf("%s: exit code %d\n%s", strings.Join(arguments, " "), code, output)
	}
	return output
}

func (m *terminal) wantRequests(counts map[string]int) {
	m.t.Helper()
	for route, want := range counts {
		m.WantCount(m.t, route, want)
	}
}

// forget removes an object from the state; -no-color would come too early for
// run.
func (m *terminal) forget(address string) {
	m.t.Helper()
	if output, code := m.try("state", "rm", address); code != 0 {
		m.t.Fatal(output)
	}
}

// shell runs a command that is no CLI's, and fails the test at once if that
// fails.
func (m *terminal) shell(name string, arguments ...string) (output string) {
	m.t.Helper()
	output, code := m.execute(exec.CommandContext(context.WithoutCancel(m.t.Context()), name, arguments...))
	if code != 0 {
		m.t.Fatalf("%s %q: exit code %d\n%s", name, arguments, code, output)
	}
	return output
}

// refuses runs a command that fails, and checks what it says, which is returned
// as one line.
func (m *terminal) refuses(says []string, arguments ...string) (line string) {
	m.t.Helper()
	output, code := m.try(append(arguments, "-no-color")...)
	line = strings.Join(strings.Fields(strings.ReplaceAll(output, "│", "")), " ")
	missing := slices.DeleteFunc(slices.Clone(says), func(text string) bool { return strings.Contains(line, text) })
	check.True(m.t, "what is refused", code == 1 && len(missing) == 0, arguments, code, missing, output)
	return line
}

func (m *terminal) output(name string, into any) {
	m.t.Helper()
	var state struct {
		Outputs map[string]struct{ Value any }
	}
	decode(m.t, m.read("terraform.tfstate"), &state)
	decode(m.t, state.Outputs[name].Value, into)
}

func decode(t *testing.T, from, into any) {
	t.Helper()
	text, isText := from.(string)
	if !isText {
		encoded, err := json.Marshal(from)
		check.Must(t, err)
		text = string(encoded)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s\n%s", err, text)
	}
}

func (m *terminal) wantNoChanges(arguments ...string) {
	m.t.Helper()
	m.run(append([]string{"plan", "-detailed-exitcode"}, arguments...)...)
}

var product = sync.OnceValues(func() (name string, release *version.Version) {
	command := exec.Command(cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"), "version")
	command.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1")
	output, err := command.Output()
	if err != nil {
		log.Fatalf("%s: %s", command, err)
	}
	line, _, _ := strings.Cut(string(output), "\n")
	name, number, _ := strings.Cut(line, " v")
	return name, version.Must(version.NewVersion(number))
})

func (m *terminal) atLeast(minimum *version.Version) bool {
	_, release := product()
	return release.GreaterThanOrEqual(minimum)
}

func (m *terminal) isOpenTofu() bool {
	name, _ := product()
	return name == "OpenTofu"
}

// needs skips the test on a CLI that lacks the feature. OpenTofu's version
// numbers are lower.
func (m *terminal) needs(minimum *version.Version, what string) {
	m.t.Helper()
	if !m.atLeast(minimum) {
		m.t.Skipf("%s need Terraform %s or later", what, minimum)
	}
}
