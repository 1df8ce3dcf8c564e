package character_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// imageKind is a kind of image in tests.
type imageKind struct {
	typeName, route, assetType string
	// config is what the kind needs beside a character and a file.
	config core.Object
}

func imageKinds() map[string]imageKind {
	return map[string]imageKind{
		"face": {"mediagen_face_image", mockserver.RouteUpload, "face_image", nil},
		"body": {"mediagen_body_image", mockserver.RouteUploadBody, "body_image", core.Object{"image_type": "body_image_front"}},
	}
}

func (k imageKind) address() string { return k.typeName + ".front" }

// configured returns a configuration of the kind.
func (k imageKind) configured(character string, more core.Object) core.Object {
	config := core.Object{"character_id": character}
	maps.Copy(config, k.config)
	maps.Copy(config, more)
	return config
}

// eachKindOfImage runs a test for each kind, with a service that has both.
func eachKindOfImage(t *testing.T, test func(t *testing.T, kind imageKind, service *acctest.Service, character string, w *acctest.Scenario)) {
	t.Helper()
	for name, kind := range imageKinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, character := newAda(t, func(o *mockserver.Options) { o.Extended = true })
			test(t, kind, service, character, service.Scenario(t))
		})
	}
}

// TestEachKindOfImage is a life: created, moved, changed, vanished, destroyed.
func TestEachKindOfImage(t *testing.T) {
	t.Parallel()
	eachKindOfImage(t, func(t *testing.T, kind imageKind, service *acctest.Service, character string, w *acctest.Scenario) {
		image := kind.address()
		for uploads, content := range []string{png + "first", png + "second"} {
			w.Resource(image, kind.configured(character, core.Object{"source": write(t, "front.png", content)}))
			w.Apply().Must()
			w.Plan().Must().WantEmpty()
			w.Resource(image, kind.configured(character, core.Object{"source": write(t, "front.png", content)}))
			if plan := w.Plan().Must(); plan.Action(image) != core.Update {
				t.Errorf("the same bytes elsewhere are not an update:\n%s", plan)
			}
			w.Apply().Must()
			service.WantCount(t, kind.route, uploads+1)
			w.Want(image, core.Object{"id": service.Assets(character)[2+uploads].ID, "content_sha256": sum(content), "content_type": "image/png"})
		}
		assets := service.Assets(character)
		imageType, _ := kind.config["image_type"].(string)
		if added := assets[3]; added.Type != kind.assetType || added.ImageType != imageType {
			t.Errorf("the service has %+v", added)
		}
		w.Refresh().Must()
		service.RemoveAsset(character, assets[3].ID)
		if plan := w.Plan().Must(); plan.Action(image) != core.Create {
			t.Errorf("one that has vanished is not made anew:\n%s", plan)
		}
		w.Apply().Must()
		w.Remove(image)
		w.WantMessage(w.Apply().Must().Diagnostics.Warnings(), "", " Image Was Forgotten: ")
		service.WantCount(t, kind.route, 3)
	})
}

// TestTypesOfBodyImages: a change of the type is another image, but that of an
// import is taken over, with or without a source.
func TestTypesOfBodyImages(t *testing.T) {
	t.Parallel()
	kind := imageKinds()["body"]
	service, character := newAda(t, func(o *mockserver.Options) { o.Extended = true })
	w, image, source := service.Scenario(t), kind.address(), write(t, "body.png", png)
	w.Resource(image, kind.configured(character, core.Object{"source": source}))
	w.Apply().Must()
	w.Resource(image, kind.configured(character, core.Object{"source": source, "image_type": "body_image_back"}))
	plan := w.Plan().Must()
	if change := plan.Change(image); fmt.Sprint(change.Replaces) != "[image_type]" {
		t.Errorf("replaced because of %s:\n%s", change.Replaces, plan)
	}
	w.WantMessage(plan.Warnings(), "", "Body Image Will Be Forgotten: body image ")
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
	if plan := w.Plan().Must(); plan.Action(image) != core.Update {
		t.Errorf("the type of an imported image is not taken over:\n%s", plan)
	}
	w.Apply().Must()
	w.Plan().Must().WantEmpty()
	w.Want(image, core.Object{"id": asset.ID, "image_type": "body_image_front", "source": nil})
	service.WantCount(t, mockserver.RouteUploadBody, 2)
}
