//go:build unix

package acctest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const dead = "http://127.0.0.1:1/v2"

func fortyGroups(t *testing.T) *terminal {
	t.Helper()
	m := newTerminal(t, acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 }), t.TempDir())
	m.write("main.tf", versions+`
resource "mediagen_generation_group" "g" {
  for_each = toset([for i in range(40) : "g${i}"])
  prompts  = { portrait = { prompt = "A portrait" } }
}
`)
	m.run("apply", "-auto-approve")
	m.ResetJournal()
	return m
}

var everyCommand = [][]string{
	{"plan"}, {"apply", "-auto-approve"}, {"destroy", "-auto-approve"}, {"plan", "-refresh-only"}, {"apply", "-refresh-only", "-auto-approve"},
}

func (m *terminal) fail(command []string) (lines []string) {
	m.t.Helper()
	output, code := m.try(append(command[:1:1], append([]string{"-no-color"}, command[1:]...)...)...)
	check.True(m.t, "the command fails", code != 0, command, output)
	_, output, _ = strings.Cut(output, "\nError: ")
	for line := range strings.Lines("Error: " + output) {
		if !strings.Contains(line, ": Refreshing state...") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func count(lines []string, prefix string) (found int) {
	for _, line := range lines {
		if strings.HasPrefix(line, prefix) {
			found++
		}
	}
	return found
}

func repeated(lines []string) int {
	return strings.Count(strings.Join(lines, " "), "the same failure as another object's.")
}

// What is wrong with the address or the key is one error for forty objects, and a run that works
// needs one token. Fault F18.
func TestAccCause_once(t *testing.T) {
	t.Parallel()
	m := fortyGroups(t)
	for headline, variable := range map[string][2]string{
		"Error: Service Unreachable":    {"MEDIAGEN_BASE_URL", dead},
		"Error: API Key Rejected (401)": {"MEDIAGEN_API_KEY", "wrong-key-0123456789"},
		"Error: Missing Credential":     {"MEDIAGEN_API_KEY", ""},
	} {
		right := map[string]string{"MEDIAGEN_BASE_URL": m.URL, "MEDIAGEN_API_KEY": acctest.APIKey}[variable[0]]
		m.setenv(variable[0], variable[1])
		for _, command := range everyCommand {
			lines := m.fail(command)
			check.True(t, headline, len(lines) <= 22 && count(lines, "Error: ") == 1 && lines[0] == headline, command, len(lines), strings.Join(lines, "\n"))
		}
		m.run("validate")
		m.setenv(variable[0], right)
	}
	m.ResetJournal()
	m.wantNoChanges()
	m.WantCount(t, mockserver.RouteToken, 1)
}

// An access token is not exchanged: each object meets what is wrong, and one tells all.
func TestAccCause_accessToken(t *testing.T) {
	t.Parallel()
	m := fortyGroups(t)
	m.unsetenv("MEDIAGEN_API_KEY")
	m.setenv("MEDIAGEN_ACCESS_TOKEN", "wrong-token-0123456789")
	for _, command := range everyCommand {
		lines := m.fail(command)
		headlines := count(lines, "Error: Access Token Rejected (401)")
		check.True(t, "forty errors, one in full", len(lines) <= 450 && headlines == 40 && count(lines, "Error: ") == 40 && repeated(lines) == 39,
			command, len(lines), headlines, strings.Join(lines, "\n"))
		check.True(t, "each says why", count(lines, "The access token is not valid (401 Unauthorized") == 40, command, strings.Join(lines, "\n"))
	}
}

// Without the service, a plan without a refresh takes any access token.
func TestAccCause_offline(t *testing.T) {
	t.Parallel()
	m := fortyGroups(t)
	m.unsetenv("MEDIAGEN_API_KEY")
	m.setenv("MEDIAGEN_BASE_URL", dead)
	m.setenv("MEDIAGEN_ACCESS_TOKEN", "offline")
	m.wantNoChanges("-refresh=false")
	m.run("plan", "-refresh=false", "-destroy")
	lines := m.fail([]string{"plan"})
	check.True(t, "forty errors, one in full", count(lines, "Error: Service Unreachable") == 40 && repeated(lines) == 39 && len(lines) <= 450,
		len(lines), strings.Join(lines, "\n"))
}

// What an exchange waits for ends with a Ctrl-C. Fault F7.
func TestAccCause_interrupted(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, acctest.NewService(t), t.TempDir())
	m.write("main.tf", fmt.Sprintf("provider \"mediagen\" {\n  base_url = %q\n}\n\ndata \"mediagen_characters\" \"all\" {}\n", m.URL))
	at := boundary{mockserver.RouteToken, 1, unanswered}
	got := m.signalled(at, interrupt, "plan", "-no-color")
	check.True(t, "back promptly, with an error", got.took <= promptly && got.code != 0, got.took.Round(time.Millisecond), got.code, got.output)
}
