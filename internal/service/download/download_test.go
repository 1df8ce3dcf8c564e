package download_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func signed(o *mockserver.Options) { o.Variant.SignedURLs = true }

func TestDownload(t *testing.T) {
	t.Parallel()
	d := newDownloads(t, signed)
	lines := d.succeeds(
		core.Object{"generation_ids": core.Object{"a": d.ids["a"], "b": d.ids["b"], "c": d.ids["c"], "rejected": nil}},
	)
	d.WantLines(lines[:1], "1 generation without an id is skipped")
	d.WantLines(lines[1:2], "Downloading the results of 3 generations to "+d.directory)
	d.WantLines(lines[len(lines)-1:], "3 of 3 generations done: 3 files downloaded (")
	d.wantFiles("a.png", "b.png", "c.png", "index.html")
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		check.NoError(t, check.ErrorOf(png.Decode(strings.NewReader(d.read(name)))))
	}
	sheet := d.read("index.html")
	for _, want := range []string{`src="./a.png"`, `src="./b.png"`, "<b>c</b>", "in the rain", "in the &lt;snow&gt;"} {
		check.True(t, "the contact sheet has", strings.Contains(sheet, want), want, sheet)
	}
	check.True(
		t,
		"the contact sheet has no address",
		!strings.Contains(sheet, "signature") && !strings.Contains(sheet, "//"),
		sheet,
	)
	d.WantCount(t, mockserver.RouteStatus, 3)
	d.WantCount(t, mockserver.RouteMedia, 3)
	for _, request := range d.Requests(mockserver.RouteMedia) {
		for name, values := range request.Header {
			isSecret := name == "Authorization" || name == "Apikey" || name == "Referer" ||
				strings.Contains(fmt.Sprint(values), acctest.APIKey)
			check.True(t, "a host of media is sent no credential", !isSecret, name, values)
		}
	}
}

// TestDownloadAgain: what is on disk costs no request to its host.
func TestDownloadAgain(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.succeeds()
	check.Must(t, os.WriteFile(filepath.Join(d.directory, "a.png"), []byte("mine"), 0o600))
	check.Must(t, os.Remove(filepath.Join(d.directory, "b.png")))
	for _, step := range []struct {
		more    core.Object
		fetched int
		end, a  string
	}{
		{core.Object{}, 1, "1 already there, 1 not replaced", "mine"},
		{core.Object{}, 0, "2 already there, 1 not replaced", "mine"},
		{core.Object{"overwrite": true}, 3, "3 in place of earlier ones", "\x89PNG"},
	} {
		d.ResetJournal()
		lines, messages := d.download(step.more)
		check.True(t, "no error", !messages.HasErrors(), messages)
		d.WantCount(t, mockserver.RouteMedia, step.fetched)
		d.WantCount(t, mockserver.RouteStatus, 3)
		d.WantLines(lines[len(lines)-1:], step.end)
		d.wantFiles("a.png", "b.png", "c.png", "index.html")
		check.True(t, "a.png", strings.HasPrefix(d.read("a.png"), step.a), step.a)
		check.Equal(t, "pictures on the contact sheet", strings.Count(d.read("index.html"), "<img"), 3)
	}
}

// What is overwritten by a file of another kind does not stay beside it.
func TestDownloadOverwritesAnotherKind(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.Fault(
		mockserver.Fault{
			Route:       mockserver.RouteMedia,
			Nth:         1,
			Body:        "\xff\xd8\xff\xe0 and so on",
			ContentType: "image/jpeg",
		},
	)
	for _, step := range []struct {
		more core.Object
		a    string
	}{{core.Object{}, "a.jpg"}, {core.Object{}, "a.jpg"}, {core.Object{"overwrite": true}, "a.png"}} {
		d.succeeds(step.more)
		d.wantFiles(step.a, "b.png", "c.png", "index.html")
		sheet := d.read("index.html")
		check.True(t, "the contact sheet", strings.Count(sheet, "<img") == 3 && strings.Contains(sheet, step.a), sheet)
	}
}

