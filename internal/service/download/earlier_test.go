package download_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// newEarlier has downloaded everything, and then bought a's changed prompt.
func newEarlier(t *testing.T) (d downloads, former, now string) {
	t.Helper()
	d = newDownloads(t)
	d.succeeds()
	former = d.id("a")
	d.generate("at night")
	return d, former, d.id("a")
}

// shown is what the contact sheet shows of a name.
func (d downloads) shown(name string) string {
	d.T.Helper()
	_, after, _ := strings.Cut(d.read("index.html"), `<img src="./`+name+`.png"`)
	shown, _, _ := strings.Cut(after, "</figure>")
	return shown
}

// wantShown checks what the contact sheet shows of a name.
func (d downloads) wantShown(name, prompt, generation string) {
	d.T.Helper()
	check.Contains(
		d.T,
		"the contact sheet",
		d.shown(name),
		"<b>"+name+"</b><span>"+prompt+"</span><i>"+generation+"</i>",
	)
}

// The picture of a changed prompt reaches the disk and the sheet, and nothing
// else is touched.
func TestDownloadOfAnEarlierGeneration(t *testing.T) {
	t.Parallel()
	d, _, now := newEarlier(t)
	former := d.read("a.png")
	other := d.read("b.png")
	for _, want := range []string{"), 1 in place of earlier ones, 2 already there", "0 files downloaded (0 B), 3 " +
		"already there"} {
		lines := d.succeeds()
		d.WantLines(lines[len(lines)-1:], want)
		d.WantCount(t, mockserver.RouteMedia, 1)
		d.wantShown("a", "at night", now)
		d.wantFiles("a.png", "b.png", "c.png", "index.html")
	}
	check.True(t, "a.png was replaced, and b.png was not", d.read("a.png") != former && d.read("b.png") == other)
}

// What nothing proves to be this action's own may exist nowhere else: it stays,
// and is claimed to show nothing.
func TestDownloadBesideAFileOfUnknownOrigin(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(path string) error{
		"the record was removed": func(path string) error { return os.Remove(filepath.Join(path, media.RecordName)) },
		"the record is damaged": func(path string) error {
			return os.Truncate(filepath.Join(path, media.RecordName), 100)
		},
		"the file is another now": func(path string) error {
			return os.WriteFile(filepath.Join(path, "a.png"), []byte("mine"), 0o600)
		},
		"a pixel is another now": func(path string) error {
			file := filepath.Join(path, "a.png")
			content, err := os.ReadFile(file)
			return errors.Join(err, os.WriteFile(file, append(content[:len(content)-1], '!'), 0o600))
		},
		"it is a link to what was downloaded": func(path string) error {
			file := filepath.Join(path, "a.png")
			return errors.Join(os.Rename(file, filepath.Join(path, "elsewhere")), os.Symlink("elsewhere", file))
		},
		"the file is of another name": func(path string) error {
			record := filepath.Join(path, media.RecordName)
			content, err := os.ReadFile(record)
			return errors.Join(
				err,
				os.WriteFile(record, bytes.Replace(content, []byte(`"name": "a"`), []byte(`"name": "A"`), 1), 0o600),
			)
		},
	}, func(t *testing.T, change func(path string) error) {
		d, _, now := newEarlier(t)
		check.Must(t, change(d.directory))
		kept := d.read("a.png")
		for range 2 {
			lines, messages := d.download()
			d.WantWarning(messages, "Files Not Replaced", d.directory, "a.png", "overwrite = true")
			d.WantLines(lines, "Not replaced, since they differ from what this action wrote: a.png")
			d.WantLines(lines[len(lines)-1:], " not replaced")
			check.True(t, "a.png stays", d.read("a.png") == kept)
			check.Contains(t, "the contact sheet", d.shown("a"), "<b>a</b><i>Not as it was downloaded")
			d.WantCount(t, mockserver.RouteMedia, 0)
		}
		for _, more := range []core.Object{{"overwrite": true}, {}} {
			d.succeeds(more)
			d.wantShown("a", "at night", now)
		}
	})
}

// Somebody's file beside ours, of another type, is neither replaced nor removed.
func TestDownloadBesideAFileOfAnotherType(t *testing.T) {
	t.Parallel()
	d, _, _ := newEarlier(t)
	check.Must(t, os.WriteFile(filepath.Join(d.directory, "a.webp"), []byte("mine"), 0o600))
	lines, messages := d.download()
	d.WantWarning(messages, "Files Not Replaced", "a.webp")
	d.WantLines(lines, "action wrote: a.webp")
	d.wantFiles("a.png", "a.webp", "b.png", "c.png", "index.html")
}

