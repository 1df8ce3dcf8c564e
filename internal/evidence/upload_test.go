package evidence_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

func partsOf(t *testing.T, request stub.Request) map[string]string {
	t.Helper()
	_, parameters, err := mime.ParseMediaType(request.Header.Get("Content-Type"))
	check.Must(t, err)
	reader := multipart.NewReader(bytes.NewReader(request.Body), parameters["boundary"])
	parts := map[string]string{}
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return parts
		}
		check.Must(t, err)
		content, err := io.ReadAll(part)
		check.Must(t, err)
		parts[part.FormName()] = part.FileName() + "|" + part.Header.Get("Content-Type") + "|" + string(content)
	}
}

func TestAnUploadIsOneFormWithOnePart(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(
			201,
			`{"success":true,"asset_id":"a1","vendor_url":"s3://x","view_url":"https://v","caption":null,`+
				`"caption_status":"pending"}`,
		),
	)
	result, err := s.Client(t).Images.Upload(t.Context(), api.FaceImages, "ch 1", "", stub.FaceImage("pixels"))
	check.Must(t, err)
	request := s.Requests()[0]
	check.True(
		t,
		"sent to",
		request.Method+request.Path == "POST/ch%201/upload/face-image",
		request.Method,
		request.Path,
	)
	parts := partsOf(t, request)
	check.True(t, "parts", len(parts) == 1 && parts["file"] == "face.png|image/png|pixels", parts)
	check.True(
		t,
		"the result",
		stub.Deref(result.ID) == "a1" && stub.Deref(result.StorageURL) == "s3://x" && result.Caption == nil &&
			*result.CaptionStatus == "pending",
		result,
	)
}

func TestAnImageGoesToTheRouteOfItsKind(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, `{"success":true,"asset_id":"a1"}`))
	check.Must(
		t,
		check.ErrorOf(
			s.Client(t).Images.Upload(t.Context(), api.BodyImages, "ch1", "body_image_back", stub.FaceImage("pixels")),
		),
	)
	request := s.Requests()[0]
	check.Equal(t, "sent to", request.Path, "/ch1/upload/body-image")
	parts := partsOf(t, request)
	check.True(
		t,
		"the parts",
		len(parts) == 2 && parts["file"] == "face.png|image/png|pixels" && parts["image_type"] == "||body_image_back",
		parts,
	)
}

func TestAnUploadIsReadAgainForEveryAttempt(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]stub.Answer{"401": stub.Status(401), "429": stub.Status(429)} {
		s := stub.NewService(t, stub.First(fault, stub.Always(200, good)))
		image := stub.FaceImage("pixels")
		opened := atomic.Int32{}
		open := image.Open
		image.Open = func() (io.ReadCloser, error) {
			opened.Add(1)
			return open()
		}
		_, err := s.Client(t).Images.Upload(t.Context(), api.FaceImages, "ch1", "", image)
		check.True(t, name+", opened twice", err == nil && opened.Load() == 2, name, err, opened.Load())
		for _, request := range s.Requests() {
			check.True(t, name+": sent", partsOf(t, request)["file"] == "face.png|image/png|pixels", request.Body)
		}
	}
}

// Fault F11.
func TestAChangedFileIsNeverACompleteUpload(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	for name, change := range map[string]func(*api.Image){
		"other bytes": func(i *api.Image) { i.Open = stub.FaceImage("pixelS").Open },
		"shorter":     func(i *api.Image) { i.Open = stub.FaceImage("pix").Open },
		"longer":      func(i *api.Image) { i.Open = stub.FaceImage("pixels and more").Open },
		"empty":       func(i *api.Image) { i.Open = stub.FaceImage("").Open },
		"unreadable": func(i *api.Image) {
			i.Open = func() (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(strings.NewReader("pix"), failing{broken})), nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var complete atomic.Int32
			s := stub.NewService(t, nil)
			s.OnRaw(func(w http.ResponseWriter, r *http.Request) {
				if err := r.ParseMultipartForm(1 << 20); err == nil {
					complete.Add(1)
				}
				stub.Respond(w, 200, good)
			})
			image := stub.FaceImage("pixels")
			change(&image)
			_, err := s.Client(t).Images.Upload(t.Context(), api.FaceImages, "ch1", "", image)
			wanted := api.ErrFileChanged
			if name == "unreadable" {
				wanted = broken
			}
			check.True(t, "error", errors.Is(err, wanted) && !reply.IsEffectUnknown(err), err)
			check.Equal(t, "the service got a complete form", complete.Load(), 0)
		})
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestAFileThatCannotBeOpenedSendsNothing(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	image := stub.FaceImage("x")
	image.Open = func() (io.ReadCloser, error) { return os.Open(filepath.Join(t.TempDir(), "none")) }
	_, err := s.Client(t).Images.Upload(t.Context(), api.FaceImages, "ch1", "", image)
	check.True(
		t,
		"requests",
		errors.Is(err, os.ErrNotExist) && len(s.Requests()) == 0 && !reply.IsEffectUnknown(err),
		err,
		len(s.Requests()),
	)
}

func TestFilenamesCannotBreakTheForm(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		`a"b.png`,
		"a\r\nContent-Type: x\r\n\r\n.png",
		`back\slash.png`,
		"größe 臉.png",
		"nul\x00tab\t.png",
		"",
		strings.Repeat("x", 5000),
		"bad\xff.png",
	} {
		s := stub.NewService(t, stub.Always(200, good))
		image := stub.FaceImage("pixels")
		image.Filename = name
		if _, err := s.Client(t).Images.Upload(t.Context(), api.FaceImages, "ch1", "", image); err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		parts := partsOf(t, s.Requests()[0])
		check.True(t, name, len(parts) == 1 && strings.HasSuffix(parts["file"], "|image/png|pixels"), parts)
	}
}

// TestAnUploadIsStreamed sends 64 MiB of a sparse file.
// Fault F11.
//
//nolint:paralleltest // It measures the memory of the whole process.
func TestAnUploadIsStreamed(t *testing.T) {
	const size = 64 << 20
	path := filepath.Join(t.TempDir(), "sparse")
	check.Must(t, os.WriteFile(path, nil, 0o600))
	check.Must(t, os.Truncate(path, size))
	sum := sha256.New()
	check.Must(t, check.ErrorOf(io.CopyN(sum, zeros{}, size)))
	var got atomic.Int64
	s := stub.NewService(t, nil)
	s.OnRaw(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		got.Store(n)
		stub.Respond(w, 200, good)
	})
	client := s.Client(t, func(c *stub.Config) {
		c.APIKey = ""
		c.AccessToken = "static"
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := client.Images.Upload(t.Context(), api.FaceImages, "ch1", "", api.Image{
		Open:     func() (io.ReadCloser, error) { return os.Open(path) },
		Filename: "f",
		Size:     size,
		SHA256:   hex.EncodeToString(sum.Sum(nil)),
	})
	runtime.ReadMemStats(&after)
	if err != nil || got.Load() < size {
		t.Fatalf("%v, %d bytes arrived", err, got.Load())
	}
	check.True(t, "allocated", after.TotalAlloc-before.TotalAlloc <= 8<<20, after.TotalAlloc-before.TotalAlloc)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
