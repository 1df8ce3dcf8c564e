package purchases

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Config configures a Log.
type Config struct {
	// Books are the paths of files and the addresses of stores. All are
	// written, and the first guards. Without any there is no log.
	Books []string
	// OpenStore opens the store at an address. It is needed if Books has such
	// an address.
	OpenStore func(ctx context.Context, address string) (Store, error)
	Terms     Terms
	// Caller returns who buys now.
	Caller func() evidence.Caller
	Author Author
	Clock  wait.Clock
	// Say tells a person of a wait; nil tells nobody.
	Say      func(ctx context.Context, line string)
	Patience Patience // zero is the usual patience
}

// Log is where a provider process writes down its purchases and deletions, one
// entry a line. Several processes may write to its books.
type Log struct {
	run       string
	caller    func() evidence.Caller
	author    Author
	clock     wait.Clock
	terms     monthlyTerms
	books     []book
	guard     book // nil without a log
	openStore func(ctx context.Context, address string) (Store, error)
}

// NewLog returns a log. It opens no file, and sends no request to a store.
func NewLog(config Config) (*Log, error) {
	l := &Log{
		run:    strings.ToLower(rand.Text()),
		caller: config.Caller,
		author: config.Author,
		clock:  config.Clock,
		terms:  newMonthlyTerms(config.Terms),

		openStore: config.OpenStore,
	}
	if config.Patience == (Patience{}) {
		config.Patience = defaultPatience
	}
	if config.Say == nil {
		config.Say = func(context.Context, string) {}
	}
	for _, address := range config.Books {
		if address == "" {
			continue
		}
		added, err := l.newBook(address, config)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(l.books, func(other book) bool { return other.address() == added.address() }) {
			l.books = append(l.books, added)
		}
	}
	if len(l.books) > 0 {
		l.guard = l.books[0]
	}
	for _, b := range l.books {
		b.said().index.run = l.run
	}
	return l, nil
}

// IsStore reports whether a log of this name is kept in a store, and not in a
// file.
func IsStore(name string) bool { return strings.Contains(name, "://") }

func (l *Log) newBook(name string, config Config) (book, error) {
	if IsStore(name) {
		if config.OpenStore == nil {
			return nil, errNoStores
		}
		return newNumbered(strings.TrimRight(name, "/"), config, l.terms.prices), nil
	}
	path, err := filepath.Abs(name) // the working directory may change
	if err != nil {
		return nil, err
	}
	f := newFile(path, config, l.terms.prices)
	f.isUsed = len(l.books) == 0 || l.terms.most != nil
	return f, nil
}

// Open reads, once a run, the books that are slow to read, which are the stores.
// Nothing else waits for a store, except writers.
func (l *Log) Open(ctx context.Context) {
	for _, b := range l.books {
		b.openOnce(ctx)
	}
}

// Finish waits until the notes are written, or cannot be.
func (l *Log) Finish() {
	for _, b := range l.books {
		b.finish()
	}
}

// distinct returns the books of a log without duplicates, so that a file gets
// an entry once. It compares the files at each call, because the first purchase
// creates the files.
func (l *Log) distinct() iter.Seq[book] {
	return func(yield func(book) bool) {
		var seen []os.FileInfo
		for _, b := range l.books {
			if isOneOf(b, seen) {
				continue
			}
			if !yield(b) {
				return
			}
			info, err := os.Stat(b.address())
			if err == nil { // otherwise it is a store
				seen = append(seen, info)
			}
		}
	}
}

// isOneOf reports whether a book is one of the files under a different name.
func isOneOf(b book, files []os.FileInfo) bool {
	f, isFile := b.(*file)
	return isFile && slices.ContainsFunc(files, f.is)
}

// Begin writes the entry before a paid request. If the entry cannot be written,
// the request is not sent. It is not sent either if another run has bought an
// equal order, which is a *BoughtError, or if the month has cost too much,
// which is ErrMonth. Of two concurrent runs only one gets past Begin, because
// each book is read up to the new entry.
func (l *Log) Begin(ctx context.Context, entry *Entry) error {
	entry.Request = strings.ToLower(rand.Text())
	entry.Outcome = outcomeSending
	entry.Object = objectOf(ctx)
	if l.guard == nil {
		return nil
	}
	var written []book
	for b := range l.distinct() {
		isTried := false
		err := b.append(ctx, func() ([]string, error) {
			refusal := l.mayBuy(b, entry)
			if refusal != nil {
				return nil, refusal
			}
			isTried = true
			return []string{l.sendingLine(ctx, entry)}, nil
		})
		if err == nil {
			written = append(written, b)
			continue
		}
		l.takeBack(written, entry)
		if isRefusal(err) {
			return err
		}
		if isTried {
			b.note([]string{l.unsentLine(entry)}) // the entry may have arrived
		}
		return fmt.Errorf("%w: %w", ErrLog, err)
	}
	collect(ctx, entry)
	return nil
}

