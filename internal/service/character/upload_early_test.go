package character_test

import (
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

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
	t.Parallel()
	for name, test := range map[string]struct {
		fault      mockserver.Fault
		interrupts bool
		path, says string
	}{
		"interrupt":          {mockserver.Fault{}, true, "", "interrupted"},
		"reset":              {mockserver.Fault{}, false, "", "No face image was added"},
		"413":                {mockserver.Fault{Status: 413, Body: `{"message":"at most 10 MB"}`}, false, "source", "At most 10 MB"},
		"413, then a reset":  {mockserver.Fault{Status: 413, Body: "at most 10 MB, and not a byte more", DropInBody: true}, false, "source", "At most 10 MB"},
		"400":                {mockserver.Fault{Status: 400, Body: `{"detail":"not an image"}`}, false, "source", "Not an image"},
		"500":                {mockserver.Fault{Status: 500}, false, "", "No face image was added"},
		"success":            {mockserver.Fault{Body: `{"success":true,"asset_id":"asset_early"}`}, false, "", "asset_early"},
		"401 to the end":     {mockserver.Fault{Status: 401, Times: 2}, false, "", "401"},
		"success by halves":  {mockserver.Fault{Body: `{"success":true,"asset_id":"asset_early"}`, DropInBody: true}, false, "", "before the request was complete"},
		"redirect elsewhere": {mockserver.Fault{Status: 307, Header: http.Header{"Location": {"/elsewhere"}}}, false, "", "307"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.Bubble(t, func(t *testing.T) {
				service, id, w := newWorkspace(t)
				test.fault.Route, test.fault.Nth, test.fault.MidUpload = mockserver.RouteUpload, 1, middle
				if test.interrupts {
					returned := make(chan struct{})
					t.Cleanup(func() { close(returned) })
					test.fault.Reached, test.fault.Hold = w.Interrupt, returned
				}
				service.Fault(test.fault)
				w.Resource(image, core.Object{"character_id": id, "source": writeLarge(t)})
				began := time.Now()
				w.WantMessage(w.Apply().Diagnostics.Errors(), test.path, test.says)
				if took := time.Since(began); test.interrupts && took > 3*time.Second {
					t.Errorf("the provider has returned %s after the interrupt", took)
				}
				check.True(t, "nothing is in the state", w.State(image) == nil)
				service.WantCount(t, mockserver.RouteAssets, 0)
				sent := service.Count(mockserver.RouteUpload)
				w.Apply().Must()
				w.Plan().Must().WantEmpty()
				service.WantCount(t, mockserver.RouteUpload, sent+1)
				if added := len(service.Assets(id)) - 2; added != 1 || sent != max(test.fault.Times, 1) {
					t.Errorf("%d images were added, and %d uploads broke off", added, sent)
				}
			})
		})
	}
}

// Fault F16.
func TestUploadsThatAreRefusedForNow(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]mockserver.Fault{
		"401":               {Status: 401},
		"429":               {Status: 429, Header: http.Header{"Retry-After": {"7"}}},
		"429, then a reset": {Status: 429, Body: "too many requests", DropInBody: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			fault.Route, fault.Nth, fault.MidUpload = mockserver.RouteUpload, 1, middle
			service.Fault(fault)
			w := service.Scenario(t)
			source := writeLarge(t)
			w.Resource(image, core.Object{"character_id": id, "source": source})
			w.Apply().Must()
			w.Plan().Must().WantEmpty()
			content, err := os.ReadFile(source)
			check.Must(t, err)
			if assets := service.Assets(id); len(assets) != 3 || assets[2].SHA256 != sum(string(content)) {
				t.Errorf("the service has %v", assets)
			}
			service.WantCount(t, mockserver.RouteUpload, 2)
		})
	}
}

// TestUploadsThatWereHandedOver are lost after the closing boundary: whether they were
// stored is not known.
// Fault F16.
func TestUploadsThatWereHandedOver(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]mockserver.Fault{
		"reset, not stored": {DropBefore: true},
		"reset, stored":     {DropAfterWork: true},
		"500, stored":       {Status: 500, AfterWork: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			fault.Route, fault.Nth = mockserver.RouteUpload, 1
			service.Fault(fault)
			w := service.Scenario(t)
			w.Resource(image, core.Object{"character_id": id, "source": writeLarge(t)})
			w.WantError(w.Apply().Diagnostics, "Face Image Unconfirmed")
			service.WantCount(t, mockserver.RouteUpload, 1)
			w.Apply().Must()
			w.Plan().Must().WantEmpty()
			service.WantCount(t, mockserver.RouteUpload, 2)
		})
	}
}
