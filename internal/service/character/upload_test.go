package character_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestManyUploadsShareTheirTokens(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t, func(o *mockserver.Options) { o.MaxFaceImages = 100 })
	w.Parallel(50)
	for i := range 50 {
		name := fmt.Sprintf("i%02d", i)
		w.Resource("mediagen_face_image."+name, core.Object{"character_id": id, "source": write(t, name, png+name)})
	}
	plan := w.Plan().Must()
	service.WantCount(t, mockserver.RouteCapabilities, 1)
	service.WantCount(t, "", 2) // with the token's
	service.Before(mockserver.RouteUpload, service.RevokeTokens)
	w.ApplyPlan(plan).Must()
	service.WantCount(t, mockserver.RouteToken, 3) // of the plan, of the apply, and a renewal
	check.Equal(t, "images taken", len(service.Assets(id))-2, 50)
}

func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"a b.png",
		`quote".png`,
		`back\slash.png`,
		"dir/ada.png",
		"Адa مرحبا 顔.png",
		"line\nbreak.png",
		"%2f?#.png",
		"semi;colon.png",
		strings.Repeat("x", 5000),
	} {
		t.Run(name[:min(len(name), 20)], func(t *testing.T) {
			t.Parallel()
			service, id, w := newWorkspace(t)
			w.Applies(image, core.Object{"character_id": id, "source": write(t, "front.png", png), "filename": name})
			assets := service.Assets(id)
			check.True(t, "the service has it", len(assets) == 3 && assets[2].SHA256 == sum(png), assets)
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
	type row struct {
		variant    mockserver.Variant
		configured any
		reply      func(reply map[string]any)
		want       func(service *acctest.Service, id string) string
	}
	check.Each(t, map[string]row{
		"renamed": {mockserver.Variant{FilesRenamed: true}, nil, nil, renamed},
		"renamed, configured": {
			mockserver.Variant{FilesRenamed: true},
			"ada.png",
			nil,
			func(*acctest.Service, string) string { return "ada.png" },
		},
		"not told": {
			mockserver.Variant{},
			nil,
			func(reply map[string]any) { delete(reply, "filename") },
			renamed,
		},
		"told to be empty": {
			mockserver.Variant{},
			nil,
			func(reply map[string]any) { reply["filename"] = "" },
			renamed,
		},
	}, func(t *testing.T, test row) {
		service, id := newAda(t, func(o *mockserver.Options) { o.Variant = test.variant })
		if test.reply != nil {
			service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Rewrite: test.reply})
		}
		w := service.Scenario(t)
		source := write(t, "front.png", png)
		w.Applies(image, core.Object{"character_id": id, "source": source, "filename": test.configured})
		w.Want(image, core.Object{"filename": test.want(service, id)})
		w.Plan().Must().WantEmpty()
		w.Refresh().Must()
		w.Want(image, core.Object{"filename": test.want(service, id)})
		w.Plan().Must().WantEmpty()
		w.Applies(
			image,
			core.Object{"character_id": id, "source": write(t, "copy.png", png), "filename": test.configured},
		)
		w.Plan().Must().WantEmpty()
		service.WantCount(t, mockserver.RouteUpload, 1)
	})
}

func TestRefusedUploads(t *testing.T) {
	t.Parallel()
	type row struct {
		fault mockserver.Fault
		path  string
		says  string
	}
	check.Each(t, map[string]row{
		"text of validation": {
			mockserver.Fault{Status: 400, Body: `{"detail": "the image is blurred"}`},
			"source",
			"blurred",
		},
		"too large": {mockserver.Fault{Status: 413, Body: "too large"}, "source", "413"},
		"list of validation": {
			mockserver.Fault{Status: 422, Body: `{"detail": [{"loc": ["body", "file"], "msg": "not an image"}]}`},
			"source",
			"not an image",
		},
		"no such character": {mockserver.Fault{Status: 404, Body: `{"error": "not_found"}`}, "character_id", "404"},
	}, func(t *testing.T, test row) {
		service, id, w := newWorkspace(t)
		test.fault.Route = mockserver.RouteUpload
		service.Fault(test.fault)
		w.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
		w.WantMessage(w.Apply().Diagnostics.Errors(), test.path, test.says)
		check.True(t, "nothing is in the state", w.State(image) == nil)
		service.WantCount(t, mockserver.RouteUpload, 1)
	})
}

// Fault F11.
func TestFileThatChanges(t *testing.T) {
	t.Parallel()
	check.Each(
		t,
		map[string]string{"while it is sent": mockserver.RouteUpload, "before the apply": ""},
		func(t *testing.T, when string) {
			service, id, w := newWorkspace(t)
			source := write(t, "front.png", png+"planned")
			plan := w.Plans(image, core.Object{"character_id": id, "source": source})
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
			check.Equal(t, "images at the service", len(service.Assets(id)), 2)
			w.Apply().Must()
			service.ClearFaults()
			w.Plan().Must().WantEmpty()
		},
	)
}

// middle is as much of an upload as the service reads before it is cut off.
const middle = 100 << 10

