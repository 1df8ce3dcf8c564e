package character

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// imageFile is what a plan knows about a file.
type imageFile struct {
	sha256      string
	size        int64 // bytes
	contentType string
	head        []byte // its first bytes
	blank       bool   // all of its bytes are zero
}

// sniffed is how much of a file its type is detected from.
const sniffed = 512

// typesByName are image types that cannot be detected from the content.
var typesByName = map[string]string{
	".avif": "image/avif", ".heic": "image/heic", ".heif": "image/heif", ".tif": "image/tiff", ".tiff": "image/tiff",
}

// inspect reads a whole file, without holding it in memory.
func inspect(ctx context.Context, source string) (imageFile, error) {
	if err := checkRegular(source); err != nil {
		return imageFile{}, err
	}
	file, err := os.Open(source)
	if err != nil {
		return imageFile{}, readable(err)
	}
	defer func() { _ = file.Close() }() // it was only read
	hash, head := sha256.New(), &prefix{}
	size, err := io.Copy(io.MultiWriter(hash, head), cancelable{ctx, file})
	if err != nil {
		return imageFile{}, readable(err)
	}
	if size == 0 {
		return imageFile{}, errors.New("the file is empty")
	}
	return imageFile{
		sha256: hex.EncodeToString(hash.Sum(nil)), size: size, contentType: contentType(head.bytes, source), head: head.bytes, blank: !head.filled,
	}, nil
}

// checkRegular rejects what is not a file before it is opened: opening a FIFO
// would block until somebody writes to it.
func checkRegular(source string) error {
	info, err := os.Stat(source)
	switch {
	case err != nil:
		return readable(err)
	case info.IsDir():
		return errors.New("it is a directory, not a file")
	case !info.Mode().IsRegular():
		return fmt.Errorf("it is not a regular file (%s)", info.Mode())
	}
	return nil
}

// readable removes the path, which the diagnostic names, from a file's error.
func readable(err error) error {
	var failure *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file; a relative path is taken from the directory that the CLI runs in, so begin it with ${path.module}")
	case errors.As(err, &failure):
		return failure.Err
	}
	return err
}

func contentType(head []byte, source string) string {
	detected := http.DetectContentType(head)
	if named, ok := typesByName[strings.ToLower(filepath.Ext(source))]; ok && detected == "application/octet-stream" {
		return named
	}
	return detected
}

// prefix keeps the first bytes that are written to it; filled says that some
// byte is not zero.
type prefix struct {
	bytes  []byte
	filled bool
}

func (p *prefix) Write(data []byte) (int, error) {
	p.filled = p.filled || len(bytes.TrimLeft(data, "\x00")) > 0
	if room := sniffed - len(p.bytes); room > 0 {
		p.bytes = append(p.bytes, data[:min(room, len(data))]...)
	}
	return len(data), nil
}

// cancelable stops reading a large file once ctx ends.
type cancelable struct {
	ctx    context.Context
	reader io.Reader
}

func (c cancelable) Read(buffer []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.reader.Read(buffer)
}
