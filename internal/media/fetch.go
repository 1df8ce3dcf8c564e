package media

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
)

const buffer = 64 << 10

// Fetch downloads an address to the directory as the nth file of a base name, and
// replaces the existing one, of whatever type. Failures of the download are *Error,
// others concern the directory. watch receives the bytes written so far. The entry has
// what the content tells of the file.
func (c *Client) Fetch(ctx context.Context, address string, into *Directory, base string, n int, watch func(bytes int64)) (Entry, error) {
	source, err := c.open(ctx, address)
	if err != nil {
		return Entry{}, err
	}
	defer source.Close()
	content := bufio.NewReaderSize(source, buffer)
	head, err := content.Peek(Sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return Entry{}, err
	}
	detected, err := typeOf(head)
	if err != nil {
		return Entry{}, source.fail(err)
	}
	entry := Entry{File: File{fileName(base, n, detected.extension), detected.picture}}
	hash := sha256.New()
	err = into.write(entry.File.Name, func(w io.Writer) error {
		entry.Size, err = io.Copy(io.MultiWriter(w, hash, &counter{watch: watch}), content)
		return err
	})
	if err == nil {
		err = into.removeOthers(base, n, entry.File.Name)
	}
	entry.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return entry, err
}

// counter reports how many bytes were written.
type counter struct {
	watch func(bytes int64)
	total int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.total += int64(len(p))
	c.watch(c.total)
	return len(p), nil
}
