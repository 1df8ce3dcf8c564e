package purchases

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// numbered is a log in a store: objects that are numbered without a gap, and
// written once. A writer creates number n+1 after it has read all objects up to
// n and found no reason against it, and only if no other writer has created
// that number. The numbers order all writers and let one of them win, without a
// lock, a clock or a deletion: a kill leaves nothing behind.
type numbered struct {
	name     string
	open     func(ctx context.Context) (Store, error)
	patience Patience
	now      func() string // the time of a line
	say      func(ctx context.Context, line string)
	pages    pages

	// turn is held while an object is read or created. It guards the fields
	// below.
	turn     *semaphore.Weighted
	store    Store
	isProven bool         // the store never overwrites an object
	newest   storedObject // its number says how far the log was read
	livingAt int64        // the number of the last object that repeats the living purchases
	recent   []string     // the lines of each object since the last that repeats others

	mutex   sync.Mutex // guards the fields below
	isRead  bool       // by this run
	isStale bool       // only by the previous run
	failed  error      // the error of this run's first read
	lines   unreadableLines
	waiting []*waitingLine
	isDown  bool          // the last line could not be recorded
	isMute  bool          // a note could not be written: no more notes are tried
	noting  chan struct{} // closed once the waiting notes are written; nil if none wait
}

// waitingLine is a line that is in no object yet.
type waitingLine struct {
	text   string
	isNote bool
	failed error // why it could not be recorded; nil while the provider is trying
}

func newNumbered(address string, config Config, prices prices) *numbered {
	return &numbered{
		name:     address,
		open:     func(ctx context.Context) (Store, error) { return config.OpenStore(ctx, address) },
		patience: config.Patience,
		now:      func() string { return timeOf(config.Clock.Now()) },
		say:      config.Say,
		pages:    newPages(prices),
		turn:     semaphore.NewWeighted(1),
	}
}

func (n *numbered) address() string { return n.name }
func (n *numbered) said() *pages    { return &n.pages }

// openOnce reads the store, once a run. A plan of 10,000 objects waits only
// once for a store that is down.
func (n *numbered) openOnce(ctx context.Context) {
	if n.recall() == nil || n.failure() != nil {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, n.patience.Look)
	defer cancel()
	defer n.telling(ctx).Stop()
	if n.turn.Acquire(bounded, 1) != nil {
		return
	}
	defer n.turn.Release(1)
	if n.recall() == nil || n.failure() != nil {
		return // another goroutine has read it meanwhile
	}
	err := retry(bounded, func() error { return n.read(bounded) })
	if ctx.Err() != nil {
		return // an interrupt proves nothing about the store
	}
	if err != nil && bounded.Err() != nil {
		err = noAnswer(err)
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.failed = err
}

// errNotRead says that a book was not read. The attempt to read it has reported
// the reason.
var errNotRead = errors.New("it was not read")

// recall sends no request: openOnce has read the store before, or has failed.
func (n *numbered) recall() error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.isRead && !n.isStale {
		return nil
	}
	return errNotRead
}

// refresh is recall: a request to the store before each object would double the
// requests of a plan. Decisions about writing depend on append, which does
// read.
func (n *numbered) refresh() error { return n.recall() }

func (n *numbered) failure() error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return n.failed
}

func (n *numbered) check() error {
	if err := n.failure(); err != nil {
		return &StoreError{err}
	}
	return nil
}

func (n *numbered) unreadable() error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return n.lines.failure(n.name, "object")
}

// anew begins the next run of the process.
func (n *numbered) anew() {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.failed = nil
	n.isStale = true
}

