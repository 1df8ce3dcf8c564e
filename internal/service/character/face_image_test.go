package character_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// newImage is a workspace with one uploaded image.
func newImage(
	t *testing.T,
	change ...func(*mockserver.Options),
) (service *acctest.Service, w *acctest.Scenario, character, source string) {
	t.Helper()
	service, character = newAda(t, change...)
	source = write(t, "front.png", png+"front")
	w = service.Scenario(t)
	w.Applies(image, core.Object{"character_id": character, "source": source})
	service.WantCount(t, mockserver.RouteUpload, 1)
	return service, w, character, source
}

// Fault F11.
func TestUnreadableSources(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	loop := filepath.Join(dir, "loop")
	within := filepath.Join(write(t, "file", "x"), "front.png")
	check.Must(t, os.Symlink(loop, loop))
	refusal := check.Refusal(t, within)
	if _, err := os.Stat(within); errors.Is(err, os.ErrNotExist) { // to Windows
		refusal = "no such file"
	}
	for name, test := range map[string]struct{ source, says string }{
		"missing":          {filepath.Join(dir, "none.png"), "no such file"},
		"directory":        {dir, "directory"},
		"empty":            {write(t, "empty.png", ""), "the file is empty"},
		"FIFO":             {filepath.Join(dir, "fifo"), "regular file"},
		"loop":             {loop, check.Refusal(t, loop)},
		"a part is a file": {within, refusal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "FIFO" {
				check.Must(t, check.MakeFIFO(t, test.source))
			}
			service, id, w := newWorkspace(t)
			w.Resource(image, core.Object{"character_id": id, "source": test.source})
			w.WantMessage(w.Plan().Diagnostics.Errors(), "source", test.says)
			service.WantNoRequests(t)
		})
	}
}

// What a shell or a browser would find is named for what it is, before anything
// is sent. Fault F38.
func TestSourcesThatAreNoPath(t *testing.T) {
	t.Parallel()
	for source, says := range map[string]string{
		"~/ada.png":                      `pathexpand("~/…")`,
		`~\ada.png`:                      "begins with ~",
		"file:///home/ada/front.png":     "file: address",
		"FILE:front.png":                 "file: address",
		"https://example.com/front.png":  "is an address",
		"s3://bucket/front.png":          "is an address",
		"data:image/png;base64,iVBORw0K": "data URI",
		"faces/*.png":                    "patterns",
		"faces/front-?.png":              `use for_each with fileset(path.module, "images/*.png")`,
		"faces/[ab].png":                 "patterns",
		"faces/front.png":                "-target=ADDRESS",
		"ada: front.png":                 "${path.module}",
		"~ada.png":                       "${path.module}",
	} {
		for address, more := range map[string]core.Object{
			image: nil, "mediagen_body_image.x": {"image_type": "body_image_front"},
		} {
			service, id, w := newWorkspace(t, func(o *mockserver.Options) { o.Extended = true })
			config := core.Object{"character_id": id, "source": source}
			maps.Copy(config, more)
			w.Resource(address, config)
			found := w.Plan().Diagnostics.Errors()
			check.Equal(t, "errors", len(found), 1)
			w.WantMessage(found, "source", says)
			service.WantNoRequests(t)
		}
	}
}

// What looks like a pattern may be the name of a file.
func TestSourceThatLooksLikeAPattern(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	w.Applies(image, core.Object{"character_id": id, "source": write(t, "front [2].png", png)})
	service.WantCount(t, mockserver.RouteUpload, 1)
}

// A file that is missing once the upload is sent again, with a new token, is
// blamed for it. Fault F11.
func TestSourceThatIsMissingInTheApply(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	source := write(t, "front.png", png)
	w.Resource(image, core.Object{"character_id": id, "source": source})
	service.Before(mockserver.RouteUpload, func() {
		service.RevokeTokens()
		check.Must(t, os.Remove(source))
	})
	w.WantMessage(w.Apply().Diagnostics.Errors(), "source", "no such file")
}

