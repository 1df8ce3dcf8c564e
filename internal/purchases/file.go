package purchases

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// file is a file of the log. It is opened for each entry, so that no handle has
// to be closed at the end, and the file may be moved meanwhile.
type file struct {
	path     string
	patience Patience
	isUsed   bool // the file guards, or its sums limit purchases; other files are never read
	locks

	pages  pages
	reader reader // guarded by the pages' mutex

	mutex sync.Mutex
	lines []string // lines that could not be written so far
	why   error    // why the last line was not written
}

func newFile(path string, config Config, prices prices) *file {
	return &file{
		path:     path,
		patience: config.Patience,
		pages:    newPages(prices),
		locks: locks{
			turn: semaphore.NewWeighted(1),
			tell: config.Patience.Tell,
			say:  config.Say,
		},
	}
}

func (f *file) address() string { return f.path }
func (f *file) said() *pages    { return &f.pages }

func (f *file) recall() error {
	f.pages.mutex.Lock()
	isRead := f.reader.info != nil
	f.pages.mutex.Unlock()
	if isRead {
		return nil
	}
	return f.refresh()
}

func (f *file) refresh() error {
	f.pages.mutex.Lock()
	defer f.pages.mutex.Unlock()
	return f.reader.read(f.path, f.pages.restart, f.pages.take)
}

func (f *file) unreadable() error {
	f.pages.mutex.Lock()
	defer f.pages.mutex.Unlock()
	return f.reader.failure(f.path)
}

func (f *file) openOnce(context.Context) {} // each question opens the file
func (f *file) anew()                    {} // each question reads the added lines
func (f *file) finish()                  {} // somebody waits for each line

// is reports whether other is this file.
func (f *file) is(other os.FileInfo) bool {
	info, err := os.Stat(f.path)
	return err == nil && os.SameFile(info, other)
}

// lockedFile is a file that is open and locked.
type lockedFile struct {
	*os.File
	of *file
}

// open opens and locks the file. It waits for the lock for at most the given
// time.
func (f *file) open(ctx context.Context, most time.Duration) (*lockedFile, error) {
	opened, err := f.acquire(ctx, f.path, most)
	if err != nil {
		return nil, err
	}
	return &lockedFile{opened, f}, nil
}

func (w *lockedFile) close() error { return w.of.release(w.File) }

// append writes the lines under the lock, so that the second of two concurrent
// runs reads the lines of the first.
func (f *file) append(ctx context.Context, decide func() ([]string, error)) (err error) {
	w, err := f.open(ctx, f.patience.Buy)
	if err != nil {
		return err
	}
	defer func() { _ = w.close() }() // the content is already synced
	if f.isUsed {
		err = f.refresh()
	}
	if err != nil {
		return err
	}
	lines, err := decide()
	if err != nil {
		return err
	}
	return w.append(lines...)
}

// append writes lines in one piece, after earlier lines that could not be
// written, and returns when all are on the disk.
func (w *lockedFile) append(lines ...string) error {
	w.of.mutex.Lock()
	defer w.of.mutex.Unlock()
	text := strings.Join(append(slices.Clip(w.of.lines), lines...), "")
	whole, err := w.endsALine()
	if err != nil {
		return err
	}
	if !whole { // the disk was full, or a process died
		text = "\n" + text
	}
	if _, err := w.WriteString(text); err != nil {
		return err
	}
	if err := w.Sync(); err != nil {
		return err
	}
	w.of.lines = nil
	return nil
}

// endsALine reports whether the last line is complete. After a full disk or a
// killed process it may not be.
func (w *lockedFile) endsALine() (bool, error) {
	info, err := w.Stat()
	if err != nil || info.Size() == 0 {
		return true, err
	}
	last := []byte{0}
	_, err = w.ReadAt(last, info.Size()-1)
	return last[0] == '\n', err
}

// record appends a line about an event. A line that cannot be written is
// written with the next line.
func (f *file) record(line string) {
	err := f.try(line)
	if err == nil {
		return
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.lines = append(f.lines, line)
	f.why = err
}

func (f *file) note(lines []string) { _ = f.try(lines...) }

// try appends lines if the lock is free soon. An interrupt does not stop it.
func (f *file) try(lines ...string) (err error) {
	w, err := f.open(context.Background(), f.patience.Other)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	return w.append(lines...)
}

// unwritten tries once more, and returns, once, the lines that could not be
// written.
func (f *file) unwritten() (lines []string) {
	f.mutex.Lock()
	isEmpty := len(f.lines) == 0
	f.mutex.Unlock()
	if isEmpty || f.try() == nil {
		return nil
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, line := range f.lines {
		lines = append(lines, fmt.Sprintf("%s(%s)", line, f.why))
	}
	f.lines = nil
	return lines
}

var (
	errNoFile    = errors.New("it is not a regular file")
	errDirectory = errors.New("it is a directory, and not a file")
	errDangling  = errors.New("it is a link to a file that does not exist, so that what it had before may be missing")
)

// openToAppend opens a file, or creates it.
func openToAppend(path string) (*os.File, error) {
	opened, err := openExisting(path)
	if !errors.Is(err, os.ErrNotExist) {
		return opened, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
}

// openExisting opens a file to append to it. If there is none, the error is
// os.ErrNotExist.
func openExisting(path string) (*os.File, error) {
	opened, err := openRegular(path, os.O_RDWR|os.O_APPEND)
	if _, linkErr := os.Lstat(path); errors.Is(err, os.ErrNotExist) && linkErr == nil {
		opened, err = openRegular(path, os.O_RDWR|os.O_APPEND) // another run may have created it meanwhile
		if errors.Is(err, os.ErrNotExist) {
			err = openError(path, errDangling)
		}
	}
	return opened, err
}

// openRegular opens a regular file only. Opening a pipe or a device may block,
// or have an effect. If a pipe takes the place of the file meanwhile, opening
// it does not block either.
func openRegular(path string, how int) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = whyIrregular(path, info)
	}
	if err != nil {
		return nil, err
	}
	opened, err := os.OpenFile(path, how|openWithoutWait, 0)
	if err != nil {
		return nil, err
	}
	info, err = opened.Stat()
	if err == nil {
		err = whyIrregular(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return opened, nil
}

// whyIrregular says why the file system entry at the path of a log cannot be a
// log.
func whyIrregular(path string, info os.FileInfo) error {
	switch {
	case info.IsDir():
		return openError(path, errDirectory)
	case !info.Mode().IsRegular():
		return openError(path, errNoFile)
	default:
		return nil
	}
}

func openError(path string, why error) error {
	return &os.PathError{
		Op:   "open",
		Path: path,
		Err:  why,
	}
}

// check returns the reason why the file cannot be written. It leaves no trace.
func (f *file) check() error {
	opened, err := openExisting(f.path)
	if err == nil {
		err = opened.Close()
		if err == nil && f.isUsed {
			err = f.refresh()
		}
		return err
	}
	if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	directory := filepath.Dir(f.path)
	_, err = os.Stat(directory)
	if err == nil {
		err = checkDirectory(directory)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be made: %w", f.path, err)
	}
	return nil
}