// Until the new file is complete, there is the former one, and the sheet says
// so.
func TestDownloadInPlaceOfAnEarlierGenerationFails(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"refused":    {Status: 404},
		"broken off": {DropInBody: true, Times: 2},
	}, func(t *testing.T, fault mockserver.Fault) {
		d, former, now := newEarlier(t)
		picture := d.read("a.png")
		fault.Route = mockserver.RouteMedia
		d.Fault(fault)
		_, messages := d.download()
		d.WantError(messages, "Unable to Download Generations", `"a" (`+now+")")
		check.Equal(t, "the file", d.read("a.png"), picture)
		d.wantShown("a", "in the rain", former)
		d.wantFiles("a.png", "b.png", "c.png", "index.html")
		d.ClearFaults()
		d.succeeds()
		check.True(t, "the file was replaced", d.read("a.png") != picture)
		d.wantShown("a", "at night", now)
	})
}

// A former file of another type does not stay beside the new one.
func TestDownloadInPlaceOfAnotherType(t *testing.T) {
	t.Parallel()
	d, _, _ := newEarlier(t)
	d.Fault(
		mockserver.Fault{
			Route:       mockserver.RouteMedia,
			Nth:         1,
			Body:        "\xff\xd8\xff\xe0 and so on",
			ContentType: "image/jpeg",
		},
	)
	for range 2 {
		lines, messages := d.download()
		check.True(t, "no message, and two lines", len(messages) == 0 && len(lines) == 2, lines, messages)
		d.wantFiles("a.jpg", "b.png", "c.png", "index.html")
	}
	d.WantCount(t, mockserver.RouteMedia, 1)
}

// Files of removed names stay, and are named; a name that returns is remembered.
func TestDownloadOfANameThatReturns(t *testing.T) {
	t.Parallel()
	d, _, now := newEarlier(t)
	delete(d.ids, "a")
	d.ids["c"] = nil
	lines := d.succeeds()
	d.WantLines(lines, "Not asked for now, and kept: a.png, c.png")
	sheet := d.read("index.html")
	check.True(
		t,
		"the contact sheet shows b alone",
		strings.Count(sheet, "<img") == 1 && strings.Contains(sheet, "Files: 1."),
		sheet,
	)
	d.wantFiles("a.png", "b.png", "c.png", "index.html")
	d.ids["a"] = now
	lines = d.succeeds()
	d.WantLines(lines, "Not asked for now, and kept: c.png")
	d.wantShown("a", "at night", now)
}

// The record of an interrupted download says what was replaced before.
func TestDownloadIsRecordedWhenInterrupted(t *testing.T) {
	t.Parallel()
	d, _, now := newEarlier(t)
	d.Fault(mockserver.Fault{
		Route:   mockserver.RouteMedia,
		After:   mockserver.RouteMedia,
		Times:   1,
		Hold:    make(chan struct{}),
		Reached: d.Interrupt,
	})
	_, messages := d.download(core.Object{"overwrite": true})
	d.WantError(messages, "Download of Generations Interrupted")
	d.wantShown("a", "at night", now)
	d.ClearFaults()
	d.succeeds()
	d.wantShown("c", "in the sun", d.id("c"))
}

// The page has the title that it was given.
func TestDownloadTitle(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	for title, more := range map[string]core.Object{"Generations": {}, "Ada &amp; Lin": {"title": "Ada & Lin"}} {
		d.succeeds(more)
		check.Contains(t, "the page", d.read("index.html"), "<title>"+title+"</title>",
			"Written "+d.Clock.Now().UTC().Format("2006-01-02 15:04")+" UTC. Files: 3.")
	}
}

// Of a name that failed, nothing is said not to be asked for.
func TestDownloadThatFailsAsksForItsFiles(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 3, Rewrite: func(reply map[string]any) {
		addresses, _ := reply["result_urls"].([]any)
		reply["result_urls"] = append(addresses, addresses...)
	}})
	d.download()
	check.Must(t, os.Remove(filepath.Join(d.directory, "a.png")))
	d.read("a-2.png")
	d.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Status: 403})
	lines, _ := d.download()
	check.True(
		t,
		"nothing is said not to be asked for",
		!strings.Contains(strings.Join(lines, "\n"), "Not asked for"),
		lines,
	)
}
