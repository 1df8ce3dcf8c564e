package purchases

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// file is one file of the log. It is opened for each entry: nothing is left to
// close, and it may be moved away meanwhile.
type file struct {
	path  string
	place string // the path without links, by which the files are in order
	locks

	mutex     sync.Mutex
	unwritten []string // lines that could not be written so far
	why       error    // why not the last
}

// placeOf is a path without links. The file need not exist yet.
func placeOf(path string) string {
	place, err := filepath.EvalSymlinks(path)
	if err == nil {
		return place
	}
	directory, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(directory, filepath.Base(path))
}

// distinct are the files of a log, each under one of its names: to lock it under
// a second would wait for ourselves. Which names are of one file is asked each
// time, since the first purchase makes the files.
func (l *Log) distinct() iter.Seq[*file] {
	return func(yield func(*file) bool) {
		var seen []os.FileInfo
		for _, f := range l.files {
			isSeen := func(other os.FileInfo) bool { return isFile(f.path, other) }
			if slices.ContainsFunc(seen, isSeen) {
				continue
			}
			if !yield(f) {
				return
			}
			info, err := os.Stat(f.path)
			if err == nil {
				seen = append(seen, info)
			}
		}
	}
}

// isFile reports whether a path is that of a file.
func isFile(path string, file os.FileInfo) bool {
	info, err := os.Stat(path)
	return err == nil && os.SameFile(info, file)
}

// lockedFile is a file that is open and locked.
type lockedFile struct {
	*os.File
	of *file
}

// open opens and locks the file, for as long as others may take.
func (f *file) open(ctx context.Context, most time.Duration) (*lockedFile, error) {
	opened, err := f.acquire(ctx, f.path, most)
	if err != nil {
		return nil, err
	}
	return &lockedFile{opened, f}, nil
}

func (w *lockedFile) close() error { return w.of.release(w.File) }

// append writes lines in one piece, after what could not be written before, and
// returns when they are on the disk.
func (w *lockedFile) append(lines ...string) error {
	w.of.mutex.Lock()
	defer w.of.mutex.Unlock()
	text := strings.Join(append(slices.Clip(w.of.unwritten), lines...), "")
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
	w.of.unwritten = nil
	return nil
}

// endsALine reports whether the last line is whole. After a full disk or a
// killed process it is not.
func (w *lockedFile) endsALine() (bool, error) {
	info, err := w.Stat()
	if err != nil || info.Size() == 0 {
		return true, err
	}
	last := []byte{0}
	_, err = w.ReadAt(last, info.Size()-1)
	return last[0] == '\n', err
}

// record appends a line of what has happened. What cannot be written waits for
// the next that can.
func (f *file) record(line string, most time.Duration) {
	err := f.try(most, line)
	if err == nil {
		return
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.unwritten = append(f.unwritten, line)
	f.why = err
}

// try appends lines if the lock can be had soon. An interrupt does not keep
// them out of the log.
func (f *file) try(most time.Duration, lines ...string) (err error) {
	w, err := f.open(context.Background(), most)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	return w.append(lines...)
}

// flush tries once more, and returns, once, the lines that are left.
func (f *file) flush(most time.Duration) (lines []string) {
	f.mutex.Lock()
	isEmpty := len(f.unwritten) == 0
	f.mutex.Unlock()
	if isEmpty || f.try(most) == nil {
		return nil
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, line := range f.unwritten {
		lines = append(lines, fmt.Sprintf("%s(%s)", line, f.why))
	}
	f.unwritten = nil
	return lines
}

var (
	errNoFile    = errors.New("it is not a regular file")
	errDirectory = errors.New("it is a directory, and not a file")
	errDangling  = errors.New("it is a link to a file that does not exist, so that what it had before may be missing")
)

// openToAppend opens a file, or makes it.
func openToAppend(path string) (*os.File, error) {
	opened, err := openExisting(path)
	if !errors.Is(err, os.ErrNotExist) {
		return opened, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
}

// openExisting opens a file to append to it. Where there is none, the error is
// os.ErrNotExist.
func openExisting(path string) (*os.File, error) {
	opened, err := openRegular(path, os.O_RDWR|os.O_APPEND)
	if _, linkErr := os.Lstat(path); errors.Is(err, os.ErrNotExist) && linkErr == nil {
		opened, err = openRegular(path, os.O_RDWR|os.O_APPEND) // another run may have made it meanwhile
		if errors.Is(err, os.ErrNotExist) {
			err = openError(path, errDangling)
		}
	}
	return opened, err
}

// openRegular opens a file that is one. To open a pipe or a device may wait, or
// do something: nothing else is opened, and a pipe that takes the place of the
// file meanwhile is not waited for.
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

// whyIrregular says why what has the path of a log is none.
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

// check says, without a trace, why nothing can be written to the file.
func (f *file) check() error {
	opened, err := openExisting(f.path)
	if err == nil {
		return opened.Close()
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
