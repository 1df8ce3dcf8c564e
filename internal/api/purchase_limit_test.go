package api_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

func batchOf(keys ...string) api.Batch {
	var batch api.Batch
	for _, key := range keys {
		batch.Prompts = append(batch.Prompts, api.Prompt{Key: key, Prompt: "picture of " + key})
	}
	return batch
}

func limited(most int64) func(*api.Config) {
	return func(c *api.Config) { c.MaxPurchases = &most }
}

const accepted = `{"batch_id":"b1","group_id":"grp1","results":[{"generation_id":"g1","prompt_index":0}],"credits_deducted":1,"remaining_balance":9}`

// A batch counts with all its prompts before it is sent, and gives its count back
// only if nothing was bought.
// Fault F28.
func TestPurchaseLimit(t *testing.T) {
	t.Parallel()
	unsent := func(c *api.Config) {
		c.Transport, c.MaxRetries = roundTripper(func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNREFUSED }), 0
	}
	for name, test := range map[string]struct {
		limit   int64
		answer  answer
		change  func(*api.Config)
		batches [][]string
		// refused says of each batch whether the limit refuses it.
		refused []bool
	}{
		"nothing":                   {0, always(200, accepted), nil, [][]string{{"a"}}, []bool{true}},
		"exactly as many":           {3, always(200, accepted), nil, [][]string{{"a", "b"}, {"c"}, {"d"}}, []bool{false, false, true}},
		"a batch is whole":          {3, always(200, accepted), nil, [][]string{{"a", "b"}, {"c", "d"}, {"e"}}, []bool{false, true, false}},
		"a refusal gives back":      {1, always(402, `{"error":"insufficient_credits"}`), nil, [][]string{{"a"}, {"b"}}, []bool{false, false}},
		"an unknown outcome counts": {1, drop, nil, [][]string{{"a"}, {"b"}}, []bool{false, true}},
		"a 500 counts":              {1, always(500, "oops"), nil, [][]string{{"a"}, {"b"}}, []bool{false, true}},
		"what is unsent gives back": {1, always(200, accepted), unsent, [][]string{{"a"}, {"b"}}, []bool{false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, test.answer)
			change := []func(*api.Config){limited(test.limit), func(c *api.Config) { c.APIKey, c.AccessToken = "", "static" }}
			if test.change != nil {
				change = append(change, test.change)
			}
			client := s.client(t, change...)
			for i, keys := range test.batches {
				before := len(s.Requests())
				_, err := client.SubmitBatch(t.Context(), batchOf(keys...))
				if errors.Is(err, api.ErrPurchaseLimit) != test.refused[i] {
					t.Errorf("%q: %v", keys, err)
				}
				if test.refused[i] && (len(s.Requests()) != before || api.IsOutcomeUnknown(err)) {
					t.Errorf("%q: was sent: %v", keys, err)
				}
			}
		})
	}
}

// What a refusal gives back was counted, with a limit or without.
func TestPurchasedIsNeverBelowZero(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*api.Config){"limited": limited(5), "unlimited": func(*api.Config) {}} {
		s := newService(t, first(always(402, `{"error":"insufficient_credits"}`), always(200, accepted)))
		client := s.client(t, change)
		_, refused := client.SubmitBatch(t.Context(), batchOf("a", "b"))
		if bought := client.Purchased(); !api.IsRefused(refused) || bought != 0 {
			t.Errorf("%s: %d are bought after %v", name, bought, refused)
		}
		_, err := client.SubmitBatch(t.Context(), batchOf("c"))
		if bought := client.Purchased(); err != nil || bought != 1 {
			t.Errorf("%s: %d are bought, want 1 (%v)", name, bought, err)
		}
	}
}

func TestPurchaseLimitCountsTrainingsAndPromptsTogether(t *testing.T) {
	t.Parallel()
	s := newService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if strings.Contains(r.URL.Path, "training") {
			reply(w, 200, `{"job_id":"job1","training_steps":10,"credits_deducted":100}`)
			return
		}
		reply(w, 200, accepted)
	})
	client := s.client(t, limited(2))
	if _, err := client.StartBodyTraining(t.Context(), "ch1"); err != nil {
		t.Fatal(err)
	}
	if _, err := client.SubmitBatch(t.Context(), batchOf("a", "b")); !errors.Is(err, api.ErrPurchaseLimit) || !strings.Contains(err.Error(), "allows 2") {
		t.Errorf("two more: %v", err)
	}
	if _, err := client.SubmitBatch(t.Context(), batchOf("a")); err != nil {
		t.Errorf("one more: %v", err)
	}
	if _, err := client.StartBodyTraining(t.Context(), "ch1"); !errors.Is(err, api.ErrPurchaseLimit) {
		t.Errorf("another training: %v", err)
	}
	if len(s.Requests()) != 2 {
		t.Errorf("%d requests", len(s.Requests()))
	}
}

// Two batches at once cannot both pass a limit that has room for one.
// Fault F28.
func TestPurchaseLimitHoldsForAllGoroutines(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, accepted))
	client := s.client(t, limited(20))
	var group sync.WaitGroup
	for range 30 {
		group.Go(func() { _, _ = client.SubmitBatch(t.Context(), batchOf("a", "b", "c")) })
	}
	group.Wait()
	if sent := len(s.Requests()); sent != 6 {
		t.Errorf("%d batches of 3 were sent, want 6", sent)
	}
}
