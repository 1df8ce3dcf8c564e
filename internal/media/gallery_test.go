package media_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

// album is a directory with records in it and below.
type album struct {
	t    *testing.T
	path string
}

func newAlbum(t *testing.T) album {
	t.Helper()
	_, path := target(t)
	return album{t, path}
}

// has writes a file and adds it to the record of its directory.
func (a album) has(name string, entry media.Entry) {
	a.t.Helper()
	in := filepath.Join(a.path, filepath.Dir(name))
	check.Must(a.t, os.MkdirAll(in, 0o700))
	check.Must(a.t, os.WriteFile(filepath.Join(a.path, name), []byte(entry.Generation), 0o600))
	directory, err := media.OpenDirectory(in)
	check.Must(a.t, err)
	defer directory.Close()
	entry.Size = int64(len(entry.Generation))
	check.Must(a.t, directory.WriteRecord(record{filepath.Base(name): entry}))
}

// of is an entry of a group's key, submitted on a day of November.
func of(group, key, generation, day string) media.Entry {
	entry := media.Entry{Name: key, Prompt: "text of " + generation, Generation: generation}
	entry.Group = group
	entry.GroupTitle = strings.ToUpper(group)
	entry.Key = key
	entry.CreatedAt = "2026-11-" + day + "T08:00:00+02:00"
	return entry
}

// page is the gallery: what stands in it in its order, each with what it is in.
func (a album) page() (found []string, root *html.Node) {
	a.t.Helper()
	directory, err := media.OpenDirectory(a.path)
	check.Must(a.t, err)
	defer directory.Close()
	written := time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)
	check.Must(a.t, directory.WriteGallery("All", written, false))
	content, err := os.ReadFile(filepath.Join(a.path, media.SheetName))
	check.Must(a.t, err)
	root, err = html.Parse(strings.NewReader(string(content)))
	check.Must(a.t, err)
	for node := range root.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		switch node.Data {
		case "h2", "h3", "h4", "time":
			found = append(found, node.Data+" "+text(node))
		case "a":
			found = append(found, "file "+file(a.t, node, "href"))
		}
	}
	return found, root
}

// Groups and keys stand in the order of their newest files. A file of an earlier
// generation is with its successor, in whatever directory, and if the group was
// replaced.
func TestGallery(t *testing.T) {
	t.Parallel()
	a := newAlbum(t)
	a.has("a.png", of("old", "a", "gen_1", "01"))
	a.has("a-2.png", of("old", "a", "gen_1", "01"))
	a.has("2026/11/beach.png", of("new", "beach", "gen_4", "09"))
	a.has("2026/10/beach.png", of("new", "beach", "gen_2", "02"))
	a.has("2026/11/snow.mp4", of("new", "snow", "gen_5", "11"))
	former := of("replaced", "snow", "gen_3", "03")
	former.SupersededBy = "gen_5"
	a.has("2026/11/snow_gen_3.png", former)
	a.has(".hidden/x.png", of("hidden", "x", "gen_6", "12"))
	a.has("gone/x.png", of("gone", "x", "gen_7", "12"))
	check.Must(t, os.Remove(filepath.Join(a.path, "gone", "x.png")))
	check.Must(t, os.MkdirAll(filepath.Join(a.path, "foreign"), 0o700))
	check.Must(t, os.WriteFile(filepath.Join(a.path, "foreign", media.RecordName), []byte("[1]"), 0o600))
	for range 2 {
		found, _ := a.page()
		check.Equal(t, "the page", found, []string{
			"h2 NEW",
			"h3 snow",
			"file 2026/11/snow.mp4", "time 2026-11-11 06:00 UTC",
			"h4 Superseded",
			"file 2026/11/snow_gen_3.png", "time 2026-11-03 06:00 UTC",
			"h3 beach",
			"file 2026/11/beach.png", "time 2026-11-09 06:00 UTC",
			"h4 Superseded",
			"file 2026/10/beach.png", "time 2026-11-02 06:00 UTC",
			"h2 OLD",
			"h3 a",
			"file a-2.png", "time 2026-11-01 06:00 UTC",
			"file a.png", "time 2026-11-01 06:00 UTC",
		})
	}
}

// A record of the older form has no group, key and moment.
func TestGalleryOfAnOlderRecord(t *testing.T) {
	t.Parallel()
	a := newAlbum(t)
	check.Must(t, os.MkdirAll(filepath.Join(a.path, "spring"), 0o700))
	writes(t, filepath.Join(a.path, "spring"), "a.png")
	const older = `{"a.png": {"name": "a", "prompt": "A", "generation": "gen_1", "size": 5}}`
	check.Must(t, os.WriteFile(filepath.Join(a.path, "spring", media.RecordName), []byte(older), 0o600))
	found, _ := a.page()
	check.Equal(t, "the page", found, []string{"h2 spring", "h3 a", "file spring/a.png"})
}

// What a service, a configuration or a stranger's record says is text.
func TestGalleryOfHostileTexts(t *testing.T) {
	t.Parallel()
	const hostile = "\"'><script>alert(1)</script><img src=//evil.example onerror=alert(1)>&amp;{{ .Title }}"
	a := newAlbum(t)
	entry := of(hostile, hostile, hostile, "01")
	entry.GroupTitle = hostile
	entry.Prompt = hostile
	entry.Character = hostile
	entry.Service = hostile
	entry.Labels = map[string]string{hostile: hostile}
	entry.Trainings = []media.Training{{Job: hostile}}
	entry.CreatedAt = hostile
	a.has("javascript:alert(1)/50% #1 'a' \"b\"?.png", entry)
	a.has("spring/javascript:alert(1).mp4", entry)
	found, root := a.page()
	check.Contains(t, "the page", strings.Join(found, "\n"), "h2 "+hostile, "h3 "+hostile,
		`file javascript:alert(1)/50% #1 'a' "b"?.png`, "file spring/javascript:alert(1).mp4")
	pictures := 0
	for node := range root.Descendants() {
		check.True(t, "no script", node.Data != "script" || node.Type != html.ElementNode)
		for _, attribute := range node.Attr {
			check.True(t, "no handler", !strings.HasPrefix(attribute.Key, "on"), attribute.Key)
		}
		if node.Data == "img" && node.Type == html.ElementNode {
			pictures++
			file(t, node, "src")
			check.Equal(t, "what the picture shows", attribute(node, "alt"), hostile)
		}
	}
	check.Equal(t, "pictures", pictures, 1)
}

// A link is not followed, out of the directory or round in a circle.
func TestGalleryOfLinks(t *testing.T) {
	t.Parallel()
	a := newAlbum(t)
	outside := newAlbum(t)
	outside.has("x.png", of("outside", "x", "gen_1", "01"))
	a.has("inside/y.png", of("inside", "y", "gen_2", "02"))
	check.Must(t, os.Symlink(outside.path, filepath.Join(a.path, "outside")))
	check.Must(t, os.Symlink("..", filepath.Join(a.path, "inside", "circle")))
	found, _ := a.page()
	check.Equal(t, "the page", found, []string{
		"h2 INSIDE", "h3 y", "file inside/y.png", "time 2026-11-02 06:00 UTC",
	})
}