func TestUnreadableSourceOfUploadedImage(t *testing.T) {
	t.Parallel()
	service, w, character, source := newImage(t)
	check.Must(t, os.Remove(source))
	plan := w.Plan().Must()
	plan.WantEmpty()
	w.WantMessage(plan.Warnings(), "source", "Source File Not Readable")
	w.WantMessage(w.Plan(core.Replacing(image)).Diagnostics.Errors(), "source", "no such file")

	w.Resource(image, core.Object{"character_id": character, "source": source + ".new"})
	w.WantMessage(w.Plan().Diagnostics.Errors(), "source", "no such file")

	w.Remove(image)
	result := w.Apply().Must()
	check.Equal(t, "warnings, of the plan", len(result.Diagnostics.Find("Face Images Will Be Forgotten")), 1)
	service.WantCount(t, mockserver.RouteUpload, 1)
}

func TestReplacementsOfImages(t *testing.T) {
	t.Parallel()
	type row struct {
		change func(t *testing.T, service *acctest.Service, source string, config core.Object)
		cause  string
	}
	check.Each(t, map[string]row{
		"bytes": {
			func(t *testing.T, _ *acctest.Service, source string, _ core.Object) { rewrite(t, source, png+"new") },
			"content_sha256",
		},
		"filename": {
			func(_ *testing.T, _ *acctest.Service, _ string, config core.Object) { config["filename"] = "ada.png" },
			"filename",
		},
		"character": {func(_ *testing.T, service *acctest.Service, _ string, config core.Object) {
			config["character_id"] = service.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
		}, "character_id"},
	}, func(t *testing.T, test row) {
		service, w, character, source := newImage(t)
		before := w.Value(image, "id")
		config := core.Object{"character_id": character, "source": source}
		test.change(t, service, source, config)
		plan := w.Plans(image, config)
		check.Equal(t, "replaced because of", plan.Change(image).Replaces, []string{test.cause})
		w.WantMessage(plan.Warnings(), "", "Images Will Be Forgotten")
		w.ApplyPlan(plan).Must()
		service.WantCount(t, mockserver.RouteUpload, 2)
		check.True(t, "the image was replaced", w.Value(image, "id") != before)
		w.Plan().Must().WantEmpty()
	})
}

func TestUnknownSource(t *testing.T) {
	t.Parallel()
	service, w, character, source := newImage(t)
	plan := w.Plans(image, core.Object{"character_id": character, "source": core.UnknownUntilApply(source)})
	check.True(t, "a source that is not known yet is planned in place", plan.Action(image) == core.Update, plan)
	w.WantWarning(
		plan.Diagnostics,
		"Planned Without Knowing source",
		"taken to have the bytes of the face image",
		"made first",
	)
	w.ApplyPlan(plan).Must()
	w.Plan().Must().WantEmpty()
	service.WantCount(t, mockserver.RouteUpload, 1)

	w.Resource("mediagen_face_image.side", core.Object{
		"character_id": character, "source": core.UnknownUntilApply(write(t, "side.png", png+"side")),
	})
	w.Apply().Must()
	w.Want("mediagen_face_image.side", core.Object{"filename": "side.png", "content_sha256": sum(png + "side")})
	w.Plan().Must().WantEmpty()
}

// Other bytes than the plan's stop the apply in our own words, whether the plan
// knew the path or not. Faults F17, F34.
func TestSourceTurnsOutOtherThanPlanned(t *testing.T) {
	t.Parallel()
	type row struct{ later func(path any) any }
	check.Each(t, map[string]row{
		"an output": {core.UnknownUntilApply},
		"a path":    {func(path any) any { return path }},
	}, func(t *testing.T, test row) {
		service, w, character, _ := newImage(t)
		copied := write(t, "copy.png", png+"front")
		plan := w.Plans(image, core.Object{"character_id": character, "source": test.later(copied)})
		check.Equal(t, "the action", plan.Action(image), core.Update)
		rewrite(t, copied, png+"other")
		before := w.State(image)
		service.ResetJournal()
		w.WantError(
			w.ApplyPlan(plan).Diagnostics,
			"Other Than Planned",
			"other bytes",
			"Plan again",
		)
		check.Equal(t, "the state", w.State(image), before)
		service.WantCount(t, mockserver.RouteUpload, 0)
		next := w.Plan().Must()
		check.Equal(t, "the next plan replaces because of", next.Change(image).Replaces, []string{"content_sha256"})
	})
}

