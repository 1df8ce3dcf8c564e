package story_test

import (
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type story struct {
	*acctest.Scenario
	cast   cast
	config configuration

	// Of the present command: kill says that what the provider returned is
	// lost, booked is how much of the ledger is older, requests is a guard.
	kill     bool
	booked   int
	requests atomic.Int64
	// misled says that 404s cannot be trusted during it: a gateway sends them,
	// or they are for another caller, or of another address (mistyped), or the
	// service has sent one to a single read (flapped). existed says of each id
	// that was in the state whether it existed.
	misled, mistyped, flapped bool
	existed                   map[string]bool
	// held are the groups that were in the state before the command, and media
	// their generations with results; there is what the service had.
	held  map[string]bool
	media []medium
	there inventory

	// troubled says that the service may refuse what it usually does, stuck
	// that something cannot be deleted, hiding that a deletion does not say
	// what it left, mute that none ever does. stuck and hiding together would
	// be a lie.
	troubled, stuck, hiding, mute bool
	// disturbed are the groups that another actor has changed, elsewhere the
	// jobs that another actor has started, taken what one has deleted or
	// cancelled, and theirs is a group of one that no state ever has.
	disturbed, elsewhere, taken map[string]bool
	theirs                      mockserver.Group
	// strangers are the groups of other actors. lent are those of which an
	// import has named generations: they stay, or nothing else may be in them.
	// byTitle, flapping and late are habits of the service.
	strangers               map[string]bool
	lent                    map[string]bool
	byTitle, flapping, late bool
	jobs                    map[string]string // the characters of all jobs
	// seen are the service's ids after earlier commands, ever those that have
	// been in the state, excused those that the provider need not know.
	seen, ever, excused map[string]bool
	// settings are the provider's; trusting says that they include
	// trust_not_found, nameless that tokens do not name their organization,
	// renewed that another key of the organization was used.
	settings                    core.Object
	trusting, nameless, renewed bool
	log                         string // the file of the purchase log, of which this many lines are known
	logged                      int
	told                        strings.Builder // everything that the provider has said
}

// reporter fails a run through rapid, so that it is shortened.
type reporter struct {
	testing.TB
	run *rapid.T
}

func (r reporter) Helper()                           {}
func (r reporter) Logf(format string, values ...any) { r.run.Logf(format, values...) }
func (r reporter) Cleanup(f func())                  { r.run.Cleanup(f) }
func (r reporter) Failed() bool                      { return r.run.Failed() }
func (r reporter) FailNow()                          { r.run.FailNow() }
func (r reporter) Fatal(values ...any)               { r.run.Fatal(certain(fmt.Sprint(values...))) }
func (r reporter) Errorf(format string, values ...any) {
	r.run.Errorf("%s", certain(fmt.Sprintf(format, values...)))
}
func (r reporter) Fatalf(format string, values ...any) {
	r.run.Fatalf("%s", certain(fmt.Sprintf(format, values...)))
}

// certain removes the only randomness of a run from a failure: rapid compares.
func certain(text string) string { return randomID.ReplaceAllString(text, "$1-…") }

var randomID = regexp.MustCompile("(unknown|unconfirmed)-[a-z0-9]+")

// manyRequests is more than any command needs: the provider loops.
const manyRequests = 5_000

func (s *story) must(holds bool, format string, values ...any) {
	if !holds {
		s.T.Fatalf(format, values...)
	}
}

func newStory(t testing.TB, c cast, h habits) *story {
	s := &story{
		cast:      c,
		disturbed: map[string]bool{},
		elsewhere: map[string]bool{},
		taken:     map[string]bool{},
		jobs:      map[string]string{},
		strangers: map[string]bool{},
		lent:      map[string]bool{},
		seen:      map[string]bool{},
		ever:      map[string]bool{},
		excused:   map[string]bool{},
	}
	service := acctest.NewRepeatable(t, func(o *mockserver.Options) {
		o.GenerationTime = h.generationTime
		o.TrainingTime = h.trainingTime
		o.Variant = h.variant
		o.RequestsPerMinute = h.perMinute
		o.CountRefused = h.countRefused
		o.Extended = h.lists
		now := o.Now
		o.Now = func() time.Time {
			if s.requests.Add(1) > manyRequests {
				t.Fatalf("the provider does not stop sending requests")
			}
			return now()
		}
	})
	s.Scenario = service.Scenario(t)
	s.mute = h.variant.DeleteCode == http.StatusNoContent
	s.hiding = s.mute
	for _, id := range characters {
		s.AddCharacter(mockserver.CharacterSeed{ID: id, Name: id, FaceImages: 10})
	}
	s.byTitle = h.variant.GroupsByTitle
	s.flapping = h.variant.FlapEvery > 0
	s.late = h.variant.LateVisibility > 0
	s.theirs = s.makeTheirs(characters[0], "Portraits", words[0], words[1])
	s.AddOrganization(strangersKey, "org_of_strangers")
	s.AddAPIKey(renewedKey, "")
	s.log = filepath.Join(t.TempDir(), "purchases.jsonl")
	s.settings = core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "purchase_log": s.log}
	maps.Copy(s.settings, h.settings)
	s.trusting = h.settings["trust_not_found"] == true
	s.nameless = h.variant.OrganizationClaim == "" || h.variant.Token == mockserver.TokenOpaque
	s.Workspace.Provider(s.settings)
	return s
}

