package character_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// The service accepts any file as a face image and cannot delete it. Fault F26.
func TestPlanRefusesWhatIsNoImage(t *testing.T) {
	t.Parallel()
	type row struct{ filename, content, says string }
	check.Each(t, map[string]row{
		"text": {"notes.txt", "Ada, from the left\n", "is text"},
		"text with a name": {
			"front.png",
			"Ada, from the left\n",
			"is text (text/plain; charset=utf-8), not an image",
		},
		"text named as AVIF": {"front.avif", "soon", "is text (text/plain; charset=utf-8), not an image"},
		"UTF-16":             {"front.png", "\xff\xfeA\x00d\x00a\x00", "is text"},
		"HTML":               {"front.jpg", "\n<!DOCTYPE html><html>404 Not Found</html>", "text (text/html"},
		"XML": {
			"front.png",
			`<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>`,
			"text (text/xml",
		},
		"SVG":                 {"front.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`, "is text"},
		"SVG with a prologue": {"front.svg", "\ufeff" + `<?xml version="1.0"?><svg/>`, "is text"},
		"JSON":                {"front.png", `{"error":"expired"}`, "is text"},
		"Git LFS": {
			"front.png",
			"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
			"git lfs pull",
		},
		"an empty ZIP":   {"front.zip", "PK\x05\x06" + strings.Repeat("\x00", 18), "an empty ZIP archive"},
		"an empty tar":   {"front.tiff", strings.Repeat("\x00", 1024), "zero bytes"},
		"zeros at first": {"front.png", strings.Repeat("\x00", 4096) + "\x01", "zero bytes"},
	}, func(t *testing.T, test row) {
		service, id, w := newWorkspace(t)
		w.Resource(image, core.Object{"character_id": id, "source": write(t, test.filename, test.content)})
		messages := w.Plan().Diagnostics
		w.WantMessage(messages.Errors(), "source", "Source File Is Not an Image")
		w.WantMessage(messages.Errors(), "source", test.says)
		service.WantNoRequests(t)
	})
}

// A mistyped character is an error of the plan, before an apply has made anything else.
func TestPlanRefusesImagesOfUnknownCharacters(t *testing.T) {
	t.Parallel()
	const body = "mediagen_body_image.back"
	source := write(t, "front.png", png+"front")
	service, id := newAda(t)
	w := service.Scenario(t)
	w.Resource(image, core.Object{"character_id": id + "0", "source": source})
	w.Resource(body, core.Object{"character_id": id + "0", "source": source, "image_type": "body_image_back"})
	refused := w.Plan().Diagnostics.Errors().At("character_id")
	check.Equal(t, "errors, one of each image", len(refused), 2)
	check.Equal(t, "what is similar", strings.Count(refused.String(), fmt.Sprintf("A similar character is %q.", id)), 1)
	w.WantMessage(refused, "character_id", "is uploaded, which the apply would refuse")
	service.WantCount(t, mockserver.RouteCapabilities, 2) // both have to say so, twice
	service.WantCount(t, mockserver.RouteCharacters, 2)
	service.WantCount(t, mockserver.RouteUpload, 0)
}

// One resource that is replaced, or two characters, upload no picture twice.
func TestPlanOfOnePictureIsOfOne(t *testing.T) {
	t.Parallel()
	const says = "Image Is Uploaded Twice"
	service, w, id, _ := newImage(t)
	w.WantSilent(w.Plan(core.Replacing(image)).Must().Diagnostics, says)
	other := service.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
	another := write(t, "back.png", png+"back")
	w.Resource("mediagen_face_image.a", core.Object{"character_id": id, "source": another})
	w.Resource("mediagen_face_image.b", core.Object{"character_id": other, "source": another})
	w.WantSilent(w.Plan().Must().Diagnostics, says)
	w.Resource("mediagen_face_image.b", core.Object{"character_id": id, "source": another, "filename": "b.png"})
	w.WantWarning(w.Plan().Must().Diagnostics, says, "Remove one of the resources")
}

// What the plan knows already takes no request, and what it cannot read is left to the apply.
func TestPlanOfAnImageAsksLittle(t *testing.T) {
	t.Parallel()
	type row struct {
		prepare func(*acctest.Service, *acctest.Scenario, string)
		asks    int
	}
	check.Each(t, map[string]row{
		"alone": {func(*acctest.Service, *acctest.Scenario, string) {}, 1},
		"a character in the state": {
			func(_ *acctest.Service, w *acctest.Scenario, id string) { w.Applies(ada, core.Object{"id": id}) },
			0,
		},
		"the service is down": {func(s *acctest.Service, _ *acctest.Scenario, _ string) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 503})
		}, 1},
	}, func(t *testing.T, test row) {
		service, id := newAda(t)
		w := service.Scenario(t)
		test.prepare(service, w, id)
		service.ResetJournal()
		for _, name := range []string{"a.png", "b.png", "c.png"} {
			w.Resource("mediagen_face_image."+name[:1], core.Object{
				"character_id": id,
				"source":       write(t, name, png+name),
			})
		}
		w.Plan().Must()
		service.WantCount(t, mockserver.RouteCapabilities, test.asks)
	})
}

