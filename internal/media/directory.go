package media

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Directory is a directory for downloaded files. No file name can leave it.
type Directory struct{ root *os.Root }

// File is a file in a directory.
type File struct {
	Name    string
	Picture bool // an image that every browser shows
}

// OpenDirectory creates the directory if it is missing, and checks that it is
// writable.
func OpenDirectory(path string) (*Directory, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	d := &Directory{root}
	probe := temporaryName()
	if err := d.write(probe, func(io.Writer) error { return nil }); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return d, root.Remove(probe)
}

// Close releases the directory.
func (d *Directory) Close() error { return d.root.Close() }

// Find returns the nth file of a base name; several, if there are files of
// different types.
func (d *Directory) Find(base string, n int) (found []File) {
	for _, known := range fileTypes {
		name := fileName(base, n, known.extension)
		if _, err := d.root.Lstat(name); err == nil {
			found = append(found, File{name, known.picture})
		}
	}
	return found
}

func temporaryName() string { return ".mediagen-" + rand.Text() + ".part" }

// write writes a file under a temporary name and renames it once it is
// complete, because a file with its final name is not downloaded again.
func (d *Directory) write(name string, fill func(io.Writer) error) error {
	temporary := temporaryName()
	file, err := d.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = cmp.Or(fill(file), file.Sync(), file.Close())
	if err == nil {
		err = d.root.Rename(temporary, name)
	}
	if err != nil {
		_ = d.root.Remove(temporary)
	}
	return err
}

// asideName is the directory of files that were set aside.
const asideName = "superseded"

// SetAside copies a file to a subdirectory, under a name that mark makes
// unique. It returns the copy's name relative to this directory.
func (d *Directory) SetAside(name, mark string) (copied string, err error) {
	if err := d.root.Mkdir(asideName, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	file, err := d.open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	extension := path.Ext(name)
	copied = path.Join(asideName, safe(strings.TrimSuffix(name, extension)+"_"+mark)+extension)
	return copied, d.write(copied, func(w io.Writer) error {
		_, err := io.Copy(w, file)
		return err
	})
}

// Remove deletes a file.
func (d *Directory) Remove(name string) error { return d.root.Remove(name) }

// open opens a regular file: a FIFO would block, and a device never ends.
func (d *Directory) open(name string) (*os.File, error) {
	switch info, err := d.root.Stat(name); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New(name + " is not a regular file")
	}
	return d.root.Open(name)
}

// head returns the beginning of a file; nil if it does not exist.
func (d *Directory) head(name string, size int64) ([]byte, error) {
	file, err := d.open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, size))
}

// deleteOthers deletes the files of other types that the nth file of a base
// name has replaced.
func (d *Directory) deleteOthers(base string, n int, current string) error {
	for _, file := range d.Find(base, n) {
		info, err := d.root.Lstat(file.Name)
		if file.Name == current || err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := d.root.Remove(file.Name); err != nil {
			return err
		}
	}
	return nil
}
