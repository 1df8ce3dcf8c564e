package prompts

// How a generation ends. The end is earned: deployments show previews, and
// errors of attempts that they repeat, while the work goes on; what was taken
// for an end there was bought a second time. And it is final, as are its
// results once something says so: see Generation.IsFinal and Results.

// End is how a generation has ended.
type End int

// The ends.
const (
	EndNone      End = iota // it has not visibly ended
	EndSucceeded            // with results, or with a word of success and none yet
	EndFailed               // without results
	EndStopped              // cancelled by somebody
)

// Word is what a status word means. No service documents its words.
type Word int

// The meanings of words.
const (
	WordOther   Word = iota // none, or one that nobody knows
	WordRunning             // the work is queued, under way, or being finished
	WordRetry               // another attempt follows
	WordSuccess
	WordFailure
	WordStopped
)

// Shown is what a status shows of a generation.
type Shown struct {
	Word         Word
	Progress     *int64 // usually in percent; nil if none is shown
	HasAddresses bool
	HasError     bool
}

// anyWord stands in the table alone.
const anyWord Word = -1

// ends decides how a generation has ended: by the first row that matches.
var ends = []struct {
	word      Word
	progress  progress
	addresses presence
	err       presence
	end       End
}{
	{WordRunning, below, either, either, EndNone}, // addresses are previews
	{WordRetry, notWhole, either, either, EndNone},
	{WordFailure, anyProgress, some, none, EndSucceeded},
	{WordFailure, anyProgress, either, either, EndFailed},
	{WordStopped, anyProgress, none, either, EndStopped},
	{anyWord, anyProgress, some, either, EndSucceeded}, // some deployments leave "processing" for ever
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

// ListedEnd is End for what a list shows, which leaves out progress and error:
// EndNone unless every status that agrees with the list says the same.
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

// progress is a condition of the table. What is shown may be none.
type progress int

const (
	anyProgress progress = iota
	below
	notWhole // below, or none
	whole
)

// wholeProgress is that of finished work.
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

// presence is a condition of the table on what is there or not.
type presence int

const (
	either presence = iota
	some
	none
)

func (p presence) matches(isThere bool) bool {
	return p == either || isThere == (p == some)
}

// Results are what is stored of a success: how many addresses, the word of the
// status that showed them, and whether its progress was full.
type Results struct {
	Count          int
	Word           Word
	AtFullProgress bool
}

// AreFinal reports whether the results are certainly no previews: a word of
// success says so, or full progress. Beside full progress, a word of failure or
// of a retry says that another attempt may follow.
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

// GiveWayTo reports whether so many results of a later status replace them.
// Final ones stay, or every plan would show the hosts that a service changes,
// unless the service shows more, or says at last that work has ended of which
// it said that it runs.
func (r Results) GiveWayTo(later Shown, count int) bool {
	hasResults := later.HasAddresses && later.End() == EndSucceeded
	hasEnded := r.Word == WordRunning && later.Word == WordSuccess
	return hasResults && (!r.AreFinal() || hasEnded || count > r.Count)
}

// IsAtFullProgress reports whether it shows the progress of finished work.
func (s Shown) IsAtFullProgress() bool { return whole.matches(s.Progress) }

// IsFinal reports whether it has ended with results. It stays a success
// whatever comes later: services take results down, and show other words, or
// none, for what they have delivered.
func (g Generation) IsFinal() bool { return g.Succeeded.Get() && len(g.ResultURLs) > 0 }