// TestDownloadNames: results are numbered, and names that are alike differ.
func TestDownloadNames(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: func(status map[string]any) {
		results, _ := status["result_urls"].([]any)
		if status["generation_id"] == d.ids["a"] {
			status["result_urls"] = append(results, results...)
		}
	}})
	ids := core.Object{"con": d.ids["a"], "x/y": d.ids["b"], "Ada": d.ids["b"], "ada": d.ids["c"]}
	d.succeeds(core.Object{"generation_ids": ids, "contact_sheet": false})
	entries, err := os.ReadDir(d.directory)
	if err != nil || len(entries) != 6 {
		t.Fatalf("%v, %v", entries, err)
	}
	for i, want := range []string{media.RecordName, "Ada_*.png", "_con-2.png", "_con.png", "ada_*.png", "x_y.png"} {
		fits, _ := filepath.Match(want, entries[i].Name())
		check.True(t, want+" fits", fits, entries[i].Name())
	}
}

func TestDownloadOfOtherMedia(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.Fault(
		mockserver.Fault{
			Route:       mockserver.RouteMedia,
			About:       d.id("b"),
			Body:        "\x00\x00\x00\x18ftypisom and so on",
			ContentType: "image/png",
		},
	)
	_, messages := d.download()
	check.Equal(t, "messages", len(messages), 1)
	d.WantWarning(messages, "Media Other Than Pictures", "b.mp4")
	d.wantFiles("a.png", "b.mp4", "c.png", "index.html")
	sheet := d.read("index.html")
	check.True(
		t,
		"the contact sheet",
		strings.Count(sheet, "<img") == 2 && strings.Contains(sheet, `href="./b.mp4"`),
		sheet,
	)
}

// TestDownloadLeavesForeignPages: an index.html may be somebody's site.
func TestDownloadLeavesForeignPages(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.directory = t.TempDir()
	check.Must(t, os.WriteFile(filepath.Join(d.directory, "index.html"), []byte("my site"), 0o600))
	_, messages := d.download()
	check.Equal(t, "messages", len(messages), 1)
	d.WantWarning(messages, "Contact Sheet Not Written")
	check.Equal(t, "the page", d.read("index.html"), "my site")
	d.succeeds(core.Object{"overwrite": true})
	check.True(t, "another page", d.read("index.html") != "my site")
}

// What cannot be written beside the files does not lose them.
func TestDownloadCannotDescribe(t *testing.T) {
	t.Parallel()
	for name, summary := range map[string]string{
		media.RecordName: "Unable to Record Downloads",
		media.SheetName:  "Unable to Write Contact Sheet",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDownloads(t)
			check.Must(t, os.MkdirAll(filepath.Join(d.directory, name), 0o700))
			_, messages := d.download()
			d.WantError(messages, summary, filepath.Join(d.directory, name), "a.png, b.png, c.png (3 files)")
			d.wantFiles("a.png", "b.png", "c.png", "index.html")
		})
	}
}

var inGzip = http.Header{"Content-Encoding": {"gzip"}}

func packed(content string) string {
	var result bytes.Buffer
	w := gzip.NewWriter(&result)
	_, _ = io.WriteString(w, content)
	_ = w.Close()
	return result.String()
}

// TestDownloadOfPackedFiles saves the picture, and records what it saves.
func TestDownloadOfPackedFiles(t *testing.T) {
	t.Parallel()
	const picture = "\x89PNG\r\n\x1a\n and so on"
	d := newDownloads(t)
	d.Fault(mockserver.Fault{
		Route:  mockserver.RouteMedia,
		Nth:    1,
		Header: inGzip,
		Body:   packed(picture),
	})
	d.succeeds()
	d.wantFiles("a.png", "b.png", "c.png", "index.html")
	check.Equal(t, "a.png", d.read("a.png"), picture)
	d.WantCount(t, mockserver.RouteMedia, 3)
	d.WantCount(t, mockserver.RouteStatus, 3)
	d.ResetJournal()
	d.generate("in the fog") // what is its own is replaced
	d.succeeds()
	check.True(t, "a.png is the later one", d.read("a.png") != picture)
	d.WantCount(t, mockserver.RouteMedia, 1)
}

