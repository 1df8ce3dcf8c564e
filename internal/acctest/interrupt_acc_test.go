//go:build unix

package acctest_test

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	theCharacter = "mediagen_character.ada"
	theImage     = "mediagen_face_image.ada"
	theTraining  = "mediagen_body_lora_training.ada"
	theGroup     = "mediagen_generation_group.ada"
)

type scene struct {
	setup                        []string // variables of an undisturbed apply before it, if there is one
	logged                       bool
	command                      string // apply or destroy
	variables                    []string
	trainingTime, generationTime time.Duration // on the service's clock, which does not advance; negative is none
	images, prompts              []string      // what has been uploaded and bought at the end
}

var (
	firstPrompts = []string{"On the beach", "On a stage in blue light", "In a garden"}
	addedPrompts = []string{"On a stage in red light", "In a library"}
)

var creation = scene{
	command:        "apply",
	trainingTime:   -1,
	generationTime: -1,
	images:         []string{"first.png"},
	prompts:        firstPrompts,
}

// A create is interrupted at every request. Fault F7.
func TestAccInterrupt_create(t *testing.T) {
	t.Parallel()
	creation.everywhere(t)
}

func update() scene {
	update := creation
	update.setup = []string{"-var=wait=false"}
	update.variables = []string{"-var=updated=true"}
	update.images = []string{"first.png", "second.png"}
	update.prompts = slices.Concat(firstPrompts, addedPrompts)
	return update
}

// An update is interrupted at every request. Fault F7.
func TestAccInterrupt_update(t *testing.T) {
	tier.Long(t, "a command interrupted or killed at its requests")
	t.Parallel()
	update().everywhere(t)
}

// A destroy is interrupted at every request, while everything is running.
// Fault F7.
func TestAccInterrupt_destroy(t *testing.T) {
	tier.Long(t, "a command interrupted or killed at its requests")
	t.Parallel()
	destroy := creation
	destroy.command = "destroy"
	destroy.setup = []string{"-var=wait=false"}
	destroy.variables = []string{"-var=wait=false"}
	destroy.trainingTime = time.Hour
	destroy.generationTime = time.Hour
	destroy.everywhere(t)
}

// A create is interrupted between two polls of a running job. Fault F7.
func TestAccInterrupt_waiting(t *testing.T) {
	tier.Long(t, "a command interrupted or killed at its requests")
	t.Parallel()
	training := creation
	group := creation
	training.trainingTime = time.Hour
	group.generationTime = time.Hour
	for at, s := range map[boundary]scene{
		{mockserver.RouteTraining, 2, followed}: training,
		{mockserver.RouteStatus, 1, followed}:   group,
	} {
		t.Run(at.String(), func(t *testing.T) {
			t.Parallel()
			s.ended(t, at, interrupt)
		})
	}
}

// A create is interrupted while its next request waits for its turn, a minute
// long. Fault F7.
func TestAccInterrupt_queued(t *testing.T) {
	tier.Long(t, "a command interrupted or killed at its requests")
	t.Parallel()
	m := creation.open(t)
	at := boundary{mockserver.RouteCharacters, 1, followed}
	m.setenv("MEDIAGEN_MAX_REQUESTS_PER_MINUTE", "1")
	got := m.signalled(at, interrupt, "apply", "-no-color", planned)
	m.unsetenv("MEDIAGEN_MAX_REQUESTS_PER_MINUTE")
	check.True(t, "back promptly, with an error", got.took <= promptly && got.code == 1, got.took, got.code, got.output)
	m.wantRequests(map[string]int{mockserver.RouteCharacters: 1, mockserver.RouteUpload: 0})
	m.wantNothingForgotten(0, at)
	creation.goOn(m)
	creation.wantEnd(m, at)
}

// A plan is interrupted at every request of its refresh: nothing happens.
// Fault F7.
func TestAccInterrupt_plan(t *testing.T) {
	tier.Long(t, "a command interrupted or killed at its requests")
	t.Parallel()
	m := creation.open(t)
	m.run("apply", planned)
	before := m.objects()
	account := m.Ledger()
	m.ResetJournal()
	m.wantNoChanges()
	for _, at := range boundaries(m.Journal()) {
		got := m.signalled(at, interrupt, "plan", "-no-color")
		m.ClearFaults()
		check.True(t, "back promptly", got.took <= promptly, at, got.took, got.output)
		// What is answered before the CLI has told the provider is a plan that
		// ends.
		ended := at.fate == answered && got.code == 0
		check.True(t, "with an error, or as planned", got.code == 1 || ended, at, got.code, got.output)
	}
	check.Equal(t, "the state after interrupted plans", m.objects(), before)
	check.Equal(t, "the ledger after interrupted plans", m.Ledger(), account)
	m.wantNoChanges()
}

