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

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Config configures a Log.
type Config struct {
	// Books are the paths of files and the addresses of stores: all are written,
	// and the first guards. Without one there is no log.
	Books []string
	// OpenStore opens the store of an address; it is needed where there is one.
	OpenStore func(ctx context.Context, address string) (Store, error)
	Terms     Terms
	Buyer     Buyer
	Author    Author
	Clock     wait.Clock
	// Say tells a person what is waited for; nil tells nobody.
	Say      func(ctx context.Context, line string)
	Patience Patience // zero is the usual
}

// Log is where a provider process writes down what it buys and deletes, one
// entry a line. Several processes may write to its books.
type Log struct {
	run       string
	buyer     Buyer
	author    Author
	clock     wait.Clock
	terms     monthlyTerms
	books     []book
	guard     book // nil without a log
	openStore func(ctx context.Context, address string) (Store, error)
}

// NewLog returns a log. It opens no file, and asks no store.
func NewLog(config Config) (*Log, error) {
	l := &Log{
		run:    strings.ToLower(rand.Text()),
		buyer:  config.Buyer,
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

// Open reads what takes long to read, once a run. Nothing else waits for a store
// but who writes to it.
func (l *Log) Open(ctx context.Context) {
	for _, b := range l.books {
		b.openOnce(ctx)
	}
}

// Finish waits until what nobody waited for is written, or cannot be.
func (l *Log) Finish() {
	for _, b := range l.books {
		b.finish()
	}
}

// distinct are the books of a log, each under one of its names: an entry stands
// once in a file. Which names are of one file is asked each time, since the first
// purchase makes the files.
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
			if err == nil { // else it is a store
				seen = append(seen, info)
			}
		}
	}
}

// isOneOf reports whether a book is one of the files, under another name.
func isOneOf(b book, files []os.FileInfo) bool {
	f, isFile := b.(*file)
	return isFile && slices.ContainsFunc(files, f.is)
}

// Begin writes the entry before a paid request: without it nothing is sent. Nor
// is it if another run has bought the same, which is a *BoughtError, or if the
// month has cost too much, which is ErrMonth: of two runs at once only one gets
// here, since each book is read up to the entry.
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
			b.note([]string{l.unsentLine(entry)}) // it may have arrived
		}
		return fmt.Errorf("%w: %w", ErrLog, err)
	}
	collect(ctx, entry)
	return nil
}

// mayBuy says why a book forbids a purchase.
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

// isRefusal reports whether an error of Begin says why nothing may be bought,
// and not that it could not be written down.
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

// origin is this run, and for whom it writes.
func (l *Log) origin() *Origin {
	return &Origin{
		Run:    l.run,
		Author: l.author,
		Caller: l.buyer.Now(),
	}
}

// takeBack says in the books that have an entry that it is not sent: another
// book could not have it.
func (l *Log) takeBack(written []book, entry *Entry) {
	for _, b := range written {
		b.record(l.unsentLine(entry)) // else it lives, and guards what was not bought
	}
}

// Note writes the entry before a request that is not paid. It is sent without
// that entry, too: what cannot be written is told once it is over.
func (l *Log) Note(entry *Entry) *Entry {
	entry.Request = strings.ToLower(rand.Text())
	entry.Outcome = outcomeSending
	for b := range l.distinct() {
		b.note([]string{l.line(entry)})
	}
	return entry
}

// End writes the entry after a request. What cannot be written now is written
// later, or told.
func (l *Log) End(entry *Entry, failure error) {
	entry.end(failure)
	l.record(entry)
}

// record writes to each book what has happened. What cannot be written waits
// for the next line that can.
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

// timeOf is a time as entries have it.
func timeOf(now time.Time) string { return now.UTC().Format(time.RFC3339) }

// ForgottenGenerations writes down the generations that no state holds any more,
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

// Check says, without a trace, why nothing could be bought: of a store that could
// not be read, a *StoreError.
func (l *Log) Check() error {
	for _, b := range l.books {
		if err := b.check(); err != nil {
			return err
		}
	}
	return nil
}

// Unreadable says what of the book that guards could not be read, as far as it
// was read: nil, or an *UnreadableError. A purchase that it may have is not
// guarded, so that Begin refuses all.
func (l *Log) Unreadable() error {
	if l.guard == nil {
		return nil
	}
	return l.guard.unreadable()
}

// Unwritten returns, once, what has happened and the log could not take, and
// why.
func (l *Log) Unwritten() (lines []string) {
	for _, b := range l.books {
		lines = append(lines, b.unwritten()...)
	}
	return lines
}
