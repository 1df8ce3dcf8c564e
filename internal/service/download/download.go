package download

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var (
	errDownloadTime = errors.New("the time ran out")
	errNotTried     = errors.New("it was not tried any more")
	errNoResults    = errors.New("it has ended without results")
)

// download is a single invocation of the action.
type download struct {
	data     *run.ProviderData
	input    downloadModel
	into     *media.Directory
	gallery  string    // directory of the gallery; "" without one
	wanted   []*wanted // sorted by name
	progress *wait.Progress
	diags    diag.Diagnostics

	saved       map[string]bool        // finished files, by file name
	known       map[string]media.Entry // the record's entry of each file, by file name
	notReplaced []string               // files that this action did not write, or that were changed since
	shown       []media.Entry          // the files on disk, in the order of the names
	others      []string               // downloaded files that are not pictures
	refused     error                  // the error that ended the run: further reads would fail too
	fetched     int                    // files
	replaced    int                    // of earlier generations
	bytes       int64
	current     string // the name whose file is being downloaded
	underWay    int64  // the bytes downloaded so far of that file
}

// wanted is a generation whose files are to be saved.
type wanted struct {
	name, id, base string // base begins the names of its files
	prompt         string
	origin         media.Origin
	results        int   // -1 until it is read
	err            error // why files are missing
}

// runDownloadGenerations saves the missing files. It fails at the end if any
// file could not be saved, so that all possible files are saved first. A
// generation that has ended without results is skipped.
func runDownloadGenerations(
	ctx context.Context,
	data *run.ProviderData,
	input downloadModel,
	send func(line string),
) diag.Diagnostics {
	gallery, isAbove := input.gallery()
	if !isAbove {
		return diag.Diagnostics{galleryIsElsewhere(input.Gallery.ValueString(), input.Directory.ValueString())}
	}
	into, err := media.OpenDirectory(input.Directory.ValueString())
	if err != nil {
		return diag.Diagnostics{
			diag.NewAttributeErrorDiagnostic(
				path.Root("directory"),
				"Unable to Use Directory",
				"Files cannot be written to the directory: "+framework.Sentence(
					err.Error(),
				)+"\n\nNothing was read or downloaded.",
			),
		}
	}
	defer into.Close()
	d := &download{
		data:    data,
		input:   input,
		into:    into,
		gallery: gallery,
		known:   into.Record(),
		saved:   map[string]bool{},
	}
	names := slices.Sorted(maps.Keys(input.GenerationIDs))
	bases := media.BaseNames(names)
	for _, name := range names {
		if id := input.GenerationIDs[name].ValueString(); id != "" {
			d.wanted = append(d.wanted, &wanted{
				name:    name,
				id:      id,
				base:    bases[name],
				results: -1,
				err:     errNotTried,
			})
		}
	}
	d.progress = wait.NewProgress(data.Clock, d.statusLine, send)
	d.run(ctx, framework.DurationOr(input.Timeout, 30*time.Minute))
	return d.diags
}

// gallery returns the directory of the gallery, "" without a gallery, and
// whether the gallery shows the downloaded files.
func (m downloadModel) gallery() (directory string, isAbove bool) {
	directory = m.Gallery.ValueString()
	if directory == "" {
		return "", true
	}
	from, err := filepath.Abs(directory)
	if err != nil {
		return directory, false
	}
	to, err := filepath.Abs(m.Directory.ValueString())
	if err != nil {
		return directory, false
	}
	below, err := filepath.Rel(from, to)
	return directory, err == nil && filepath.IsLocal(below)
}

// failed returns the generations with missing files, unless they have ended
// without results.
func (d *download) failed() (failed []*wanted) {
	for _, w := range d.wanted {
		if w.err != nil && !w.isEmpty() {
			failed = append(failed, w)
		}
	}
	return failed
}

