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

// errNoStores occurs in tests, which link no driver.
var errNoStores = errors.New("this build of the provider opens no stores")

// errOverwrites says that a store lets two writers believe that both have won.
var errOverwrites = errors.New("the store overwrites what exists: it ignores the condition If-None-Match (or " +
	"if-generation-match), so that two runs at once would buy the same. Use a store that keeps it")

// noAnswer says that a store has not answered in time, and gives its last
// error.
func noAnswer(last error) error { return fmt.Errorf("the store has not answered in time: %w", last) }
