package media

import (
	"bytes"
	_ "embed"
	"errors"
	"html/template"
	"io"
	"net/url"
)

// SheetName is the file name of a contact sheet.
const SheetName = "index.html"

// ErrForeignSheet says that there is an index.html already which is no contact
// sheet. It is not touched.
var ErrForeignSheet = errors.New("the directory has an " + SheetName + " that is no contact sheet of this provider")

// Exhibit is what a contact sheet shows of one thing.
type Exhibit struct {
	Name, Prompt string
	Files        []File
}

//go:embed sheet.html
var sheetText string

// The links are relative, so that the page opens from disk and moves with its
// directory.
var sheet = template.Must(template.New(SheetName).Funcs(template.FuncMap{
	"link": func(name string) string { return "./" + url.PathEscape(name) },
}).Parse(sheetText))

var sheetMark = []byte(`<meta name="generator" content="terraform-provider-mediagen">`)

// WriteSheet writes a page that shows the exhibits. A page of somebody else is
// replaced only to overwrite.
func (d *Directory) WriteSheet(exhibits []Exhibit, overwrite bool) error {
	before, err := d.head(SheetName, 1<<10)
	if err != nil {
		return err
	}
	if len(before) > 0 && !bytes.Contains(before, sheetMark) && !overwrite {
		return ErrForeignSheet
	}
	return d.write(SheetName, func(w io.Writer) error { return sheet.Execute(w, exhibits) })
}