func TestImportOfAnImageWithASlashInItsCharacter(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	const character, escaped = "team/50%2F", "team%2F50%252F"
	service.AddCharacter(mockserver.CharacterSeed{ID: character, Name: "Ada", FaceImages: 1})
	w := service.Scenario(t)
	w.Resource(image, core.Object{"character_id": character})
	w.Import(image, escaped+"/"+service.Assets(character)[0].ID).Must()
	w.Want(image, core.Object{"character_id": character, "id": service.Assets(character)[0].ID})
	w.Plan().Must().WantEmpty()
}

func TestImportOfMissingImage(t *testing.T) {
	t.Parallel()
	service, id := newAda(t)
	for _, character := range []string{id, "char_none"} {
		w := service.Scenario(t)
		w.Resource(image, core.Object{"character_id": character})
		check.True(
			t,
			"no import of what does not exist",
			w.Import(image, character+"/asset_none").Diagnostics.HasErrors(),
			character,
		)
	}
}

// Fault F12.
func TestRefreshOfMissingImage(t *testing.T) {
	t.Parallel()
	remove := func(s *acctest.Service, character, id string) { s.RemoveAsset(character, id) }
	type row struct {
		seen   bool // by a list, before it vanishes
		vanish func(s *acctest.Service, character, id string)
		gone   bool
	}
	check.Each(t, map[string]row{
		"seen":     {true, remove, true},
		"not seen": {false, remove, false},
		"seen, and the character is gone": {
			true,
			func(s *acctest.Service, character, _ string) { s.RemoveCharacter(character) },
			true,
		},
		"seen, and the list is short": {true, func(s *acctest.Service, _, _ string) {
			s.Fault(
				mockserver.Fault{
					Route:   mockserver.RouteAssets,
					Rewrite: func(reply map[string]any) { reply["assets"] = []any{} },
				},
			)
		}, false},
		"seen, and the list has no assets": {true, func(s *acctest.Service, _, _ string) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(reply map[string]any) {
				delete(reply, "assets")
				delete(reply, "total")
				reply["total"] = 0
			}})
		}, false},
	}, func(t *testing.T, test row) {
		service, w, character, _ := newImage(t)
		if test.seen {
			w.Refresh().Must()
		}
		test.vanish(service, character, fmt.Sprint(w.Value(image, "id")))
		w.Refresh().Must()
		check.Equal(t, "gone from the state", w.State(image) == nil, test.gone)
		service.WantCount(t, mockserver.RouteUpload, 1)
	})
}

func TestCaptionIsRefreshed(t *testing.T) {
	t.Parallel()
	service, w, _, _ := newImage(t, func(o *mockserver.Options) { o.CaptionTime = time.Hour })
	w.Want(image, core.Object{"caption": nil, "caption_status": "pending"})
	service.Clock.Advance(2 * time.Hour)
	w.Plan().Must().WantEmpty()
	w.Refresh().Must()
	w.Want(image, core.Object{"caption_status": "completed"})
	check.True(t, "the caption is in the state", w.Value(image, "caption") != nil)
}

func TestImagesOfACharacterShareTheirList(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	w.Parallel(10)
	for i := range 15 {
		name := fmt.Sprintf("%02d.png", i)
		w.Resource(
			"mediagen_face_image.i"+name[:2],
			core.Object{"character_id": id, "source": write(t, name, png+name)},
		)
	}
	w.Apply().Must()
	service.ResetJournal()
	w.Plan().Must().WantEmpty()
	service.WantCount(t, mockserver.RouteAssets, 1)
	service.WantCount(t, "", 2)
}
