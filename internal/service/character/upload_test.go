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

func TestManyUploadsShareTheirTokens(t *testing.T) {
	t.Parallel()
	service, id := newAda(t, func(o *mockserver.Options) { o.MaxFaceImages = 100 })
	w := service.Scenario(t)
	w.Parallel(50)
	for i := range 50 {
		name := fmt.Sprintf("i%02d", i)
		w.Resource("mediagen_face_image."+name, core.Object{"character_id": id, "source": write(t, name, png+name)})
	}
	plan := w.Plan().Must()
	service.WantNoRequests(t)
	service.Before(mockserver.RouteUpload, service.RevokeTokens)
	w.ApplyPlan(plan).Must()
	service.WantCount(t, mockserver.RouteToken, 3) // of the plan, of the apply, and a renewal
	check.Equal(t, "images taken", len(service.Assets(id))-2, 50)
}

func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b.png", `quote".png`, `back\slash.png`, "dir/ada.png", "Адa مرحبا 顔.png", "line\nbreak.png", "%2f?#.png", "semi;colon.png", strings.Repeat("x", 5000)} {
		t.Run(name[:min(len(name), 20)], func(t *testing.T) {
			t.Parallel()
			service, id, w := newWorkspace(t)
			w.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png), "filename": name})
			w.Apply().Must()
			assets := service.Assets(id)
			if len(assets) != 3 || assets[2].SHA256 != sum(png) {
				t.Fatalf("the service has taken %v", assets[2:])
			}
			w.Want(image, core.Object{"filename": name})
			w.Plan().Must().WantEmpty()
			service.WantCount(t, mockserver.RouteUpload, 1)
		})
	}
}

// A service may store a file by another name. That is the value, unless the
// configuration has one, which stays as it is.
func TestRenamedFiles(t *testing.T) {
	t.Parallel()
	renamed := func(service *acctest.Service, id string) string { return service.Assets(id)[2].Filename }
	for name, test := range map[string]struct {
		variant    mockserver.Variant
		configured any
		reply      func(reply map[string]any)
		want       func(service *acctest.Service, id string) string
	}{
		"renamed":             {mockserver.Variant{FilesRenamed: true}, nil, nil, renamed},
		"renamed, configured": {mockserver.Variant{FilesRenamed: true}, "ada.png", nil, func(*acctest.Service, string) string { return "ada.png" }},
		"not told":            {mockserver.Variant{}, nil, func(reply map[string]any) { delete(reply, "filename") }, renamed},
		"told to be empty":    {mockserver.Variant{}, nil, func(reply map[string]any) { reply["filename"] = "" }, renamed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t, func(o *mockserver.Options) { o.Variant = test.variant })
			if test.reply != nil {
				service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Rewrite: test.reply})
			}
			w, source := service.Scenario(t), write(t, "front.png", png)
			w.Resource(image, core.Object{"character_id": id, "source": source, "filename": test.configured})
			w.Apply().Must()
			w.Want(image, core.Object{"filename": test.want(service, id)})
			w.Plan().Must().WantEmpty()
			w.Refresh().Must()
			w.Want(image, core.Object{"filename": test.want(service, id)})
			w.Plan().Must().WantEmpty()
			w.Resource(image, core.Object{"character_id": id, "source": write(t, "copy.png", png), "filename": test.configured})
			w.Apply().Must()
			w.Plan().Must().WantEmpty()
			service.WantCount(t, mockserver.RouteUpload, 1)
		})
	}
}

func TestRefusedUploads(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault mockserver.Fault
		path  string
		says  string
	}{
		"text of validation": {mockserver.Fault{Status: 400, Body: `{"detail": "the image is blurred"}`}, "source", "blurred"},
		"too large":          {mockserver.Fault{Status: 413, Body: "too large"}, "source", "413"},
		"list of validation": {mockserver.Fault{Status: 422, Body: `{"detail": [{"loc": ["body", "file"], "msg": "not an image"}]}`}, "source", "not an image"},
		"no such character":  {mockserver.Fault{Status: 404, Body: `{"error": "not_found"}`}, "character_id", "404"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			test.fault.Route = mockserver.RouteUpload
			service.Fault(test.fault)
			w := service.Scenario(t)
			w.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
			w.WantMessage(w.Apply().Diagnostics.Errors(), test.path, test.says)
			check.True(t, "nothing is in the state", w.State(image) == nil)
			service.WantCount(t, mockserver.RouteUpload, 1)
		})
	}
}

// Fault F11.
func TestFileThatChanges(t *testing.T) {
	t.Parallel()
	for name, when := range map[string]string{"while it is sent": mockserver.RouteUpload, "before the apply": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			source := write(t, "front.png", png+"planned")
			w := service.Scenario(t)
			w.Resource(image, core.Object{"character_id": id, "source": source})
			plan := w.Plan().Must()
			if when == "" {
				rewrite(t, source, png+"other")
			} else {
				service.Before(when, func() {
					service.RevokeTokens()
					rewrite(t, source, png+"another one")
				})
			}
			result := w.ApplyPlan(plan)
			check.True(t, "other bytes than the planned ones are an error", result.Diagnostics.HasErrors())
			if when != "" {
				w.WantMessage(result.Diagnostics.Errors(), "source", "changed")
			}
			if assets := service.Assets(id); len(assets) != 2 {
				t.Errorf("the service has taken something: %v", assets[2:])
			}
			w.Apply().Must()
			service.ClearFaults()
			w.Plan().Must().WantEmpty()
		})
	}
}
