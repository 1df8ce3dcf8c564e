package media

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Gallery is a page of all files in the records of a directory and its
// subdirectories.
type Gallery struct {
	Title   string
	Written time.Time
	Groups  []galleryGroup // the group with the newest file first
	Files   int
}

// galleryGroup are the files of a group.
type galleryGroup struct {
	Title, Character string
	Labels           map[string]string
	Keys             []*galleryKey // the key with the newest file first
}

// galleryKey are the files of a key, newest first.
type galleryKey struct {
	Name       string
	Current    []galleryFile
	Superseded []galleryFile
}

// galleryFile is a file in a record.
type galleryFile struct {
	Entry
	Path    string // from the gallery, with slashes
	Picture bool
	Moment  time.Time // when it was submitted, else when it was saved; zero if neither is known
}

//go:embed gallery.html
var galleryText string

var gallery = template.Must(template.New("gallery").Funcs(template.FuncMap{"link": linkTo}).Parse(galleryText))

// linkTo returns a relative link, so that the page opens from disk and moves
// with its directory.
func linkTo(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return "./" + strings.Join(parts, "/")
}

// galleries are written one after the other: if two downloads end together, the
// second page has the files of both.
var galleries sync.Mutex

// WriteGallery writes the gallery of a directory, under the same conditions as
// WriteSheet.
func (d *Directory) WriteGallery(title string, written time.Time, overwrite bool) error {
	galleries.Lock()
	defer galleries.Unlock()
	page := d.gallery()
	page.Title = title
	page.Written = written
	return d.writePage(overwrite, func(w io.Writer) error { return gallery.Execute(w, page) })
}

// gallery returns the contents of the records as a page.
func (d *Directory) gallery() (page Gallery) {
	files := d.filesBelow()
	page.Files = len(files)
	groups := map[string]*galleryGroup{}
	var order []string
	for _, key := range keysOf(files) {
		newest := key.newest()
		id := cmp.Or(newest.Group, path.Dir(newest.Path))
		if groups[id] == nil {
			order = append(order, id)
			groups[id] = &galleryGroup{
				Title:     cmp.Or(newest.GroupTitle, id),
				Character: newest.Character,
				Labels:    newest.Labels,
			}
		}
		groups[id].Keys = append(groups[id].Keys, key)
	}
	for _, id := range order {
		page.Groups = append(page.Groups, *groups[id])
	}
	return page
}

// filesBelow returns the files of all records, newest first. It leaves out
// hidden directories and those that cannot be read.
func (d *Directory) filesBelow() (files []galleryFile) {
	_ = fs.WalkDir(d.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		isHidden := name != "." && strings.HasPrefix(path.Base(name), ".")
		switch {
		case err != nil: // of reading the directory
			return fs.SkipDir
		case !entry.IsDir():
			return nil
		case isHidden:
			return fs.SkipDir
		}
		for file, known := range d.recordIn(name) {
			files = append(files, newGalleryFile(path.Join(name, file), known))
		}
		return nil
	})
	slices.SortFunc(files, func(a, b galleryFile) int {
		return cmp.Or(b.Moment.Compare(a.Moment), cmp.Compare(a.Path, b.Path))
	})
	return files
}

func newGalleryFile(name string, entry Entry) galleryFile {
	file := galleryFile{Entry: entry, Path: name}
	for _, moment := range []string{entry.SavedAt, entry.CreatedAt} {
		if at, known := same.ParseMoment(moment); known {
			file.Moment = at.UTC()
		}
	}
	file.Picture = slices.ContainsFunc(fileTypes, func(t fileType) bool {
		return t.picture && strings.EqualFold(t.extension, path.Ext(name))
	})
	return file
}

// keysOf groups files, newest first, by their keys. A file that a record marks
// as superseded is grouped with its successor, whatever its own group was.
func keysOf(files []galleryFile) (keys []*galleryKey) {
	byKey := map[[2]string]*galleryKey{}
	byGeneration := map[string]*galleryKey{}
	for _, file := range files {
		in := cmp.Or(byKey[file.key()], byGeneration[file.SupersededBy])
		if in == nil {
			in = &galleryKey{Name: cmp.Or(file.Key, file.Name)}
			keys = append(keys, in)
		}
		byKey[file.key()] = in
		byGeneration[file.Generation] = in
		if in.isCurrent(file) {
			in.Current = append(in.Current, file)
		} else {
			in.Superseded = append(in.Superseded, file)
		}
	}
	return keys
}

// key is equal for two files if one supersedes the other.
func (f galleryFile) key() [2]string {
	if f.Group == "" || f.Key == "" {
		return [2]string{path.Dir(f.Path), f.Name}
	}
	return [2]string{f.Group, f.Key}
}

// isCurrent reports whether a file, which is older than the files before it,
// belongs to the newest generation.
func (k *galleryKey) isCurrent(file galleryFile) bool {
	if len(k.Current) > 0 {
		return file.Generation == k.Current[0].Generation
	}
	return file.SupersededBy == ""
}

func (k *galleryKey) newest() galleryFile { return append(slices.Clone(k.Current), k.Superseded...)[0] }
