package character_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
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
	if stored := len(service.Assets(id)) - 2; stored != 50 {
		t.Errorf("the service has taken %d images, want 50", stored)
	}
}

func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b.png", `quote".png`, `back\slash.png`, "dir/ada.png", "Адa مرحبا 顔.png", "line\nbreak.png", "%2f?#.png", "semi;colon.png", strings.Repeat("x", 5000)} {
		t.Run(name[:min(len(name), 20)], func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: 1, DropAfterWork: true})
			w := service.Scenario(t)
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
		"no success":         {mockserver.Fault{Body: `{"success": false, "message": "no face found"}`}, "", "no face found"},
		"no credits":         {mockserver.Fault{Status: 402, Body: `{"error": "payment_required"}`}, "", "402"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			test.fault.Route = mockserver.RouteUpload
			service.Fault(test.fault)
			w := service.Scenario(t)
			w.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
			w.WantMessage(w.Apply().Diagnostics.Errors(), test.path, test.says)
			if w.State(image) != nil {
				t.Error("an image that was refused is in the state")
			}
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
			if !result.Diagnostics.HasErrors() {
				t.Error("other bytes than the planned ones were uploaded")
			}
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

func TestLostReplies(t *testing.T) {
	t.Parallel()
	const lost = "Face Image Upload Outcome Unknown"
	for name, test := range map[string]struct {
		fault   mockserver.Fault
		hide    bool // the new asset is not listed yet
		adopted bool // in the same apply
	}{
		"dropped after the work":  {mockserver.Fault{DropAfterWork: true}, false, true},
		"no asset id":             {mockserver.Fault{Rewrite: func(r map[string]any) { delete(r, "asset_id") }}, false, true},
		"empty asset id":          {mockserver.Fault{Rewrite: func(r map[string]any) { r["asset_id"] = "" }}, false, true},
		"dropped and not visible": {mockserver.Fault{DropAfterWork: true}, true, false},
		"dropped before the work": {mockserver.Fault{DropBefore: true}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t, func(o *mockserver.Options) {
				if test.hide {
					o.Variant.LateVisibility = 1
				}
			})
			service.AddAsset(id, "face_image", "front.png", []byte(png+"old"))
			service.Clock.Advance(time.Hour)
			test.fault.Route, test.fault.Nth = mockserver.RouteUpload, 1
			service.Fault(test.fault)
			w := service.Scenario(t)
			w.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png+"new")})
			result := w.Apply().Must()
			if w.Tainted(image) {
				t.Error("the image is tainted")
			}
			if !test.adopted {
				w.WantMessage(result.Diagnostics.Warnings(), "", lost)
				if got := fmt.Sprint(w.Value(image, "id")); !strings.HasPrefix(got, "unknown-") {
					t.Errorf("the id is %s, which nobody knows", got)
				}
				w.Plan().Must().WantEmpty()
			}
			if !test.adopted && !test.hide {
				service.AddAsset(id, "face_image", "front.png", []byte(png+"new"))
			}
			w.Apply().Must()
			assets := service.Assets(id)
			w.Want(image, core.Object{"id": assets[len(assets)-1].ID})
			wantIdentity(t, w, assets[len(assets)-1].ID)
			w.Plan().Must().WantEmpty()
			service.WantCount(t, mockserver.RouteUpload, 1)
		})
	}
}

func wantIdentity(t *testing.T, w *acctest.Scenario, id string) {
	t.Helper()
	if got := w.Identity(image)["id"]; got != id {
		t.Errorf("the identity is %v, want %s", got, id)
	}
}

// TestLostRepliesOfOneName uploads two files of the same name, from different
// directories.
func TestLostRepliesOfOneName(t *testing.T) {
	t.Parallel()
	const a, b = "mediagen_face_image.a", "mediagen_face_image.b"
	for name, test := range map[string]struct {
		fault  mockserver.Fault
		before func(s *acctest.Service, character string) // the first list of assets
		a, b   int                                        // the assets that they are; -1 is unknown
	}{
		"both":              {mockserver.Fault{Nth: 1, Times: 2, DropAfterWork: true}, nil, 2, 3},
		"second, not taken": {mockserver.Fault{Nth: 2, DropBefore: true}, nil, 2, -1},
		"second, taken":     {mockserver.Fault{Nth: 2, DropAfterWork: true}, nil, 2, 3},
		"first, and another's": {mockserver.Fault{Nth: 1, DropAfterWork: true}, func(s *acctest.Service, character string) {
			s.AddAsset(character, "face_image", "face.png", []byte(png))
		}, -1, 4},
		"first, and a body": {mockserver.Fault{Nth: 1, DropAfterWork: true}, func(s *acctest.Service, character string) {
			s.AddAsset(character, "body_image", "face.png", []byte(png))
		}, 2, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			test.fault.Route = mockserver.RouteUpload
			service.Fault(test.fault)
			if test.before != nil {
				service.Before(mockserver.RouteAssets, func() { test.before(service, id) })
			}
			w := service.Scenario(t)
			for _, address := range []string{a, b} {
				w.Resource(address, core.Object{"character_id": id, "source": write(t, "face.png", png+address)})
			}
			w.Apply().Must()
			for address, want := range map[string]int{a: test.a, b: test.b} {
				got, assets := fmt.Sprint(w.Value(address, "id")), service.Assets(id)
				if want < 0 && !strings.HasPrefix(got, "unknown-") || want >= 0 && got != assets[want].ID {
					t.Errorf("%s is %s, want number %d of %v", address, got, want, assets)
				}
			}
			service.WantCount(t, mockserver.RouteUpload, 2)
		})
	}
}

func TestInterruptedUpload(t *testing.T) {
	t.Parallel()
	acctest.Bubble(t, func(t *testing.T) {
		service, id := newAda(t)
		w := service.Scenario(t)
		release := make(chan struct{})
		t.Cleanup(func() { close(release) })
		service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: 1, Hold: release, HoldAfterWork: true, Reached: w.Interrupt})
		w.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
		began := time.Now()
		w.Apply()
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("the provider has returned %s after the interrupt", took)
		}
		if w.Tainted(image) {
			t.Error("the image is tainted")
		}
		w.Apply().Must()
		w.Plan().Must().WantEmpty()
	})
}
