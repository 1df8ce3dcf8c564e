//go:build unix

package acctest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var paidRoutes = []string{mockserver.RouteStartTraining, mockserver.RouteBatch}

// Some CI systems begin with SIGTERM, and send it to the provider as well.
// Fault F7.
func TestAccInterrupt_terminated(t *testing.T) {
	tier.Long(t, "a command interrupted or killed at its requests")
	t.Parallel()
	for _, route := range paidRoutes {
		for _, fate := range []fate{answered, answeredLate, unanswered} {
			at := boundary{route, 1, fate}
			t.Run(at.String(), func(t *testing.T) {
				t.Parallel()
				creation.ended(t, at, func(process int) { _ = syscall.Kill(-process, syscall.SIGTERM) })
			})
		}
	}
}

// A training that could not be stored is not bought again while it runs: the
// import that the plan names buys nothing. Fault F7.
func TestAccInterrupt_killedWhileTraining(t *testing.T) {
	tier.Long(t, "a command interrupted or killed at its requests")
	t.Parallel()
	killed := creation
	killed.trainingTime = time.Hour
	killed.variables = []string{"-var=wait=false"}
	for name, kill := range map[string]func(*terminal) signal{
		"the provider": (*terminal).killProvider,
		"all":          killAll,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := killed.open(t)
			m.signalled(boundary{mockserver.RouteStartTraining, 1, unanswered}, kill(m), "apply", planned)
			m.ClearFaults()
			_, found := m.objects()[theTraining]
			check.True(t, "the kill came before the training was in the state", !found)
			apply := append([]string{"apply", "-auto-approve"}, killed.variables...)
			m.refuses([]string{"Body LoRA Training Runs Already"}, apply...)
			m.run(append(append([]string{"import"}, killed.variables...), theTraining, "char_ada/job_000001")...)
			m.run(apply...)
			bought := m.Trainings("")
			check.True(
				t,
				"one training was bought",
				len(bought) == 1 && m.objects()[theTraining].Attributes.ID == bought[0].JobID,
				bought,
				m.objects()[theTraining],
			)
			m.wantNoChanges(killed.variables...)
		})
	}
}

// No list has groups. So a batch is bought again if the provider dies before
// its ids are in the state: the one way to pay twice, unless there is a
// purchase log. Fault F7.
func TestAccInterrupt_killedWhileSubmitting(t *testing.T) {
	t.Parallel()
	for name, killed := range map[string]scene{"create": creation, "update": update()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := killed.open(t)
			before := m.objects()[theGroup]
			m.signalled(boundary{mockserver.RouteBatch, 1, unanswered}, m.killProvider(), "apply", planned)
			bought := m.Ledger().Entries
			killed.prompts = slices.Concat(killed.prompts, bought[len(bought)-1].Prompts)
			after := m.objects()[theGroup]
			check.True(
				t,
				"the group stays as it was",
				after.Status == "" && after.Attributes.ID == before.Attributes.ID,
				after,
				before,
			)
			killed.goOn(m)
			killed.wantPurchases(m, boundary{})
			m.wantNoChanges(killed.variables...)
		})
	}
}

// loggedGroup has one group, whose runs write a purchase log.
const loggedGroup = `
terraform {
%s
}

provider "mediagen" {
  purchase_log = "purchases.jsonl"
}

resource "mediagen_generation_group" "g" {
  character_id        = "char_ada"
  wait_for_completion = var.wait
  prompts             = { morning = { prompt = "On the beach"%s } }
}

variable "wait" {
  default = false
}
`

// backends store the state in a file, or at a service that is told of it later.
var backends = map[string]string{"local": "", "http": "  backend \"http\" {}"}

// newLogged opens a configuration whose state the backend has.
func newLogged(t *testing.T, backend string) *terminal {
	t.Helper()
	service := acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = 0 })
	service.AddCharacter(mockserver.CharacterSeed{ID: "char_ada"})
	m := newTerminal(t, service, filepath.Join("testdata", "logged"))
	m.write("main.tf", fmt.Sprintf(loggedGroup, backends[backend], ""))
	if backend == "http" {
		m.setenv("TF_HTTP_ADDRESS", newStateStore(t))
		_, _ = m.try("init") // the backend comes first; a provider of dev_overrides is in no registry
	}
	return m
}

// newStateStore serves the state of an http backend.
func newStateStore(t *testing.T) (address string) {
	t.Helper()
	return (&stateStore{}).serve(t)
}

// moved goes on in a copy of the directory, as on another machine.
func (m *terminal) moved() {
	m.t.Helper()
	elsewhere := filepath.Join(m.t.TempDir(), "elsewhere")
	check.Must(m.t, os.CopyFS(elsewhere, os.DirFS(m.directory)))
	m.directory = elsewhere
}

var importedID = regexp.MustCompile(`id = (jsonencode\([^)]*\))`)

