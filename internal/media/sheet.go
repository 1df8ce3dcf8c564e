package media

import (
	"bytes"
	_ "embed"
	"errors"
	"html/template"
	"io"
	"time"
)

// SheetName is the file name of a contact sheet.
const SheetName = "index.html"

// ErrForeignSheet means that an existing index.html is no contact sheet, and
// was kept.
var ErrForeignSheet = errors.New("the existing " + SheetName + " is not a contact sheet of this provider")

//go:embed sheet.html
var sheetText string

var sheet = template.Must(template.New(SheetName).Funcs(template.FuncMap{"link": linkTo}).Parse(sheetText))

var sheetMark = []byte(`<meta name="generator" content="terraform-provider-mediagen">`)

// Sheet is a page that shows files.
type Sheet struct {
	Title   string
	Written time.Time
	Entries []Entry
}

// WriteSheet writes a contact sheet. An index.html that is no contact sheet is
// replaced only with overwrite.
func (d *Directory) WriteSheet(page Sheet, overwrite bool) error {
	return d.writePage(overwrite, func(w io.Writer) error { return sheet.Execute(w, page) })
}

// writePage writes the directory's page, unless another program has written it.
func (d *Directory) writePage(overwrite bool, fill func(w io.Writer) error) error {
	before, err := d.head(SheetName, 1<<10)
	if err != nil {
		return err
	}
	if len(before) > 0 && !bytes.Contains(before, sheetMark) && !overwrite {
		return ErrForeignSheet
	}
	return d.write(SheetName, fill)
}
