//go:build unix

package acctest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A team on the real CLIs: runs that are killed with all their processes, and
// innocent acts of which none is taken for that.

const teamGroup = "mediagen_generation_group.g"

// teamConfig is a configuration of the team's groups.
type teamConfig struct {
	title        string
	prompts      string // the map's elements
	createsFirst bool
	more         string // arguments of the group
	besides      string // other blocks
}

var teamBeginning = teamConfig{title: "Portraits", prompts: `morning = { prompt = "On the beach" }`}

func (c teamConfig) text(backend string) string {
	return fmt.Sprintf(`
terraform {
%s
}

provider "mediagen" {
  purchase_log = var.book
}

variable "book" {
  default = "purchases.jsonl"
}

variable "wait" {
  default = false
}

%s`, backends[backend], c.group("g")+c.besides)
}

func (c teamConfig) group(name string) string {
	return fmt.Sprintf(`
resource "mediagen_generation_group" %q {
  character_id        = "char_ada"
  title               = %q
  wait_for_completion = var.wait
  prompts             = { %s }
  %s

  lifecycle {
    create_before_destroy = %t
  }
}
`, name, c.title, c.prompts, c.more, c.createsFirst)
}

// attack is a run that is killed, and what its team does before the cure.
type attack struct {
	backend string
	moment  string
	next    string
	other   bool // the next runs have another key
	plans   int  // before each next apply
}

func (a attack) String() string {
	return fmt.Sprintf("%s, %s, %s, another key %t, %d plans", a.backend, a.moment, a.next, a.other, a.plans)
}

// What a team does after a kill.
const (
	goesOn       = "goes on"
	retitles     = "another title"
	renamesKey   = "another key of the prompt"
	losesObject  = "state rm of what was imported"
	losesState   = "an older state"
	replaces     = "a replacement that creates first was killed"
	anothersName = "colleagues-api-key-0123"
)

var (
	killMoments = []string{"before the reply", "after it", "in the wait"}
	nextActs    = []string{goesOn, retitles, renamesKey, losesObject, losesState, replaces}
)

// campaign counts what attacks come to.
type campaign struct {
	mutex                                   sync.Mutex
	kills, plans, warnings, refusals, cures int
	purchases, attacks, replacement         int
}

func (c *campaign) count(what *int, more int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	*what += more
}

func (c *campaign) report(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		t.Logf("%d attacks: %d kills, %d plans between, %d warnings, %d refusals, %d cures, %d purchases, of which "+
			"%d were innocent replacements", c.attacks, c.kills, c.plans, c.warnings, c.refusals, c.cures,
			c.purchases, c.replacement)
	})
}

// What a killed run has bought is bought once, whatever comes next, and each cure
// that a message names works once. Fault F39.
func TestAccTeam_attacks(t *testing.T) {
	tier.Long(t, "runs that are killed, and those after them")
	t.Parallel()
	sum := &campaign{}
	sum.report(t)
	for i, next := range nextActs {
		a := attack{
			backend: []string{"local", "http"}[i%2],
			moment:  killMoments[i%len(killMoments)],
			next:    next,
			other:   i%2 == 0,
			plans:   i % 2,
		}
		t.Run(a.String(), func(t *testing.T) {
			t.Parallel()
			a.play(t, sum)
		})
	}
}

// More than 200 kills on each CLI. Fault F39.
func TestAccTeam_allAttacks(t *testing.T) {
	tier.Nightly(t, "more than 200 kills")
	t.Parallel()
	sum := &campaign{}
	sum.report(t)
	for backend := range backends {
		for _, moment := range killMoments {
			for _, next := range nextActs {
				for i := range 6 {
					a := attack{backend, moment, next, i%2 == 0, []int{0, 1, 3}[i/2]}
					t.Run(a.String(), func(t *testing.T) {
						t.Parallel()
						a.play(t, sum)
					})
				}
			}
		}
	}
}

// team is a terminal whose runs are attacked.
type team struct {
	*terminal
	attack
	sum    *campaign
	config teamConfig
}

func newTeam(t *testing.T, a attack, sum *campaign) *team {
	t.Helper()
	m := &team{
		terminal: newLogged(t, a.backend),
		attack:   a,
		sum:      sum,
		config:   teamBeginning,
	}
	m.AddAPIKey(anothersName, "")
	m.config.createsFirst = a.next == replaces
	m.configure()
	return m
}

