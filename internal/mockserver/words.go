package mockserver

import (
	"cmp"
	"strings"
	"unicode"
)

// The words of the plain service.
const (
	wordApproved   = "approved"
	wordCancelled  = "cancelled"
	wordCompleted  = "completed"
	wordFailed     = "failed"
	wordGenerated  = "generated"
	wordGenerating = "generating"
	wordNotStarted = "not_started"
	wordNotTrained = "not_trained"
	wordPartial    = "partially_submitted"
	wordPending    = "pending"
	wordPreparing  = "preparing"
	wordProcessing = "processing"
	wordArchived   = "archived"
	wordRetrying   = "retrying"
	wordQueued     = "queued"
	wordTrained    = "trained"
	wordTraining   = "training"
	wordUploading  = "uploading"
)

var synonyms = map[string]string{
	wordCancelled: "canceled", wordCompleted: "succeeded", wordFailed: "errored",
	wordNotTrained: "none", wordPartial: "partial", wordPending: "waiting",
	wordPreparing: "warming_up", wordProcessing: "in_progress", wordQueued: "submitted",
	wordTrained: "ready", wordTraining: "running", wordUploading: "storing",
	wordApproved: "accepted", wordGenerated: "done", wordGenerating: "in_progress", wordNotStarted: "new",
}

// unknownWords have no meaning, so that only the structure of a reply tells the
// state.
var unknownWords = map[string]string{
	wordCancelled: "quell", wordCompleted: "zenith", wordFailed: "nadir",
	wordNotTrained: "fallow", wordPartial: "crumb", wordPending: "lull",
	wordPreparing: "kindle", wordProcessing: "churn", wordQueued: "perch",
	wordTrained: "bloom", wordTraining: "grind", wordUploading: "ferry",
	wordApproved: "laurel", wordGenerated: "harvest", wordGenerating: "brew", wordNotStarted: "seed",
}

// say translates a word of the plain service.
func (v Vocabulary) say(word string) string {
	switch v {
	case WordsPlain:
	case WordsUpper:
		return strings.ToUpper(word)
	case WordsSpaced:
		return title(strings.ReplaceAll(word, "_", " "))
	case WordsHyphen:
		return strings.ReplaceAll(word, "_", "-")
	case WordsSynonyms:
		return cmp.Or(synonyms[strings.ToLower(word)], word)
	case WordsUnknown:
		return cmp.Or(unknownWords[strings.ToLower(word)], word)
	}
	return word
}

func title(text string) string {
	start := true
	return strings.Map(func(r rune) rune {
		upper := start
		start = r == ' '
		if upper {
			return unicode.ToUpper(r)
		}
		return r
	}, text)
}
