package download

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// pauseBeforeRetry is the pause before downloads that may succeed with a fresh
// address are retried, once.
const pauseBeforeRetry = 2 * time.Second

var (
	errDownloadTime   = errors.New("the time ran out")
	errNoResultsShown = errors.New("it has ended, but shows no results")
	errNotTried       = errors.New("it was not tried any more")
	errCutOff         = errors.New("it was under way when the download ended")
	errNoResults      = errors.New("it has ended without results")
)

// download is one run of the action. Each generation is read just before its
// files are downloaded, so that signed addresses are fresh.
type download struct {
	data     *framework.ProviderData
	input    downloadModel
	into     *media.Directory
	bases    map[string]string // base names of files, by name
	names    []string          // those that have an id, sorted
	progress *wait.Progress
	diags    diag.Diagnostics

	failures map[string]error // why files are missing, by name
	prompts  map[string]string
	counts   map[string]int         // of results, by name
	done     map[string]bool        // files that are as they should be, by file name
	known    map[string]media.Entry // what files show, by file name
	kept     []string               // files that this action did not write, or that were changed since
	shown    []media.Entry          // the files on disk, in the order of the names
	others   []string               // downloaded files that are not pictures
	refused  error                  // ends the run: further reads would fail too
	fetched  int                    // files
	replaced int                    // of earlier generations
	bytes    int64
	current  string // name whose file is being downloaded
	underWay int64  // of its bytes
}

func newDownload(data *framework.ProviderData, input downloadModel, into *media.Directory, send func(line string)) *download {
	d := &download{
		data: data, input: input, into: into, known: into.Record(),
		failures: map[string]error{}, prompts: map[string]string{}, counts: map[string]int{}, done: map[string]bool{},
	}
	d.names = slices.Sorted(maps.Keys(input.GenerationIDs))
	d.bases = media.BaseNames(d.names)
	d.names = slices.DeleteFunc(d.names, func(name string) bool { return d.id(name) == "" })
	for _, name := range d.names {
		d.failures[name] = errNotTried
	}
	d.progress = wait.NewProgress(data.Clock, d.statusLine, send)
	return d
}

func (d *download) id(name string) string { return d.input.GenerationIDs[name].ValueString() }

// run downloads everything, then reports what is missing.
func (d *download) run(ctx context.Context, timeout time.Duration) {
	if skipped := len(d.input.GenerationIDs) - len(d.names); skipped > 0 {
		d.progress.Say(fmt.Sprintf("%s skipped: they were not bought", framework.Plural(skipped, "generation without an id is", "generations without an id are")))
	}
	if len(d.names) == 0 {
		d.progress.Say("There are no generations to download")
		return
	}
	d.progress.Say(fmt.Sprintf("Downloading the results of %s to %s", framework.Plural(len(d.names), "generation", "generations"), d.directory()))
	bounded, cancel := context.WithTimeoutCause(ctx, timeout, errDownloadTime)
	defer cancel()
	bounded = wait.WithTimeout(bounded, d.data.Clock, timeout, "")
	d.each(bounded, d.names)
	again := slices.DeleteFunc(slices.Sorted(maps.Keys(d.failures)), func(name string) bool { return !media.IsPassing(d.failures[name]) })
	if len(again) > 0 && d.progress.Sleep(bounded, d.data.Clock, pauseBeforeRetry) == nil {
		d.each(bounded, again)
	}
	for _, name := range d.names {
		err := d.failures[name]
		d.data.Unsaved.Note(d.id(name), err == nil || media.IsGone(err) || errors.Is(err, errNoResults))
	}
	d.describe()
	d.progress.Say(d.statusLine())
	d.report(bounded, timeout)
}

// each tries every generation, until the run must end.
func (d *download) each(ctx context.Context, names []string) {
	for _, name := range names {
		if d.refused != nil || ctx.Err() != nil {
			return
		}
		err := d.one(ctx, name)
		switch {
		case err == nil:
			delete(d.failures, name)
		case ctx.Err() != nil:
			d.failures[name] = errCutOff
		default:
			d.failures[name] = err
		}
		d.progress.Update()
	}
}

// one reads a generation and downloads all its files. It returns the first error, but
// rather one of a file that can still be saved.
func (d *download) one(ctx context.Context, name string) error {
	generation, err := d.data.Client.Generation(ctx, d.id(name))
	if err != nil {
		if api.IsUnauthorized(err) || api.IsTimeout(err) {
			d.refused = err
		}
		return err
	}
	if err := withoutFiles(generation); err != nil {
		return err
	}
	if generation.Prompt != nil {
		d.prompts[name] = *generation.Prompt
	}
	d.counts[name] = len(generation.ResultURLs)
	var first error
	for i, address := range generation.ResultURLs {
		err := d.file(ctx, name, i+1, address)
		if err != nil && len(generation.ResultURLs) > 1 {
			err = fmt.Errorf("result %d of %d: %w", i+1, len(generation.ResultURLs), err)
		}
		if media.IsGone(first) && err != nil {
			first = nil // what can still be saved counts more
		}
		first = cmp.Or(first, err)
	}
	return first
}

// withoutFiles says why a generation has no files; nil if it has some.
func withoutFiles(generation *api.Generation) error {
	switch phase := generation.Phase(); {
	case len(generation.ResultURLs) > 0:
		return nil
	case phase == api.Running && generation.Status != nil:
		return fmt.Errorf("it has not ended (%s)", *generation.Status)
	case phase == api.Running:
		return errors.New("it has not ended")
	case phase == api.Succeeded:
		return errNoResultsShown
	}
	return fmt.Errorf("%w: %s", errNoResults, generation.Reason())
}

// file downloads one file, unless it exists.
func (d *download) file(ctx context.Context, name string, n int, address string) error {
	there := d.into.Find(d.bases[name], n)
	if len(there) > 0 && !d.replaces(name, there) {
		d.done[there[0].Name] = true
		return nil
	}
	d.current, d.underWay = name, 0
	entry, err := d.data.Media.Fetch(ctx, address, d.into, d.bases[name], n, func(bytes int64) {
		d.underWay = bytes
		d.progress.Update()
	})
	if d.current = ""; err != nil {
		return err
	}
	for _, file := range there {
		delete(d.known, file.Name)
	}
	if len(there) > 0 {
		d.replaced++
	}
	d.fetched++
	d.bytes += entry.Size
	entry.Name, entry.Prompt, entry.Generation = name, d.prompts[name], d.id(name)
	d.done[entry.File.Name], d.known[entry.File.Name] = true, entry
	if !entry.File.Picture {
		d.others = append(d.others, entry.File.Name)
	}
	return nil
}

// replaces reports whether the files of a result are to be downloaded again:
// without overwrite, if all are certainly this action's own, of an earlier
// generation of that name. What somebody has made or changed exists nowhere else.
func (d *download) replaces(name string, there []media.File) bool {
	if d.done[there[0].Name] || d.input.Overwrite.ValueBool() {
		return !d.done[there[0].Name]
	}
	for _, file := range there {
		entry, known := d.known[file.Name]
		if known && entry.Generation == d.id(name) {
			return false
		}
		if !known || entry.Name != name || !d.into.IsUnchanged(file.Name, entry) {
			delete(d.known, file.Name)
			d.kept = append(d.kept, file.Name)
			return false
		}
	}
	return true
}
