package mockserver

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// world is the state of the service.
type world struct {
	ids     IDStyle
	numbers map[string]int // the last number that was given out, by kind of id

	characters      []*character    // in order of creation
	seeds           []CharacterSeed // as they were added
	byID            map[string]*character
	groups          []*group
	images          map[string]*picture        // of image generation, by file name
	categorizations map[string]*categorization // of videos, by id
	tokens          map[string]token
	keys            map[string]account // further API keys, and their owners
	ledger          Ledger
	recent          []time.Time // the requests of the last minute, if there is a limit

	rejects, failures map[string]string // substring of a prompt, and the reason
	failTraining      []string          // reasons for the next trainings to fail
	failDatasets      int               // how many of the next datasets fail
	stuckMedia        map[string]int    // substring, and how many deletions fail
	stuckGenerations  map[string]int
}

func newWorld(opts Options) *world {
	made := &world{
		ids:              opts.Variant.IDs,
		numbers:          map[string]int{},
		byID:             map[string]*character{},
		images:           map[string]*picture{},
		categorizations:  map[string]*categorization{},
		tokens:           map[string]token{},
		keys:             map[string]account{},
		ledger:           Ledger{Balance: opts.Balance},
		rejects:          map[string]string{},
		failures:         map[string]string{},
		stuckMedia:       map[string]int{},
		stuckGenerations: map[string]int{},
	}
	for _, text := range opts.FailPrompts {
		made.failures[text] = fmt.Sprintf("the service was told to fail prompts with %q", text)
	}
	return made
}

// nextID numbers ids by kind, so that a run is reproducible.
func (w *world) nextID(kind string) string {
	w.numbers[kind]++
	separator := "_"
	switch w.ids {
	case IDsSlash:
		separator = "/"
	case IDsPercent:
		separator = "%2F"
	case IDsPlain:
	}
	return fmt.Sprintf("%s%s%06d", kind, separator, w.numbers[kind])
}

// character returns the character of an organization with an id, as group and
// generation do for their objects; an empty organization matches any.
func (w *world) character(organization, id string) (*character, error) {
	if found := w.byID[id]; found != nil && owns(organization, found.OrganizationID) {
		return found, nil
	}
	p := notFound("character", id)
	p.characterID = id
	return nil, p
}

func owns(organization, owner string) bool { return organization == "" || organization == owner }

func (w *world) group(organization, id string) *group {
	for _, g := range w.groups {
		if g.id == id && owns(organization, g.organization) {
			return g
		}
	}
	return nil
}

func (w *world) groupTitled(organization, title string) *group {
	for _, g := range w.groups {
		if g.title == title && owns(organization, g.organization) {
			return g
		}
	}
	return nil
}

func (w *world) generation(organization, id string) *generation {
	for _, g := range w.groups {
		if !owns(organization, g.organization) {
			continue
		}
		for _, generation := range g.generations {
			if generation.ID == id {
				return generation
			}
		}
	}
	return nil
}

func (w *world) removeGroup(g *group) {
	w.groups = slices.DeleteFunc(w.groups, func(other *group) bool { return other == g })
}

// matchReason returns the reason of the alphabetically first substring that the
// text contains.
func matchReason(reasons map[string]string, text string) (string, bool) {
	var found []string
	for part, reason := range reasons {
		if reason != "" && strings.Contains(text, part) {
			found = append(found, part)
		}
	}
	if len(found) == 0 {
		return "", false
	}
	return reasons[slices.Min(found)], true
}

// stuck reports whether a deletion fails, and counts the attempt.
func stuck(counts map[string]int, names ...string) bool {
	for part, left := range counts {
		for _, name := range names {
			if left > 0 && strings.Contains(name, part) {
				counts[part]--
				return true
			}
		}
	}
	return false
}

// span is work that takes time; its progress follows from the clock.
type span struct {
	start    time.Time
	duration time.Duration
}

func (s span) end() time.Time                   { return s.start.Add(s.duration) }
func (s span) over(now time.Time) bool          { return !now.Before(s.end()) }
func (s span) left(now time.Time) time.Duration { return max(s.end().Sub(now), 0) }

// percent is 0 to 100, and 100 only once the work is done.
func (s span) percent(now time.Time) int {
	if s.over(now) {
		return 100
	}
	return max(int(100*now.Sub(s.start)/s.duration), 0)
}

// later counts down the reads until an object becomes visible, and then counts
// up to each read that does not show it.
type later struct{ reads, flapEvery, shown int }

func (v Variant) later() later { return later{reads: v.LateVisibility, flapEvery: v.FlapEvery} }

func (l *later) visible() bool {
	if l.reads > 0 {
		l.reads--
		return false
	}
	l.shown++
	return l.flapEvery == 0 || l.shown%l.flapEvery != 0
}
