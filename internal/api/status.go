package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Phase is the state of a piece of work. The service documents no status words;
// each word is read as a phase.
type Phase = prompts.End

// The phases of work.
const (
	Running   = prompts.EndNone      // whatever has not visibly ended, including unknown words
	Succeeded = prompts.EndSucceeded // done
	Failed    = prompts.EndFailed    // ended without a result
	Stopped   = prompts.EndStopped   // cancelled by somebody
)

var phaseWords = map[Phase]string{ // variant: words-synonyms
	Succeeded: "completed complete succeeded success successful done finished ready trained available",
	Failed:    "failed failure error errored rejected expired timeout timedout",
	Stopped:   "cancelled canceled stopped aborted",
}

// runningWords say that work continues. In the status of a generation, results
// outweigh these words unless the progress confirms them: see prompts.Shown.
const runningWords = "queued pending waiting scheduled submitted accepted created new processing running inprogress " +
	"started starting resuming initializing preparing generating rendering training working active uploading saving " +
	"postprocessing finalizing finishing retrying"

// retryWord is the beginning of words that announce another attempt.
const retryWord = "retry"

// PhaseOfWord reads a status word. It ignores case, `_`, `-` and blanks.
func PhaseOfWord[S ~string](word S) Phase {
	for phase, words := range phaseWords {
		if isOneOf(words, word) {
			return phase
		}
	}
	return Running
}

func isOneOf[S ~string](words string, word S) bool {
	return slices.Contains(strings.Fields(words), plainWord(word))
}

// variant: words-upper, words-spaced, words-hyphen
var separators = strings.NewReplacer("_", "", "-", "", " ", "", "\t", "", "\u00a0", "")

func plainWord[S ~string](word S) string { return separators.Replace(strings.ToLower(string(word))) }

// WordOf reads the status word of a generation.
func WordOf[S ~string](word S) prompts.Word {
	if strings.HasPrefix(plainWord(word), retryWord) {
		return prompts.WordRetry
	}
	switch PhaseOfWord(word) {
	case Succeeded:
		return prompts.WordSuccess
	case Failed:
		return prompts.WordFailure
	case Stopped:
		return prompts.WordStopped
	case Running:
	}
	if isOneOf(runningWords, word) {
		return prompts.WordRunning
	}
	return prompts.WordOther // variant: words-unknown
}

// Shown returns the parts of a status that say whether the generation has
// ended: word, progress, results and error.
func (g *Generation) Shown() prompts.Shown {
	return prompts.Shown{
		Word:         WordOf(reply.ValueOf(g.Status)),
		Progress:     g.Progress,
		HasAddresses: len(g.ResultURLs) > 0,
		HasError:     reply.ValueOf(g.Error) != "",
	}
}

// Phase returns how the generation has ended according to its status.
func (g *Generation) Phase() Phase { return g.Shown().End() } // variant: previews, attempts-shown

// IsListedSuccess reports whether a group's list alone proves that the
// generation has ended with results. A nil generation is not listed.
func (g *Generation) IsListedSuccess() bool {
	return g != nil && len(g.ResultURLs) > 0 && g.Shown().ListedEnd() == Succeeded
}

// SaysDeleted reports whether a status calls the generation deleted and shows
// no results. Such a status is a proof only together with the service's own 404
// to the deletion.
func (g *Generation) SaysDeleted() bool {
	return len(g.ResultURLs) == 0 && isOneOf("deleted removed purged", reply.ValueOf(g.Status))
}

// Reason says why the generation ended without results.
func (g *Generation) Reason() reply.Text {
	switch {
	case reply.ValueOf(g.Error) != "":
		return *g.Error
	case g.Status != nil:
		return reply.Text(fmt.Sprintf("The service gave no reason (status %s).", *g.Status))
	default:
		return "The service gave no reason (no status)."
	}
}

// Phase returns the phase of the job's status word. The caller must also check
// whether the job is still the character's current job.
func (j *TrainingJob) Phase() Phase { return PhaseOfWord(reply.ValueOf(j.Status)) }