// writeLarge makes a file that the buffers between provider and service cannot
// hold, so that an upload of which a part is read has not been sent in whole.
func writeLarge(t *testing.T) string {
	t.Helper()
	path := write(t, "front.png", png)
	check.Must(t, os.Truncate(path, 12<<20))
	return path
}

// Fault F16.
func TestUploadsThatBreakOff(t *testing.T) {
	tier.Long(t, "uploads that break off in real time")
	t.Parallel()
	type row struct {
		fault      mockserver.Fault
		interrupts bool
		path, says string
	}
	check.Each(t, map[string]row{
		"interrupt": {mockserver.Fault{}, true, "", "interrupted"},
		"reset":     {mockserver.Fault{}, false, "", "No face image was added"},
		"413": {
			mockserver.Fault{Status: 413, Body: `{"message":"at most 10 MB"}`},
			false,
			"source",
			"At most 10 MB",
		},
		"413, then a reset": {
			mockserver.Fault{Status: 413, Body: "at most 10 MB, and not a byte more", DropInBody: true},
			false,
			"source",
			"At most 10 MB",
		},
		"400": {
			mockserver.Fault{Status: 400, Body: `{"detail":"not an image"}`},
			false,
			"source",
			"Not an image",
		},
		"500": {mockserver.Fault{Status: 500}, false, "", "No face image was added"},
		"success": {
			mockserver.Fault{Body: `{"success":true,"asset_id":"asset_early"}`},
			false,
			"",
			"asset_early",
		},
		"401 to the end": {mockserver.Fault{Status: 401, Times: 2}, false, "", "401"},
		"success by halves": {
			mockserver.Fault{Body: `{"success":true,"asset_id":"asset_early"}`, DropInBody: true},
			false,
			"",
			"before the request was complete",
		},
		"redirect elsewhere": {
			mockserver.Fault{Status: 307, Header: http.Header{"Location": {"/elsewhere"}}},
			false,
			"",
			"307",
		},
	}, func(t *testing.T, test row) {
		acctest.Bubble(t, func(t *testing.T) {
			service, id, w := newWorkspace(t)
			test.fault.Route = mockserver.RouteUpload
			test.fault.Nth = 1
			test.fault.MidUpload = middle
			if test.interrupts {
				returned := make(chan struct{})
				t.Cleanup(func() { close(returned) })
				test.fault.Reached = w.Interrupt
				test.fault.Hold = returned
			}
			service.Fault(test.fault)
			w.Resource(image, core.Object{"character_id": id, "source": writeLarge(t)})
			began := time.Now()
			w.WantMessage(w.Apply().Diagnostics.Errors(), test.path, test.says)
			check.True(
				t,
				"it returns soon after an interrupt",
				!test.interrupts || time.Since(began) <= 3*time.Second,
				time.Since(began),
			)
			check.True(t, "nothing is in the state", w.State(image) == nil)
			service.WantCount(t, mockserver.RouteAssets, 0)
			sent := service.Count(mockserver.RouteUpload)
			w.Apply().Must()
			w.Plan().Must().WantEmpty()
			service.WantCount(t, mockserver.RouteUpload, sent+1)
			check.Equal(t, "images added", len(service.Assets(id))-2, 1)
			check.Equal(t, "uploads that broke off", sent, max(test.fault.Times, 1))
		})
	})
}

// Fault F16.
func TestUploadsThatAreRefusedForNow(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"401":               {Status: 401},
		"429":               {Status: 429, Header: http.Header{"Retry-After": {"7"}}},
		"429, then a reset": {Status: 429, Body: "too many requests", DropInBody: true},
	}, func(t *testing.T, fault mockserver.Fault) {
		service, id, w := newWorkspace(t)
		fault.Route = mockserver.RouteUpload
		fault.Nth = 1
		fault.MidUpload = middle
		service.Fault(fault)
		source := writeLarge(t)
		w.Applies(image, core.Object{"character_id": id, "source": source})
		w.Plan().Must().WantEmpty()
		content, err := os.ReadFile(source)
		check.Must(t, err)
		assets := service.Assets(id)
		check.True(t, "the service has it", len(assets) == 3 && assets[2].SHA256 == sum(string(content)), assets)
		service.WantCount(t, mockserver.RouteUpload, 2)
	})
}

// TestUploadsThatWereHandedOver are lost after the closing boundary: whether
// they were stored is not known. Fault F16.
func TestUploadsThatWereHandedOver(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"reset, not stored": {DropBefore: true},
		"reset, stored":     {DropAfterWork: true},
		"500, stored":       {Status: 500, AfterWork: true},
	}, func(t *testing.T, fault mockserver.Fault) {
		service, id, w := newWorkspace(t)
		fault.Route = mockserver.RouteUpload
		fault.Nth = 1
		service.Fault(fault)
		w.Resource(image, core.Object{"character_id": id, "source": writeLarge(t)})
		w.WantError(w.Apply().Diagnostics, "Face Image Unconfirmed")
		service.WantCount(t, mockserver.RouteUpload, 1)
		w.Apply().Must()
		w.Plan().Must().WantEmpty()
		service.WantCount(t, mockserver.RouteUpload, 2)
	})
}