func (m *team) configure() { m.write("main.tf", m.config.text(m.backend)) }

func (a attack) play(t *testing.T, sum *campaign) {
	t.Helper()
	m := newTeam(t, a, sum)
	arguments := []string{"apply", "-auto-approve", "-no-color", "-var=wait=true"}
	before := 0
	older := ""
	statuses := 1
	if a.next == replaces || a.next == losesState {
		m.run("apply", "-auto-approve")
		before = 1
		statuses = 2 // the first is the refresh's
		older = m.shell(m.cli, "state", "pull")
	}
	switch a.next {
	case replaces:
		arguments = append(arguments, "-replace="+teamGroup)
		if m.isOpenTofu() {
			statuses++ // its apply takes itself for a plan, and asks what the log has
		}
	case losesState:
		m.config.prompts += `, evening = { prompt = "At night" }`
		m.configure()
	}
	m.signalled(map[string]boundary{
		killMoments[0]: {mockserver.RouteBatch, 1, unanswered},
		killMoments[1]: {mockserver.RouteBatch, 1, followed},
		killMoments[2]: {mockserver.RouteStatus, statuses, unanswered},
	}[a.moment], killAll(m.terminal), arguments...)
	sum.count(&sum.kills, 1)
	sum.count(&sum.attacks, 1)
	m.ClearFaults()
	m.Clock.Advance(time.Hour)
	m.moved()
	m.goesOn()
	m.cured()
	switch a.next {
	case losesObject:
		m.nights()
		m.forget(teamGroup)
		m.cured()
	case losesState:
		m.nights()
		m.write("older.tfstate", older)
		m.shell(m.cli, "state", "push", "-force", "older.tfstate")
		m.cured()
	}
	m.wantRequests(map[string]int{mockserver.RouteBatch: before + 1})
	m.run("apply", "-auto-approve", "-replace="+teamGroup)
	m.wantRequests(map[string]int{mockserver.RouteBatch: before + 2})
	sum.count(&sum.replacement, 1)
	sum.count(&sum.purchases, before+2)
	m.wantSilence()
}

// goesOn is what the team does before it knows of the kill.
func (m *team) goesOn() {
	if m.other {
		m.setenv("MEDIAGEN_API_KEY", anothersName)
	}
	switch m.next {
	case retitles:
		m.config.title = "Others"
	case renamesKey:
		m.config.prompts = strings.Replace(m.config.prompts, "morning", "dawn", 1)
	}
	m.configure()
}

// nights are plans of every night.
func (m *team) nights() {
	for range m.plans {
		m.run("plan")
		m.sum.count(&m.sum.plans, 1)
	}
}

// cured: the plan warns, the apply refuses, what the message says is done to the
// letter, and nothing is left to do.
func (m *team) cured() {
	m.t.Helper()
	m.nights()
	bought := m.Count(mockserver.RouteBatch)
	said := joined(m.run("plan"))
	m.sum.count(&m.sum.warnings, 1)
	check.Contains(m.t, "the plan", said, anotherRun)
	isOnceMore := strings.Contains(said, anotherRun+" Once More")
	refusedApply := []string{"apply", "-auto-approve"}
	if isOnceMore {
		refusedApply = append(refusedApply, "-replace="+teamGroup)
	}
	m.nights()
	refusal := m.refuses([]string{anotherRun, "nothing was bought"}, refusedApply...)
	m.sum.count(&m.sum.refusals, 1)
	if !isOnceMore {
		said = refusal
	}
	check.Equal(m.t, "batches", m.Count(mockserver.RouteBatch), bought)
	m.doesAsTold(said)
	m.sum.count(&m.sum.cures, 1)
	check.Equal(m.t, "batches", m.Count(mockserver.RouteBatch), bought)
	m.nights()
	m.wantSilence()
}

// joined is an output as one line, without the frames of messages.
func joined(output string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(output)), " ")
}

