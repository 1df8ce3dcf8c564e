package character_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type imageKind struct {
	typeName, route, assetType string
	// config is what the kind needs beside a character and a file.
	config core.Object
}

func imageKinds() map[string]imageKind {
	return map[string]imageKind{
		"face": {"mediagen_face_image", mockserver.RouteUpload, "face_image", nil},
		"body": {
			"mediagen_body_image",
			mockserver.RouteUploadBody,
			"body_image",
			core.Object{"image_type": "body_image_front"},
		},
	}
}

func (k imageKind) address() string { return k.typeName + ".front" }

func (k imageKind) configured(character string, more core.Object) core.Object {
	config := core.Object{"character_id": character}
	maps.Copy(config, k.config)
	maps.Copy(config, more)
	return config
}

// eachKindOfImage runs a test for each kind, with a service that has both.
func eachKindOfImage(
	t *testing.T,
	test func(t *testing.T, kind imageKind, service *acctest.Service, character string, w *acctest.Scenario),
) {
	t.Helper()
	check.Each(t, imageKinds(), func(t *testing.T, kind imageKind) {
		service, character, w := newWorkspace(t, func(o *mockserver.Options) { o.Extended = true })
		test(t, kind, service, character, w)
	})
}

// TestEachKindOfImage is a life: created, moved, changed, vanished, destroyed.
func TestEachKindOfImage(t *testing.T) {
	t.Parallel()
	eachKindOfImage(
		t,
		func(t *testing.T, kind imageKind, service *acctest.Service, character string, w *acctest.Scenario) {
			image := kind.address()
			for uploads, content := range []string{png + "first", png + "second"} {
				w.Applies(image, kind.configured(character, core.Object{"source": write(t, "front.png", content)}))
				w.Plan().Must().WantEmpty()
				w.Resource(image, kind.configured(character, core.Object{"source": write(t, "front.png", content)}))
				check.Equal(t, "the same bytes elsewhere", w.Plan().Must().Action(image), core.Update)
				w.Apply().Must()
				service.WantCount(t, kind.route, uploads+1)
				w.Want(
					image,
					core.Object{
						"id":             service.Assets(character)[2+uploads].ID,
						"content_sha256": sum(content),
						"content_type":   "image/png",
					},
				)
			}
			assets := service.Assets(character)
			imageType, _ := kind.config["image_type"].(string)
			check.True(t, "the asset", assets[3].Type == kind.assetType && assets[3].ImageType == imageType, assets[3])
			w.Refresh().Must()
			service.RemoveAsset(character, assets[3].ID)
			check.Equal(t, "one that has vanished", w.Plan().Must().Action(image), core.Create)
			w.Apply().Must()
			w.Remove(image)
			w.WantMessage(w.Apply().Must().Diagnostics.Warnings(), "", " Images Will Be Forgotten")
			service.WantCount(t, kind.route, 3)
		},
	)
}

// TestTypesOfBodyImages: a change of the type is another image, but that of an
// import is taken over, with or without a source.
func TestTypesOfBodyImages(t *testing.T) {
	t.Parallel()
	kind := imageKinds()["body"]
	service, character := newAda(t, func(o *mockserver.Options) { o.Extended = true })
	w := service.Scenario(t)
	image := kind.address()
	source := write(t, "body.png", png)
	w.Applies(image, kind.configured(character, core.Object{"source": source}))
	plan := w.Plans(image, kind.configured(character, core.Object{"source": source, "image_type": "body_image_back"}))
	check.Equal(t, "replaced because of", plan.Change(image).Replaces, []string{"image_type"})
	w.WantMessage(plan.Warnings(), "", "Body Images Will Be Forgotten")
	w.ApplyPlan(plan).Must()
	types := ""
	for _, asset := range service.Assets(character) {
		types += " " + asset.ImageType
	}
	check.True(t, "the types at the service", strings.TrimSpace(types) == "body_image_front body_image_back", types)

	asset := service.AddAsset(character, "body_image", "theirs.png", []byte(png))
	w = service.Scenario(t)
	w.Resource(image, kind.configured(character, nil))
	w.Import(image, character+"/"+asset.ID).Must()
	check.Equal(t, "the type of an imported image is taken over", w.Plan().Must().Action(image), core.Update)
	w.Apply().Must()
	w.Plan().Must().WantEmpty()
	w.Want(image, core.Object{"id": asset.ID, "image_type": "body_image_front", "source": nil})
	service.WantCount(t, mockserver.RouteUploadBody, 2)
}

