package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// What a client's lists have shown adds up. Only a complete list of all assets
// tells that any other is newer.
func TestKnownAssetsAreWhatListsHaveShown(t *testing.T) {
	t.Parallel()
	lists := []struct {
		assetType, reply string
		ids              []string
		whole            bool
	}{
		{"face_image", `{"assets":[{"asset_id":"a2"}],"total":1}`, []string{"a2"}, false},
		{"", `{"assets":[{"asset_id":"a1"}],"total":3}`, []string{"a1", "a2"}, false},
		{"", `{"assets":[{"asset_id":"a1"},{"asset_id":"a3"}],"total":2}`, []string{"a1", "a2", "a3"}, true},
		{"", `{"assets":[],"total":1}`, []string{"a1", "a2", "a3"}, true},
	}
	s := newService(t, func(w http.ResponseWriter, _ *http.Request, n int) { reply(w, 200, lists[n-1].reply) })
	client := s.client(t)
	if known := client.KnownAssets("ch1"); len(known.IDs) != 0 || known.Whole {
		t.Errorf("known before any list: %+v", known)
	}
	for i, list := range lists {
		check.Must(t, check.ErrorOf(client.Assets(t.Context(), "ch1", list.assetType)))
		if known := client.KnownAssets("ch1"); !slices.Equal(known.IDs, list.ids) || known.Whole != list.whole {
			t.Errorf("after list %d: %+v", i+1, known)
		}
	}
	if known := client.KnownAssets("ch2"); len(known.IDs) != 0 || known.Whole {
		t.Errorf("known of another character: %+v", known)
	}
}

// Lists that are read at the same time lose nothing of each other.
func TestKnownAssetsOfListsReadAtOnce(t *testing.T) {
	t.Parallel()
	client, err := api.New(api.Config{Config: transport.Config{
		BaseURL: &url.URL{Scheme: "http", Host: "localhost"}, AccessToken: "static",
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			return jsonResponse(r, 200, fmt.Sprintf(`{"assets":[{"asset_id":%q}],"total":1}`, r.URL.Query().Get("asset_type"))), nil
		}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	const lists = 100
	var group sync.WaitGroup
	for i := range lists {
		group.Go(func() {
			if _, err := client.Assets(t.Context(), "ch1", fmt.Sprint("type ", i)); err != nil {
				t.Error(err)
			}
			client.KnownAssets("ch1")
		})
	}
	group.Wait()
	if known := client.KnownAssets("ch1"); len(known.IDs) != lists {
		t.Errorf("%d lists have shown %d assets", lists, len(known.IDs))
	}
}
