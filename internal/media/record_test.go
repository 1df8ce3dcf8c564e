package media_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

func writes(t *testing.T, path string, names ...string) {
	t.Helper()
	for _, name := range names {
		check.Must(t, os.WriteFile(filepath.Join(path, name), []byte(name), 0o600))
	}
}

type record = map[string]media.Entry

// entry is of a file with its own name as its content.
func entry(file, prompt, generation string) media.Entry {
	return media.Entry{Name: "a", Prompt: prompt, Generation: generation, Size: int64(len(file))}
}

func wantRecord(t *testing.T, directory *media.Directory, want record) {
	t.Helper()
	check.Equal(t, "the record", directory.Record(), want)
}

// A record tells the next run what it was told, as long as the files are those.
func TestRecord(t *testing.T) {
	t.Parallel()
	directory, path := target(t)
	wantRecord(t, directory, record{})
	const odd, gone, changed, unknown = `50% #1 "a" é.png`, "b.png", "c.png", "d.png"
	writes(t, path, "a.png", odd, gone, changed, unknown)
	write := func(entries record) {
		check.Must(t, directory.WriteRecord(entries))
	}
	rain := entry("a.png", "in the rain", "gen_1")
	strange := entry(odd, "<script>\n\"&amp;'\u2028", `">\`)
	first := record{"a.png": rain, odd: strange, gone: entry(gone, "B", "gen_2"), changed: entry(changed, "C", "gen_3")}
	write(first)
	wantRecord(t, directory, first)
	check.Must(t, os.Remove(filepath.Join(path, gone)))
	check.Must(t, os.WriteFile(filepath.Join(path, changed), []byte("another"), 0o600))
	wantRecord(t, directory, record{"a.png": rain, odd: strange})
	// What was not asked for is remembered, and what was is as it is now.
	snow := entry("a.png", "in the snow", "gen_7")
	write(record{"a.png": snow, unknown: entry(unknown, "D", "")})
	write(nil)
	wantRecord(t, directory, record{"a.png": snow, odd: strange})
	wantFiles(t, path, "a.png", odd, changed, unknown, media.RecordName)
}

// Anybody may have written the record: it speaks of files in the directory alone.
func TestRecordOfSomebodyElse(t *testing.T) {
	t.Parallel()
	const own = `"a.png": {"name": "a", "prompt": "A", "generation": "gen_1", "size": 5}`
	a := record{"a.png": entry("a.png", "A", "gen_1")}
	for name, test := range map[string]struct {
		content string
		want    record
	}{
		"as written":               {"{" + own + "}", a},
		"more than is known":       {`{"made by": {"x": [1]}, ` + own + "}", a},
		"cut off":                  {"{" + own, record{}},
		"two":                      {"{" + own + "} {" + own + "}", record{}},
		"empty":                    {"", record{}},
		"null":                     {"null", record{}},
		"a list":                   {"[{" + own + "}]", record{}},
		"a page":                   {"<html>", record{}},
		"another type":             {`{` + own + `, "b.png": {"size": "5"}}`, a},
		"the first version":        {`{"version": 1, "files": {` + own + `}}`, a},
		"a later version":          {`{"version": 7, "files": {` + own + `}, "more": 1}`, a},
		"a version without files":  {`{"version": 1}`, record{}},
		"a version of no number":   {`{"version": "1", "files": {` + own + `}}`, record{}},
		"too large":                {"{" + strings.Repeat(" ", 64<<20) + own + "}", record{}},
		"the directory above":      {`{"../secret": {"generation": "gen_1", "size": 6}}`, record{}},
		"an absolute path":         {`{"/etc/hostname": {"generation": "gen_1", "size": 5}}`, record{}},
		"a directory":              {`{"folder": {"generation": "gen_1", "size": 4096}}`, record{}},
		"a link":                   {`{"link": {"generation": "gen_1", "size": 9}}`, record{}},
		"a file that is not there": {`{"b.png": {"generation": "gen_1", "size": 5}}`, record{}},
		"no size":                  {`{"a.png": {"generation": "gen_1"}}`, record{}},
		"no generation":            {`{"a.png": {"size": 5}}`, record{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			directory, path := target(t)
			writes(t, path, "a.png")
			writes(t, filepath.Dir(path), "secret")
			check.Must(t, os.Mkdir(filepath.Join(path, "folder"), 0o700))
			check.Must(t, os.Symlink("../secret", filepath.Join(path, "link")))
			check.Must(t, os.WriteFile(filepath.Join(path, media.RecordName), []byte(test.content), 0o600))
			wantRecord(t, directory, test.want)
			// It can be written to, whatever it was.
			check.Must(t, directory.WriteRecord(a))
			wantRecord(t, directory, a)
		})
	}
}

// The record of before the first version is read, and written on as this version.
func TestRecordOfTheOlderForm(t *testing.T) {
	t.Parallel()
	directory, path := target(t)
	writes(t, path, "a.png", "b.png")
	file := filepath.Join(path, media.RecordName)
	const older = `{"a.png": {"name": "a", "prompt": "A", "generation": "gen_1", "size": 5, "sha256": "", "mine": [1]}}`
	check.Must(t, os.WriteFile(file, []byte(older), 0o600))
	a := entry("a.png", "A", "gen_1")
	b := entry("b.png", "B", "gen_2")
	wantRecord(t, directory, record{"a.png": a})
	a.Key = "known since"
	for range 2 {
		check.Must(t, directory.WriteRecord(record{"a.png": a, "b.png": b}))
		wantRecord(t, directory, record{"a.png": a, "b.png": b})
		content, err := os.ReadFile(file)
		check.Must(t, err)
		var stored struct {
			Version int
			Files   map[string]struct{ Mine []int }
		}
		check.Must(t, json.Unmarshal(content, &stored))
		check.Equal(t, "the version", stored.Version, 1)
		check.Equal(t, "what somebody has added", stored.Files["a.png"].Mine, []int{1})
	}
	// An entry of somebody's is of a generation, and not of whatever follows it.
	check.Must(t, directory.WriteRecord(record{"a.png": entry("a.png", "A", "gen_9")}))
	content, err := os.ReadFile(file)
	check.True(t, "it goes with its generation", err == nil && !strings.Contains(string(content), "mine"), err)
}

// Of an address a record has its host alone: any other part may be a secret.
func TestSourceHost(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"": "",
		"https://user:s3cret@cdn.example.com:8443/s3cret/a.png?signature=s3cret#s3cret": "cdn.example.com",
		"HTTPS://[::1]/s3cret":          "::1",
		"data:image/png;base64,s3cret":  "data",
		"DATA:image/png;base64,s3cret":  "data",
		"https:s3cret":                  "unknown",
		"https://s3cret%zz.example.com": "unknown",
		"s3cret":                        "unknown",
	} {
		check.Equal(t, address, media.SourceHost(address), want)
	}
}

// A FIFO would block whoever opens it, Ctrl-C or not.
// Fault F11.
func TestRecordThatIsNoFile(t *testing.T) {
	t.Parallel()
	for name, create := range map[string]func(t testing.TB, path string) error{
		"FIFO":      check.MakeFIFO,
		"directory": func(_ testing.TB, path string) error { return os.Mkdir(path, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			directory, path := target(t)
			writes(t, path, "a.png")
			check.Must(t, create(t, filepath.Join(path, media.RecordName)))
			wantRecord(t, directory, record{})
			check.Equal(t, "it cannot be written", directory.WriteRecord(nil) != nil, name == "directory")
		})
	}
}

// A size alone proves nothing: what was changed since is not what was downloaded.
func TestRecordOfChangedFiles(t *testing.T) {
	t.Parallel()
	changed := strings.ToUpper(picture)
	for name, change := range map[string]func(t testing.TB, file string) error{
		"another content": func(_ testing.TB, file string) error { return os.WriteFile(file, []byte(changed), 0o600) },
		"gone":            func(_ testing.TB, file string) error { return os.Remove(file) },
		"FIFO": func(t testing.TB, file string) error {
			return errors.Join(os.Remove(file), check.MakeFIFO(t, file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newInternet(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, picture) })
			directory, path := target(t)
			entry, err := n.client(theService).
				Fetch(t.Context(), "https://media.example.com/", directory, base, 1, func(int64) {})
			check.True(
				t,
				"the entry",
				err == nil && entry.Size == int64(len(picture)) && directory.IsUnchanged("beach.png", entry),
				entry,
				err,
			)
			check.Must(t, change(t, filepath.Join(path, "beach.png")))
			check.True(t, "has changed", !directory.IsUnchanged("beach.png", entry))
		})
	}
}
