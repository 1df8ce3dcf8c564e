package download

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Messages of the download of generations.

// statusLine says how far the download is.
func (d *download) statusLine() string {
	failed := d.failed()
	there := len(d.saved) - d.fetched - len(d.notReplaced)
	tried := 0
	for _, w := range failed {
		if !errors.Is(w.err, errNotTried) {
			tried++
		}
	}
	text := fmt.Sprintf(
		"%d of %s done: %s downloaded (%s)",
		len(d.wanted)-len(failed)+tried,
		framework.Plural(len(d.wanted), "generation", "generations"),
		framework.Plural(d.fetched, "file", "files"),
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
		text += fmt.Sprintf(", %s without all of theirs", framework.Plural(tried, "generation", "generations"))
	}
	if empty := len(d.empty()); empty > 0 {
		text += fmt.Sprintf(", %d without results", empty)
	}
	if d.current != "" {
		text += fmt.Sprintf("; %q: %s so far", d.current, media.Size(d.underWay))
	}
	return text
}

// filesDiffer warns of files that the action did not write, or that were
// changed since.
func (d *download) filesDiffer(names string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Files Not Replaced", fmt.Sprintf(
		"In %s: %s.\n\nThey differ from what this action wrote: somebody else created or changed them, so it "+
			"is not known what they show. Set overwrite = true to replace them, or move them away, and "+
			"invoke the action again. That costs no credits.",
		d.directory(),
		names,
	))
}

func (d *download) recordIsUnwritten(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(
		"Unable to Record Downloads",
		d.unwritten(d.directory(), media.RecordName, err)+
			" The next download cannot tell which generations they are of.",
	)
}

// sheetIsForeign warns of an index.html that is no contact sheet.
func (d *download) sheetIsForeign(directory string) diag.Diagnostic {
	without := "contact_sheet = false"
	if directory == d.gallery {
		without = "leave out gallery"
	}
	return diag.NewWarningDiagnostic("Contact Sheet Not Written", fmt.Sprintf(
		"The file %s was not written by this action, so it was left as it is. Set overwrite to replace it, "+
			"%s to do without, or choose another directory.",
		filepath.Join(directory, media.SheetName),
		without,
	))
}

func (d *download) sheetIsUnwritten(directory string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unable to Write Contact Sheet", d.unwritten(directory, media.SheetName, err))
}

func (d *download) unwritten(directory, name string, err error) string {
	return fmt.Sprintf("The file %s could not be written: %s\n\nThe files themselves are there: %s.",
		filepath.Join(directory, name), framework.Sentence(err.Error()), d.savedFiles())
}

// galleryIsElsewhere refuses a gallery that would not show the downloaded
// files.
func galleryIsElsewhere(gallery, directory string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("gallery"), "Gallery Without Its Pictures", fmt.Sprintf(
		"Set gallery to the directory of the pictures, %s, or to one above it: a gallery shows its own directory "+
			"and those below, and %s is neither.\n\nNothing was read or downloaded.",
		directory,
		gallery,
	))
}

func (d *download) someAreNoPictures() diag.Diagnostic {
	return diag.NewWarningDiagnostic("Media Other Than Pictures", fmt.Sprintf(
		"Kept in %s, and linked instead of shown on the contact sheet: %s. A .bin file is of an unknown kind.",
		d.directory(),
		framework.Several(d.others, ", "),
	))
}

func (d *download) interrupted() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Download of Generations Interrupted", d.statusLine()+".\n\n"+d.unsaved())
}

func (d *download) isIncomplete(timeout time.Duration) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Download of Generations Not Finished", fmt.Sprintf(
		"It ended after %s (timeout sets the time). %s.\n\n%s",
		wait.ShortDuration(timeout),
		d.statusLine(),
		d.unsaved(),
	))
}

func (d *download) someAreUnsaved() diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unable to Download Generations", d.unsaved())
}

func (d *download) failure() framework.Failure {
	return framework.Failure{
		Verb:        "Download",
		Noun:        "Generations",
		Consequence: d.unsaved(),
	}
}

// someAreEmpty warns of failed prompts. The resource of a prompt says what a
// retry costs.
func someAreEmpty(empty []*wanted) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Skipped Without Results", fmt.Sprintf(
		"To submit a prompt again (and pay again), change its take or its text, or raise max_attempts. These "+
			"generations have ended without results, and a file of an earlier generation stays:\n%s",
		framework.Several(reasonsOf(empty), "\n"),
	))
}

// reasonsOf gives the reason for each generation's missing files. It leaves out
// that a generation has ended without results, because the message says so
// before the lines.
func reasonsOf(all []*wanted) (lines []string) {
	for _, w := range all {
		reason := strings.TrimPrefix(w.err.Error(), errNoResults.Error()+": ")
		lines = append(lines, fmt.Sprintf("%q (%s): %s", w.name, w.id, reason))
	}
	return lines
}

// unsaved names the generations that were not saved, with their reasons, and
// the files that were saved.
func (d *download) unsaved() string {
	return fmt.Sprintf(
		"Not downloaded, or not with all files:\n%s\n\nIn %s there is: %s.\n\nInvoking the action again downloads "+
			"what is missing and costs no credits.",
		framework.Several(reasonsOf(d.failed()), "\n"),
		d.directory(),
		d.savedFiles(),
	)
}

// savedFiles names the files that were saved.
func (d *download) savedFiles() string {
	if len(d.shown) == 0 {
		return "nothing"
	}
	var names []string
	for _, entry := range d.shown {
		names = append(names, entry.File.Name)
	}
	return fmt.Sprintf("%s (%s)", framework.Several(names, ", "), framework.Plural(len(names), "file", "files"))
}
