package api

import (
	"slices"
	"strings"
)

// Phase is the state of a piece of work. The service documents no status words,
// so the provider relies on phases only.
type Phase int

const (
	// Running is everything that has not visibly ended, including unknown
	// words.
	Running Phase = iota
	// Succeeded is work that is done.
	Succeeded
	// Failed is work that ended without its result.
	Failed
	// Stopped is work that somebody cancelled.
	Stopped
)

// phaseWords are those of the phases but Running, which is every other word.
var phaseWords = map[Phase]string{ // variant: words-synonyms
	Succeeded: "completed complete succeeded success successful done finished ready trained available",
	Failed:    "failed failure error errored rejected expired timeout timedout",
	Stopped:   "cancelled canceled stopped aborted",
}

// runningWords matter only when the progress is 100: with one of them the work
// is still being finished, with any other word it has ended.
const runningWords = "queued pending waiting scheduled submitted accepted created new processing running inprogress started starting " +
	"initializing preparing generating rendering training working active uploading saving postprocessing finalizing finishing retrying"

// isDeleted reports whether there are no results any more because the generation was
// deleted: some services keep showing it.
func (g *Generation) isDeleted() bool {
	return len(g.ResultURLs) == 0 && isOneOf("deleted removed purged", value(g.Status))
}

// PhaseOfWord reads a status word, ignoring case; `_`, `-` and blanks are
// equal.
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

// Phase considers the fields before the words: results mean success and an
// error means failure, whatever the status says.
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

// Phase follows from the job's status word; the caller must also check whether
// the job is still its character's current one.
func (j *TrainingJob) Phase() Phase { return PhaseOfWord(value(j.Status)) }
