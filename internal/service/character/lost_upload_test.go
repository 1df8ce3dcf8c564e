package character_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// notations are the ways to say when an asset was created.
var notations = map[string]struct {
	write  func(time.Time) any // nil: not at all
	usable bool
}{
	"RFC 3339":             {func(at time.Time) any { return at.UTC().Format(time.RFC3339) }, true},
	"fractions":            {func(at time.Time) any { return at.UTC().Format("2006-01-02T15:04:05.000000") + "Z" }, true},
	"comma":                {func(at time.Time) any { return at.UTC().Format("2006-01-02T15:04:05") + ",5Z" }, true},
	"other zone":           {func(at time.Time) any { return at.In(time.FixedZone("", -9*3600)).Format(time.RFC3339) }, true},
	"zone without colon":   {func(at time.Time) any { return at.In(time.FixedZone("", 5*3600)).Format("2006-01-02T15:04:05-0700") }, true},
	"hours of a zone":      {func(at time.Time) any { return at.In(time.FixedZone("", 5*3600)).Format("2006-01-02T15:04:05-07") }, true},
	"no zone":              {func(at time.Time) any { return at.UTC().Format("2006-01-02T15:04:05") }, true},
	"no zone, fractions":   {func(at time.Time) any { return at.UTC().Format("2006-01-02T15:04:05.000") }, true},
	"blank instead of T":   {func(at time.Time) any { return at.UTC().Format("2006-01-02 15:04:05") }, false},
	"blanks":               {func(at time.Time) any { return at.UTC().Format(" 2006-01-02 15:04:05 +0000 ") }, false},
	"lower case":           {func(at time.Time) any { return strings.ToLower(at.UTC().Format(time.RFC3339)) }, false},
	"missing":              {func(time.Time) any { return nil }, false},
	"empty":                {func(time.Time) any { return "" }, false},
	"day":                  {func(at time.Time) any { return at.UTC().Format("2006-01-02") }, false},
	"words":                {func(at time.Time) any { return at.UTC().Format("2 Jan 2006 15:04") }, false},
	"American":             {func(at time.Time) any { return at.UTC().Format("01/02/2006 15:04:05") }, false},
	"RFC 1123":             {func(at time.Time) any { return at.UTC().Format(time.RFC1123) }, false},
	"epoch":                {func(at time.Time) any { return at.Unix() }, false},
	"epoch, milliseconds":  {func(at time.Time) any { return at.UnixMilli() }, false},
	"epoch, text":          {func(at time.Time) any { return fmt.Sprint(at.Unix()) }, false},
	"object":               {func(at time.Time) any { return map[string]any{"seconds": at.Unix()} }, false},
	"a day that is not":    {func(time.Time) any { return "2026-02-30T10:00:00Z" }, false},
	"a zone that is not":   {func(at time.Time) any { return at.UTC().Format("2006-01-02T15:04:05") + "Q" }, false},
	"a time and something": {func(at time.Time) any { return at.UTC().Format(time.RFC3339) + " or so" }, false},
}

// writeTimes lets every list of assets give its times so. A hidden name is that
// of files that no list shows.
func writeTimes(service *acctest.Service, write func(time.Time) any, hidden func(created time.Time) bool) {
	service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(reply map[string]any) {
		var shown []any
		for _, item := range reply["assets"].([]any) {
			asset := item.(map[string]any)
			created, err := time.Parse(time.RFC3339, asset["created_at"].(string))
			if err != nil {
				panic(err)
			}
			asset["created_at"] = write(created)
			if asset["created_at"] == nil {
				delete(asset, "created_at")
			}
			if hidden == nil || !hidden(created) {
				shown = append(shown, asset)
			}
		}
		reply["assets"], reply["total"] = shown, len(shown)
	}})
}

func wantPending(t *testing.T, w *acctest.Scenario, address string) {
	t.Helper()
	if id := fmt.Sprint(w.Value(address, "id")); !strings.HasPrefix(id, "unknown-") {
		t.Errorf("%s is %s, which may be another image", address, id)
	}
}

// wantAdopted checks that an image is the character's nth asset, from 0, or
// still pending.
func wantAdopted(t *testing.T, w *acctest.Scenario, address string, adopted bool, character string, n int) {
	t.Helper()
	if !adopted {
		wantPending(t, w, address)
		return
	}
	w.Want(address, core.Object{"id": w.Assets(character)[n].ID})
}