func (s scene) everywhere(t *testing.T) {
	t.Helper()
	undisturbed := s.open(t)
	undisturbed.run("apply", planned)
	for _, at := range boundaries(undisturbed.Journal()) {
		t.Run(at.String(), func(t *testing.T) {
			at.tier(t)
			t.Parallel()
			s.ended(t, at, interrupt)
		})
	}
	s.wantEnd(undisturbed, boundary{})
}

// tier: what is paid for or uploaded is interrupted on each CLI. Of all other
// requests, the first of a route is interrupted on one CLI, and those after it at
// night.
func (b boundary) tier(t *testing.T) {
	t.Helper()
	buys := b.route == mockserver.RouteStartTraining || b.route == mockserver.RouteBatch
	if !buys || b.nth > 1 || b.fate == lost {
		tier.Long(t, "an interrupt at each request")
	}
	uploadsOrBuys := strings.HasPrefix(b.route, "POST ") && b.route != mockserver.RouteToken
	if uploadsOrBuys {
		return
	}
	tier.OneCLI(t, "an interrupt that neither uploads nor buys")
	isFirst := b.nth == 1 && (b.fate == answered || b.fate == lost)
	if b.route != mockserver.RouteToken && !isFirst {
		tier.Nightly(t, "a later request of a route, or another moment of it")
	}
}

// boundaries are all requests; whether one was done only matters if it changes
// something.
func boundaries(requests []mockserver.Entry) (all []boundary) {
	seen := map[string]int{}
	for _, request := range requests {
		fates := []fate{answered, answeredLate, lost, unanswered}
		if request.Method == http.MethodGet || request.Route == mockserver.RouteToken {
			fates = []fate{answered, unanswered}
		}
		seen[request.Route]++
		for _, fate := range fates {
			all = append(all, boundary{request.Route, seen[request.Route], fate})
		}
	}
	return all
}

// planned: OpenTofu tells no provider of an interrupt while an apply makes its
// own plan.
const planned = "interrupted.plan"

func (s scene) open(t *testing.T) *terminal {
	t.Helper()
	service := acctest.NewService(t, func(o *mockserver.Options) {
		o.TrainingTime = s.trainingTime
		o.GenerationTime = s.generationTime
	})
	can := true // also with one image
	service.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Character 1", CanTrain: &can})
	m := newTerminal(t, service, filepath.Join("testdata", "interrupt"))
	m.write("first.png", "\x89PNG\r\n\x1a\nfirst")
	m.write("second.png", "\x89PNG\r\n\x1a\nsecond")
	if s.logged {
		m.setenv("MEDIAGEN_PURCHASE_LOG", purchaseLog)
	}
	if s.setup != nil {
		m.run(append([]string{"apply", "-auto-approve"}, s.setup...)...)
	}
	arguments := append(
		[]string{"plan", "-out=" + planned, fmt.Sprintf("-destroy=%t", s.command == "destroy"), "-refresh=false"},
		s.variables...)
	if saved, found := plans.Load(fmt.Sprint(arguments)); found && s.setup == nil {
		m.write(planned, saved.(string))
		return m
	}
	m.run(arguments...)
	if s.setup == nil {
		plans.Store(fmt.Sprint(arguments), m.read(planned))
	}
	m.ResetJournal()
	return m
}

var plans sync.Map

func (s scene) ended(t *testing.T, at boundary, end signal) {
	t.Helper()
	m := s.open(t)
	before := len(m.Ledger().Entries)
	got := m.signalled(at, end, "apply", "-no-color", planned)
	check.True(t, "back promptly", got.took <= promptly, got.took, promptly)
	check.Equal(t, "exit code", got.code, 1)
	// CI systems then send SIGTERM, on which a CLI would exit at once.
	err := syscall.Kill(-got.group, syscall.SIGTERM)
	check.True(t, "nobody is left", errors.Is(err, syscall.ESRCH), err)
	m.wantNothingForgotten(before, at)
	defer func() {
		if t.Failed() {
			t.Logf("%s\n%s", m.Story(), m.transcript)
		}
	}()
	if t.Failed() {
		t.FailNow() // the next command could wait for ever
	}
	s.goOn(m)
	s.wantEnd(m, at)
}

func (s scene) goOn(m *terminal) {
	m.t.Helper()
	m.ClearFaults()
	if s.command == "apply" {
		m.Clock.Advance(2 * time.Hour) // what was running has ended meanwhile
	}
	m.run(append([]string{s.command, "-auto-approve"}, s.variables...)...)
}
