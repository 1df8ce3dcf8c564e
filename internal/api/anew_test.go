package api_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// Another run counts its purchases from zero, as another process would, and a
// refusal says since when.
// Fault F28.
func TestAnotherRunCountsFromZero(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]func(*api.Config){"max_purchases": limited(1), "max_credits": priced(1, 1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, always(200, accepted))
			client := s.client(t, limit)
			for range 2 {
				client = client.Anew()
				check.NoError(t, check.ErrorOf(client.SubmitBatch(t.Context(), batchOf("a"))))
				began := s.clock.Now().UTC().Format(time.RFC3339)
				s.clock.Advance(time.Hour)
				_, err := client.SubmitBatch(t.Context(), batchOf("b"))
				if !errors.Is(err, api.ErrPurchaseLimit) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "this run, which began at "+began) {
					t.Errorf("%v, of a run that began at %s", err, began)
				}
			}
			check.Equal(t, "requests", len(s.Requests()), 2)
			check.Equal(t, "exchanges", s.Exchanges(), 1)
		})
	}
}

// What a run has read is no answer for another one.
func TestAnotherRunReadsAgain(t *testing.T) {
	t.Parallel()
	s := newService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if strings.HasSuffix(r.URL.Path, "/characters") {
			respond(w, 200, `{"characters":[{"character_id":"ch1"}],"pagination":{"has_more":false}}`)
			return
		}
		respond(w, 200, `{"can_generate":true,"has_active_training":false,"images":[],"assets":[]}`)
	})
	client, ctx := s.client(t), t.Context()
	read := func() error {
		_, _, character := client.FindCharacter(ctx, "ch1")
		_, capabilities := client.CapabilitiesOnce(ctx, "ch1")
		_, training := client.TrainingStatusOnce(ctx, "ch1")
		_, dataset := client.DatasetImagesOnce(ctx, "ch1")
		_, assets := client.AssetsOnce(ctx, "ch1")
		return errors.Join(character, capabilities, training, dataset, assets)
	}
	for _, want := range []int{5, 5, 10} {
		if want == 10 {
			client = client.Anew()
		}
		if err := read(); err != nil || len(s.Requests()) != want {
			t.Errorf("%d requests, want %d; %v", len(s.Requests()), want, err)
		}
	}
}