// empty returns the generations that have ended without results. A failed
// prompt is no failure of the download, because otherwise each later apply
// would fail too.
func (d *download) empty() (empty []*wanted) {
	for _, w := range d.wanted {
		if w.isEmpty() {
			empty = append(empty, w)
		}
	}
	return empty
}

func (w *wanted) isEmpty() bool { return errors.Is(w.err, errNoResults) }

// run saves the files of the generations, one after the other, until the time
// is over.
func (d *download) run(ctx context.Context, timeout time.Duration) {
	if skipped := len(d.input.GenerationIDs) - len(d.wanted); skipped > 0 {
		d.progress.Say(
			fmt.Sprintf(
				"%s skipped: they were not bought",
				framework.Plural(skipped, "generation without an id is", "generations without an id are"),
			),
		)
	}
	if len(d.wanted) == 0 {
		d.progress.Say("There are no generations to download")
		return
	}
	d.progress.Say(
		fmt.Sprintf(
			"Downloading the results of %s to %s",
			framework.Plural(len(d.wanted), "generation", "generations"),
			d.directory(),
		),
	)
	bounded, cancel := context.WithTimeoutCause(ctx, timeout, errDownloadTime)
	defer cancel()
	bounded = wait.WithTimeout(bounded, d.data.Clock, timeout, "")
	d.each(bounded, d.wanted)
	again := slices.DeleteFunc(d.failed(), func(w *wanted) bool { return !media.IsTemporary(w.err) })
	if len(again) > 0 && d.progress.Sleep(bounded, d.data.Clock, 2*time.Second) == nil {
		d.each(bounded, again)
	}
	d.describe()
	d.saySkipped()
	d.noteEnds()
	d.progress.Say(d.statusLine())
	d.report(bounded, timeout)
}

// noteEnds releases the deletion of generations that are saved or cannot be
// saved. After an error it releases nothing, because nothing says which files
// belong to which generation.
func (d *download) noteEnds() {
	if d.diags.HasError() {
		return
	}
	for _, w := range d.wanted {
		switch {
		case w.err == nil, media.IsGone(w.err):
			d.data.Generations.NoteDownload(w.id, run.DownloadSaved)
		case w.isEmpty():
			d.data.Generations.NoteDownload(w.id, run.DownloadEmpty)
		}
	}
}

// each tries every generation, until an error or the timeout ends the run.
func (d *download) each(ctx context.Context, all []*wanted) {
	for _, w := range all {
		if d.refused != nil || ctx.Err() != nil {
			return
		}
		w.err = d.one(ctx, w)
		if w.err != nil && ctx.Err() != nil {
			w.err = errors.New("it was under way when the download ended")
		}
		d.progress.Update()
	}
}

// one saves a generation, and returns the first error. An error of a file that
// can still be saved takes precedence.
func (d *download) one(ctx context.Context, w *wanted) error {
	generation, err := d.data.Client.Generations.Get(ctx, w.id)
	if err != nil {
		if reply.IsUnauthorized(err) || wait.IsTimeout(err) {
			d.refused = err
		}
		return err
	}
	if err := withoutFiles(generation); err != nil {
		return err
	}
	if generation.Prompt != nil {
		w.prompt = *generation.Prompt
	}
	w.origin = d.originOf(w.id, generation)
	w.results = len(generation.ResultURLs)
	return d.files(ctx, w, generation.ResultURLs)
}

// files saves all results of a generation, and returns the first failure. The
// failure of a file that is gone is returned only if there is no other failure:
// a file that can still be saved matters more.
func (d *download) files(ctx context.Context, w *wanted, addresses []string) (first error) {
	for i, address := range addresses {
		err := d.file(ctx, w, i+1, address)
		if err == nil {
			continue
		}
		if len(addresses) > 1 {
			err = fmt.Errorf("result %d of %d: %w", i+1, len(addresses), err)
		}
		if first == nil || media.IsGone(first) {
			first = err
		}
	}
	return first
}