// do runs a command and checks its result. undisturbed says that nothing goes
// wrong during it.
func (s *story) do(c command, undisturbed bool) *core.Result {
	s.ResetJournal()
	s.requests.Store(0)
	s.kill = false
	s.booked = len(s.Ledger().Entries)
	s.existed = map[string]bool{}
	for id := range s.inState() {
		s.existed[id] = s.exists(id)
	}
	s.held, s.media = s.holdings()
	s.there = s.inventory()
	result := c.run(s)
	s.ClearFaults()
	s.RefuseConnections(0)
	s.hiding = s.mute
	s.T.Logf("%s", account{s, c, result})
	s.told.WriteString(result.Diagnostics.String())
	s.check(result, undisturbed && !s.troubled && c.calm)
	s.checkWarned(result.Plan, strings.TrimPrefix(c.text, replaceCommand))
	s.misled = false
	s.mistyped = false
	s.flapped = false
	return result
}

func (s *story) write() {
	for _, address := range s.cast.groups {
		if g := s.config.groups[address]; g != nil {
			s.Resource(address, g.object(), order(g.createFirst)...)
		} else {
			s.Remove(address)
		}
	}
	for _, address := range s.cast.trainings {
		if t := s.config.trainings[address]; t != nil {
			s.Resource(address, t.object(), order(t.createFirst)...)
		} else {
			s.Remove(address)
		}
	}
}

func order(createFirst bool) []core.ResourceOption {
	if createFirst {
		return []core.ResourceOption{core.CreateBeforeDestroy()}
	}
	return nil
}

// maxApplies: one an attempt of each key, if a batch's end is never told, and
// some for the rest.
const maxApplies = 16

func (s *story) end(last step) {
	s.recover()
	s.converge()
	s.checkState()
	if last.take != nil {
		last.take(s)
		s.converge()
		s.checkState()
	}
	for range 3 {
		s.do(simple("destroy"), true)
		if len(s.Addresses()) == 0 {
			return
		}
		s.Clock.Advance(time.Hour)
	}
	s.T.Fatalf("a destroy without faults leaves something in the state: %q", s.Addresses())
}

func (s *story) converge() {
	var plan *core.Plan
	for range maxApplies {
		s.Clock.Advance(6 * time.Hour)
		plan = s.Plan()
		if s.giveUpShared(plan) || s.correctCharacters(plan) {
			continue
		}
		if s.isRefused(plan) {
			plan = s.Plan(core.Reversed()) // as depends_on may make it
		}
		if !plan.Empty() {
			result := s.do(
				command{"apply the plan", func(s *story) *core.Result { return s.ApplyPlan(plan) }, true},
				true,
			)
			s.buyAllTheSame(result.Diagnostics)
			continue
		}
		s.do(simple("refresh"), true) // an empty plan stores nothing
		if !slices.ContainsFunc(
			s.Entries(),
			func(entry core.Entry) bool { return entry.Attributes["complete"] == false },
		) {
			return // else what nobody waits for may appear some reads late
		}
	}
	if !s.isExcused(plan) {
		s.T.Logf("%s", plan)
		s.T.Fatalf("applies without faults do not come to an end")
	}
}

// buyAllTheSame buys again what the purchase log holds back: a story has lost
// the state that had it, and nobody imports it.
func (s *story) buyAllTheSame(said core.Diagnostics) {
	for _, refused := range said.Errors().Find(anotherRun) {
		s.config.buyAgain(s.T, refused)
	}
	s.write()
}

// isRefused: a plan would delete the media of another resource, or cancel its
// training.
func (s *story) isRefused(plan *core.Plan) bool {
	return len(
		plan.Diagnostics.Find("Media of Another Resource Would Be Deleted"),
	)+len(
		plan.Diagnostics.Find("Training of Another Resource Would Be Cancelled"),
	) > 0
}

// giveUpShared does what the provider advises where a plan would delete the
// media of another resource with a whole one: it forgets what is to be
// destroyed.
func (s *story) giveUpShared(plan *core.Plan) (gaveUp bool) {
	if !s.isRefused(plan) {
		return false
	}
	for _, change := range plan.Changes {
		if change.Action != core.Delete && change.Action != core.Replace || change.Deposed {
			continue
		}
		before := s.inState()
		s.Forget(change.Address)
		s.excuseMissing(before)
		gaveUp = true
	}
	return gaveUp
}

// correctCharacters takes the character that an import has read, as the
// provider advises.
func (s *story) correctCharacters(plan *core.Plan) (corrected bool) {
	for _, refused := range plan.Diagnostics.Find("Import of Another Character") {
		character := asText(s.State(refused.Address)["character_id"])
		if g := s.config.groups[refused.Address]; g != nil {
			g.character = character
		}
		if t := s.config.trainings[refused.Address]; t != nil {
			t.character = character
		}
		corrected = true
	}
	s.write()
	return corrected
}

func (s *story) recover() {
	for _, word := range words {
		s.RejectPrompt(word, "")
	}
	for _, group := range s.ourGroups() {
		for _, generation := range group.Generations {
			s.StickGeneration(generation.ID, 0)
			s.StickMedia(generation.ID, 0)
		}
	}
	s.SetBalance(1_000_000)
	s.RefuseConnections(0)
	s.troubled = false
	s.stuck = false
	if s.renewed && s.nameless {
		// If the other key saw it last, only the user can give it up.
		s.settings["trust_not_found"] = true
	}
	delete(s.settings, "max_purchases")
	delete(s.settings, "max_credits")
	s.Workspace.Provider(s.settings)
}

func (s *story) stick() bool {
	s.stuck = s.stuck || !s.hiding
	s.troubled = s.troubled || s.stuck
	return s.stuck
}

// learnJobs stores the characters of the jobs, before a job is forgotten.
func (s *story) learnJobs() {
	for _, job := range s.Trainings("") {
		s.jobs[job.JobID] = job.CharacterID
	}
}

func active(job mockserver.Training) bool { return job.Status == "training" }
