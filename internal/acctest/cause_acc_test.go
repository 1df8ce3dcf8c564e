//go:build unix

package acctest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
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
	{
		"plan",
	},
	{"apply", "-auto-approve"},
	{"destroy", "-auto-approve"},
	{"plan", "-refresh-only"},
	{"apply", "-refresh-only", "-auto-approve"},
}

// fail is what a failing command says, without the progress of the refresh, and
// in how many lines.
func (m *terminal) fail(command []string) (said string, lines int) {
	m.t.Helper()
	output, code := m.try(append(command[:1:1], append([]string{"-no-color"}, command[1:]...)...)...)
	check.True(m.t, "the command fails", code != 0, command, output)
	_, output, _ = strings.Cut(output, "\nError: ")
	said = regexp.MustCompile(`(?m)^.*: Refreshing state\.\.\..*\n`).ReplaceAllString("\nError: "+output, "")
	return said, strings.Count(strings.TrimSpace(said), "\n") + 1
}

func repeated(said string) int {
	return strings.Count(strings.ReplaceAll(said, "\n", " "), "the same failure as another object's.")
}

// What is wrong with the address or the key is one error for forty objects, and
// a run that works needs one token. Fault F18.
func TestAccCause_once(t *testing.T) {
	tier.Long(t, "a cause told once in a large configuration")
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
			said, lines := m.fail(command)
			check.True(
				t,
				headline,
				lines <= 22 && strings.Count(said, "\nError: ") == 1 && strings.HasPrefix(said, "\n"+headline+"\n"),
				command,
				lines,
				said,
			)
		}
		m.run("validate")
		m.setenv(variable[0], right)
	}
	m.ResetJournal()
	m.wantNoChanges()
	m.WantCount(t, mockserver.RouteToken, 1)
}

// An access token is not exchanged: each object meets what is wrong, and one
// tells all.
func TestAccCause_accessToken(t *testing.T) {
	tier.Long(t, "a cause told once in a large configuration")
	t.Parallel()
	m := fortyGroups(t)
	m.unsetenv("MEDIAGEN_API_KEY")
	m.setenv("MEDIAGEN_ACCESS_TOKEN", "wrong-token-0123456789")
	for _, command := range everyCommand {
		m.wantForty("Access Token Rejected (401)", "\nThe access token is not valid (401 Unauthorized", command)
	}
}

// Offline, a plan without a refresh needs no service, and any other sends nothing.
func TestAccCause_offline(t *testing.T) {
	tier.Long(t, "a cause told once in a large configuration")
	t.Parallel()
	m := fortyGroups(t)
	m.unsetenv("MEDIAGEN_API_KEY")
	m.setenv("MEDIAGEN_BASE_URL", dead)
	m.setenv("MEDIAGEN_ACCESS_TOKEN", "offline")
	m.wantNoChanges("-refresh=false")
	m.run("plan", "-refresh=false", "-destroy")
	m.wantForty("This Needs a Credential", "", []string{"plan"})
}

// wantForty runs a command that tells each of the groups why, one of them in
// full.
func (m *terminal) wantForty(headline, why string, command []string) {
	m.t.Helper()
	said, lines := m.fail(command)
	headlines := strings.Count(said, "\nError: "+headline)
	check.True(
		m.t,
		"forty errors, one in full",
		headlines == 40 && strings.Count(said, "\nError: ") == 40 && repeated(said) == 39 && lines <= 450,
		command,
		lines,
		said,
	)
	check.True(m.t, "each says why", why == "" || strings.Count(said, why) == 40, command, said)
}

// What an exchange waits for ends with a Ctrl-C. Fault F7.
func TestAccCause_interrupted(t *testing.T) {
	tier.Long(t, "a cause told once in a large configuration")
	t.Parallel()
	m := newTerminal(t, acctest.NewService(t), t.TempDir())
	m.write(
		"main.tf",
		fmt.Sprintf("provider \"mediagen\" {\n  base_url = %q\n}\n\ndata \"mediagen_characters\" \"all\" {}\n", m.URL),
	)
	at := boundary{mockserver.RouteToken, 1, unanswered}
	got := m.signalled(at, interrupt, "plan", "-no-color")
	check.True(
		t,
		"back promptly, with an error",
		got.took <= promptly && got.code != 0,
		got.took.Round(time.Millisecond),
		got.code,
		got.output,
	)
}
