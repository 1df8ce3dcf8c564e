package media_test

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

// TestSheet: as a browser reads it, the page shows every picture under its name,
// prompt and id, claims nothing of what is not known, and runs nothing.
func TestSheet(t *testing.T) {
	t.Parallel()
	directory, path := target(t)
	entries := []media.Entry{
		{
			Name:       "beach",
			Prompt:     "On the beach",
			Generation: "gen_1",
			File:       media.File{Name: "beach.png", Picture: true},
		},
		{
			Name:       "beach",
			Prompt:     "On the beach",
			Generation: "gen_1",
			File:       media.File{Name: "beach-2.png", Picture: true},
		},
		{
			Name:       `<b>"x"</b>`,
			Prompt:     "<script>alert(1)</script>\n\"&amp;'",
			Generation: "<i>&amp;",
			File:       media.File{Name: `50% #1 'a' "b"?.png`, Picture: true},
		},
		{Name: "javascript", File: media.File{Name: "javascript:alert(1).mp4"}},
	}
	written := time.Date(2026, time.March, 4, 23, 5, 6, 0, time.FixedZone("", -3600))
	check.Must(t, directory.WriteSheet(media.Sheet{Title: `"Ada" & <Lin>`, Written: written, Entries: entries}, false))
	page, err := os.ReadFile(filepath.Join(path, media.SheetName))
	check.Must(t, err)
	var heads, links, pictures, alts, names, prompts, ids []string
	root, err := html.Parse(strings.NewReader(string(page)))
	check.Must(t, err)
	for node := range root.Descendants() {
		switch node.Data {
		case "script", "iframe":
			t.Errorf("the page has a %s", node.Data)
		case "a":
			links = append(links, file(t, node, "href"))
		case "img":
			pictures = append(pictures, file(t, node, "src"))
			alts = append(alts, attribute(node, "alt"))
		case "span":
			prompts = append(prompts, text(node))
		case "i":
			ids = append(ids, text(node))
		case "title", "h1", "p":
			heads = append(heads, text(node))
		}
		if node.Data == "b" && node.Type == html.ElementNode {
			names = append(names, text(node))
		}
	}
	for what, pair := range map[string][2][]string{
		"heads":    {heads, {`"Ada" & <Lin>`, `"Ada" & <Lin>`, "Written 2026-03-05 00:05 UTC. Files: 4."}},
		"ids":      {ids, {"gen_1", "gen_1", "<i>&amp;", "Not as it was downloaded: what it shows is not known."}},
		"links":    {links, {"beach.png", "beach-2.png", `50% #1 'a' "b"?.png`, "javascript:alert(1).mp4"}},
		"pictures": {pictures, {"beach.png", "beach-2.png", `50% #1 'a' "b"?.png`}},
		"alts":     {alts, {"beach", "beach", `<b>"x"</b>`}},
		"names":    {names, {"beach", "beach", `<b>"x"</b>`, "javascript"}},
		"prompts":  {prompts, {"On the beach", "On the beach", "<script>alert(1)</script>\n\"&amp;'"}},
	} {
		check.True(t, "lists", slices.Equal(pair[0], pair[1]), what, pair[0], pair[1])
	}
}

// file is the file that a link leads to, from wherever the page is.
func file(t *testing.T, node *html.Node, name string) string {
	t.Helper()
	link := attribute(node, name)
	page := &url.URL{Scheme: "file", Path: "/somewhere/index.html"}
	to, err := page.Parse(link)
	if err != nil || to.Scheme != "file" || to.RawQuery != "" || to.Fragment != "" {
		t.Errorf("%s leads to %v: %v", link, to, err)
		return ""
	}
	return strings.TrimPrefix(to.Path, "/somewhere/")
}

func attribute(node *html.Node, name string) string {
	for _, attribute := range node.Attr {
		if attribute.Key == name {
			return attribute.Val
		}
	}
	return ""
}

func text(node *html.Node) string {
	var all strings.Builder
	for child := range node.Descendants() {
		if child.Type == html.TextNode {
			all.WriteString(child.Data)
		}
	}
	return all.String()
}

// TestForeignSheet: only a page of ours is replaced.
func TestForeignSheet(t *testing.T) {
	t.Parallel()
	directory, path := target(t)
	page := filepath.Join(path, media.SheetName)
	const foreign = "<h1>My site</h1>"
	check.Must(t, os.WriteFile(page, []byte(foreign), 0o600))
	check.True(t, "a foreign page", errors.Is(directory.WriteSheet(media.Sheet{}, false), media.ErrForeignSheet))
	content, _ := os.ReadFile(page)
	check.True(t, "the page stays", string(content) == foreign, string(content))
	for _, overwrite := range []bool{true, false} {
		check.NoError(t, directory.WriteSheet(media.Sheet{}, overwrite))
	}
	content, _ = os.ReadFile(page)
	check.True(t, "the page is replaced", string(content) != foreign)
	wantFiles(t, path, media.SheetName)
}

// A FIFO would block whoever opens it, Ctrl-C or not.
// Fault F11.
func TestSheetThatIsNoFile(t *testing.T) {
	t.Parallel()
	for name, create := range map[string]func(t testing.TB, page string) error{
		"FIFO":      check.MakeFIFO,
		"directory": func(_ testing.TB, page string) error { return os.Mkdir(page, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			directory, path := target(t)
			check.Must(t, create(t, filepath.Join(path, media.SheetName)))
			for _, overwrite := range []bool{true, false} {
				err := directory.WriteSheet(media.Sheet{}, overwrite)
				check.True(
					t,
					"it is no file",
					err != nil && strings.Contains(err.Error(), "not a regular file"),
					overwrite,
					err,
				)
			}
		})
	}
}

func TestDirectoryThatIsNone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	check.Must(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{file, filepath.Join(file, "below")} {
		if directory, err := media.OpenDirectory(path); err == nil {
			directory.Close()
			t.Errorf("%s was opened", path)
		}
	}
}