// What a killed run has bought is not bought again, on no machine, and not
// taken: the plan warns, the apply refuses, and the import that they name buys
// nothing. Fault F31.
func TestAccInterrupt_killedWithPurchaseLog(t *testing.T) {
	tier.Long(t, "a command interrupted or killed at its requests")
	t.Parallel()
	for backend := range backends {
		for name, at := range map[string]boundary{
			"before the reply": {mockserver.RouteBatch, 1, unanswered},
			"after it":         {mockserver.RouteBatch, 1, followed},
			"in the wait":      {mockserver.RouteStatus, 1, unanswered},
		} {
			t.Run(backend+", "+name, func(t *testing.T) {
				t.Parallel()
				m := newLogged(t, backend)
				m.signalled(at, killAll(m), "apply", "-auto-approve", "-no-color", "-var=wait=true")
				m.ClearFaults()
				m.Clock.Advance(time.Hour)
				m.moved()
				m.wantSays(m.run("plan"), "Another Run Has Bought This")
				said := m.refuses(
					[]string{"Another Run Has Bought This", "nothing was bought"},
					"apply",
					"-auto-approve",
				)
				m.wantRequests(map[string]int{mockserver.RouteBatch: 1})
				found := importedID.FindStringSubmatch(said)
				if found == nil {
					t.Fatal(said)
				}
				id := strings.ReplaceAll(found[1], "GENERATION_ID", m.generations()[0].ID)
				m.write("import.tf", fmt.Sprintf("import {\n  to = mediagen_generation_group.g\n  id = %s\n}\n", id))
				m.run("apply", "-auto-approve")
				m.wantNoChanges()
				m.wantRequests(map[string]int{mockserver.RouteBatch: 1})
				check.True(
					t,
					"the log says that a state has it",
					strings.Contains(m.read("purchases.jsonl"), `"outcome":"stored"`),
					m.read("purchases.jsonl"),
				)
			})
		}
	}
}

// Another take buys it again all the same, and what an orderly run has bought
// refuses nothing. Fault F31.
func TestAccPurchaseLog_buysAgain(t *testing.T) {
	tier.Long(t, "a killed run and those after it")
	t.Parallel()
	m := newLogged(t, "local")
	m.signalled(
		boundary{mockserver.RouteStatus, 1, unanswered},
		killAll(m),
		"apply",
		"-auto-approve",
		"-no-color",
		"-var=wait=true",
	)
	m.ClearFaults()
	m.write("main.tf", fmt.Sprintf(loggedGroup, "", ", take = 2"))
	m.run("apply", "-auto-approve")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 2})
	m.wantNoChanges()
	m.run("apply", "-auto-approve", "-replace=mediagen_generation_group.g")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 3})
	m.run("plan", "-out="+planned, "-destroy")
	m.moved()
	m.run("apply", planned)
	m.run("apply", "-auto-approve")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 4})
	m.forget("mediagen_generation_group.g")
	m.run("plan")
	m.shows("books#when-the-log-refuses")
	m.refuses([]string{"Another Run Has Bought This"}, "apply", "-auto-approve")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 4})
}

// A run that is killed on a checkout with CRLF guards what one with LF would
// buy. Faults F31 and F35.
func TestAccPurchaseLog_anotherCheckout(t *testing.T) {
	tier.Long(t, "a killed run and those after it")
	t.Parallel()
	m := newLogged(t, "local")
	checkout := func(ends string) {
		text := strings.ReplaceAll("On the beach\nat dawn\n", "\n", ends)
		m.write("beach.txt", text)
		m.write("main.tf", strings.Replace(fmt.Sprintf(loggedGroup, "", ""), `"On the beach"`, `file("beach.txt")`, 1))
	}
	checkout("\r\n")
	m.signalled(
		boundary{mockserver.RouteStatus, 1, unanswered},
		killAll(m),
		"apply",
		"-auto-approve",
		"-no-color",
		"-var=wait=true",
	)
	m.ClearFaults()
	checkout("\n")
	m.wantSays(m.run("plan"), "Another Run Has Bought This")
	m.refuses([]string{"Another Run Has Bought This", "nothing was bought"}, "apply", "-auto-approve")
	m.wantRequests(map[string]int{mockserver.RouteBatch: 1})
	check.Equal(t, "purchases", len(m.Ledger().Entries), 1)
}

func killAll(*terminal) signal {
	return func(process int) { _ = syscall.Kill(-process, syscall.SIGKILL) }
}

// killProvider starts the provider through a script that stores its id, and
// kills the latest.
func (m *terminal) killProvider() signal {
	m.t.Helper()
	directory := m.t.TempDir()
	processes := filepath.Join(directory, "processes")
	script := fmt.Sprintf(
		"#!/bin/sh\necho $$ >> '%s'\nexec '%s' \"$@\"\n",
		processes,
		filepath.Join(built, "terraform-provider-mediagen"),
	)
	check.Must(m.t, os.WriteFile(filepath.Join(directory, "terraform-provider-mediagen"), []byte(script), 0o700))
	settings := filepath.Join(directory, "cli.tfrc")
	overrides := fmt.Sprintf(
		"provider_installation {\n  dev_overrides {\n    \"mediagen/mediagen\" = %q\n  }\n}\n",
		directory,
	)
	check.Must(m.t, os.WriteFile(settings, []byte(overrides), 0o600))
	m.setenv("TF_CLI_CONFIG_FILE", settings)
	return func(int) {
		content, err := os.ReadFile(processes)
		if err != nil {
			m.t.Error(err)
			return
		}
		lines := strings.Fields(string(content))
		provider, err := strconv.Atoi(lines[len(lines)-1])
		if err == nil {
			err = syscall.Kill(provider, syscall.SIGKILL)
		}
		check.NoError(m.t, err)
	}
}
