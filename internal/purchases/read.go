package purchases

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxLine bounds a line: that of a batch has a hash for each prompt.
const maxLine = 32 << 20

// reader remembers how far a file was read, so that only what was added since
// is read again.
type reader struct {
	info   os.FileInfo // of the file that was read; nil before
	offset int64       // behind the last whole line
}

// read calls take with each entry that was added since the last read. A file in
// the place of another is read from its beginning, after restart. What is no
// entry says nothing: a disk was full, or another version has written it.
func (r *reader) read(path string, restart func(), take func(*Entry)) (err error) {
	opened, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	info, err := opened.Stat()
	if err != nil {
		return err
	}
	if r.info != nil && (!os.SameFile(r.info, info) || info.Size() < r.offset) {
		restart()
		r.offset = 0
	}
	r.info = info
	lines := bufio.NewScanner(io.NewSectionReader(opened, r.offset, info.Size()-r.offset))
	lines.Buffer(nil, maxLine)
	lines.Split(wholeLines)
	for lines.Scan() {
		line := lines.Bytes()
		r.offset += int64(len(line))
		entry := &Entry{}
		if json.Unmarshal(line, entry) == nil {
			take(entry)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf(
			"%s cannot be read: a line is longer than %d MiB, which none of the log is",
			path,
			maxLine>>20,
		)
	}
	return lines.Err()
}

// wholeLines splits after each newline. What another process has only begun to
// write is left.
func wholeLines(data []byte, _ bool) (advance int, line []byte, err error) {
	end := bytes.IndexByte(data, '\n') + 1
	if end == 0 {
		return 0, nil, nil
	}
	return end, data[:end], nil
}
