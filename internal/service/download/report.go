package download

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func (d *download) directory() string { return d.input.Directory.ValueString() }

// statusLine is how far the download is.
func (d *download) statusLine() string {
	failed := d.failed()
	there := len(d.done) - d.fetched - len(d.notReplaced)
	tried := 0
	for _, w := range failed {
		if !errors.Is(w.err, errNotTried) {
			tried++
		}
	}
	text := fmt.Sprintf(
		"%d of %s done: %s downloaded (%s)",
		len(d.wanted)-len(failed)+tried,
		report.Plural(len(d.wanted), "generation", "generations"),
		report.Plural(d.fetched, "file", "files"),
		media.Size(d.bytes),
	)
	if d.replaced > 0 {
		text += fmt.Sprintf(", %d in place of earlier ones", d.replaced)
	}
	if there > 0 {
		text += fmt.Sprintf(", %d already there", there)
	}
	if len(d.notReplaced) > 0 {
		text += fmt.Sprintf(", %d not replaced", len(d.notReplaced))
	}
	if tried > 0 {
		text += fmt.Sprintf(", %s without all of theirs", report.Plural(tried, "generation", "generations"))
	}
	if d.current != "" {
		text += fmt.Sprintf("; %q: %s so far", d.current, media.Size(d.underWay))
	}
	return text
}

// describe writes the record, and the contact sheet unless it is switched off;
// also after an interruption, since nothing else says which generation a file
// is of.
func (d *download) describe() {
	old := maps.Clone(d.known)
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
	for _, w := range d.failed() {
		maps.DeleteFunc(old, func(_ string, entry media.Entry) bool { return entry.Name == w.name })
	}
	if len(old) > 0 {
		d.progress.Say("Not asked for now, and kept: " + report.Several(slices.Sorted(maps.Keys(old)), ", "))
	}
	if len(d.notReplaced) > 0 {
		names := report.Several(d.notReplaced, ", ")
		d.progress.Say(
			"Not replaced, since they differ from what this action wrote: " + names,
		) // CLIs do not show the warnings of triggered actions
		d.diags.AddWarning(
			"Files Not Replaced",
			fmt.Sprintf(
				"In %s: %s.\n\nThey differ from what this action wrote: somebody else created or changed them, so it "+
					"is not known what they show. Set overwrite = true to replace them, or move them away, and "+
					"invoke the action again. That costs no credits.",
				d.directory(),
				names,
			),
		)
	}
	if err := d.into.WriteRecord(d.known); err != nil {
		d.diags.AddError(
			"Unable to Record Downloads",
			d.unwritten(media.RecordName, err)+" The next download cannot tell which generations they are of.",
		)
	}
	if d.input.ContactSheet.Equal(types.BoolValue(false)) {
		return
	}
	page := media.Sheet{
		Title:   cmp.Or(d.input.Title.ValueString(), "Generations"),
		Written: d.data.Clock.Now(),
		Entries: d.shown,
	}
	switch err := d.into.WriteSheet(page, d.input.Overwrite.ValueBool()); {
	case errors.Is(err, media.ErrForeignSheet):
		d.diags.AddWarning(
			"Contact Sheet Not Written",
			fmt.Sprintf(
				"The file %s was not written by this action, so it was left as it is. Set overwrite to replace it, "+
					"contact_sheet = false to do without, or choose another directory.",
				filepath.Join(d.directory(), media.SheetName),
			),
		)
	case err != nil:
		d.diags.AddError("Unable to Write Contact Sheet", d.unwritten(media.SheetName, err))
	}
}

func (d *download) unwritten(name string, err error) string {
	return fmt.Sprintf("The file %s could not be written: %s\n\nThe files themselves are there: %s.",
		filepath.Join(d.directory(), name), report.Sentence(err.Error()), d.onDisk())
}

// filesOf returns a name's files on disk, even if the service could not be
// asked for it.
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

// onDisk names the files that were saved.
func (d *download) onDisk() string {
	if len(d.shown) == 0 {
		return "nothing"
	}
	var names []string
	for _, entry := range d.shown {
		names = append(names, entry.File.Name)
	}
	return fmt.Sprintf("%s (%s)", report.Several(names, ", "), report.Plural(len(names), "file", "files"))
}

// report says what is missing and why, and what was left alone.
func (d *download) report(ctx context.Context, timeout time.Duration) {
	if len(d.others) > 0 {
		d.diags.AddWarning(
			"Media Other Than Pictures",
			fmt.Sprintf(
				"Kept in %s, and linked instead of shown on the contact sheet: %s. A .bin file is of an unknown kind.",
				d.directory(),
				report.Several(d.others, ", "),
			),
		)
	}
	failed := d.failed()
	if len(failed) == 0 {
		return
	}
	var lines []string
	for _, w := range failed {
		lines = append(lines, fmt.Sprintf("%q (%s): %s", w.name, w.id, w.err))
	}
	unsaved := fmt.Sprintf(
		"Not downloaded, or not with all files:\n%s\n\nIn %s there is: %s.\n\nInvoking the action again downloads "+
			"what is missing and costs no credits.",
		report.Several(lines, "\n"),
		d.directory(),
		d.onDisk(),
	)
	switch {
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), errDownloadTime):
		d.diags.AddError("Download of Generations Interrupted", d.statusLine()+".\n\n"+unsaved)
	case ctx.Err() != nil || wait.IsTimeout(d.refused):
		d.diags.AddError(
			"Download of Generations Not Finished",
			fmt.Sprintf("It ended after %s (timeout sets the time). %s.\n\n%s",
				attributes.ShortDuration(timeout), d.statusLine(), unsaved),
		)
	case d.refused != nil:
		d.diags.Append(report.Failure{
			Verb:        "Download",
			Noun:        "Generations",
			Consequence: unsaved,
		}.Error(d.refused))
	default:
		d.diags.AddError("Unable to Download Generations", unsaved)
	}
}
