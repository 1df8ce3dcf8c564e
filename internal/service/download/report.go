package download

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func (d *download) directory() string { return d.input.Directory.ValueString() }

// describe writes the record, and the contact sheet unless it is switched off.
// It does so after an interruption too, because nothing else says to which
// generation a file belongs.
func (d *download) describe() {
	old := maps.Clone(d.known)
	maps.DeleteFunc(old, func(_ string, entry media.Entry) bool { return entry.SupersededBy != "" })
	for _, w := range d.wanted {
		for _, file := range d.filesOf(w) {
			entry, known := d.known[file.Name]
			if !known {
				entry = media.Entry{Name: w.name}
			}
			entry.File = file
			d.shown = append(d.shown, entry)
			delete(old, file.Name)
		}
	}
	for _, w := range slices.Concat(d.failed(), d.empty()) {
		maps.DeleteFunc(old, func(_ string, entry media.Entry) bool { return entry.Name == w.name })
	}
	if len(old) > 0 {
		d.progress.Say("Not asked for now, and kept: " + framework.Several(slices.Sorted(maps.Keys(old)), ", "))
	}
	if len(d.notReplaced) > 0 {
		names := framework.Several(d.notReplaced, ", ")
		d.progress.Say(
			"Not replaced, since they differ from what this action wrote: " + names,
		) // CLIs do not show the warnings of triggered actions
		d.diags.Append(d.filesDiffer(names))
	}
	if err := d.into.WriteRecord(d.known); err != nil {
		d.diags.Append(d.recordIsUnwritten(err))
	}
	d.describeForPeople()
}

// describeForPeople writes the contact sheet and the gallery.
func (d *download) describeForPeople() {
	title := cmp.Or(d.input.Title.ValueString(), "Generations")
	overwrite := d.input.Overwrite.ValueBool()
	inDirectory := filepath.Clean(d.gallery) == filepath.Clean(d.directory())
	if !d.input.ContactSheet.Equal(types.BoolValue(false)) && !inDirectory {
		page := media.Sheet{
			Title:   title,
			Written: d.data.Clock.Now(),
			Entries: d.shown,
		}
		d.noteWritten(d.directory(), d.into.WriteSheet(page, overwrite))
	}
	if d.gallery != "" {
		d.noteWritten(d.gallery, d.writeGallery(title, overwrite))
	}
}

func (d *download) writeGallery(title string, overwrite bool) error {
	directory, err := media.OpenDirectory(d.gallery)
	if err != nil {
		return err
	}
	defer directory.Close()
	return directory.WriteGallery(title, d.data.Clock.Now(), overwrite)
}

// noteWritten adds a warning if the page of a directory was not written.
func (d *download) noteWritten(directory string, err error) {
	switch {
	case errors.Is(err, media.ErrForeignSheet):
		d.diags.Append(d.sheetIsForeign(directory))
	case err != nil:
		d.diags.Append(d.sheetIsUnwritten(directory, err))
	}
}

// saySkipped names the generations that have ended without results, as
// progress: CLIs do not show the warnings of triggered actions.
func (d *download) saySkipped() {
	empty := d.empty()
	if len(empty) == 0 {
		return
	}
	d.progress.Say("Skipped, since they have ended without results: " + framework.Several(reasonsOf(empty), "; "))
	d.diags.Append(someAreEmpty(empty))
}

// filesOf returns a name's files on disk, even if the service could not be
// asked how many results there are.
func (d *download) filesOf(w *wanted) (files []media.File) {
	for n := 1; n <= w.results || w.results < 0; n++ {
		found := d.into.Find(w.base, n)
		if len(found) == 0 && w.results < 0 {
			break
		}
		files = append(files, found[:min(len(found), 1)]...)
	}
	return files
}

// report says which files are missing and why, and which files were left alone.
func (d *download) report(ctx context.Context, timeout time.Duration) {
	if len(d.others) > 0 {
		d.diags.Append(d.someAreNoPictures())
	}
	isTimeout := errors.Is(context.Cause(ctx), errDownloadTime) || wait.IsTimeout(d.refused)
	switch {
	case len(d.failed()) == 0:
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), errDownloadTime):
		d.diags.Append(d.interrupted())
	case isTimeout:
		d.diags.Append(d.isIncomplete(timeout))
	case d.refused != nil:
		d.diags.Append(d.failure().Error(d.refused))
	default:
		d.diags.Append(d.someAreUnsaved())
	}
}
