package media_test

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

func TestTypes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		content, extension string
		picture            bool
	}{
		"png": {picture, ".png", true}, "jpeg": {"\xff\xd8\xff\xe0", ".jpg", true}, "gif": {"GIF89a", ".gif", true},
		"webp": {"RIFF\x04\x00\x00\x00WEBPVP8 ", ".webp", true}, "bmp": {"BM\x00\x00\x00\x00\x00\x00", ".bmp", true},
		"avif":               {"\x00\x00\x00\x20ftypavif\x00\x00\x00\x00", ".avif", true},
		"heic":               {"\x00\x00\x00\x20ftypheic\x00\x00\x00\x00", ".heic", false},
		"tiff":               {"II*\x00\x08\x00\x00\x00", ".tif", false},
		"tiff of the others": {"MM\x00*\x00\x00\x00\x08", ".tif", false},
		"mp4":                {"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00", ".mp4", false},
		"quicktime": {"\x00\x00\x00\x14ftypqt  " +
			"\x00\x00\x00\x00", ".mov", false},
		"webm": {"\x1a\x45\xdf\xa3\x00\x00\x00", ".webm", false}, "mp3": {"ID3\x03\x00", ".mp3", false},
		"zip": {"PK\x03\x04\x00", ".bin", false}, "program": {"MZ\x90\x00\x03\x00\x00\x00", ".bin", false},
		"noise": {"\x00\x01\x02\x03", ".bin", false},
	} {
		n := newInternet(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-sh")
			w.Header().Set("Content-Disposition", `attachment; filename="run.sh"`)
			_, _ = io.WriteString(w, test.content)
		})
		file, path, err := fetch(t, n.client(theService), "https://media.example.com/run.sh")
		if err != nil || file.Name != base+test.extension || file.Picture != test.picture {
			t.Errorf("%s: %+v, %v", name, file, err)
			continue
		}
		content, err := os.ReadFile(filepath.Join(path, file.Name))
		check.True(t, name, err == nil && string(content) == test.content, content, err)
	}
}

func TestDataURIs(t *testing.T) {
	t.Parallel()
	encoded := base64.StdEncoding.EncodeToString([]byte(picture))
	for name, test := range map[string]struct{ address, want string }{
		"as usual":        {"data:image/png;base64," + encoded, ""},
		"upper case":      {"DATA:image/png;BASE64," + encoded, ""},
		"without padding": {"data:image/png;base64," + strings.TrimRight(encoded, "="), ""},
		"url alphabet":    {"data:image/png;base64," + base64.RawURLEncoding.EncodeToString([]byte(picture)), ""},
		"in lines":        {"data:image/png;base64," + encoded[:8] + "\r\n" + encoded[8:], ""},
		"escaped": {
			"data:image/png;base64," + strings.NewReplacer("=", "%3D", "+", "%2B", "/", "%2F").Replace(encoded),
			"",
		},
		"percent":   {"data:image/png,%89PNG%0D%0A%1A%0A%20and%20so%20on", ""},
		"a page":    {"data:text/html,<html>sorry</html>", "not media"},
		"no comma":  {"data:image/png;base64", "cannot be decoded"},
		"no base64": {"data:image/png;base64,!!!", "cannot be decoded"},
		"nothing":   {"data:,", "empty"},
	} {
		n := newInternet(t, func(http.ResponseWriter, *http.Request) {})
		file, path, err := fetch(t, n.client(theService), test.address)
		if test.want != "" {
			check.True(t, name, err != nil && strings.Contains(err.Error(), test.want), err, test.want)
			wantFiles(t, path)
			continue
		}
		content, _ := os.ReadFile(filepath.Join(path, "beach.png"))
		check.True(
			t,
			name,
			err == nil && file.Name == "beach.png" && string(content) == picture && len(n.requests) == 0,
			file,
			err,
			content,
		)
	}
}

