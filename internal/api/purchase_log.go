package api

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ErrPurchaseLog says that the purchase log cannot be written, because of which nothing was bought.
var ErrPurchaseLog = errors.New("the purchase log (purchase_log) cannot be written")

// purchaseLog is the file in which clients write down what they buy and delete, one log entry a
// line. Several processes may append to it. It is opened for each entry: nothing is left to close,
// and it may be moved away meanwhile.
type purchaseLog struct {
	path    string // empty if there is no log
	clock   wait.Clock
	process process
	running running

	mutex     sync.Mutex
	unwritten []string
}

// before writes the entry before a paid request: without it nothing is sent. From then on this
// process answers for the purchase.
func (l *purchaseLog) before(entry *logEntry, by *process) error {
	err := l.answersFor(1)
	if err == nil {
		if err = l.start(entry, by); err == nil {
			return nil
		}
		_ = l.answersFor(-1)
	}
	return fmt.Errorf("%w: %w", ErrPurchaseLog, err)
}

func (l *purchaseLog) start(entry *logEntry, by *process) error {
	entry.Request, entry.Outcome = strings.ToLower(rand.Text()), outcomeSending
	sending := *entry
	sending.By = by
	_, err := l.write(&sending)
	return err
}

// begin writes the entry before a request that is not paid. It is sent without that entry, too:
// what cannot be written is told once it is over.
func (l *purchaseLog) begin(entry *logEntry) *logEntry {
	_ = l.start(entry, nil)
	return entry
}

func (l *purchaseLog) after(entry *logEntry, failure error) {
	entry.end(failure)
	l.record(entry)
}

// record writes an entry of what has happened, or remembers it.
func (l *purchaseLog) record(entry *logEntry) {
	if text, err := l.write(entry); err != nil {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.unwritten = append(l.unwritten, fmt.Sprintf("%s\n(%s)", text, err))
	}
}

// write appends an entry in one piece, and returns when it is on the disk.
func (l *purchaseLog) write(entry *logEntry) (text []byte, err error) {
	if l.path == "" {
		return nil, nil
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if text, err = l.line(entry); err != nil {
		return nil, err
	}
	file, size, err := l.open(os.O_CREATE)
	if err != nil {
		return text, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return text, l.append(file, size, string(text)+"\n")
}

func (l *purchaseLog) line(entry *logEntry) ([]byte, error) {
	entry.Time = l.clock.Now().UTC().Format(time.RFC3339)
	return json.Marshal(entry)
}

// append writes lines at the end of a file of that size.
func (l *purchaseLog) append(file *os.File, size int64, lines string) error {
	last := []byte("\n")
	if size > 0 {
		if _, err := file.ReadAt(last, size-1); err != nil {
			return err
		}
	}
	if last[0] != '\n' { // the disk was full, or a process died
		lines = "\n" + lines
	}
	if _, err := file.WriteString(lines); err != nil {
		return err
	}
	return file.Sync()
}

// open opens the file, and keeps other processes off it until it is closed.
func (l *purchaseLog) open(flag int) (file *os.File, size int64, err error) {
	file, err = os.OpenFile(l.path, os.O_RDWR|os.O_APPEND|flag, 0o600)
	if err != nil {
		return nil, 0, err
	}
	err = lock(file, true)
	info, failure := file.Stat()
	if err = errors.Join(err, failure); err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: l.path, Err: errors.New("it is not a regular file")}
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// LogKept writes down the generations that no state holds any more, and that stay at the service.
func (c *Client) LogKept(groupID string, ids []string) {
	if len(ids) > 0 {
		c.log.record(&logEntry{Type: "keep", Outcome: outcomeKept, GroupID: groupID, Left: ids})
	}
}

// CheckPurchaseLog says, as far as it shows without writing, why no purchase could be logged.
func (c *Client) CheckPurchaseLog() error {
	if c.log.path == "" {
		return nil
	}
	file, _, err := c.log.open(0)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.Dir(c.log.path)); err != nil {
		return fmt.Errorf("%s cannot be made: %w", c.log.path, err)
	}
	return nil
}

// UnwrittenEntries returns, once, what has happened and the purchase log could not take, and why.
func (c *Client) UnwrittenEntries() []string {
	c.log.mutex.Lock()
	defer c.log.mutex.Unlock()
	entries := c.log.unwritten
	c.log.unwritten = nil
	return entries
}