func TestPlanDoubtsOtherBytes(t *testing.T) {
	t.Parallel()
	type row struct{ filename, content, says string }
	check.Each(t, map[string]row{
		"PDF":           {"front.pdf", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "application/pdf"},
		"a full ZIP":    {"front.png", "PK\x03\x04\x14\x00", "application/zip"},
		"a video":       {"front.mp4", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "video/mp4"},
		"unknown bytes": {"front.png", "\x01\x02\x03\x04", "application/octet-stream"},
	}, func(t *testing.T, test row) {
		service, id, w := newWorkspace(t)
		w.Resource(image, core.Object{"character_id": id, "source": write(t, test.filename, test.content)})
		w.WantMessage(w.Plan().Must().Warnings(), "source", "(it looks like "+test.says+")")
		w.Apply().Must()
		service.WantCount(t, mockserver.RouteUpload, 1)
		wantSilence(t, w.Plan())
	})
}

func TestPlanAcceptsImages(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"front.png":  png,
		"front.jpg":  "\xff\xd8\xff\xe0\x00\x10JFIF\x00",
		"front.gif":  "GIF89a",
		"front.webp": "RIFF\x24\x00\x00\x00WEBPVP8 ",
		"front.bmp":  "BM\x46\x00\x00\x00",
		"front.avif": "\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1",
		"front.HEIC": "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
		"front.tiff": "II*\x00\x08\x00\x00\x00",
		"noname":     png,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id, w := newWorkspace(t)
			w.Resource(image, core.Object{"character_id": id, "source": write(t, name, content)})
			wantSilence(t, w.Plan())
			service.WantCount(t, mockserver.RouteUpload, 0)
		})
	}
}

// A file is checked only if it will be uploaded, also for a replacement.
func TestOnlyUploadsNeedAnImage(t *testing.T) {
	t.Parallel()
	_, w, _, source := newImage(t)
	rewrite(t, source, "no image any more")
	w.WantMessage(w.Plan().Diagnostics.Errors(), "source", "Source File Is Not an Image")
	rewrite(t, source, "%PDF-1.7")
	w.WantMessage(w.Plan().Must().Warnings(), "source", "Source File May Not Be an Image")
	w.Remove(image)
	w.Apply().Must()

	service, id := newAda(t)
	asset := service.AddAsset(id, "face_image", "front.png", []byte("said to be one"))
	imported := service.Scenario(t)
	imported.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", "said to be one")})
	imported.Import(image, id+"/"+asset.ListID).Must()
	imported.Apply().Must()
	service.WantCount(t, mockserver.RouteUpload, 0)
}
