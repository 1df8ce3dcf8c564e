package acctest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// before is a scenario in which a command creates, updates or destroys.
func before(t *testing.T, command, address string, of acctest.Subject) (w *acctest.Scenario, run func() *core.Result) {
	t.Helper()
	w = acctest.NewForSubjects(t).Scenario(t)
	if command != "create" {
		w.Resource(address, of.Config)
		w.Apply().Must()
	}
	if command == "destroy" {
		return w, w.Destroy
	}
	w.Resource(address, of.With(nil))
	return w, func() *core.Result { return w.Apply() }
}

// A Ctrl-C at any request of a command is back in three seconds, forgets and taints nothing, and a
// later run does the rest once. Fault F7.
func TestInterruptAtEachRequest(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for _, name := range []string{"create", "update", "destroy"} {
			if name == "update" && of.Polls == "" {
				continue
			}
			usual, run := before(t, name, address, of)
			usual.ResetJournal()
			run()
			for nth := 1; nth <= min(usual.Count(""), 8); nth++ {
				t.Run(fmt.Sprint(name, " ", nth), func(t *testing.T) {
					t.Parallel()
					acctest.Bubble(t, func(t *testing.T) {
						w, run := before(t, name, address, of)
						var at time.Time
						fault := mockserver.Fault{Nth: nth, Reached: func() { at = time.Now(); w.Interrupt() }}
						if name == "destroy" {
							fault.Hold = make(chan struct{}) // never answered
						}
						w.Fault(fault)
						run()
						took := time.Since(at)
						check.True(t, "back in time, and nothing is tainted", !at.IsZero() && took <= 3*time.Second && !w.Tainted(address), took, w.State(address))
						w.ClearFaults()
						if name == "destroy" {
							varied{Scenario: w}.destroyed()
							return
						}
						w.Apply().Must()
						w.Want(address, of.Ended)
						w.Plan().Must().WantEmpty()
						if of.Makes != "" {
							w.WantCount(t, of.Makes, 1)
						}
					})
				})
			}
		}
	})
}
