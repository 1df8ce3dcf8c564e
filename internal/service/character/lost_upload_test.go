package character_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// After an upload of unconfirmed outcome nothing is in the state: neither what
// it has stored, nor a stranger's asset of its file name and time. Both are
// named, by id, and a person may import one. Fault F4.
func TestLostUploadTakesNothing(t *testing.T) {
	t.Parallel()
	type row struct {
		fault  mockserver.Fault
		stored bool
	}
	check.Each(t, map[string]row{
		"dropped after the work":  {mockserver.Fault{DropAfterWork: true}, true},
		"dropped within the body": {mockserver.Fault{DropInBody: true}, true},
		"500 after the work":      {mockserver.Fault{Status: 500, AfterWork: true}, true},
		"page instead of JSON":    {mockserver.Fault{Status: 200, Body: "<html>", AfterWork: true}, true},
		"no asset id":             {mockserver.Fault{Rewrite: func(r map[string]any) { delete(r, "asset_id") }}, true},
		"empty asset id":          {mockserver.Fault{Rewrite: func(r map[string]any) { r["asset_id"] = "" }}, true},
		"dropped before the work": {mockserver.Fault{DropBefore: true}, false},
		"502 without the work":    {mockserver.Fault{Status: 502}, false},
	}, func(t *testing.T, test row) {
		eachKindOfImage(
			t,
			func(t *testing.T, kind imageKind, service *acctest.Service, character string, w *acctest.Scenario) {
				image := kind.address()
				summary := map[string]string{"face_image": "Face Image", "body_image": "Body Image"}[kind.assetType] +
					" Unconfirmed"
				fault := test.fault
				fault.Route = kind.route
				fault.Nth = 1
				service.Fault(fault)
				service.Clock.Advance(time.Hour)
				var theirs mockserver.Asset
				service.Before(
					kind.route,
					func() { theirs = service.AddAsset(character, kind.assetType, "portrait.png", []byte(png)) },
				)
				w.Resource(image, kind.configured(character, core.Object{"source": write(t, "portrait.png", png)}))
				said := w.Apply().Diagnostics
				there := service.Assets(character)
				w.WantError(
					said,
					summary,
					strconv.Quote(theirs.ID),
					strconv.Quote(there[len(there)-1].ID),
					"nothing is in the state",
					"apply again",
				)
				check.Equal(t, "in the state", len(w.Addresses()), 0)
				service.WantCount(t, kind.route, 1)
				service.WantCount(t, mockserver.RouteAssets, 1)
				w.Import(image, character+"/"+there[len(there)-1].ID).Must()
				w.Apply().Must()
				w.Plan().Must().WantEmpty()
				check.Equal(t, "assets", service.Assets(character), there)
				check.Equal(t, "stored", len(there), map[bool]int{false: 3, true: 4}[test.stored])
				service.WantCount(t, kind.route, 1)
			},
		)
	})
}

// Two uploads of one file name never have one asset. What the other has is not
// named: what is left is in the lines to paste. Fault F4.
func TestLostUploadsOfOneName(t *testing.T) {
	t.Parallel()
	const a, b = "mediagen_face_image.a", "mediagen_face_image.b"
	for lost, after := range map[int]bool{1: true, 2: true, -1: false, -2: false} {
		t.Run(fmt.Sprint(lost), func(t *testing.T) {
			t.Parallel()
			service, id, w := newWorkspace(t)
			service.Fault(
				mockserver.Fault{
					Route:         mockserver.RouteUpload,
					Nth:           max(lost, -lost),
					DropAfterWork: after,
					DropBefore:    !after,
				},
			)
			w.Parallel(1) // at once, one may name what the other has not heard of yet
			for _, address := range []string{a, b} {
				w.Resource(address, core.Object{"character_id": id, "source": write(t, "face.png", png+address)})
			}
			said := w.Apply().Diagnostics
			w.WantError(said, "Face Image Unconfirmed")
			for _, address := range w.Addresses() {
				held := fmt.Sprint(w.Value(address, "id"))
				check.True(t, held+" is in the state, and not named", !strings.Contains(said.String(), held), said)
			}
			w.Apply().Must()
			check.True(t, "each has an asset of its own", w.Value(a, "id") != w.Value(b, "id"), w.Value(a, "id"))
			w.Plan().Must().WantEmpty()
			service.WantCount(t, mockserver.RouteUpload, 3)
		})
	}
}

