package api

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// logFile is a file to which several processes may append lines. It is opened
// for each line: nothing is left to close, and it may be moved away meanwhile.
type logFile struct {
	path  string
	mutex sync.Mutex
}

// newLogFile names the file for good: a relative path goes by the working
// directory of now. No path is no file.
func newLogFile(path string) (*logFile, error) {
	if path == "" {
		return nil, nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("the path of the purchase log %q: %w", path, err)
	}
	return &logFile{path: absolute}, nil
}

// append writes a line in one piece, and returns when it is on the disk.
func (f *logFile) append(line []byte) (err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	empty, torn, err := f.end(file)
	if err != nil {
		return err
	}
	text := string(line) + "\n"
	if torn {
		text = "\n" + text
	}
	if _, err := file.WriteString(text); err != nil {
		return err
	}
	if empty {
		defer syncDirectory(filepath.Dir(f.path))
	}
	return file.Sync()
}

// syncDirectory writes the name of a new file to the disk. Not every system can.
func syncDirectory(path string) {
	if directory, err := os.Open(path); err == nil {
		_ = directory.Sync()
		_ = directory.Close()
	}
}

// end reports that there is nothing yet, or that the last line has no end: the
// disk was full, or a process died.
func (f *logFile) end(file *os.File) (empty, torn bool, err error) {
	info, err := file.Stat()
	if err != nil {
		return false, false, err
	}
	if !info.Mode().IsRegular() {
		return false, false, &os.PathError{Op: "open", Path: f.path, Err: errNotRegular}
	}
	if info.Size() == 0 {
		return true, false, nil
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, info.Size()-1); err != nil {
		return false, false, err
	}
	return false, last[0] != '\n', nil
}

var errNotRegular = errors.New("it is not a regular file")

// check finds what would stop append, as far as that shows without writing. It
// creates nothing.
func (f *logFile) check() error {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(f.path)); err != nil {
			return fmt.Errorf("%s cannot be made: %w", f.path, err)
		}
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return &os.PathError{Op: "open", Path: f.path, Err: errNotRegular}
	}
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	return file.Close()
}
