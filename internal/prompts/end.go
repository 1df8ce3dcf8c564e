package prompts

// How a generation ends. The rules for an end are strict, because deployments
// show previews, and errors of attempts that they repeat, while the work goes
// on: a generation that seemed to have ended was once bought a second time. An
// end is final, and so are the results once something says so: see
// Generation.IsFinal and Results.

// End is how a generation has ended.
type End int

// The ends.
const (
	EndNone      End = iota // it has not visibly ended
	EndSucceeded            // with results, or with a word of success and none yet
	EndFailed               // without results
	EndStopped              // cancelled by somebody
)

// Word is the meaning of a status word. No service documents its words.
type Word int

// The meanings of words.
const (
	WordOther   Word = iota // no word, or an unknown word
	WordRunning             // the work is queued, under way, or being finished
	WordRetry               // another attempt follows
	WordSuccess
	WordFailure
	WordStopped
)

// Shown is the part of a generation's status that tells how far it is.
type Shown struct {
	Word         Word
	Progress     *int64 // usually in percent; nil if none is shown
	HasAddresses bool
	HasError     bool
}

// anyWord occurs only in the table.
const anyWord Word = -1

// ends is the table of ends. The first matching row decides.
var ends = []struct {
	word      Word
	progress  progress
	addresses presence
	err       presence
	end       End
}{
	{WordRunning, below, either, either, EndNone}, // the addresses are previews
	{WordRetry, notWhole, either, either, EndNone},
	{WordFailure, anyProgress, some, none, EndSucceeded},
	{WordFailure, anyProgress, either, either, EndFailed},
	{WordStopped, anyProgress, none, either, EndStopped},
	{anyWord, anyProgress, some, either, EndSucceeded}, // some deployments keep "processing" for ever
	{anyWord, anyProgress, none, some, EndFailed},
	{WordSuccess, anyProgress, none, none, EndSucceeded},
	{WordOther, whole, none, none, EndSucceeded},
	{anyWord, anyProgress, either, either, EndNone},
}

// End returns how the generation has ended.
func (s Shown) End() End {
	for _, row := range ends {
		isWord := row.word == anyWord || row.word == s.Word
		if isWord && row.progress.matches(s.Progress) && row.addresses.matches(s.HasAddresses) &&
			row.err.matches(s.HasError) {
			return row.end
		}
	}
	return EndNone
}

// ListedEnd is End for a list, which leaves out progress and error. It is
// EndNone unless every status that agrees with the list has the same end.
func (s Shown) ListedEnd() End {
	end := s.End()
	for _, progress := range []*int64{nil, new(int64(0)), new(int64(wholeProgress))} {
		for _, hasError := range []bool{false, true} {
			status := Shown{
				Word:         s.Word,
				Progress:     progress,
				HasAddresses: s.HasAddresses,
				HasError:     hasError,
			}
			if status.End() != end {
				return EndNone
			}
		}
	}
	return end
}

// progress is a condition of the table on the shown progress.
type progress int

const (
	anyProgress progress = iota
	below
	notWhole // below, or not shown
	whole
)

// wholeProgress is the progress of finished work.
const wholeProgress = 100

// matches reports whether a status shows this progress.
func (p progress) matches(shown *int64) bool {
	isWhole := shown != nil && *shown >= wholeProgress
	switch p {
	case below:
		return shown != nil && !isWhole
	case notWhole:
		return !isWhole
	case whole:
		return isWhole
	default:
		return true
	}
}

// presence is a condition of the table on a field that is shown or missing.
type presence int

const (
	either presence = iota
	some
	none
)

func (p presence) matches(isThere bool) bool {
	return p == either || isThere == (p == some)
}

// Results are the stored facts about a success: the number of addresses, the
// word of the status that showed them, and whether its progress was full.
type Results struct {
	Count          int
	Word           Word
	AtFullProgress bool
}

// AreFinal reports whether the results are certainly no previews. A word of
// success is proof, and so is full progress, unless a word of failure or of a
// retry says that another attempt may follow.
func (r Results) AreFinal() bool {
	switch r.Word {
	case WordSuccess:
		return true
	case WordFailure, WordRetry:
		return false
	default:
		return r.AtFullProgress
	}
}

// GiveWayTo reports whether the results of a later status replace these.
// Results that are not final give way. Final results stay, because otherwise
// every plan would show the hosts that a service changes. They give way only if
// the service shows more results, or if it first called the work running and
// now says that it has ended.
func (r Results) GiveWayTo(later Shown, count int) bool {
	hasResults := later.HasAddresses && later.End() == EndSucceeded
	hasEnded := r.Word == WordRunning && later.Word == WordSuccess
	return hasResults && (!r.AreFinal() || hasEnded || count > r.Count)
}

// IsAtFullProgress reports whether the status shows the progress of finished
// work.
func (s Shown) IsAtFullProgress() bool { return whole.matches(s.Progress) }

// IsFinal reports whether the generation has ended with results. It then stays
// a success whatever a later status says: services take results down, and show
// other words, or none, for generations that they have delivered.
func (g Generation) IsFinal() bool { return g.Succeeded.Get() && len(g.ResultURLs) > 0 }
