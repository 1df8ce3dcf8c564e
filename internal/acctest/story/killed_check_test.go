package story_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// bought counts what the ledger has from an entry on.
func (k *killed) bought(from int) purchases {
	sum := purchases{}
	for _, entry := range k.Ledger().Entries[from:] {
		switch entry.Kind {
		case "batch":
			for _, text := range entry.Prompts {
				sum[text]++
			}
		case "training":
			sum[trainingOf(entry.CharacterID)]++
		}
	}
	return sum
}

// checkAnnounced: a plan has announced what is bought.
func (k *killed) checkAnnounced(plan *core.Plan, from int) {
	promised := announced(plan)
	bought := k.bought(from)
	for _, what := range slices.Sorted(maps.Keys(bought)) {
		if bought[what] > promised[what] {
			k.T.Fatalf("%q was bought %d times, and the plan announced %d", what, bought[what], promised[what])
		}
	}
}

// checkOnce: nothing is bought twice, unless a person has asked for that.
func (k *killed) checkOnce() {
	bought := k.bought(0)
	for _, what := range slices.Sorted(maps.Keys(bought)) {
		asked := k.allowed[what] + k.rounds(what)
		if bought[what] > 1+asked {
			k.T.Fatalf("%q was bought %d times, and once is enough: %d more were asked for", what, bought[what], asked)
		}
	}
	exist := purchases{}
	for _, group := range k.Groups() {
		for _, made := range group.Generations {
			if !k.strangers[group.ID] {
				exist[made.Prompt]++
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(exist)) {
		if exist[text] > 1+k.copies[text] {
			k.T.Fatalf(
				"there are %d generations of %q: %d more than one were asked for",
				exist[text],
				text,
				k.copies[text],
			)
		}
	}
}

// rounds is how often a person has asked for a training to be repeated.
func (k *killed) rounds(what string) int {
	for _, t := range k.config.trainings {
		if trainingOf(t.character) == what {
			return t.round
		}
	}
	return 0
}

// checkNoneTaken: the state has nothing of somebody else.
func (k *killed) checkNoneTaken() {
	now := k.ids()
	for id := range now {
		k.held[id] = true
		if k.strangers[id] {
			k.T.Fatalf("the state has %s of somebody else", id)
		}
	}
	for _, group := range k.Groups() {
		for _, made := range group.Generations {
			if k.strangers[group.ID] && now[made.ID] {
				k.T.Fatalf("the state has the generation %s of somebody else", made.ID)
			}
		}
	}
}

const unaccounted = "is at the service, and neither in the state nor open in the log"

// checkAccounted: the state has what was bought, or the log names it as open.
func (k *killed) checkAccounted() {
	state := k.ids()
	log := k.openInLog()
	for _, group := range k.Groups() {
		for _, made := range group.Generations {
			known := state[made.ID] || k.excused[made.ID] || k.strangers[group.ID] || log.names(made.ID, made.Prompt)
			if !known {
				k.T.Fatalf("the generation %s of %q %s", made.ID, made.Prompt, unaccounted)
			}
		}
	}
	for _, job := range k.Trainings("") {
		known := k.held[job.JobID] || k.strangers[job.JobID] || log.names(job.JobID, trainingOf(job.CharacterID))
		if !known {
			k.T.Fatalf("the training %s of %s %s", job.JobID, job.CharacterID, unaccounted)
		}
	}
}

// openEntries are the purchases of the log that nothing has closed, by request.
type openEntries map[string]booking

func (k *killed) openInLog() openEntries {
	content, err := os.ReadFile(k.log)
	if !os.IsNotExist(err) {
		check.Must(k.T, err)
	}
	open := openEntries{}
	for text := range strings.Lines(string(content)) {
		var line booking
		check.Must(k.T, json.Unmarshal([]byte(text), &line))
		isPurchase := line.Type == "batch" || line.Type == "training"
		switch {
		case !isPurchase:
		case line.Outcome == "refused", line.Outcome == "unsent":
			delete(open, line.Request)
		case line.Outcome == "stored", line.Outcome == "kept":
			open.close(line)
		default:
			open[line.Request] = line
		}
	}
	return open
}

func (o openEntries) close(line booking) {
	if len(line.Keys) == 0 {
		delete(o, line.Request)
		return
	}
	for _, key := range line.Keys {
		delete(o[line.Request].Prompts, key)
		delete(o[line.Request].Generations, key)
	}
}

// names reports whether an open entry names what was bought: by its id, or if
// no reply is known by what it is of.
func (o openEntries) names(id, what string) bool {
	for _, line := range o {
		isWork := line.Type == "training" && line.Outcome != "answered" && trainingOf(line.CharacterID) == what
		isOfText := line.Outcome != "answered" && line.holds([]string{what})
		isNamed := line.JobID == id || slices.Contains(slices.Collect(maps.Values(line.Generations)), id)
		if isNamed || isWork || isOfText {
			return true
		}
	}
	return false
}

func (k *killed) ids() map[string]bool {
	s := story{Scenario: k.Scenario}
	return s.inState()
}
