package media_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

// writes writes files with their own names as their content.
func writes(t *testing.T, path string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(path, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func entry(name, prompt, generation, file string) media.SheetEntry {
	return media.SheetEntry{Name: name, Prompt: prompt, Generation: generation, File: media.File{Name: file}}
}

func wantSheet(t *testing.T, directory *media.Directory, want ...media.SheetEntry) {
	t.Helper()
	wanted := map[string]media.SheetEntry{}
	for _, entry := range want {
		wanted[entry.File.Name] = entry
	}
	if diff := cmp.Diff(wanted, directory.Sheet(), cmp.AllowUnexported(media.Kind{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A sheet tells the next run what it was told, as long as the files are those.
func TestSheetIsRead(t *testing.T) {
	t.Parallel()
	directory, path := target(t)
	wantSheet(t, directory)
	odd := entry(`<b>"x"</b>`, "<script>alert(1)</script>\n\"&amp;'</span>", `">& gen`, `50% #1 'a'.png`)
	rain := entry("a", "in the rain", "gen_1", "a.png")
	gone, changed, unknown := entry("b", "B", "gen_2", "b.png"), entry("c", "C", "gen_3", "c.png"), entry("d", "D", "", "d.png")
	writes(t, path, rain.File.Name, odd.File.Name, gone.File.Name, changed.File.Name, unknown.File.Name)
	write := func(entries ...media.SheetEntry) {
		if err := directory.WriteSheet(entries, false); err != nil {
			t.Fatal(err)
		}
	}
	write(rain, odd, gone, changed, unknown)
	wantSheet(t, directory, rain, odd, gone, changed)
	if err := os.Remove(filepath.Join(path, gone.File.Name)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, changed.File.Name), []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantSheet(t, directory, rain, odd)
	// What is not shown any more is remembered, and what is shown is as it is now.
	snow := entry("a", "in the snow", "gen_7", "a.png")
	write(snow)
	wantSheet(t, directory, snow, odd)
	write(unknown)
	write()
	wantSheet(t, directory, snow, odd)
	if page, err := os.ReadFile(filepath.Join(path, media.SheetName)); err != nil || strings.Contains(string(page), "href") || strings.Contains(string(page), "<script>") {
		t.Errorf("the page shows something:\n%s\n%v", page, err)
	}
}

// Anybody may have written the sheet: it speaks of files in the directory alone.
func TestSheetOfSomebodyElse(t *testing.T) {
	t.Parallel()
	const mark = `<meta name="generator" content="terraform-provider-mediagen">`
	figure := func(file, size, rest string) string {
		return fmt.Sprintf(`<figure data-file="%s" data-size="%s" data-generation="gen_1">%s<b>a</b><span>A</span>`, file, size, rest)
	}
	own := figure("a.png", "5", "")
	a := entry("a", "A", "gen_1", "a.png")
	for name, test := range map[string]struct {
		page string
		want []media.SheetEntry
	}{
		"as written":               {mark + own + "</figure>", []media.SheetEntry{a}},
		"without the mark":         {own + "</figure>", nil},
		"the mark far down":        {strings.Repeat(" ", 2000) + mark + own + "</figure>", nil},
		"cut off":                  {mark + own, nil},
		"the directory above":      {mark + figure("../secret", "6", "") + "</figure>", nil},
		"an absolute path":         {mark + figure("/etc/hostname", "5", "") + "</figure>", nil},
		"a directory":              {mark + figure("folder", "4096", "") + "</figure>", nil},
		"a link":                   {mark + figure("link", "9", "") + "</figure>", nil},
		"a file that is not there": {mark + figure("b.png", "5", "") + "</figure>", nil},
		"no size":                  {mark + figure("empty", "", "") + "</figure>", nil},
		"a huge text":              {mark + figure("a.png", "5", strings.Repeat("x", 2<<20)) + "</figure>" + own + "</figure>", nil},
		"only markup":              {mark + strings.Repeat("<b>", 1000) + own + "</figure>", []media.SheetEntry{a}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			directory, path := target(t)
			writes(t, path, "a.png")
			writes(t, filepath.Dir(path), "secret")
			if err := os.WriteFile(filepath.Join(path, "empty"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(path, "folder"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("../secret", filepath.Join(path, "link")); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(path, media.SheetName), []byte(test.page), 0o600); err != nil {
				t.Fatal(err)
			}
			wantSheet(t, directory, test.want...)
		})
	}
}