// TestDownloadGoesOn: what fails is named, and the rest is there.
func TestDownloadGoesOn(t *testing.T) {
	t.Parallel()
	const twice = 2 // what may pass is retried once
	type row struct {
		fault mockserver.Fault
		want  string
		tries int
	}
	check.Each(t, map[string]row{
		"a page": {
			mockserver.Fault{Body: "<html>log in</html>"},
			"the content is text (text/html), not media",
			1,
		},
		"nothing":   {mockserver.Fault{Status: 200}, "the file is empty", 1},
		"not found": {mockserver.Fault{Status: 404}, "404 Not Found", 1},
		"expired": {
			mockserver.Fault{Status: 403, Times: twice, Body: "<Error>signature=abc</Error>"},
			"403 Forbidden; the address may have expired",
			twice,
		},
		"a fault that lasts": {mockserver.Fault{Status: 503, Times: twice}, "503 Service Unavailable", twice},
		"broken off":         {mockserver.Fault{DropInBody: true, Times: twice}, "broke off before its end", twice},
		"larger than 1 GiB": {
			mockserver.Fault{Header: http.Header{"Content-Length": {"2147483648"}}},
			"larger than 1.0 GiB",
			1,
		},
		"the metadata": {
			mockserver.Fault{Status: 302, Header: http.Header{"Location": {"http://169.254.169.254/latest"}}},
			"169.254.169.254 is a link-local address",
			1,
		},
		"a redirect to nowhere": {mockserver.Fault{Status: 302}, "cannot be read", 1},
		"packed in a way that is unknown": {
			mockserver.Fault{Header: http.Header{"Content-Encoding": {"br"}}},
			`packed as "br", which cannot be unpacked`,
			1,
		},
		"packed, and torn": {
			mockserver.Fault{Header: inGzip, Body: packed("\x89PNG\r\n\x1a\n and so on")[:20], Times: twice},
			"broke off before its end",
			twice,
		},
	}, func(t *testing.T, test row) {
		d := newDownloads(t, signed)
		fault := test.fault
		fault.Route = mockserver.RouteMedia
		fault.About = d.id("b")
		d.Fault(fault)
		lines, messages := d.download()
		check.Equal(t, "messages", len(messages), 1)
		d.WantError(messages, "Unable to Download Generations", `"b" (`+d.id("b")+"): 127.0.0.1", test.want,
			"a.png, c.png (2 files)", d.directory, "costs no credits")
		check.True(t, "the error tells no signature", !strings.Contains(messages.String(), "signature"), messages)
		d.wantFiles("a.png", "c.png", "index.html")
		d.WantCount(t, mockserver.RouteMedia, 2+test.tries)
		d.WantCount(t, mockserver.RouteStatus, 2+test.tries)
		d.WantLines(lines[len(lines)-1:], "2 files downloaded (")
		// The next run needs that one alone.
		d.ClearFaults()
		d.ResetJournal()
		d.succeeds()
		d.WantCount(t, mockserver.RouteMedia, 1)
		d.wantFiles("a.png", "b.png", "c.png", "index.html")
	})
}

// TestDownloadTriesOnceMore with a fresh address, which a signature that has
// expired needs.
func TestDownloadTriesOnceMore(t *testing.T) {
	t.Parallel()
	d := newDownloads(t, signed)
	d.Fault(mockserver.Fault{Route: mockserver.RouteMedia, Nth: 1, Status: 403})
	lines := d.succeeds()
	d.WantLines(lines[len(lines)-1:], "3 of 3 generations done: 3 files downloaded (")
	d.WantCount(t, mockserver.RouteMedia, 4)
	d.WantCount(t, mockserver.RouteStatus, 4)
	requests := d.Requests(mockserver.RouteMedia)
	first := requests[0]
	last := requests[3]
	check.True(
		t,
		"a fresh address",
		first.Path == last.Path && first.Query.Get("signature") != last.Query.Get("signature"),
		first,
		last,
	)
}

// withoutFiles is a status of a generation that has no files, and what is said of it.
type withoutFiles struct {
	status map[string]any
	want   string
}

