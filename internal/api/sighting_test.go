package api_test

import (
	"net/http"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// What a list shows is new unless a list has shown it before, or this client has
// uploaded it, and the newest is first.
func TestAssetsSince(t *testing.T) {
	t.Parallel()
	s := newService(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch {
		case r.Method == http.MethodPost:
			respond(w, 200, `{"asset_id":"ours"}`)
		case n == 1:
			respond(w, 200, `{"assets":[{"asset_id":"old","asset_type":"face_image"}],"total":1}`)
		default:
			respond(w, 200, `{"assets":[{"asset_id":"old"},{},{"asset_id":"untold"},{"asset_id":"body","asset_type":"body_image"},`+
				`{"asset_id":"a","created_at":"2030-01-02T03:04:05Z"},{"asset_id":"ours"},{"asset_id":"b","created_at":"2030-01-02T03:04:06Z"}],"total":7}`)
		}
	})
	client := s.client(t)
	check.Equal(t, "known at first", client.Known("ch1"), nil)
	check.Must(t, check.ErrorOf(client.Assets(t.Context(), "ch1", "")))
	before := client.Known("ch1")
	check.Equal(t, "known", before, []string{"old"})
	check.Must(t, check.ErrorOf(client.UploadImage(t.Context(), api.FaceImages, "ch1", "", imageOf("content"))))
	want := []api.Sighting{{ID: "b", CreatedAt: "2030-01-02T03:04:06Z"}, {ID: "a", CreatedAt: "2030-01-02T03:04:05Z"}, {ID: "untold"}}
	for range 2 { // what a look has shown is new to who asked before
		found, err := client.AssetsSince(t.Context(), "ch1", "face_image", before)
		check.Must(t, err)
		check.Equal(t, "since", found, want)
	}
	check.Equal(t, "known of another character", client.Known("ch2"), nil)
}