// doesAsTold runs the command that a message names, and writes its import block,
// with the id that a person finds. The block is deleted once it is applied.
func (m *team) doesAsTold(said string) {
	m.t.Helper()
	found := importedID.FindStringSubmatch(said)
	if found == nil {
		m.t.Fatalf("no import is named: %s", said)
	}
	made := m.generations()
	id := strings.ReplaceAll(found[1], "GENERATION_ID", made[len(made)-1].ID)
	isConditional := strings.Contains(said, "# Only if the state has ADDRESS")
	_, isInState := m.objects()[teamGroup]
	if strings.Contains(said, "terraform state rm ADDRESS import {") && (isInState || !isConditional) {
		m.forget(teamGroup)
	}
	m.write("import.tf", fmt.Sprintf("import {\n  to = %s\n  id = %s\n}\n", teamGroup, id))
	m.run("apply", "-auto-approve")
	m.remove("import.tf")
}

// wantSilence: a plan changes nothing, and has nothing to say of purchases.
func (m *team) wantSilence() {
	m.t.Helper()
	output := m.run("plan", "-detailed-exitcode")
	check.True(m.t, "the plan is silent", !strings.Contains(output, "Bought This"), output)
}

// act is something that a person does without any kill.
type act struct {
	name  string
	do    func(m *acting)
	sends int // batches after the first
}

// acting is a terminal whose person applies in one of these ways.
type acting struct {
	*team
	way string
}

var ways = []string{"direct", "saved", "saved, and its lines lost"}

// applies applies what is configured.
func (m *acting) applies(arguments ...string) {
	m.t.Helper()
	if m.way == ways[0] {
		m.run(append([]string{"apply", "-auto-approve"}, arguments...)...)
		return
	}
	log := filepath.Join(m.directory, "purchases.jsonl")
	before, _ := os.ReadFile(log) // there may be none
	m.run(append([]string{"plan", "-out=saved.plan"}, arguments...)...)
	if m.way == ways[2] {
		check.Must(m.t, os.WriteFile(log, before, 0o600))
	}
	m.run("apply", "saved.plan")
}

// becomes changes the configuration, and applies it.
func (m *acting) becomes(change func(c *teamConfig), arguments ...string) {
	m.t.Helper()
	change(&m.config)
	m.configure()
	m.applies(arguments...)
}

// renamed lets the group have another name.
func (m *acting) renamed(besides string) {
	m.t.Helper()
	text := strings.ReplaceAll(m.config.text(m.backend), `" "g" {`, `" "h" {`)
	m.write("main.tf", text+besides)
	m.applies()
}

func counted(count int) func(c *teamConfig) {
	return func(c *teamConfig) { c.more = fmt.Sprintf("count = %d", count) }
}

func prompted(prompt string) func(c *teamConfig) {
	return func(c *teamConfig) { c.prompts = fmt.Sprintf("morning = { %s }", prompt) }
}

var acts = []act{
	{"renamed", func(m *acting) { m.renamed("") }, 1},
	{"renamed, with a moved block", func(m *acting) {
		m.renamed("\nmoved {\n  from = mediagen_generation_group.g\n  to   = mediagen_generation_group.h\n}\n")
	}, 0},
	{"count up and down", func(m *acting) {
		for _, count := range []int{2, 1, 2} {
			m.becomes(counted(count))
		}
	}, 2},
	{"replaced", func(m *acting) { m.applies("-replace=" + teamGroup) }, 1},
	{"replaced twice", func(m *acting) {
		m.applies("-replace=" + teamGroup)
		m.applies("-replace=" + teamGroup)
	}, 2},
	{"tainted", func(m *acting) {
		m.shell(m.cli, "taint", teamGroup)
		m.applies()
	}, 1},
	{"create before destroy", func(m *acting) {
		m.becomes(func(c *teamConfig) { c.createsFirst = true }, "-replace="+teamGroup)
	}, 1},
	{"tainted, create before destroy", func(m *acting) {
		m.config.createsFirst = true
		m.configure()
		m.shell(m.cli, "taint", teamGroup)
		m.applies()
	}, 1},
	{"destroy and apply", func(m *acting) {
		m.run("destroy", "-auto-approve")
		m.applies()
	}, 1},
	{"back and forth", func(m *acting) {
		m.becomes(prompted(`prompt = "At night"`))
		m.becomes(prompted(`prompt = "On the beach"`))
	}, 2},
	{"take up and down", func(m *acting) {
		m.becomes(prompted(`prompt = "On the beach", take = 2`))
		m.becomes(prompted(`prompt = "On the beach"`))
	}, 2},
	{"kept, and created anew", func(m *acting) {
		m.becomes(func(c *teamConfig) { c.more = `deletion_policy = "keep"` })
		m.run("destroy", "-auto-approve")
		m.applies()
	}, 1},
	{"deleted by hand", func(m *acting) {
		m.Clock.Advance(time.Hour)
		m.run("apply", "-auto-approve") // the state has seen it: what is new may not be found yet
		m.DeleteGenerationBehindTheBack(m.generations()[0].ID)
		m.applies()
	}, 1},
	{"another title and another key", func(m *acting) {
		m.becomes(func(c *teamConfig) {
			c.title = "Others"
			c.prompts = strings.Replace(c.prompts, "morning", "dawn", 1)
		})
	}, 0},
	{"a twin", func(m *acting) {
		m.becomes(func(c *teamConfig) { c.besides = c.group("twin") })
	}, 1},
}

