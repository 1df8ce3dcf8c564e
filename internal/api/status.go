package api

import (
	"slices"
	"strings"
)

// Phase is the state of a piece of work. The service documents no status words: only phases count.
type Phase int

// The phases of work.
const (
	Running   Phase = iota // whatever has not visibly ended, including unknown words
	Succeeded              // done
	Failed                 // ended without its result
	Stopped                // cancelled by somebody
)

var phaseWords = map[Phase]string{ // variant: words-synonyms
	Succeeded: "completed complete succeeded success successful done finished ready trained available",
	Failed:    "failed failure error errored rejected expired timeout timedout",
	Stopped:   "cancelled canceled stopped aborted",
}

// runningWords matter only when the progress is 100: the work is still being finished. With any
// other word it has ended.
const runningWords = "queued pending waiting scheduled submitted accepted created new processing running inprogress started starting " +
	"initializing preparing generating rendering training working active uploading saving postprocessing finalizing finishing retrying"

// PhaseOfWord reads a status word, ignoring case, `_`, `-` and blanks.
func PhaseOfWord(word string) Phase {
	for phase, words := range phaseWords {
		if isOneOf(words, word) {
			return phase
		}
	}
	return Running
}

func isOneOf(words, word string) bool { return slices.Contains(strings.Fields(words), plainWord(word)) }

// variant: words-upper, words-spaced, words-hyphen
var separators = strings.NewReplacer("_", "", "-", "", " ", "", "\t", "", "\u00a0", "")

func plainWord(word string) string { return separators.Replace(strings.ToLower(word)) }

// Phase considers the fields before the words: results mean success, and an error means failure.
func (g *Generation) Phase() Phase {
	word := PhaseOfWord(value(g.Status))
	failed := value(g.Error) != ""
	switch {
	case len(g.ResultURLs) > 0 && (!failed || word != Failed):
		return Succeeded
	case word == Stopped:
		return Stopped
	case failed:
		return Failed
	case word != Running:
		return word
	// variant: words-unknown
	case g.Progress != nil && *g.Progress >= 100 && !isOneOf(runningWords, value(g.Status)):
		return Succeeded
	default:
		return Running
	}
}

// Success reports whether the generation has ended with results.
func (g *Generation) Success() bool {
	return g != nil && g.Phase() == Succeeded && len(g.ResultURLs) > 0
}

// Reason says why it ended without results.
func (g *Generation) Reason() string {
	switch {
	case value(g.Error) != "":
		return *g.Error
	case g.Status != nil:
		return "The service gave no reason (status " + *g.Status + ")."
	default:
		return "The service gave no reason (no status)."
	}
}

// Phase follows from the job's status word; the caller must also check whether the job is still its
// character's current one.
func (j *TrainingJob) Phase() Phase { return PhaseOfWord(value(j.Status)) }