// TestLostUploadsAdoptWhatIsNew loses the reply to an upload that may have been
// stored, beside an older image of the same name.
// Fault F12.
func TestLostUploadsAdoptWhatIsNew(t *testing.T) {
	t.Parallel()
	for name, notation := range notations {
		for _, stored := range []bool{true, false} {
			for _, late := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, stored %t, late %t", name, stored, late), func(t *testing.T) {
					t.Parallel()
					service, id := newAda(t)
					service.AddAsset(id, "face_image", "front.png", []byte(png+"old"))
					service.Clock.Advance(time.Hour)
					applied := service.Clock.Now().Add(-time.Minute)
					writeTimes(service, notation.write, func(created time.Time) bool { return late && created.After(applied) })
					service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: 1, DropAfterWork: stored, DropBefore: !stored})
					w := service.Scenario(t)
					w.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png+"new")})
					w.Apply().Must()
					adopted := stored && notation.usable
					if late || !adopted {
						wantPending(t, w, image)
					}
					service.Clock.Advance(time.Hour)
					late = false
					w.Refresh().Must()
					wantAdopted(t, w, image, adopted, id, 3)
					service.WantCount(t, mockserver.RouteUpload, 1)
				})
			}
		}
	}
}

// TestLostUploadsAndClocks: an asset counts if it was created between the
// upload and now, give or take five minutes.
// Fault F12.
func TestLostUploadsAndClocks(t *testing.T) {
	t.Parallel()
	for skew, adopted := range map[time.Duration]bool{
		0: true, 4 * time.Minute: true, -4 * time.Minute: true, 6 * time.Minute: false, -6 * time.Minute: false, 24 * time.Hour: false,
	} {
		t.Run(skew.String(), func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t, func(o *mockserver.Options) { o.Variant.ClockSkew = skew })
			service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: 1, DropAfterWork: true})
			w := service.Scenario(t)
			w.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
			w.Apply().Must()
			wantAdopted(t, w, image, adopted, id, 2)
		})
	}
}

// TestLostUploadsAfterAList lets the search for one image read the list before
// the next is uploaded: what it did not show is new, whatever its time says.
// Fault F12.
func TestLostUploadsAfterAList(t *testing.T) {
	t.Parallel()
	const first, second = "mediagen_face_image.a", "mediagen_face_image.b"
	untimed := func(time.Time) any { return nil }
	for name, test := range map[string]struct {
		stored, late, incomplete bool
		adopted                  bool
	}{
		"stored":                         {true, false, false, true},
		"stored, and seen later":         {true, true, false, true},
		"not stored":                     {false, false, false, false},
		"stored, the list is incomplete": {true, false, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			service.AddAsset(id, "face_image", "b.png", []byte(png+"old"))
			service.Clock.Advance(time.Hour)
			if test.incomplete {
				service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Nth: 1, Rewrite: func(reply map[string]any) { reply["total"] = 50 }})
			}
			late, applied := test.late, service.Clock.Now().Add(-time.Minute)
			writeTimes(service, untimed, func(created time.Time) bool { return late && created.After(applied) })
			service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: 1, DropBefore: true})
			service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: 2, DropAfterWork: test.stored, DropBefore: !test.stored})
			w := service.Scenario(t)
			w.Resource(first, core.Object{"character_id": id, "source": write(t, "a.png", png+"a")})
			w.Resource(second, core.Object{"character_id": id, "source": write(t, "b.png", png+"b")})
			w.Apply().Must()
			wantPending(t, w, first)
			if late || !test.adopted {
				wantPending(t, w, second)
			}
			late = false
			w.Refresh().Must()
			wantPending(t, w, first)
			wantAdopted(t, w, second, test.adopted, id, 3)
			service.WantCount(t, mockserver.RouteUpload, 2)
		})
	}
}

