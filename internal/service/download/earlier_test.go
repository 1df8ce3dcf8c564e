package download_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const earlierKept = "Files of Earlier Generations Kept"

// newEarlier has downloaded everything, and then bought a's changed prompt.
func newEarlier(t *testing.T, first ...core.Object) (d downloads, former, now string) {
	t.Helper()
	d = newDownloads(t)
	if _, messages := d.download(first...); len(messages) > 0 {
		t.Fatal(messages)
	}
	former = d.id("a")
	d.generate("at night")
	return d, former, d.id("a")
}

// wantShown checks what the contact sheet shows of a name.
func (d downloads) wantShown(name, prompt string) {
	d.T.Helper()
	sheet := d.read("index.html")
	_, after, _ := strings.Cut(sheet, `<img src="./`+name+`.png"`)
	shown, _, _ := strings.Cut(after, "</figure>")
	if want := "<b>" + name + "</b><span>" + prompt + "</span>"; !strings.Contains(shown, want) {
		d.T.Errorf("the contact sheet does not have %q:\n%s", want, sheet)
	}
}

// A file of an earlier generation may be all that is left of it: it stays until
// it may be overwritten, and passes for nothing else.
func TestDownloadOfAnEarlierGeneration(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ first, second core.Object }{
		"with a contact sheet": {},
		"without one at first": {first: core.Object{"contact_sheet": false}},
		"without one later":    {second: core.Object{"contact_sheet": false}},
		"without any":          {first: core.Object{"contact_sheet": false}, second: core.Object{"contact_sheet": false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, former, now := newEarlier(t, test.first)
			picture := d.read("a.png")
			for range 2 {
				lines, messages := d.download(test.second)
				d.WantWarning(messages, earlierKept, fmt.Sprintf(`a.png is of the generation %q, not of %q, which "a" is now`, former, now), "overwrite = true", d.directory)
				if len(messages) != 1 || strings.Contains(messages.String(), "b.png") {
					t.Error(messages)
				}
				d.WantLines(lines[len(lines)-1:], "3 already there")
				if test.second == nil {
					d.wantShown("a", "in the rain")
				}
				if d.read("a.png") != picture {
					t.Error("the file was replaced")
				}
				d.WantCount(t, mockserver.RouteMedia, 0)
			}
			for _, more := range []core.Object{{"overwrite": true}, {}} {
				if _, messages := d.download(more); len(messages) > 0 {
					t.Error(messages)
				}
				d.wantShown("a", "at night")
			}
			if d.read("a.png") == picture {
				t.Error("the file was not replaced")
			}
			d.wantFiles("a.png", "b.png", "c.png", "index.html")
		})
	}
}

// What nothing tells is not claimed.
func TestDownloadBesideAFileOfUnknownOrigin(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(path string) error{
		"the record was removed": func(path string) error { return os.Remove(filepath.Join(path, media.RecordName)) },
		"the record is damaged":  func(path string) error { return os.Truncate(filepath.Join(path, media.RecordName), 100) },
		"the file is another now": func(path string) error {
			return os.WriteFile(filepath.Join(path, "a.png"), []byte("mine"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _, _ := newEarlier(t)
			if err := between(d.directory); err != nil {
				t.Fatal(err)
			}
			for _, more := range []core.Object{{}, {}, {"overwrite": true}} {
				if _, messages := d.download(more); len(messages) > 0 {
					t.Error(messages)
				}
				d.wantShown("a", "at night")
			}
		})
	}
}

// A name that was left out for a while is remembered.
func TestDownloadOfANameThatReturns(t *testing.T) {
	t.Parallel()
	d, former, now := newEarlier(t)
	delete(d.ids, "a")
	if _, messages := d.download(); len(messages) > 0 {
		t.Error(messages)
	}
	if sheet := d.read("index.html"); strings.Count(sheet, "<img") != 2 {
		t.Errorf("the contact sheet still shows a:\n%s", sheet)
	}
	d.ids["a"] = now
	_, messages := d.download()
	d.WantWarning(messages, earlierKept, fmt.Sprintf("%q, not of %q", former, now))
	d.wantShown("a", "in the rain")
}

// The record of an interrupted download says what was replaced before.
func TestDownloadIsRecordedWhenInterrupted(t *testing.T) {
	t.Parallel()
	d, _, _ := newEarlier(t)
	d.Fault(mockserver.Fault{Route: mockserver.RouteMedia, Nth: 2, Hold: make(chan struct{}), Reached: d.Interrupt})
	_, messages := d.download(core.Object{"overwrite": true})
	d.WantError(messages, "Download of Generations Interrupted")
	d.wantShown("a", "at night")
	d.ClearFaults()
	if _, messages := d.download(); len(messages) > 0 {
		t.Error(messages)
	}
	d.wantShown("c", "in the sun")
}
