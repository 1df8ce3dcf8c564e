package download_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// The gallery above shows what was downloaded, and what was superseded.
func TestDownloadWritesGallery(t *testing.T) {
	t.Parallel()
	d, former, now := newEarlier(t)
	above := filepath.Dir(d.directory)
	title := core.Object{"title": "All"}
	for range 2 {
		more := core.Object{"gallery": above, "keep_superseded": true, "groups": []any{d.group()}}
		d.succeeds(more, title)
		content, err := os.ReadFile(filepath.Join(above, "index.html"))
		check.Must(t, err)
		page := string(content)
		check.Contains(t, "the gallery", page, "<title>All</title>", "Files: 4.", "<h2>Portraits &lt;b&gt;</h2>",
			`src="./here/a.png"`, `src="./here/superseded/a_`+former+`.png"`, "at night", "in the rain", now)
		check.True(t, "no address", !strings.Contains(page, "//"), page)
		d.wantFiles("a.png", "b.png", "c.png", "index.html", "superseded")
	}
}

// In the directory itself there is one page. Without a contact sheet there is the
// gallery.
func TestDownloadWritesGalleryInPlaceOfTheSheet(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.succeeds(core.Object{"gallery": d.directory + "/.", "contact_sheet": false})
	check.Contains(t, "the page", d.read("index.html"), "<h3>a</h3>")
	d.succeeds(core.Object{"gallery": d.directory})
	check.Contains(t, "the page", d.read("index.html"), "<h3>a</h3>")
	d.wantFiles("a.png", "b.png", "c.png", "index.html")
	d.succeeds()
	check.True(t, "the page is the sheet again", !strings.Contains(d.read("index.html"), "<h3>"))
}

// A gallery that cannot show the pictures is told before anything is sent.
func TestDownloadRefusesAGalleryElsewhere(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	for _, gallery := range []string{filepath.Join(d.directory, "below"), t.TempDir(), d.directory + "2"} {
		_, messages := d.download(core.Object{"gallery": gallery})
		check.Equal(t, "messages", len(messages), 1)
		d.WantError(messages, "Gallery Without Its Pictures", gallery, d.directory)
		d.WantNoRequests(t)
	}
}

// Somebody's page above stays, and the pictures are there.
func TestDownloadLeavesForeignGalleries(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	above := filepath.Dir(d.directory)
	check.Must(t, os.MkdirAll(above, 0o700))
	page := filepath.Join(above, "index.html")
	check.Must(t, os.WriteFile(page, []byte("my site"), 0o600))
	_, messages := d.download(core.Object{"gallery": above})
	check.Equal(t, "messages", len(messages), 1)
	d.WantWarning(messages, "Contact Sheet Not Written", page, "leave out gallery")
	content, err := os.ReadFile(page)
	check.True(t, "the page", err == nil && string(content) == "my site", string(content), err)
	d.wantFiles("a.png", "b.png", "c.png", "index.html")
	d.WantCount(t, mockserver.RouteMedia, 3)
	check.Must(t, os.Remove(page))
	check.Must(t, os.Mkdir(page, 0o700))
	_, messages = d.download(core.Object{"gallery": above})
	d.WantError(messages, "Unable to Write Contact Sheet", page)
}
