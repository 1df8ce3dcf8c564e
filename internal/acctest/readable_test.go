package acctest_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// What can be read of a receipt is: its ids and credits are in the state, and
// nothing is unconfirmed. Fault F4.
func TestReceipts_thatCanBeRead(t *testing.T) {
	t.Parallel()
	const whole = `{"job_id":"{job_id}","message":"started","credits_deducted":5}`
	for name, body := range map[string]string{
		"a line end":   "{\"job_id\":\"{job_id}\",\"message\":\"two\nlines\",\"credits_deducted\":5}",
		"a tab":        "{\"job_id\":\"{job_id}\",\"message\":\"a\tb\",\"credits_deducted\":5}",
		"filled up":    whole + "\x00\x00",
		"twice":        whole + "\n" + whole,
		"a log behind": whole + "\nWARN: slow",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const address = "mediagen_body_lora_training.a"
			w := acctest.NewForSubjects(t).Scenario(t)
			w.Fault(mockserver.Fault{
				Route:     mockserver.RouteStartTraining,
				Body:      body,
				AfterWork: true,
			})
			w.Resource(address, core.Object{"character_id": "ada", "wait_for_completion": true})
			said := w.Apply().Must().Diagnostics
			check.True(t, "no message", len(said) == 0, said)
			w.Want(address, core.Object{"credits_deducted": 5})
			w.WantCount(t, mockserver.RouteStartTraining, 1)
			check.Equal(t, "what was bought", len(w.Ledger().Entries), 1)
			w.Plan().Must().WantEmpty()
		})
	}
}

// A reply of a wrong kind that has the service's own fields is unreadable, and
// no sign of a wrong address. Fault F23.
func TestReplyOfAnotherKindIsNoWrongAddress(t *testing.T) {
	t.Parallel()
	for body, isForeign := range map[string]bool{
		`[{"character_id":"ada","name":"Ada"}]`: false,
		`{"characters":[{"character_id":"ada"`:  false,
		`{"characters":[]}{"characters":[]}`:    false,
		`[{"id":1}]`:                            true,
		"<html>\"characters\"</html>":           true,
	} {
		w := acctest.NewScenario(t)
		w.Resource("mediagen_generation_group.none", dawn(nil))
		w.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Body: body})
		said := w.Plan().Diagnostics
		check.Equal(t, body, len(said.Find("Wrong Base URL")) > 0, isForeign)
		check.Equal(t, body+": requests", w.Count(mockserver.RouteCharacters), 1)
	}
}
