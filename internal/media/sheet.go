package media

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"html/template"
	"io"
	"net/url"
	"slices"
)

// SheetName is the file name of a contact sheet.
const SheetName = "index.html"

// ErrForeignSheet means that an existing index.html is not a contact sheet, and was
// kept.
var ErrForeignSheet = errors.New("the existing " + SheetName + " is not a contact sheet of this provider")

// SheetEntry is one file on a contact sheet.
type SheetEntry struct {
	Name, Prompt string
	// Generation is the id of what the file shows; empty if that is not known.
	Generation string
	File       File
}

// figure is an entry as the page has it. A hidden one is only there to be read:
// its file still exists, but was not asked for any more.
type figure struct {
	SheetEntry
	Size   int64
	Hidden bool
}

//go:embed sheet.html
var sheetText string

// The links are relative, so that the page opens from disk and moves with its
// directory.
var sheet = template.Must(template.New(SheetName).Funcs(template.FuncMap{
	"link": func(name string) string { return "./" + url.PathEscape(name) },
}).Parse(sheetText))

var sheetMark = []byte(`<meta name="generator" content="terraform-provider-mediagen">`)

// WriteSheet writes a page that shows the entries. Another index.html is replaced
// only with overwrite.
func (d *Directory) WriteSheet(entries []SheetEntry, overwrite bool) error {
	before, err := d.head(SheetName, 1<<10)
	if err != nil {
		return err
	}
	if len(before) > 0 && !bytes.Contains(before, sheetMark) && !overwrite {
		return ErrForeignSheet
	}
	former, sizes := d.Sheet(), d.sizes()
	var figures []figure
	for _, entry := range entries {
		figures = append(figures, figure{SheetEntry: entry, Size: sizes[entry.File.Name]})
		delete(former, entry.File.Name)
	}
	shown := len(figures)
	for name, entry := range former {
		figures = append(figures, figure{SheetEntry: entry, Size: sizes[name], Hidden: true})
	}
	slices.SortFunc(figures[shown:], func(a, b figure) int { return cmp.Compare(a.File.Name, b.File.Name) })
	return d.write(SheetName, func(w io.Writer) error { return sheet.Execute(w, figures) })
}
