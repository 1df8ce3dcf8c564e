package character

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// imageFile is the plan's knowledge of a file.
type imageFile struct {
	sha256      string
	size        int64 // bytes
	contentType string
	head        []byte // the first bytes
}

// inspect reads a file once, to the end, without keeping the content: an upload
// may be as large as a disk.
func inspect(ctx context.Context, source string) (imageFile, error) {
	file, err := openImage(source)
	if err != nil {
		return imageFile{}, err
	}
	defer file.Close()
	// A large file takes long to read, so the file is closed when ctx ends.
	stop := context.AfterFunc(ctx, func() { _ = file.Close() })
	defer stop()
	content := bufio.NewReader(file)
	head, _ := content.Peek(media.HeadSize) // less for a short file; io.Copy returns any other error
	inspected := imageFile{contentType: media.ContentType(head), head: slices.Clone(head)}
	hash := sha256.New()
	inspected.size, err = io.Copy(hash, content)
	switch {
	case ctx.Err() != nil:
		return imageFile{}, context.Cause(ctx)
	case err != nil:
		return imageFile{}, withoutPath(err)
	case inspected.size == 0:
		return imageFile{}, errors.New("the file is empty")
	}
	inspected.sha256 = hex.EncodeToString(hash.Sum(nil))
	return inspected, nil
}

// openImage opens only regular files: opening a FIFO would block until another
// process writes to it.
func openImage(source string) (*os.File, error) {
	source = present(source)
	info, err := os.Stat(source)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(source, "*?["):
		return nil, errPattern
	case err != nil:
		return nil, withoutPath(err)
	case info.IsDir():
		return nil, errors.New("it is a directory, not a file")
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("it is not a regular file (%s)", info.Mode())
	}
	file, err := os.Open(source)
	if err != nil {
		return nil, withoutPath(err)
	}
	return file, nil
}

// present returns the path in the spelling of the file system. CLIs, and the
// function fileset, write texts in composed Unicode form, while names in a
// directory may be decomposed. A path that exists, or that matches none or
// several names, stays unchanged.
func present(source string) string {
	_, err := os.Lstat(source)
	if source == "" || !errors.Is(err, fs.ErrNotExist) || filepath.Dir(source) == source {
		return source
	}
	parent := present(filepath.Dir(source))
	entries, _ := os.ReadDir(parent)
	var similar []string
	for _, entry := range entries {
		if same.Text(entry.Name(), filepath.Base(source)) {
			similar = append(similar, entry.Name())
		}
	}
	if len(similar) != 1 {
		return source
	}
	return filepath.Join(parent, similar[0])
}

// withoutPath removes the path from a file's error, because the diagnostic
// already names it.
func withoutPath(err error) error {
	var failure *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errNoFile
	case errors.As(err, &failure):
		return failure.Err
	}
	return err
}

// checkImage checks a file before an upload, because the service accepts any
// file and cannot delete it. Text and empty archives are errors. Other types
// are only warnings, because not every image is recognised.
func (f imageFile) checkImage(source string, diags *diag.Diagnostics) {
	if kind := f.wrongType(); kind != "" {
		diags.Append(isNoImage(source, kind))
		return
	}
	if !strings.HasPrefix(f.contentType, "image/") {
		diags.Append(mayBeNoImage(source, f.contentType))
	}
}

// wrongType returns the kind of a file that cannot be an image; empty if it can
// be an image.
func (f imageFile) wrongType() string {
	switch {
	case bytes.HasPrefix(f.head, []byte("PK\x05\x06")):
		return "an empty ZIP archive"
	case len(bytes.TrimLeft(f.head, "\x00")) == 0:
		return "nothing but zero bytes where it begins, like an empty tar archive or a broken download"
	case bytes.HasPrefix(f.head, []byte("version https://git-lfs.github.com/")):
		return "a Git LFS pointer (run `git lfs pull` to fetch the file)"
	case strings.HasPrefix(f.contentType, "text/"):
		return "text (" + f.contentType + ")"
	}
	return ""
}