// withoutFiles returns the reason why a generation has no files to save; nil if
// it has files.
func withoutFiles(generation *api.Generation) error {
	switch phase := generation.Phase(); {
	case phase == api.Running && generation.Status != nil:
		return fmt.Errorf("it has not ended (%s)", *generation.Status)
	case phase == api.Running:
		return errors.New("it has not ended")
	case len(generation.ResultURLs) > 0:
		return nil
	case phase == api.Succeeded:
		return errors.New("it has ended, but shows no results")
	}
	return fmt.Errorf("%w: %s", errNoResults, generation.Reason())
}

// file saves a result, unless the file exists already. It replaces a file only
// if the record proves that this action wrote it for an earlier generation.
func (d *download) file(ctx context.Context, w *wanted, n int, address string) error {
	there := d.into.Find(w.base, n)
	if kept, isForeign := d.firstKept(w, there); kept != "" {
		if isForeign {
			delete(d.known, kept)
			d.notReplaced = append(d.notReplaced, kept)
		}
		d.saved[there[0].Name] = true
		d.complete(w, there[0].Name)
		return nil
	}
	aside, err := d.setAside(w, there)
	if err != nil {
		return err
	}
	d.current = w.name
	d.underWay = 0
	entry, err := d.data.Media.Fetch(ctx, address, d.into, w.base, n, func(bytes int64) {
		d.underWay = bytes
		d.progress.Update()
	})
	d.current = ""
	if err != nil {
		for name := range aside {
			_ = d.into.Remove(name)
		}
		return err
	}
	for _, file := range there {
		delete(d.known, file.Name)
	}
	maps.Copy(d.known, aside)
	if len(there) > 0 {
		d.replaced++
	}
	d.fetched++
	d.bytes += entry.Size
	entry.Name = w.name
	entry.Prompt = w.prompt
	entry.Generation = w.id
	entry.Origin = w.origin
	d.saved[entry.File.Name] = true
	d.known[entry.File.Name] = entry
	if !entry.File.Picture {
		d.others = append(d.others, entry.File.Name)
	}
	return nil
}

// complete adds facts to a file's entry that an earlier run did not know: its
// record had the older form, or its configuration named no group.
func (d *download) complete(w *wanted, name string) {
	entry, known := d.known[name]
	if !known || entry.Generation != w.id || entry.Key != "" {
		return
	}
	saved := entry.SavedAt
	entry.Origin = w.origin
	entry.SavedAt = saved
	d.known[name] = entry
}

// setAside copies files of earlier generations before they are replaced, and
// returns the entries of the copies. A file that somebody has changed gets no
// entry, because its content is not known.
func (d *download) setAside(w *wanted, there []media.File) (aside map[string]media.Entry, err error) {
	aside = map[string]media.Entry{}
	for _, file := range there {
		entry, known := d.known[file.Name]
		isEarlier := known && entry.Generation != w.id && d.into.IsUnchanged(file.Name, entry)
		if !isEarlier || !d.input.KeepSuperseded.ValueBool() {
			continue
		}
		copied, err := d.into.SetAside(file.Name, entry.Generation)
		if err != nil {
			return nil, err
		}
		entry.SupersededBy = w.id
		aside[copied] = entry
	}
	return aside, nil
}

// firstKept returns the first file of a result that stays as it is; "" if the
// result is to be downloaded. Without overwrite, the files are only replaced if
// this action has certainly written all of them, for an earlier generation of
// that name. A foreign file, which a person has made or changed, may exist
// nowhere else.
func (d *download) firstKept(w *wanted, there []media.File) (kept string, isForeign bool) {
	switch {
	case len(there) == 0:
		return "", false
	case d.saved[there[0].Name]:
		return there[0].Name, false
	case d.input.Overwrite.ValueBool():
		return "", false
	}
	for _, file := range there {
		entry, known := d.known[file.Name]
		isPresent := known && entry.Generation == w.id
		if isPresent || !known || entry.Name != w.name || !d.into.IsUnchanged(file.Name, entry) {
			return file.Name, !isPresent
		}
	}
	return "", false
}