// What has ended without results leaves nothing to save: it is no error, and a download that is
// triggered by an apply does not fail for ever. What else could not be saved still is one.
func TestDownloadSkipsWhatHasFailed(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]withoutFiles{
		"failed":    {map[string]any{"status": "failed", "error": "too cold"}, "too cold"},
		"cancelled": {map[string]any{"status": "cancelled"}, "(status cancelled)"},
	}, func(t *testing.T, test withoutFiles) {
		test.status["result_urls"] = []any{}
		d := newDownloads(t)
		d.shows("b", test.status)
		lines, messages := d.download()
		check.True(t, "no error", !messages.HasErrors(), messages)
		d.WantWarning(messages, "Skipped Without Results", `"b" (`+d.id("b")+"): ", test.want)
		d.WantLines(lines, `Skipped, since they have ended without results: "b" (`)
		d.WantLines(lines[len(lines)-1:], "3 of 3 generations done: 2 files downloaded (", "1 without results")
		d.wantFiles("a.png", "c.png", "index.html")
		d.ResetJournal()
		d.Fault(mockserver.Fault{Route: mockserver.RouteMedia, Nth: 1, Status: 404})
		check.Must(t, os.Remove(filepath.Join(d.directory, "c.png")))
		_, messages = d.download()
		d.WantError(messages, "Unable to Download Generations", `"c" (`+d.id("c")+"): ")
		check.True(t, "no error of b", !strings.Contains(messages.Errors().String(), d.id("b")), messages)
		d.WantCount(t, mockserver.RouteStatus, 3)
	})
}

// A failed retake leaves the file of the earlier generation, and the record that says so.
func TestDownloadOfAFailedRetake(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.succeeds()
	before := d.read("a.png")
	d.FailPrompt("of nobody", "no face found")
	d.generate("of nobody")
	_, messages := d.download()
	check.True(t, "no error", !messages.HasErrors(), messages)
	check.Equal(t, "the file", d.read("a.png"), before)
	d.generate("in the fog")
	d.succeeds()
	check.True(t, "another file", d.read("a.png") != before)
}

func TestDownloadOfGenerationsWithoutFiles(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]withoutFiles{
		"running": {
			map[string]any{"status": "processing", "progress": 40, "result_urls": []any{}},
			"it has not ended (processing)",
		},
		"no results": {
			map[string]any{"status": "completed", "result_urls": []any{}},
			"it has ended, but shows no results",
		},
	}, func(t *testing.T, test withoutFiles) {
		d := newDownloads(t)
		d.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: func(status map[string]any) {
			if status["generation_id"] == d.ids["b"] {
				maps.Copy(status, test.status)
			}
		}})
		_, messages := d.download()
		check.Equal(t, "messages", len(messages), 1)
		d.WantError(messages, "Unable to Download", `"b" (`+d.id("b")+"): "+test.want)
		d.wantFiles("a.png", "c.png", "index.html")
	})
}

// TestDownloadOfWhatIsDeleted names the files that are on disk all the same.
func TestDownloadOfWhatIsDeleted(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.succeeds()
	d.DeleteGenerationBehindTheBack(d.id("b"))
	_, messages := d.download()
	check.Equal(t, "messages", len(messages), 1)
	d.WantError(messages, "Unable to Download", "404", "a.png, b.png, c.png (3 files)")
	check.Equal(t, "pictures on the contact sheet", strings.Count(d.read("index.html"), "<img"), 3)
}