// TestLostUploadsAndOtherImages: an asset that an image of the state holds, or
// held until just now, is not a lost upload, even if its name and time match.
// An image that is being replaced has its successor's name.
// Fault F12.
func TestLostUploadsAndOtherImages(t *testing.T) {
	t.Parallel()
	lose := func(service *acctest.Service, nth int) {
		service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: nth, DropBefore: true})
	}
	t.Run("the image that it replaces", func(t *testing.T) {
		t.Parallel()
		service, w, _, source := newImage(t)
		lose(service, 1)
		rewrite(t, source, png+"changed a minute later")
		w.Apply().Must()
		wantPending(t, w, image)
		service.WantCount(t, mockserver.RouteUpload, 2)
	})
	t.Run("an image that is updated beside it", func(t *testing.T) {
		t.Parallel()
		service, w, character, _ := newImage(t)
		lose(service, 1)
		w.Resource(image, core.Object{"character_id": character, "source": write(t, "front.png", png+"front")})
		w.Resource("mediagen_face_image.z", core.Object{"character_id": character, "source": write(t, "front.png", png+"side")})
		w.Apply().Must()
		wantPending(t, w, "mediagen_face_image.z")
	})
	t.Run("an image of the same apply, refreshed after it", func(t *testing.T) {
		t.Parallel()
		const a, z = "mediagen_face_image.a", "mediagen_face_image.z"
		service, id := newAda(t)
		lose(service, 2)
		w, config := service.Scenario(t), core.Object{"character_id": id, "source": write(t, "front.png", png+"z")}
		w.Resource(z, config)
		w.Resource(a, core.Object{"character_id": id, "source": write(t, "front.png", png+"a")})
		w.Apply().Must()
		wantPending(t, w, a)
		w.Remove(z)
		w.Resource(z, config) // after the other in every list
		w.Refresh().Must()
		wantPending(t, w, a)
		w.Want(z, core.Object{"id": service.Assets(id)[2].ID})
	})
	t.Run("an image that was added later", func(t *testing.T) {
		t.Parallel()
		const a, z = "mediagen_face_image.a", "mediagen_face_image.z"
		service, id := newAda(t)
		lose(service, 1)
		w, config := service.Scenario(t), core.Object{"character_id": id, "source": write(t, "front.png", png+"z")}
		w.Resource(z, config)
		w.Apply().Must()
		w.Remove(z)
		w.Resource(a, core.Object{"character_id": id, "source": write(t, "front.png", png+"a")})
		w.Resource(z, config) // after the other in every list
		w.Apply().Must()
		w.Refresh().Must()
		wantPending(t, w, z)
	})
}

// oneRun is a provider that is configured once, so that a plan and its apply
// are the same run.
type oneRun struct {
	tfprotov6.ProviderServer
	once sync.Once
}

func (s *oneRun) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (resp *tfprotov6.ConfigureProviderResponse, err error) {
	resp = &tfprotov6.ConfigureProviderResponse{}
	s.once.Do(func() { resp, err = s.ProviderServer.ConfigureProvider(ctx, req) })
	return resp, err
}

// TestLostUploadsAfterARefresh lets a refresh read the list before the upload.
func TestLostUploadsAfterARefresh(t *testing.T) {
	t.Parallel()
	for stored, want := range map[bool]int{true: 4, false: -1} {
		t.Run(fmt.Sprintf("stored %t", stored), func(t *testing.T) {
			t.Parallel()
			const added = "mediagen_face_image.z"
			service, old, character, source := newImage(t)
			service.AddAsset(character, "face_image", "z.png", []byte(png+"old"))
			writeTimes(service, func(time.Time) any { return nil }, nil)
			service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Nth: 1, DropAfterWork: stored, DropBefore: !stored})
			server, err := service.Provider()
			if err != nil {
				t.Fatal(err)
			}
			run := &oneRun{ProviderServer: server}
			w := &acctest.Scenario{Service: service, Workspace: core.New(t, func() (tfprotov6.ProviderServer, error) { return run, nil }, core.Object{"base_url": service.URL, "api_key": acctest.APIKey}), T: t}
			w.Resource(image, core.Object{"character_id": character, "source": source})
			w.Import(image, character+"/"+fmt.Sprint(old.Value(image, "id"))).Must()
			w.Resource(added, core.Object{"character_id": character, "source": write(t, "z.png", png+"new")})
			w.Apply().Must()
			if want < 0 {
				wantPending(t, w, added)
			} else {
				w.Want(added, core.Object{"id": service.Assets(character)[want].ID})
			}
		})
	}
}
