package acctest_test

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// The second object needs the first, so that their calls have one order.
const twoCharacters = versions + `
variable "text" { default = "one" }

resource "mediagen_character" "first" { name = "First, ${var.text}" }

resource "mediagen_character" "second" {
  name        = "Second, ${var.text}"
  description = "after ${mediagen_character.first.id}"
}
`

const threeRuns = `
provider "mediagen" {}

run "creates" {}

run "changes" {
  variables { text = "two" }
}

run "plans" {
  command = plan
}
`

// The table of framework.Command has, for each command, which calls this CLI sends and
// what is concluded of each.
func TestAccCommand_sends(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t, func(o *mockserver.Options) { o.Extended = true })
	m := newTerminal(t, service, t.TempDir())
	m.write("main.tf", twoCharacters)
	calls := m.recordsCalls()
	table := readCommandTable(t)
	sends := func(command, text string, arguments ...string) {
		t.Helper()
		m.setenv("TF_VAR_text", text)
		m.run(arguments...)
		check.Equal(t, command, table.shown(t, takeCalls(t, calls)), table.row(t, command))
	}
	sends("plan of new objects", "one", "plan", "-out=saved")
	sends("apply a saved plan", "one", "apply", "saved")
	sends("plan", "two", "plan")
	sends("plan -refresh=false", "two", "plan", "-refresh=false")
	sends("plan -refresh-only", "two", "plan", "-refresh-only")
	sends("apply", "two", "apply", "-auto-approve")
	sends("apply -refresh=false", "three", "apply", "-refresh=false", "-auto-approve")
	const replace = "-replace=mediagen_character.first"
	sends("plan -replace", "three", "plan", replace)
	sends("apply -replace", "three", "apply", replace, "-auto-approve")
	sends("plan -destroy", "three", "plan", "-destroy")
	sends("destroy", "three", "destroy", "-auto-approve")
	if !m.atLeast(tfversion.Version1_6_0) {
		table.drop("test")
	} else {
		m.write("main.tftest.hcl", threeRuns)
		sends("test", "one", "test")
	}
	check.Equal(t, "commands of the table that were not tried", table.rest(), "")
}

// commandTable is what the comment of framework.Command says of this CLI.
type commandTable struct {
	rows map[string]string // the calls of each command
	code map[string]string // how a plan is shown, by the questions that are answered with yes
}

var (
	codeRow    = regexp.MustCompile(`^//\t(P[?AD!]*) +(\S.*)$`)
	commandRow = regexp.MustCompile(`^//\t(\S.*?) {2,}(Terraform|OpenTofu) (\d+\.\d+) +(\S.*)$`)
)

func readCommandTable(t *testing.T) commandTable {
	t.Helper()
	product, running := product()
	table := commandTable{rows: map[string]string{}, code: map[string]string{}}
	since := map[string]*version.Version{}
	files, err := filepath.Glob(filepath.Join(root, "internal", "*", "command.go"))
	check.Must(t, err)
	for _, file := range files {
		source, err := os.ReadFile(file)
		check.Must(t, err)
		for line := range strings.Lines(string(source)) {
			line = strings.TrimSuffix(line, "\n")
			if code := codeRow.FindStringSubmatch(line); code != nil {
				table.code[strings.TrimPrefix(code[2], "nothing")] = code[1]
				continue
			}
			row := commandRow.FindStringSubmatch(line)
			if row == nil || row[2] != product {
				continue
			}
			from := version.Must(version.NewVersion(row[3]))
			former := cmp.Or(since[row[1]], version.Must(version.NewVersion("0")))
			if running.Core().GreaterThanOrEqual(from) && from.GreaterThan(former) {
				since[row[1]] = from
				table.rows[row[1]] = row[4]
			}
		}
	}
	check.True(t, "the table has rows of this CLI", len(table.rows) > 10 && len(table.code) > 5, product, running)
	return table
}

// row takes the row of a command out of the table.
func (c commandTable) row(t *testing.T, command string) string {
	t.Helper()
	row, isFound := c.rows[command]
	check.True(t, "the table has the command", isFound, command)
	c.drop(command)
	return row
}

func (c commandTable) drop(command string) { delete(c.rows, command) }

// rest names the commands whose rows nobody has taken.
func (c commandTable) rest() string {
	var commands []string
	for command := range c.rows {
		commands = append(commands, command)
	}
	slices.Sort(commands)
	return strings.Join(commands, ", ")
}

// shown writes calls as the table does. The answers are those of a provider that
// gets the same calls.
func (c commandTable) shown(t *testing.T, processes [][]recordedCall) string {
	t.Helper()
	var shown []string
	for _, calls := range processes {
		var words []string
		var runs run.Runs
		for _, call := range calls {
			switch call.Name {
			case configureCall:
				runs.Configure(&run.ProviderData{})
			case readCall:
				runs.NoteRefresh()
				words = append(words, "R")
			case applyCall:
				runs.NoteApply()
				words = append(words, "A")
			case planCall:
				yes := check.Yes(runs.Command(call.MayDefer))
				code, isKnown := c.code[yes]
				check.True(t, "the table has a code for the answers", isKnown, yes)
				words = append(words, code)
			}
		}
		shown = append(shown, strings.Join(words, " "))
	}
	return strings.Join(shown, " / ")
}