// TestDownloadIsCut: whatever ends it keeps complete files, at once.
func TestDownloadIsCut(t *testing.T) {
	t.Parallel()
	type row struct {
		fault     mockserver.Fault
		interrupt bool
		timeout   string
		summary   string
		details   []string
		files     []string
	}
	check.Each(t, map[string]row{
		"Ctrl-C in the middle of a file": {
			fault: mockserver.Fault{
				Route:      mockserver.RouteMedia,
				After:      mockserver.RouteMedia,
				Times:      1,
				HoldInBody: true,
				Hold:       make(chan struct{}),
			},
			interrupt: true,
			summary:   "Download of Generations Interrupted",
			details:   []string{"it was under way when the download ended", "a.png (1 file)"},
			files:     []string{"a.png", "index.html"},
		},
		"Ctrl-C before a file": {
			fault: mockserver.Fault{
				Route: mockserver.RouteMedia,
				After: mockserver.RouteMedia,
				Times: 1,
				Hold:  make(chan struct{}),
			},
			interrupt: true,
			summary:   "Download of Generations Interrupted",
			details:   []string{"it was under way when the download ended", "a.png (1 file)"},
			files:     []string{"a.png", "index.html"},
		},
		"Ctrl-C before a status": {
			fault: mockserver.Fault{
				Route: mockserver.RouteStatus,
				After: mockserver.RouteStatus,
				Times: 1,
				Hold:  make(chan struct{}),
			},
			interrupt: true,
			summary:   "Download of Generations Interrupted",
			details:   []string{"it was under way when the download ended", "a.png (1 file)"},
			files:     []string{"a.png", "index.html"},
		},
		"time runs out in the middle of a file": {
			fault: mockserver.Fault{
				Route:      mockserver.RouteMedia,
				Nth:        1,
				HoldInBody: true,
				Hold:       make(chan struct{}),
			},
			timeout: "1s", // of real time, as it is up to a host
			summary: "Download of Generations Not Finished",
			details: []string{"It ended after 1s (timeout sets the time)", "there is: nothing"},
			files:   []string{"index.html"},
		},
		"time runs out between two tries of a status": {
			fault: mockserver.Fault{
				Route:  mockserver.RouteStatus,
				After:  mockserver.RouteStatus,
				Status: 503,
			},
			timeout: "3s",
			summary: "Download of Generations Not Finished",
			details: []string{"the operation's time ran out", "a.png (1 file)"},
			files:   []string{"a.png", "index.html"},
		},
	}, func(t *testing.T, test row) {
		d := newDownloads(t)
		var interrupted time.Time
		if test.interrupt {
			test.fault.Reached = func() {
				interrupted = time.Now()
				d.Interrupt()
			}
		}
		d.Fault(test.fault)
		more := core.Object{}
		if test.timeout != "" {
			more["timeout"] = test.timeout
		}
		_, messages := d.download(more)
		// Real time, which sockets need and a busy machine stretches; every
		// time-out that the download could wait for is longer.
		check.True(
			t,
			"it ends soon",
			!test.interrupt || time.Since(interrupted) <= 25*time.Second,
			time.Since(interrupted),
		)
		check.Equal(t, "messages", len(messages), 1)
		d.WantError(messages, test.summary, append(test.details, `"c" (`+d.id("c")+"): it was not tried any more")...)
		d.wantFiles(test.files...)
	})
}

// TestDownloadWithAWrongToken asks once, not once for each generation.
func TestDownloadWithAWrongToken(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.Workspace.Provider(core.Object{"base_url": d.URL, "access_token": "wrong-token-0123456789"})
	_, messages := d.download()
	check.Equal(t, "messages", len(messages), 1)
	d.WantError(messages, "Access Token Rejected (401)", "did not accept the provider's")
	d.WantCount(t, mockserver.RouteStatus, 1)
}

func TestDownloadNothing(t *testing.T) {
	t.Parallel()
	check.Each(
		t,
		map[string]core.Object{"none": {}, "nulls": {"a": nil, "b": nil}},
		func(t *testing.T, ids core.Object) {
			s := acctest.NewScenario(t)
			lines, messages := s.Invoke(downloadAction, core.Object{"generation_ids": ids, "directory": t.TempDir()})
			check.True(t, "no message", len(messages) == 0, messages)
			s.WantLines(lines[len(lines)-1:], "There are no generations to download")
			s.WantNoRequests(t)
		},
	)
}

// What a shell would expand makes no directory of that name. Fault F38.
func TestDownloadToNoPath(t *testing.T) {
	t.Parallel()
	for directory, says := range map[string]string{
		"~/pictures":            "begins with ~, which only shells know",
		"file:///home/pictures": "is a file: address, and must be a path",
		"s3://bucket/pictures":  "is an address, and must be a local path",
	} {
		s := acctest.NewScenario(t)
		_, messages := s.Invoke(downloadAction, core.Object{
			"generation_ids": core.Object{"a": "gen_000001"}, "directory": directory,
		})
		check.Equal(t, "messages", len(messages), 1)
		s.WantMessage(messages.Errors(), "directory", says)
		s.WantNoRequests(t)
	}
}

// TestDownloadIsSeen: a large file reports its progress.
func TestDownloadIsSeen(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	content := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{0}, 1<<20)...)
	d.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteMedia,
			Nth:     1,
			Body:    string(content),
			Reached: func() { d.Clock.Advance(time.Minute) },
		},
	)
	lines := d.succeeds()
	d.WantLines(lines, `0 of 3 generations done: 0 files downloaded (0 B); "a": `)
	info, err := fs.Stat(os.DirFS(d.directory), "a.png")
	check.True(t, "the size", err == nil && info.Size() == int64(len(content)), info, err)
}