// TestWhatIsNoMedium leaves nothing behind.
func TestWhatIsNoMedium(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	for name, test := range map[string]struct {
		serve   http.HandlerFunc
		want    string
		passing bool
	}{
		"a page": {want: "text/html", serve: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/png")
			_, _ = io.WriteString(w, "<!DOCTYPE html><p>log in")
		}},
		"an error in JSON": {
			want:  "text/plain",
			serve: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"error": "gone"}`) },
		},
		"nothing": {want: "empty", serve: func(http.ResponseWriter, *http.Request) {}},
		"too large, as it says": {want: "larger than 1.0 MiB", serve: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2147483648")
			_, _ = io.WriteString(w, picture)
		}},
		"too large, as it turns out": {
			want: "larger than 1.0 MiB",
			serve: func(w http.ResponseWriter, _ *http.Request) {
				for range 10_000 { // endless, as far as the limit goes
					if _, err := io.WriteString(w, strings.Repeat(picture, 1000)); err != nil {
						return
					}
				}
			},
		},
		"half": {want: "broke off", passing: true, serve: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000")
			_, _ = io.WriteString(w, picture)
		}},
		"a connection that is reset": {
			want:    "the connection was closed",
			passing: true,
			serve:   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newInternet(t, test.serve)
			client := n.client(theService, func(c *media.Config) { c.MaxSize = limit })
			_, path, err := fetch(t, client, "https://media.example.com/?signature=secret")
			check.True(
				t,
				"the error",
				err != nil && strings.Contains(err.Error(), test.want) &&
					strings.HasPrefix(err.Error(), "media.example.com: ") &&
					media.IsTemporary(err) == test.passing,
				err,
				media.IsTemporary(err),
				test.want,
			)
			wantFiles(t, path)
		})
	}
}

// hesitant is a host that pauses before its reply and before each part of it.
type hesitant struct {
	pause time.Duration
	parts int
}

func (h *hesitant) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := h.wait(request.Context()); err != nil {
		return nil, err
	}
	read, write := io.Pipe()
	go func() {
		for range h.parts {
			if h.wait(request.Context()) != nil {
				break
			}
			_, _ = io.WriteString(write, picture)
		}
		_ = write.CloseWithError(request.Context().Err())
	}()
	return &http.Response{StatusCode: http.StatusOK, Body: read, ContentLength: -1, Request: request}, nil
}

func (h *hesitant) wait(ctx context.Context) error {
	select {
	case <-time.After(h.pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestIdleTimeout: a file may take long, as long as bytes arrive.
func TestIdleTimeout(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		host *hesitant
		want error
	}{
		"slow":   {host: &hesitant{pause: 50 * time.Second, parts: 60}},
		"silent": {host: &hesitant{pause: 70 * time.Second, parts: 1}, want: media.ErrIdle},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			directory, path := target(t)
			synctest.Test(t, func(t *testing.T) {
				client := media.New(
					media.Config{
						Service:     &url.URL{Host: "api.example.org"},
						Transport:   test.host,
						IdleTimeout: time.Minute,
					},
				)
				_, err := client.Fetch(t.Context(), "https://media.example.com/", directory, base, 1, func(int64) {})
				check.True(
					t,
					"the kind of error",
					errors.Is(err, test.want) && media.IsTemporary(err) == (test.want != nil),
					err,
					test.want,
				)
			})
			if test.want != nil {
				wantFiles(t, path)
				return
			}
			content, err := os.ReadFile(filepath.Join(path, "beach.png"))
			check.True(
				t,
				"content",
				err == nil && string(content) == strings.Repeat(picture, test.host.parts),
				len(content),
				err,
			)
		})
	}
}

// The file that it replaces has another name; those of other numbers and names
// are not touched.
func TestFetchOfAnotherType(t *testing.T) {
	t.Parallel()
	n := newInternet(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, picture) })
	directory, path := target(t)
	for _, name := range []string{"beach.jpg", "beach.bin", "beach-2.jpg", "beaches.jpg", "beach.txt"} {
		check.Must(t, os.WriteFile(filepath.Join(path, name), []byte("before"), 0o600))
	}
	check.Must(t, os.Mkdir(filepath.Join(path, "beach.gif"), 0o700))
	check.NoError(
		t,
		check.ErrorOf(
			n.client(theService).Fetch(t.Context(), "https://media.example.com/", directory, base, 1, func(int64) {}),
		),
	)
	wantFiles(t, path, "beach.png", "beach-2.jpg", "beaches.jpg", "beach.txt", "beach.gif")
}

// TestInterruptedFetch leaves what was there before.
func TestInterruptedFetch(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	n := newInternet(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat(picture, 100_000))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	directory, path := target(t)
	before := filepath.Join(path, "beach.png")
	check.Must(t, os.WriteFile(before, []byte("before"), 0o600))
	_, err := n.client(theService).Fetch(ctx, "https://media.example.com/", directory, base, 1, func(bytes int64) {
		if bytes > 0 {
			cancel()
		}
	})
	check.True(t, "cancelled", errors.Is(err, context.Canceled), err)
	wantFiles(t, path, "beach.png")
	content, _ := os.ReadFile(before)
	check.True(t, "beach.png", string(content) == "before", string(content))
}
