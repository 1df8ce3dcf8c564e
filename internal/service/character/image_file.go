package character

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

// imageFile is what a plan knows about a file.
type imageFile struct {
	sha256      string
	size        int64 // bytes
	contentType string
	head        []byte // its first bytes
}

// inspect reads a whole file, without holding it in memory.
func inspect(ctx context.Context, source string) (imageFile, error) {
	file, err := openImage(source)
	if err != nil {
		return imageFile{}, err
	}
	// A large file takes long to read: it is closed once ctx ends.
	closed := context.AfterFunc(ctx, func() { _ = file.Close() })
	defer func() {
		if closed() {
			_ = file.Close() // it was only read
		}
	}()
	content := bufio.NewReader(file)
	head, _ := content.Peek(media.Sniffed) // less for a short file; copying tells other errors
	inspected := imageFile{contentType: media.ContentType(head), head: slices.Clone(head)}
	hash := sha256.New()
	inspected.size, err = io.Copy(hash, content)
	switch {
	case ctx.Err() != nil:
		return imageFile{}, context.Cause(ctx)
	case err != nil:
		return imageFile{}, readable(err)
	case inspected.size == 0:
		return imageFile{}, errors.New("the file is empty")
	}
	inspected.sha256 = hex.EncodeToString(hash.Sum(nil))
	return inspected, nil
}

// openImage opens a regular file. Opening a FIFO would block until somebody writes
// to it.
func openImage(source string) (*os.File, error) {
	info, err := os.Stat(source)
	switch {
	case err != nil:
		return nil, readable(err)
	case info.IsDir():
		return nil, errors.New("it is a directory, not a file")
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("it is not a regular file (%s)", info.Mode())
	}
	file, err := os.Open(source)
	if err != nil {
		return nil, readable(err)
	}
	return file, nil
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