// oneRun is a provider that is configured once, so that a plan and its apply
// are the same run.
type oneRun struct {
	tfprotov6.ProviderServer
	once sync.Once
}

func (s *oneRun) ConfigureProvider(
	ctx context.Context,
	req *tfprotov6.ConfigureProviderRequest,
) (resp *tfprotov6.ConfigureProviderResponse, err error) {
	resp = &tfprotov6.ConfigureProviderResponse{}
	s.once.Do(func() { resp, err = s.ProviderServer.ConfigureProvider(ctx, req) })
	return resp, err
}

// What a refresh of the same run has shown is not new. The one that is left is
// in the lines to paste, which import it. Fault F4.
func TestLostUploadAfterARefresh(t *testing.T) {
	t.Parallel()
	const added = "mediagen_face_image.z"
	service, old, character, source := newImage(t)
	service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: 1, DropAfterWork: true})
	server, err := service.Provider()
	check.Must(t, err)
	run := &oneRun{ProviderServer: server}
	w := &acctest.Scenario{
		Service: service,
		Workspace: core.New(
			t,
			func() (tfprotov6.ProviderServer, error) { return run, nil },
			core.Object{"base_url": service.URL, "api_key": acctest.APIKey},
		),
		T: t,
	}
	w.Resource(image, core.Object{"character_id": character, "source": source})
	w.Import(image, character+"/"+fmt.Sprint(old.Value(image, "id"))).Must()
	w.Resource(added, core.Object{"character_id": character, "source": write(t, "z.png", png+"new")})
	said := w.Apply().Diagnostics
	there := service.Assets(character)
	w.WantError(said, "Face Image Unconfirmed", "    id = "+strconv.Quote(character+"/"+there[3].ID)+"\n")
	for _, asset := range there[:3] {
		check.True(
			t,
			asset.ID+" was there before, and is not named",
			!strings.Contains(said.Errors().String(), asset.ID),
			said,
		)
	}
}

// A list that cannot be read, or does not show the asset yet, changes nothing.
// Fault F4.
func TestLostUploadThatNoListShows(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"refused": {Status: 403, Body: `{"error":"forbidden"}`}, "no service": {Status: 503},
		"empty": {Body: `{"assets":[],"total":0}`},
	}, func(t *testing.T, fault mockserver.Fault) {
		service, character, w := newWorkspace(t)
		service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: 1, DropAfterWork: true})
		fault.Route = mockserver.RouteAssets
		service.Fault(fault)
		w.Resource(image, core.Object{"character_id": character, "source": write(t, "front.png", png)})
		w.WantError(w.Apply().Diagnostics, "Face Image Unconfirmed", strconv.Quote(character+"/ID"), "apply again")
		service.WantCount(t, mockserver.RouteAssets, 1)
	})
}

// After an interrupt nothing more is read.
// Fault F7.
func TestInterruptedUpload(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	service.Fault(
		mockserver.Fault{
			Route:         mockserver.RouteUpload,
			Nth:           1,
			Hold:          release,
			HoldAfterWork: true,
			Reached:       w.Interrupt,
		},
	)
	w.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
	began := time.Now()
	w.WantError(w.Apply().Diagnostics, "Face Image Unconfirmed")
	// How soon is api's to test, on its own clock: this machine may be slow.
	check.True(t, "the provider returns, though no reply comes", time.Since(began) < time.Minute, time.Since(began))
	service.WantCount(t, mockserver.RouteAssets, 0)
	w.Apply().Must()
	w.Plan().Must().WantEmpty()
}
