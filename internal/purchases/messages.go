package purchases

import (
	"errors"
	"fmt"
	"strings"
)

// The reasons why a line of the log is no entry. They complete a sentence such
// as "line 3 is compressed".
const (
	inUTF16        = "is encoded as UTF-16"
	notUTF8        = "is not encoded as UTF-8"
	compressed     = "is compressed"
	inArray        = "begins a JSON array"
	hasZeros       = "has zero bytes, as of UTF-16 or of a disk that failed"
	ofLaterVersion = "was written by a later version of the provider"
	notAnEntry     = "is no whole entry"
)

// linesAreUnreadable names the lines of a file, or the objects of a store, that are no entries.
func linesAreUnreadable(e *UnreadableError) string {
	var lines []string
	for _, line := range e.Lines {
		lines = append(lines, fmt.Sprintf("%s %d %s", e.Unit, line.Number, line.Reason))
	}
	if e.More > 0 {
		lines = append(lines, fmt.Sprintf("%d more %ss cannot be read", e.More, e.Unit))
	}
	return e.Path + " cannot be read as a whole: " + strings.Join(lines, ", ")
}

// explained is an error that says to a person what to do about it.
type explained struct{ text, advice string }

func (e *explained) Error() string { return e.text }

// Explain says that the error has no name of its own, and what to do about it.
func (e *explained) Explain() (name, advice string) { return "", e.advice }

// The errors because of which nothing is bought.
var (
	// ErrLimit says that MaxPurchases or MaxCredits refused a purchase before it
	// was sent.
	ErrLimit error = &explained{
		text: "does not allow this purchase",
		advice: "Raise or remove the limit in the provider's configuration. Each plan and each apply starts " +
			"counting at zero, and so does each run of a test file that refreshes something.",
	}
	// ErrMonth says that MaxCreditsPerMonth refused a purchase before it was sent.
	ErrMonth error = &explained{
		text: "does not allow this purchase",
		advice: "Raise max_credits_per_month (MEDIAGEN_MAX_CREDITS_PER_MONTH), or buy it in the next month: all who " +
			"write the same purchase log spend it together.",
	}
	// ErrLog says that the purchase log cannot be written, because of which
	// nothing is bought.
	ErrLog error = &explained{
		text: "the purchase log (purchase_log) cannot be written",
		advice: "Correct purchase_log (MEDIAGEN_PURCHASE_LOG), see that its file or store can be read and written, " +
			"or remove it to buy without a log. Then apply again.",
	}
)

// MendLog says how a purchase log is read again that has lines which cannot be
// read.
const MendLog = "Look at these lines, and import what they have bought and no state has. Then correct or delete " +
	"them, or move the file away: a log has one entry a line, and is saved as UTF-8. Lines of a later version of " +
	"the provider are read by that version."

// Explain says what the failure is called, and how a person mends the log.
func (*UnreadableError) Explain() (name, advice string) {
	return "Purchase Log Cannot Be Read",
		"Such a line may be of a purchase, which would be bought again. " + MendLog + " Then apply again."
}

// errNoStores occurs in tests, which link no driver.
var errNoStores = errors.New("this build of the provider opens no stores")

// errOverwrites says that a store lets two writers believe that both have won.
var errOverwrites = errors.New("the store overwrites what exists: it ignores the condition If-None-Match (or " +
	"if-generation-match), so that two runs at once would buy the same. Use a store that keeps it")

// noAnswer says that a store has not answered in time, and gives its last
// error.
func noAnswer(last error) error { return fmt.Errorf("the store has not answered in time: %w", last) }
