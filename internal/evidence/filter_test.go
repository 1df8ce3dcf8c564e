package evidence_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// refusing answers requests with a query with the status, and others with the
// list.
func refusing(t *testing.T, status int, list string) *stub.Service {
	t.Helper()
	return stub.NewService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if r.URL.RawQuery != "" {
			stub.Respond(w, status, `{"detail":[{"loc":["query"],"msg":"extra parameters are not permitted"}]}`)
			return
		}
		stub.Respond(w, 200, list)
	})
}

func filenames(assets *api.Assets) string {
	var names []string
	for _, asset := range assets.Items {
		names = append(names, *asset.Filename)
	}
	return strings.Join(names, " ")
}

// A service that refuses a filter is asked with it once a run, and filtered
// here. Fault F41.
func TestFilter_refused(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 422} {
		for _, field := range []string{"asset_type", "type", "kind"} {
			list := `{"assets":[{"id":"1","filename":"a","FIELD":"face_image"},{"id":"2","filename":"b",` +
				`"FIELD":"Body-Image"}],"total":2}`
			s := refusing(t, status, strings.ReplaceAll(list, "FIELD", field))
			client := s.Client(t)
			for range 2 {
				for kind, want := range map[string]string{"face_image": "a", "body_image": "b"} {
					assets, err := client.Images.List(t.Context(), "ch", kind)
					check.Must(t, err)
					check.Equal(t, field+": "+kind, filenames(assets), want)
					check.True(t, "the list is whole", assets.AllListed)
				}
			}
			check.Equal(t, field+": requests", len(s.Requests()), 1+4)
			_, err := client.Anew().Images.List(t.Context(), "ch", "face_image")
			check.True(t, "the next run asks again", err == nil && len(s.Requests()) == 1+4+2, len(s.Requests()), err)
		}
	}
}

// Many that list at once learn of the refusal from one. Fault F41.
func TestFilter_refusedAtOnce(t *testing.T) {
	t.Parallel()
	s := refusing(t, 422, `{"assets":[],"total":0}`)
	client := s.Client(t)
	var asked atomic.Int64
	ask := func() {
		asked.Add(1)
		_, err := client.Images.List(t.Context(), "ch", "face_image")
		check.True(t, "no error", err == nil, err)
	}
	check.AtOnce(ask, ask, ask, ask)
	check.Equal(t, "requests", len(s.Requests()), 1+int(asked.Load()))
}

// Where nothing tells what an asset is, the error says so, and what the service
// said. Fault F41.
func TestFilter_nothingTells(t *testing.T) {
	t.Parallel()
	for _, asset := range []string{`{"id":"1"}`, `{"id":"1","type":"image/png"}`, `{"id":"1","kind":"image"}`} {
		s := refusing(t, 422, `{"assets":[`+asset+`],"total":1}`)
		_, err := s.Client(t).Images.List(t.Context(), "ch", "face_image")
		check.True(t, "an error", err != nil, asset)
		check.Contains(t, asset, fmt.Sprint(err),
			"refuses to filter by asset_type", "asset_type, type or kind", "extra parameters are not permitted")
	}
	s := refusing(t, 422, `{"images":[{"image_id":"1"}],"total":1}`)
	_, err := s.Client(t).Datasets.Images(t.Context(), "ch", new(true))
	check.Contains(t, "of a dataset", fmt.Sprint(err), "refuses to filter by approved_only", "(approved)")
}

// A filter that is taken may still be ignored; what says nothing of its type
// stays then. Fault F41.
func TestFilter_ignored(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		`[{"filename":"a","type":"face_image"},{"filename":"b","type":"body_image"}]`:                           "a",
		`[{"filename":"a","kind":"face_image"},{"filename":"b","asset_type":"body_image","type":"face_image"}]`: "a",
		`[{"filename":"a","type":"image/png"},{"filename":"b"}]`:                                                "a b",
	} {
		s := stub.NewService(
			t,
			func(w http.ResponseWriter, _ *http.Request, _ int) { stub.Respond(w, 200, `{"assets":`+list+`}`) },
		)
		assets, err := s.Client(t).Images.List(t.Context(), "ch", "face_image")
		check.Must(t, err)
		check.Equal(t, list, filenames(assets), want)
		check.Equal(t, "requests", len(s.Requests()), 1)
	}
}

// What is refused without the filter, too, is not about it. Fault F41.
func TestFilter_anotherRefusal(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		query := url.QueryEscape(r.URL.RawQuery)
		stub.Respond(w, 422, fmt.Sprintf(`{"error":"invalid","message":"no such character, query %s"}`, query))
	})
	client := s.Client(t)
	for range 2 {
		_, err := client.Images.List(t.Context(), "ch", "face_image")
		check.Contains(t, "the error", fmt.Sprint(err), "no such character, query (422")
	}
	check.Equal(t, "requests", len(s.Requests()), 4)
}

// A list that a service chooses may show approved images alone: it proves
// nothing of another. Fault F41.
func TestFilter_approved(t *testing.T) {
	t.Parallel()
	const approved, other = `{"image_id":"1","approved":true}`, `{"image_id":"2","approved":false}`
	for images, isWhole := range map[string]bool{approved: false, approved + "," + other: true} {
		client := refusing(t, 400, `{"images":[`+images+`],"dataset_status":"generated"}`).Client(t)
		all, err := client.Datasets.Images(t.Context(), "ch", new(false))
		check.Must(t, err)
		check.Equal(t, "whether all are listed: "+images, all.AllListed, isWhole)
		some, err := client.Datasets.Images(t.Context(), "ch", new(true))
		check.True(
			t,
			"the approved one",
			err == nil && len(some.Images) == 1 && *some.Images[0].ImageID == "1",
			some,
			err,
		)
	}
}
