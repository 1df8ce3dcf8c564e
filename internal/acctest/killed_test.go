//go:build unix

package acctest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var purchases = []string{mockserver.RouteStartTraining, mockserver.RouteBatch}

// Some CI systems begin with SIGTERM, and send it to the provider as well. Fault F7.
func TestAccInterrupt_terminated(t *testing.T) {
	t.Parallel()
	for _, route := range purchases {
		for _, fate := range []fate{answered, answeredLate, unanswered} {
			at := boundary{route, 1, fate}
			t.Run(at.String(), func(t *testing.T) {
				t.Parallel()
				creation.ended(t, at, func(process int) { _ = syscall.Kill(-process, syscall.SIGTERM) })
			})
		}
	}
}

// A training that could not be stored is not bought again while it runs: the import that the plan
// names buys nothing. Fault F7.
func TestAccInterrupt_killedWhileTraining(t *testing.T) {
	t.Parallel()
	killed := creation
	killed.trainingTime, killed.variables = time.Hour, []string{"-var=wait=false"}
	for name, kill := range map[string]func(*terminal) signal{"the provider": (*terminal).killProvider, "all": killAll} {
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
			check.True(t, "one training was bought", len(bought) == 1 && m.objects()[theTraining].Attributes.ID == bought[0].JobID, bought, m.objects()[theTraining])
			m.wantNoChanges(killed.variables...)
		})
	}
}

// No list has groups. So a batch is bought again if the provider dies before its ids are in the
// state: the one way to pay twice, unless there is a purchase log. Fault F7.
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
			check.True(t, "the group stays as it was", after.Status == "" && after.Attributes.ID == before.Attributes.ID, after, before)
			killed.goOn(m)
			killed.wantPurchases(m, boundary{})
			m.wantNoChanges(killed.variables...)
		})
	}
}

// With a purchase log the next apply is answered from it: what had an answer is taken, and what had
// none is unconfirmed. Fault F31.
func TestAccInterrupt_killedWithPurchaseLog(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		at          boundary
		unconfirmed int64
	}{
		{boundary{mockserver.RouteBatch, 2, unanswered}, 1},
		{boundary{mockserver.RouteBatch, 3, followed}, 0},
		{boundary{mockserver.RouteStartTraining, 1, followed}, 0},
	} {
		t.Run(test.at.String(), func(t *testing.T) {
			t.Parallel()
			killed := creation
			killed.logged, killed.generationTime = true, time.Hour
			if test.at.route == mockserver.RouteStartTraining {
				killed.trainingTime = time.Hour
			}
			m := killed.open(t)
			if m.isOpenTofu() {
				t.Skip("OpenTofu stores the state of what has returned later than Terraform: it is lost with the process")
			}
			m.signalled(test.at, killAll(m), "apply", planned)
			m.ClearFaults()
			m.wantSays(m.run("plan", "-var=wait=false"), "A Killed Run Has Bought This")
			m.run("apply", "-auto-approve", "-var=wait=false")
			check.Equal(t, "unconfirmed prompts", m.objects()[theGroup].Attributes.UnconfirmedCount, test.unconfirmed)
			m.wantRequests(map[string]int{mockserver.RouteStartTraining: 1, mockserver.RouteBatch: 3})
			killed.wantPurchases(m, boundary{})
		})
	}
}

func killAll(*terminal) signal {
	return func(process int) { _ = syscall.Kill(-process, syscall.SIGKILL) }
}

// killProvider starts the provider through a script that stores its id, and kills the latest.
func (m *terminal) killProvider() signal {
	m.t.Helper()
	directory := m.t.TempDir()
	processes := filepath.Join(directory, "processes")
	script := fmt.Sprintf("#!/bin/sh\necho $$ >> '%s'\nexec '%s' \"$@\"\n", processes, filepath.Join(built, "terraform-provider-mediagen"))
	check.Must(m.t, os.WriteFile(filepath.Join(directory, "terraform-provider-mediagen"), []byte(script), 0o700))
	settings := filepath.Join(directory, "cli.tfrc")
	overrides := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"mediagen/mediagen\" = %q\n  }\n}\n", directory)
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
