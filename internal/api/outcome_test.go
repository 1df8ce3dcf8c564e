package api_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

const (
	isAccepted = "answered"
	isUnknown  = "unknown"
	isRefused  = "refused"
)

// Accepted, unknown or refused: what a reply that says no means. The limit gets
// back only what was refused, and the log names the ids.
// Fault F22.
func TestOutcomeOfAReplyThatSaysNo(t *testing.T) {
	t.Parallel()
	batch := func(c *api.Client) error { _, err := c.SubmitBatch(t.Context(), batchOf("a")); return err }
	training := func(c *api.Client) error {
		_, err := c.StartWork(t.Context(), api.BodyTraining.Order("ch1", nil))
		return err
	}
	const ids = `"results":[{"generation_id":"g1","prompt_index":0}]`
	for name, test := range map[string]struct {
		buy    func(*api.Client) error
		status int
		body   string
		want   string
		quoted []any
	}{
		"ids and credits":               {batch, 200, `{"success":false,"credits_deducted":1,` + ids + `}`, isAccepted, []any{"g1"}},
		"ids and credits as text":       {batch, 200, `{"success":"false","credits_deducted":"1",` + ids + `}`, isAccepted, []any{"g1"}},
		"ids and credits in a 207":      {batch, 207, `{"success":false,"error":"partial","credits_deducted":0.5,` + ids + `}`, isAccepted, []any{"g1"}},
		"ids and successes":             {batch, 200, `{"success":false,"successful_submissions":1,` + ids + `}`, isAccepted, []any{"g1"}},
		"ids and credits beyond reason": {batch, 200, `{"success":false,"credits_deducted":1e400,` + ids + `}`, isAccepted, []any{"g1"}},
		"credits alone":                 {batch, 200, `{"success":false,"credits_deducted":1}`, isAccepted, nil},
		"an error and credits":          {batch, 200, `{"error":"no","credits_deducted":1}`, isAccepted, nil},
		"an id with its own error":      {batch, 200, `{"success":false,"credits_deducted":1,"results":[{"generation_id":"g1","error":"no"}]}`, isAccepted, []any{"g1"}},
		"an error beside results":       {batch, 200, `{"error":"no",` + ids + `}`, isAccepted, []any{"g1"}},
		"ids alone":                     {batch, 200, `{"success":false,` + ids + `}`, isUnknown, []any{"g1"}},
		"ids alone in a 207":            {batch, 207, `{"success":0,` + ids + `}`, isUnknown, []any{"g1"}},
		"ids and no credits":            {batch, 200, `{"success":false,"credits_deducted":0,"successful_submissions":0,` + ids + `}`, isUnknown, []any{"g1"}},
		"nothing":                       {batch, 200, `{"success":false}`, isRefused, nil},
		"credits of null":               {batch, 200, `{"success":false,"credits_deducted":null,"results":[]}`, isRefused, nil},
		"credits of 0":                  {batch, 200, `{"success":false,"credits_deducted":0,"results":[{"generation_id":""}]}`, isRefused, nil},
		"negative credits":              {batch, 200, `{"success":false,"credits_deducted":-1}`, isRefused, nil},
		"an error and no results":       {batch, 200, `{"error":"no","batch_id":"b1","results":[]}`, isRefused, nil},
		"echoed ids":                    {batch, 200, `{"success":false,"character_id":"ch1","group_id":"grp1","batch_id":"b1"}`, isRefused, nil},
		"a 4xx with ids":                {batch, 409, `{"error":"exists","credits_deducted":1,` + ids + `}`, isRefused, nil},
		"a 5xx with ids":                {batch, 500, `{"error":"oops",` + ids + `}`, isUnknown, nil},
		"a job and credits":             {training, 200, `{"success":false,"job_id":"job1","credits_deducted":100}`, isAccepted, nil},
		"a job":                         {training, 200, `{"success":false,"job_id":"job1"}`, isUnknown, []any{"job1"}},
		"a job and an error":            {training, 200, `{"error":"no","job_id":"job1","credits_deducted":0}`, isUnknown, []any{"job1"}},
		"a job of null":                 {training, 200, `{"success":false,"job_id":null,"training_steps":10}`, isRefused, nil},
		"a job of 0":                    {training, 200, `{"error":"no","job_id":0}`, isRefused, nil},
		"a 409 with a job":              {training, 409, `{"error":"running","job_id":"job1"}`, isRefused, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "purchases.jsonl")
			s := newService(t, always(test.status, test.body))
			client := s.client(t, logged(path), limited(1))
			err := test.buy(client)
			if (err == nil) != (test.want == isAccepted) || reply.IsEffectUnknown(err) != (test.want == isUnknown) || reply.IsRefused(err) != (test.want == isRefused) {
				t.Errorf("want it %s: %v", test.want, err)
			}
			lines := linesOf(t, path)
			last := lines[len(lines)-1]
			quoted, _ := last["other_ids"].([]any)
			if held, is := last["generations"].(map[string]any); is {
				quoted = append(quoted, held["a"])
			}
			check.True(t, "logged", cmp.Equal(quoted, test.quoted) && last["outcome"] == test.want, last)
			if err := test.buy(client); errors.Is(err, api.ErrPurchaseLimit) == (test.want == isRefused) {
				t.Errorf("another purchase: %v", err)
			}
			if len(s.Requests()) > 2 || test.want != isRefused && len(s.Requests()) != 1 {
				t.Errorf("%d requests", len(s.Requests()))
			}
		})
	}
}

// Of a batch that says no and was accepted, a prompt has the id without an error
// of its own, and nothing else is certain.
// Fault F22.
func TestBatchThatSaysNoAndWasAccepted(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, `{"success":false,"credits_deducted":1,"results":[{"generation_id":"g1","prompt_index":0},
		{"generation_id":"g2","prompt_index":1,"error":"no"},{"prompt_index":2,"status":"failed"}]}`))
	reply, err := s.client(t).SubmitBatch(t.Context(), batchOf("a", "b", "c"))
	check.Must(t, err)
	for i, effect := range reply.Effects {
		if held := i == 0; (effect.Unconfirmed == "") != held || (effect.GenerationID != "") != held || effect.Error != "" || !held && effect.Status != nil {
			t.Errorf("prompt %d: %+v", i, effect)
		}
	}
	check.True(t, "quoted, and the indices decide", cmp.Equal(reply.OtherIDs, []string{"g2"}) && !reply.IsOpen, reply.OtherIDs, reply.IsOpen)
}