// play lets a person do an act, after some plans.
func (a act) play(t *testing.T, backend, way string, plans int) {
	t.Helper()
	m := &acting{newTeam(t, attack{backend: backend, plans: plans}, &campaign{}), way}
	m.run("apply", "-auto-approve")
	if way == ways[2] {
		m.run("plan") // the lines that are left say that a state has it
	}
	m.nights()
	a.do(m)
	m.wantRequests(map[string]int{mockserver.RouteBatch: 1 + a.sends})
	m.nights()
	m.wantSilence()
}

func actNamed(t *testing.T, name string) act {
	t.Helper()
	i := slices.IndexFunc(acts, func(a act) bool { return a.name == name })
	if i < 0 {
		t.Fatalf("there is no act %q", name)
	}
	return acts[i]
}

// What no kill has touched is bought as the plan has said, and never refused.
// Fault F39.
func TestAccTeam_innocentActs(t *testing.T) {
	tier.Long(t, "acts of a person, each of several commands")
	t.Parallel()
	for i, name := range []string{
		"renamed", "renamed, with a moved block", "count up and down", "create before destroy", "tainted", "a twin",
	} {
		way := ways[i%len(ways)]
		t.Run(name+", "+way, func(t *testing.T) {
			t.Parallel()
			actNamed(t, name).play(t, "local", way, i%2)
		})
	}
}

// Each act in each way. Fault F39.
func TestAccTeam_allInnocentActs(t *testing.T) {
	tier.Nightly(t, "each act in each way")
	t.Parallel()
	for _, a := range acts {
		for i, way := range ways {
			for plans := range 2 {
				backend := []string{"local", "http"}[(i+plans)%2]
				t.Run(fmt.Sprintf("%s, %s, %s, %d plans", a.name, way, backend, plans), func(t *testing.T) {
					t.Parallel()
					a.play(t, backend, way, plans)
				})
			}
		}
	}
}

// The tests of a module and another workspace have a book each: what they buy,
// and destroy, is nothing to production. Fault F39.
func TestAccTeam_booksOfTheirOwn(t *testing.T) {
	tier.Long(t, "a module's tests, and a workspace")
	t.Parallel()
	m := newTeam(t, attack{backend: "local"}, &campaign{})
	m.needs(tfversion.Version1_6_0, "test files")
	m.run("apply", "-auto-approve")
	m.wantSilence()
	book := m.read("purchases.jsonl")
	m.write("main.tftest.hcl", "variables {\n  book = \"tests.jsonl\"\n}\n\nrun \"first\" {}\n\nrun \"second\" {}\n")
	for tests := range 2 {
		m.wantSays(m.run("test"), "2 passed, 0 failed")
		m.wantRequests(map[string]int{mockserver.RouteBatch: 2 + tests})
	}
	m.remove("main.tftest.hcl")
	m.shell(m.cli, "workspace", "new", "staging")
	m.run("apply", "-auto-approve", "-var=book=staging.jsonl")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 4})
	m.shell(m.cli, "workspace", "select", "default")
	check.Equal(t, "the book of production", m.read("purchases.jsonl"), book)
	m.wantSilence()
	m.run("apply", "-auto-approve", "-replace="+teamGroup)
	m.wantRequests(map[string]int{mockserver.RouteBatch: 5})
	m.wantSilence()
}
