package media

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Directory is where files are written. No file name can leave it.
type Directory struct{ root *os.Root }

// File is a file in a directory.
type File struct {
	Name string
	// Picture is set for images that every browser shows.
	Picture bool
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
	file, err := d.create(probe)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	_ = file.Close()
	return d, root.Remove(probe)
}

// Close releases the directory.
func (d *Directory) Close() error { return d.root.Close() }

// Find returns the nth file of a base name, of any type.
func (d *Directory) Find(base string, n int) (found File, ok bool) {
	for _, known := range fileTypes {
		name := fileName(base, n, known.extension)
		if _, err := d.root.Lstat(name); err == nil {
			return File{name, known.picture}, true
		}
	}
	return File{}, false
}

func temporaryName() string { return ".mediagen-" + rand.Text() + ".part" }

func (d *Directory) create(name string) (*os.File, error) {
	return d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// write writes a file under a temporary name and renames it once complete: a
// file with its final name is not downloaded again.
func (d *Directory) write(name string, fill func(io.Writer) error) error {
	temporary := temporaryName()
	file, err := d.create(temporary)
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

// head returns the beginning of a file; nil if it does not exist. Opening a FIFO
// would block, and a device never ends.
func (d *Directory) head(name string, size int64) ([]byte, error) {
	switch info, err := d.root.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New(name + " is not a regular file")
	}
	file, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, size))
}

// removeOthers removes what the nth file of a base name has replaced: files of
// other types.
func (d *Directory) removeOthers(base string, n int, current string) error {
	for _, known := range fileTypes {
		name := fileName(base, n, known.extension)
		info, err := d.root.Lstat(name)
		if name == current || err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := d.root.Remove(name); err != nil {
			return err
		}
	}
	return nil
}
