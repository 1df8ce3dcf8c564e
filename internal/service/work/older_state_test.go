package work_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/work"
)

// The private state of an earlier build says in a flag of its own that a dataset
// is unconfirmed. It is read as today's, and written so. Fault F4.
func TestOlderPrivateStateIsRead(t *testing.T) {
	t.Parallel()
	const older = `{"before":{"word":"created"},"started":"2030-01-02T03:04:05Z","unconfirmed":true}`
	lost, written, err := work.LostIn(older)
	check.Must(t, err)
	sent := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	check.True(t, "unconfirmed", lost.Sent.Equal(sent), lost)
	check.Contains(t, "why", lost.Why(), "2030-01-02T03:04:05Z")
	again, _, err := work.LostIn(written)
	check.Must(t, err)
	check.True(t, "the same", again.Sent.Equal(sent), written)
}
