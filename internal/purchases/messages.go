package purchases

import (
	"fmt"
	"strings"
)

// Why a line of the log is no entry, as in "line 3 is compressed".
const (
	inUTF16        = "is encoded as UTF-16"
	notUTF8        = "is not encoded as UTF-8"
	compressed     = "is compressed"
	inArray        = "begins a JSON array"
	hasZeros       = "has zero bytes, as of UTF-16 or of a disk that failed"
	ofLaterVersion = "was written by a later version of the provider"
	notAnEntry     = "is no whole entry"
)

// linesAreUnreadable names the lines of a file that are no entries.
func linesAreUnreadable(e *UnreadableError) string {
	var lines []string
	for _, line := range e.Lines {
		lines = append(lines, fmt.Sprintf("line %d %s", line.Number, line.Reason))
	}
	if e.More > 0 {
		lines = append(lines, fmt.Sprintf("%d more lines cannot be read", e.More))
	}
	return e.Path + " cannot be read as a whole: " + strings.Join(lines, ", ")
}
