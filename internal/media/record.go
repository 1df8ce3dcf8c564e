package media

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"maps"
	"net/url"
	"time"
)

// RecordName is the file name of the record, which tells later runs what the
// files show.
const RecordName = ".mediagen.json"

// Entry is what is known of one file.
type Entry struct {
	Name       string `json:"name"`
	Prompt     string `json:"prompt"`
	Generation string `json:"generation"` // empty if that is not known
	Size       int64  `json:"size"`
	SHA256     string `json:"sha256"`
	File       File   `json:"-"`
}

// Record returns what earlier runs have written down of files, by file name.
// Anybody may have changed the record or the files: it only answers for files
// in the directory that have the size that it was written for; IsUnchanged
// tells more. A record that cannot be read says nothing.
func (d *Directory) Record() map[string]Entry {
	content, err := d.head(RecordName, 64<<20)
	var record map[string]Entry
	if err != nil || json.Unmarshal(content, &record) != nil || record == nil {
		return map[string]Entry{}
	}
	maps.DeleteFunc(record, func(name string, entry Entry) bool {
		info, err := d.root.Lstat(name)
		return err != nil || !info.Mode().IsRegular() || info.Size() != entry.Size || entry.Generation == ""
	})
	return record
}

// IsUnchanged reports whether a file has the content that its entry was written
// for.
func (d *Directory) IsUnchanged(name string, entry Entry) bool {
	file, err := d.open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return err == nil && hex.EncodeToString(hash.Sum(nil)) == entry.SHA256
}

// WriteRecord adds entries, by file name, to the record.
func (d *Directory) WriteRecord(entries map[string]Entry) error {
	record := d.Record()
	maps.Copy(record, entries)
	return d.write(RecordName, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(record)
	})
}

// SheetName is the file name of a contact sheet.
const SheetName = "index.html"

// ErrForeignSheet means that an existing index.html is not a contact sheet, and
// was kept.
var ErrForeignSheet = errors.New("the existing " + SheetName + " is not a contact sheet of this provider")

//go:embed sheet.html
var sheetText string

// The links are relative, so that the page opens from disk and moves with its
// directory.
var sheet = template.Must(template.New(SheetName).Funcs(template.FuncMap{
	"link": func(name string) string { return "./" + url.PathEscape(name) },
}).Parse(sheetText))

var sheetMark = []byte(`<meta name="generator" content="terraform-provider-mediagen">`)

// Sheet is a page that shows files.
type Sheet struct {
	Title   string
	Written time.Time
	Entries []Entry
}

// WriteSheet writes a contact sheet. Another index.html is replaced only with
// overwrite.
func (d *Directory) WriteSheet(page Sheet, overwrite bool) error {
	before, err := d.head(SheetName, 1<<10)
	if err != nil {
		return err
	}
	if len(before) > 0 && !bytes.Contains(before, sheetMark) && !overwrite {
		return ErrForeignSheet
	}
	return d.write(SheetName, func(w io.Writer) error { return sheet.Execute(w, page) })
}