// mayBuy returns the reason why a book forbids a purchase.
func (l *Log) mayBuy(b book, entry *Entry) error {
	entry.Time = l.now()
	if b == l.guard {
		found := l.refuse(entry, entry.Object)
		if len(found) > 0 {
			return &BoughtError{found}
		}
	}
	if b == l.guard || l.terms.most != nil {
		if unreadable := b.unreadable(); unreadable != nil {
			return unreadable
		}
	}
	return l.terms.allow(b, entry)
}

// isRefusal reports whether an error of Begin forbids the purchase. Any other
// error says that the purchase could not be written down.
func isRefusal(err error) bool {
	_, isBought := errors.AsType[*BoughtError](err)
	_, isUnreadable := errors.AsType[*UnreadableError](err)
	return isBought || isUnreadable || errors.Is(err, ErrLimit) || errors.Is(err, ErrMonth)
}

func (l *Log) sendingLine(ctx context.Context, entry *Entry) string {
	sending := *entry
	sending.Version = version
	sending.By = l.origin()
	sending.Labels = labelsOf(ctx)
	return sending.text()
}

func (l *Log) unsentLine(entry *Entry) string {
	unsent := *entry
	unsent.Outcome = outcomeUnsent
	return l.line(&unsent)
}

// origin returns this run, and the caller for whom it writes.
func (l *Log) origin() *Origin {
	return &Origin{
		Run:    l.run,
		Author: l.author,
		Caller: l.caller(),
	}
}

// takeBack writes into the books that have an entry that its request is not
// sent, because another book could not take the entry.
func (l *Log) takeBack(written []book, entry *Entry) {
	for _, b := range written {
		b.record(l.unsentLine(entry)) // without this line, the entry would live and guard a purchase that was not made
	}
}

// Note writes the entry before a request that is not paid. The request is sent
// even if the entry cannot be written; the failure is reported at the end.
func (l *Log) Note(entry *Entry) *Entry {
	entry.Request = strings.ToLower(rand.Text())
	entry.Outcome = outcomeSending
	for b := range l.distinct() {
		b.note([]string{l.line(entry)})
	}
	return entry
}

// End writes the entry after a request. An entry that cannot be written now is
// written later, or reported.
func (l *Log) End(entry *Entry, failure error) {
	entry.end(failure)
	l.record(entry)
}

// record writes an event to each book. A line that cannot be written is written
// with the next line.
func (l *Log) record(entry *Entry) {
	for b := range l.distinct() {
		b.record(l.line(entry))
	}
}

func (l *Log) line(entry *Entry) string {
	entry.Time = l.now()
	return entry.text()
}

func (l *Log) now() string { return timeOf(l.clock.Now()) }

// timeOf returns a time in the form of an entry.
func timeOf(now time.Time) string { return now.UTC().Format(time.RFC3339) }

// ForgottenGenerations writes down the generations that no state has any more
// and that stay at the service.
func (l *Log) ForgottenGenerations(groupID string, ids []string) {
	if len(ids) > 0 {
		l.record(&Entry{
			Type:      "keep",
			Outcome:   outcomeForgotten,
			GroupID:   groupID,
			Leftovers: ids,
		})
	}
}

// Check returns the reason why nothing could be bought: for a store that could
// not be read, a *StoreError. It leaves no trace in the log.
func (l *Log) Check() error {
	for _, b := range l.books {
		if err := b.check(); err != nil {
			return err
		}
	}
	return nil
}

// Unreadable returns the unreadable parts of the guarding book, as far as it
// was read: nil, or an *UnreadableError. A purchase in such a part would not be
// guarded, so that Begin refuses every purchase.
func (l *Log) Unreadable() error {
	if l.guard == nil {
		return nil
	}
	return l.guard.unreadable()
}

// Unwritten returns, once, the events that could not be written to the log, and
// why.
func (l *Log) Unwritten() (lines []string) {
	for _, b := range l.books {
		lines = append(lines, b.unwritten()...)
	}
	return lines
}
