package purchases

import (
	"slices"
)

// maxUnreadable is how many lines a person is told of. In a file with a foreign
// encoding every line is unreadable.
const maxUnreadable = 5

// UnreadableLine is a line of a log that is no entry. If it records a purchase,
// the purchase cannot be guarded.
type UnreadableLine struct {
	Number int
	Reason string // as in "is compressed"
}

// UnreadableError says that lines of a log are no entries. It counts as an
// ErrLog: an apply buys nothing before somebody has looked at the lines.
type UnreadableError struct {
	Path  string           // or the address of a store
	Unit  string           // the numbered unit: "line" or "object"
	Lines []UnreadableLine // the first
	More  int              // how many lines follow
}

func (e *UnreadableError) Error() string { return linesAreUnreadable(e) }

// Is reports whether a target is ErrLog.
func (*UnreadableError) Is(target error) bool { return target == ErrLog }

// unreadableLines are the unreadable lines of a file.
type unreadableLines struct {
	first []UnreadableLine
	more  int
}

func (u *unreadableLines) add(number int, reason string) {
	if len(u.first) == maxUnreadable {
		u.more++
		return
	}
	u.first = append(u.first, UnreadableLine{number, reason})
}

// failure returns an error that names the unreadable lines of the file so far;
// nil if there are none.
func (r *reader) failure(path string) error {
	lines := r.unreadable
	if r.tail != "" {
		lines.first = slices.Clone(lines.first)
		lines.add(r.line+1, r.tail)
	}
	return lines.failure(path, "line")
}

// failure returns an error if there are unreadable lines.
func (u *unreadableLines) failure(address, unit string) error {
	if len(u.first) == 0 {
		return nil
	}
	return &UnreadableError{
		Path:  address,
		Unit:  unit,
		Lines: u.first,
		More:  u.more,
	}
}
