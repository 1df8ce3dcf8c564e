package purchases

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxLine bounds a line. The line of a batch has a hash for each prompt.
const maxLine = 32 << 20

// reader remembers how far a file was read, so that only added lines are read
// again.
type reader struct {
	info   os.FileInfo // of the file that was read; nil before
	offset int64       // after the last complete line, or after the last complete entry of a line without an end
	line   int         // the number of lines before the offset

	unreadable unreadableLines
	// tail says why the last line, which has no end yet, cannot be the
	// beginning of an entry.
	tail string
}

// read calls take with each entry that was added since the last read. If a
// different file is in the place of the former one, read calls restart and
// reads it from its beginning. A torn line is ignored: a disk was full, or a
// process was killed. Any other line that is no entry is noted, and failure
// reports it.
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

// take reads a line. If the line has no end, another process may be writing the
// rest: its complete entries are read, and the rest is left.
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

// linesAndTail splits after each line feed, and returns the text after the
// last.
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
