package purchases

import (
	"context"
	"sync"
)

// book is a place where a log is kept: a file or a store. All books of a log
// are written, and the first guards.
type book interface {
	// address is the name of the book in messages.
	address() string
	// said returns the pages of the book that were read so far.
	said() *pages
	// openOnce reads a slow book, once a run.
	openOnce(ctx context.Context)
	// anew begins the next run of the process.
	anew()
	// recall fails if the book was not read. refresh also reads entries that
	// others have added since, if that is cheap: append always does.
	recall() error
	refresh() error
	// append writes earlier lines that could not be written, and then the lines
	// that decide returns. It returns once the lines are kept. decide sees
	// everything that was written before its lines, and is called again if
	// others write meanwhile. If decide returns an error, nothing is written.
	append(ctx context.Context, decide func() (lines []string, err error)) error
	// record writes a line about an event. A line that cannot be written soon
	// is written with the next lines.
	record(line string)
	// note writes lines that the next run could find out by itself. Nobody
	// waits for them.
	note(lines []string)
	// unwritten returns, once, the lines that could not be recorded, and why.
	unwritten() []string
	// finish waits until the notes are written, or cannot be.
	finish()
	// check returns the reason why the book cannot be written or read. It
	// leaves no trace in the book.
	check() error
	// unreadable returns the parts of the book that could not be read so far.
	unreadable() error
}

// pages are the part of a book that was read.
type pages struct {
	mutex sync.Mutex // guards all fields
	index index
	spent spending
}

// newPages returns the pages of an empty book.
func newPages(prices prices) pages {
	return pages{index: newIndex(), spent: newSpending(prices)}
}

func (p *pages) take(entry *Entry) {
	p.index.take(entry)
	p.spent.take(entry)
}

// restart forgets everything that was read.
func (p *pages) restart() {
	run := p.index.run
	p.index = newIndex()
	p.index.run = run
	p.spent = newSpending(p.spent.prices)
}
