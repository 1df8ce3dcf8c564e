package media

import (
	"bytes"
	"io"
	"io/fs"
	"strconv"

	"golang.org/x/net/html"
)

const (
	// The most that is read of a contact sheet, and of one text in it.
	maxSheet, maxSheetText = 64 << 20, 1 << 20
)

// Sheet returns what the contact sheet of an earlier run says about the files of
// which it knows the generation, by file name. Anybody may have changed the page
// or the files: it only answers for files in the directory that have the size
// that it was written for.
func (d *Directory) Sheet() map[string]SheetEntry {
	entries := map[string]SheetEntry{}
	head, err := d.head(SheetName, 1<<10)
	if err != nil || !bytes.Contains(head, sheetMark) {
		return entries
	}
	page, err := d.open(SheetName)
	if err != nil {
		return entries
	}
	defer page.Close()
	sizes := d.sizes()
	readFigures(io.LimitReader(page, maxSheet), func(found figure) {
		size, there := sizes[found.File.Name]
		if there && size == found.Size && found.Generation != "" {
			entries[found.File.Name] = found.SheetEntry
		}
	})
	return entries
}

// sizes returns the sizes of all files in the directory.
func (d *Directory) sizes() map[string]int64 {
	sizes := map[string]int64{}
	files, _ := fs.ReadDir(d.root.FS(), ".") // what cannot be read is not known
	for _, file := range files {
		if info, err := file.Info(); err == nil && info.Mode().IsRegular() {
			sizes[file.Name()] = info.Size()
		}
	}
	return sizes
}

// readFigures calls found for every complete figure of a page.
func readFigures(page io.Reader, found func(figure)) {
	tokens := html.NewTokenizer(page)
	tokens.SetMaxBuf(maxSheetText)
	var current figure
	var text *string // where the next text belongs
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return
		}
		switch token := tokens.Token(); {
		case kind == html.TextToken && text != nil:
			*text = token.Data
		case kind == html.StartTagToken && token.Data == "figure":
			current = figureOf(token.Attr)
		case kind == html.StartTagToken && token.Data == "b":
			text = &current.Name
		case kind == html.StartTagToken && token.Data == "span":
			text = &current.Prompt
		case kind == html.EndTagToken:
			if text = nil; token.Data == "figure" {
				found(current)
				current = figure{}
			}
		}
	}
}

func figureOf(attributes []html.Attribute) figure {
	current := figure{Size: -1}
	for _, attribute := range attributes {
		switch attribute.Key {
		case "data-file":
			current.File.Name = attribute.Val
		case "data-size":
			if size, err := strconv.ParseInt(attribute.Val, 10, 64); err == nil {
				current.Size = size
			}
		case "data-generation":
			current.Generation = attribute.Val
		}
	}
	return current
}