// read reads the store. The first time it reads all of it, beginning with the
// newest objects that repeat others; later it reads the added objects.
func (n *numbered) read(ctx context.Context) (err error) {
	n.mutex.Lock()
	isBegun := n.isRead
	n.mutex.Unlock()
	if isBegun {
		err = n.follow(ctx)
	} else {
		err = n.readFromStart(ctx)
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.isRead = isBegun || err == nil
	if err == nil {
		n.isStale = false
		n.failed = nil
	}
	return err
}

func (n *numbered) readFromStart(ctx context.Context) error {
	err := n.connect(ctx)
	if err != nil {
		return err
	}
	newest, err := n.store.Newest(ctx)
	if err != nil {
		return err
	}
	n.pages.mutex.Lock()
	n.pages.restart()
	n.pages.mutex.Unlock()
	n.mutex.Lock()
	n.lines = unreadableLines{}
	n.mutex.Unlock()
	n.recent = nil
	n.livingAt = 0
	n.newest = storedObject{}
	return readStore(ctx, n.store, newest, &n.pages, n.take)
}

func (n *numbered) connect(ctx context.Context) (err error) {
	if n.store == nil {
		n.store, err = n.open(ctx)
	}
	return err
}

// take adds the next object of the log.
func (n *numbered) take(next storedObject) {
	n.pages.mutex.Lock()
	reason := next.read(n.pages.take)
	n.pages.mutex.Unlock()
	if reason != "" {
		n.mutex.Lock()
		n.lines.add(int(next.number), reason)
		n.mutex.Unlock()
	}
	n.newest = next
	if next.hasLiving() {
		n.livingAt = next.number
	}
	if next.number%shortCarry == 0 {
		n.recent = nil
		return
	}
	n.recent = append(n.recent, string(next.lines))
}

// follow reads the objects that others have written since.
func (n *numbered) follow(ctx context.Context) error {
	for {
		next, err := readObject(ctx, n.store, n.newest.number+1)
		if errors.Is(err, ErrNoObject) {
			return nil
		}
		if err != nil {
			return err
		}
		n.take(next)
	}
}

func (n *numbered) append(ctx context.Context, decide func() ([]string, error)) error {
	return n.write(ctx, n.patience.Store, decide)
}

// write creates the next object, from the waiting lines and the lines that
// decide returns.
func (n *numbered) write(ctx context.Context, most time.Duration, decide func() ([]string, error)) error {
	bounded, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	defer n.telling(ctx).Stop()
	if n.turn.Acquire(bounded, 1) != nil {
		return n.ended(ctx, bounded.Err())
	}
	defer n.turn.Release(1)
	err := n.prepare(bounded)
	for err == nil {
		var lines []string
		lines, err = decide()
		text, waiting := n.queued()
		text += strings.Join(lines, "")
		if err != nil || text == "" {
			return err // a refusal is not the store's error
		}
		var isOurs bool
		isOurs, err = n.create(bounded, text)
		if isOurs {
			n.dequeue(waiting)
			return nil
		}
	}
	if bounded.Err() != nil {
		return n.ended(ctx, err)
	}
	return err
}

// telling tells a person of a wait that takes long.
func (n *numbered) telling(ctx context.Context) *time.Timer {
	return time.AfterFunc(n.patience.Tell, func() {
		n.say(ctx, fmt.Sprintf("Waiting for the purchase log %s, whose store does not answer", n.name))
	})
}

// ended returns the reason why a wait has ended: an interrupt, or the end of
// the time.
func (n *numbered) ended(ctx context.Context, last error) error {
	if ctx.Err() != nil {
		return wait.Ended(ctx)
	}
	return noAnswer(last)
}

// prepare reads the store, and proves that the store does not overwrite: some
// servers ignore the condition, and let each of two writers believe that it has
// won. Reading proves nothing, so the newest object is written a second time,
// unchanged. If the store does not refuse that, it does no harm. If the object
// is large, a small object without meaning is added and used instead.
func (n *numbered) prepare(ctx context.Context) error {
	if n.recall() != nil {
		err := retry(ctx, func() error { return n.read(ctx) })
		if err != nil {
			return err
		}
	}
	if n.isProven {
		return nil
	}
	if n.newest.number == 0 || len(n.newest.content) > maxProof {
		_, err := n.create(ctx, n.opening()) // created by this run, or by another
		if err != nil {
			return err
		}
	}
	return retry(ctx, func() error {
		attempt, cancel := context.WithTimeout(ctx, n.patience.Attempt)
		defer cancel()
		err := n.store.Create(attempt, n.newest.number, n.newest.content)
		switch {
		case err == nil:
			return errOverwrites
		case errors.Is(err, ErrExists), errors.Is(err, ErrDenied):
			n.isProven = true // the store refuses to overwrite, to everybody or to this caller
			return nil
		default:
			return err
		}
	})
}

// opening returns the first line of a log, which has no meaning.
func (n *numbered) opening() string {
	line := Entry{
		Time:    n.now(),
		Request: strings.ToLower(rand.Text()),
		Type:    "log",
		Outcome: outcomeOpened,
	}
	return line.text()
}

// create creates the object after the newest, and reads it. It reports whether
// that object has the lines; another writer's object is added to the log. If
// the reply is lost, reading finds out. Some clouds deny a caller with the
// right to add only the writing of an existing object, before they look at the
// condition.
func (n *numbered) create(ctx context.Context, lines string) (isOurs bool, err error) {
	number := n.newest.number + 1
	content := n.contentOf(ctx, number, lines)
	err = retry(ctx, func() error {
		attempt, cancel := context.WithTimeout(ctx, n.patience.Attempt)
		defer cancel()
		created := n.store.Create(attempt, number, content)
		if created == nil {
			isOurs = true
			return nil
		}
		there, err := readObject(ctx, n.store, number)
		if err != nil {
			return errors.Join(created, err)
		}
		isOurs = bytes.Equal(there.content, content)
		if !isOurs {
			n.take(there)
		}
		return nil
	})
	if isOurs {
		ours, _ := openObject(number, content) // packed by this provider
		n.take(ours)
	}
	return isOurs, err
}

// contentOf returns the content of an object, with its repeated part.
func (n *numbered) contentOf(ctx context.Context, number int64, lines string) []byte {
	if number%shortCarry != 0 {
		return []byte(lines)
	}
	carries := &carried{}
	size := 0
	for _, object := range n.recent {
		size += len(object)
	}
	if size <= maxShort {
		carries.Objects = n.recent
	}
	if number-n.livingAt >= longCarry {
		carries.Living = n.living(ctx)
	}
	content := pack(carryLine(n.now(), carries), lines)
	if len(content) > maxCarry { // too large: a start then reads more objects
		return []byte(lines)
	}
	return content
}

// living returns the living purchases of all objects so far. To write them
// takes a second or two, for which only a purchase waits. Otherwise it returns
// nil, and a later object repeats them.
func (n *numbered) living(ctx context.Context) *living {
	deadline, isBounded := ctx.Deadline()
	if isBounded && time.Until(deadline) < n.patience.Store/2 {
		return nil
	}
	n.pages.mutex.Lock()
	defer n.pages.mutex.Unlock()
	return n.pages.living()
}

// retry tries until it succeeds, fails for good, or the time is up.
func retry(ctx context.Context, try func() error) error {
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := try()
		if err == nil || errors.Is(err, ErrDenied) || errors.Is(err, errOverwrites) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// record writes an event, together with the waiting lines of the run.
func (n *numbered) record(line string) {
	recorded := &waitingLine{text: line}
	n.mutex.Lock()
	n.waiting = append(n.waiting, recorded)
	n.mutex.Unlock()
	err := n.writeWaiting()
	n.mutex.Lock()
	defer n.mutex.Unlock()
	recorded.failed = err
	n.isDown = err != nil
}

// writeWaiting writes the waiting lines. If the store was down just before, it
// waits for a shorter time, so that a thousand states are not delayed.
func (n *numbered) writeWaiting() error {
	most := n.patience.Record
	n.mutex.Lock()
	if n.isDown {
		most = n.patience.Other
	}
	n.mutex.Unlock()
	return n.write(context.Background(), most, func() ([]string, error) { return nil, nil })
}

// note writes lines while the run goes on. A caller that may only read, such as
// the plan of a fork's pull request, writes no notes.
func (n *numbered) note(lines []string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.isMute || n.failed != nil {
		return
	}
	for _, line := range lines {
		n.waiting = append(n.waiting, &waitingLine{text: line, isNote: true})
	}
	if n.noting == nil {
		n.noting = make(chan struct{})
		go n.writeNotes()
	}
}

// writeNotes writes notes as long as any are waiting.
func (n *numbered) writeNotes() {
	for {
		err := n.writeWaiting()
		n.mutex.Lock()
		if err != nil {
			n.isMute = true
			n.waiting = slices.DeleteFunc(n.waiting, func(line *waitingLine) bool { return line.isNote })
		}
		isDone := !slices.ContainsFunc(n.waiting, func(line *waitingLine) bool { return line.isNote })
		if isDone {
			close(n.noting)
			n.noting = nil
		}
		n.mutex.Unlock()
		if isDone {
			return
		}
	}
}

// queued returns the waiting lines.
func (n *numbered) queued() (text string, lines []*waitingLine) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, line := range n.waiting {
		text += line.text
	}
	return text, slices.Clone(n.waiting)
}

// dequeue removes written lines from the waiting lines.
func (n *numbered) dequeue(written []*waitingLine) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.waiting = slices.DeleteFunc(n.waiting, func(line *waitingLine) bool { return slices.Contains(written, line) })
}

func (n *numbered) unwritten() (lines []string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.waiting = slices.DeleteFunc(n.waiting, func(line *waitingLine) bool {
		if line.failed != nil {
			lines = append(lines, fmt.Sprintf("%s(%s)", line.text, line.failed))
		}
		return line.failed != nil
	})
	return lines
}

func (n *numbered) finish() {
	n.mutex.Lock()
	noting := n.noting
	n.mutex.Unlock()
	if noting != nil {
		<-noting
	}
}
