package dataset

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// The private state of an earlier build says in a flag of its own that a dataset
// is unconfirmed. It is read as today's, and written so.
func TestOlderPrivateStateIsRead(t *testing.T) {
	t.Parallel()
	const older = `{"before":{"word":"created"},"started":"2030-01-02T03:04:05Z","unconfirmed":true}`
	var state datasetState
	check.Must(t, json.Unmarshal([]byte(older), &state))
	state.upgrade()
	sent := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	check.True(t, "unconfirmed", state.Lost.Sent.Equal(sent) && state.Before != nil, state)
	check.Contains(t, "why", state.Lost.Why(), "sent at 2030-01-02T03:04:05Z", "no answer has settled")

	written, err := json.Marshal(state)
	check.Must(t, err)
	var again datasetState
	check.Must(t, json.Unmarshal(written, &again))
	again.upgrade()
	check.True(t, "the same", again.Lost.Sent.Equal(sent) && !again.WasLost, string(written))
}
