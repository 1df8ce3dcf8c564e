package purchases

import (
	"bufio"
	"bytes"
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
	offset int64       // behind the last whole line, or the last whole entry of one without its end
	line   int         // how many lines end before the offset

	unreadable unreadableLines
	// tail says why the last line, which has no end yet, can be the beginning of
	// no entry.
	tail string
}

// read calls take with each entry that was added since the last read. A file in
// the place of another is read from its beginning, after restart. A line that
// is torn says nothing: a disk was full, or a process was killed. What else is
// no entry is noted, and failure tells it.
func (r *reader) read(path string, restart func(), take func(*Entry)) (err error) {
	opened, err := openRegular(path, os.O_RDONLY)
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
		*r = reader{}
	}
	r.info = info
	r.tail = ""
	lines := bufio.NewScanner(io.NewSectionReader(opened, r.offset, info.Size()-r.offset))
	lines.Buffer(nil, maxLine)
	lines.Split(linesAndTail)
	for lines.Scan() {
		r.take(lines.Bytes(), take)
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

// take reads a line. Of one without its end, another process may be writing the
// rest: its whole entries are read, and what follows them is left.
func (r *reader) take(line []byte, take func(*Entry)) {
	content, isWhole := bytes.CutSuffix(line, []byte("\n"))
	found := decode(content, take)
	if found.reason != "" {
		r.unreadable.add(r.line+1, found.reason)
	}
	if !isWhole {
		r.tail = found.rest
		r.offset += int64(found.size)
		return
	}
	if found.rest != "" && found.reason == "" {
		r.unreadable.add(r.line+1, found.rest)
	}
	r.line++
	r.offset += int64(len(line))
}

// linesAndTail splits after each line feed, and returns what follows the last.
func linesAndTail(data []byte, isLast bool) (advance int, line []byte, err error) {
	end := bytes.IndexByte(data, '\n') + 1
	if end == 0 && isLast {
		end = len(data)
	}
	if end == 0 {
		return 0, nil, nil
	}
	return end, data[:end], nil
}