// What an import could not read is taken over. A name that the list has is
// compared, as ever: another one is a new image.
func TestImageImports(t *testing.T) {
	t.Parallel()
	content := sum(png + "mine")
	type test struct {
		named  bool // by the list of assets
		config core.Object
		action core.Action
		want   core.Object
	}
	check.Each(t, map[string]test{
		"without source": {
			true,
			core.Object{},
			core.NoOp,
			core.Object{"filename": "original.png", "content_sha256": nil},
		},
		"source": {
			true,
			core.Object{"source": "?"},
			core.Update,
			core.Object{"filename": "original.png", "content_sha256": content},
		},
		"source and the name": {
			true,
			core.Object{"source": "?", "filename": "original.png"},
			core.Update,
			core.Object{"filename": "original.png", "content_sha256": content},
		},
		"unknown source": {
			true,
			core.Object{"source": "??"},
			core.Update,
			core.Object{"filename": "original.png", "content_sha256": content},
		},
		"source and another name": {
			true,
			core.Object{"source": "?", "filename": "other.png"},
			core.Replace,
			core.Object{"filename": "other.png", "content_sha256": content},
		},
		"unknown and another name": {
			true,
			core.Object{"source": "??", "filename": "other.png"},
			core.Replace,
			core.Object{"filename": "other.png", "content_sha256": content},
		},
		"unnamed": {
			false,
			core.Object{},
			core.NoOp,
			core.Object{"filename": nil, "content_sha256": nil},
		},
		"unnamed, source": {
			false,
			core.Object{"source": "?"},
			core.Update,
			core.Object{"filename": "mine.png", "content_sha256": content},
		},
		"unnamed, unknown source": {
			false,
			core.Object{"source": "??"},
			core.Update,
			core.Object{"filename": "mine.png", "content_sha256": content},
		},
		"unnamed, source and a name": {
			false,
			core.Object{"source": "?", "filename": "other.png"},
			core.Update,
			core.Object{"filename": "other.png", "content_sha256": content},
		},
		"unnamed, unknown and a name": {
			false,
			core.Object{"source": "??", "filename": "other.png"},
			core.Update,
			core.Object{"filename": "other.png", "content_sha256": content},
		},
		"unnamed, a name alone": {
			false,
			core.Object{"filename": "other.png"},
			core.Update,
			core.Object{"filename": "other.png", "content_sha256": nil},
		},
	}, func(t *testing.T, test test) {
		service, id, w := newWorkspace(t)
		asset := service.AddAsset(id, "face_image", "original.png", []byte(png+"theirs"))
		if !test.named {
			service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(list map[string]any) {
				assets, _ := list["assets"].([]any)
				for _, asset := range assets {
					delete(asset.(map[string]any), "filename")
				}
			}})
		}
		source := write(t, "mine.png", png+"mine")
		config := core.Object{"character_id": id}
		maps.Copy(config, test.config)
		switch config["source"] {
		case "?":
			config["source"] = source
		case "??":
			config["source"] = core.UnknownUntilApply(source)
		}
		w.Resource(image, config)
		w.Import(image, id+"/"+asset.ID).Must()
		plan := w.Plan().Must()
		check.True(t, "the plan after the import", plan.Action(image) == test.action, test.action, plan)
		check.Equal(
			t,
			"something is taken over",
			len(plan.Warnings().Find("Source Taken Over")) == 1,
			test.action == core.Update,
		)
		w.ApplyPlan(plan).Must()
		w.Want(image, test.want)
		uploads := 0
		if test.action == core.Replace {
			uploads = 1
		} else {
			w.Want(image, core.Object{"id": asset.ID})
		}
		w.Plan().Must().WantEmpty()
		service.WantCount(t, mockserver.RouteUpload, uploads)
	})
}
