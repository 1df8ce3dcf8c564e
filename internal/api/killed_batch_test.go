package api_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// killedBatch buys prompts in a run that is killed, and returns what the next one is told
// of some of them.
func killedBatch(t *testing.T, body string, wanted ...string) api.KilledBatch {
	t.Helper()
	path := filepath.Join(t.TempDir(), "purchases.jsonl")
	s := newService(t, always(200, body))
	check.Must(t, check.ErrorOf(s.client(t, logged(path)).SubmitBatch(t.Context(), batchOf("a", "b"))))
	content, err := os.ReadFile(path)
	check.Must(t, err)
	check.Must(t, os.WriteFile(path, regexp.MustCompile(`"run":"[^"]*"`).ReplaceAll(content, []byte(`"run":"ended"`)), 0o600))
	check.Must(t, os.WriteFile(path+".ended.running", nil, 0o600))
	none := func(string) bool { return false }
	batches, err := s.client(t, logged(path)).KilledBatches(t.Context(), batchOf(wanted...), none, false)
	check.Must(t, err)
	if len(batches) != 1 || batches[0].Elsewhere != "" {
		t.Fatalf("batches: %+v", batches)
	}
	return batches[0]
}

// The reply to a killed run's batch is read as that to this run's own.
// Fault F31.
func TestKilledBatch_reply(t *testing.T) {
	t.Parallel()
	const a, b, other = `{"generation_id":"g1","prompt_index":0}`, `{"generation_id":"g2","prompt_index":1}`, `{"generation_id":"g9","prompt_index":1,"error":"no"}`
	for name, test := range map[string]struct {
		body   string
		wanted []string
		ids    []string
		open   bool
		others []string
	}{
		"certain":         {`"results":[` + b + `,` + a + `]`, []string{"a", "b"}, []string{"g1", "g2"}, false, nil},
		"one of them":     {`"results":[` + b + `,` + a + `]`, []string{"b"}, []string{"g2"}, false, nil},
		"without indices": {`"results":[{"generation_id":"g1"},{"generation_id":"g2"}]`, []string{"a", "b"}, []string{"g1", "g2"}, true, nil},
		"a contradiction": {`"success":false,"credits_deducted":1,"results":[` + a + `,` + other + `]`, []string{"a", "b"}, []string{"g1", ""}, false, []string{"g9"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killed := killedBatch(t, `{"group_id":"grp1",`+test.body+`}`, test.wanted...)
			check.Equal(t, "keys", killed.Keys, test.wanted)
			var ids []string
			for _, effect := range killed.Reply.Effects {
				ids = append(ids, effect.GenerationID)
				check.True(t, "what has no id is unconfirmed", (effect.Unconfirmed == "") == (effect.GenerationID != ""), effect)
			}
			check.Equal(t, "ids", ids, test.ids)
			check.Equal(t, "open", killed.Reply.IsOpen, test.open)
			check.Equal(t, "other ids", killed.Reply.OtherIDs, test.others)
			check.Equal(t, "group", deref(killed.Reply.GroupID), any("grp1"))
		})
	}
}

// A count of the whole batch says nothing of a part of it.
// Fault F31.
func TestKilledBatch_countsOfTheWhole(t *testing.T) {
	t.Parallel()
	killed := killedBatch(t, `{"successful_submissions":1,"results":[]}`, "b")
	check.True(t, "accepts", !killed.Reply.Accepts(), killed.Reply)
}
