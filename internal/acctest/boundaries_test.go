package acctest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var runs = map[string]struct {
	prepare, run func(w *acctest.Scenario, address string, of acctest.Subject)
}{
	"create": {
		func(w *acctest.Scenario, address string, of acctest.Subject) { w.Resource(address, of.With(nil)) },
		func(w *acctest.Scenario, _ string, _ acctest.Subject) { w.Apply() },
	},
	"update": {
		func(w *acctest.Scenario, address string, of acctest.Subject) {
			w.Resource(address, of.Config)
			w.Apply().Must()
			w.Resource(address, of.With(nil))
		},
		func(w *acctest.Scenario, _ string, _ acctest.Subject) { w.Apply() },
	},
	"destroy": {
		func(w *acctest.Scenario, address string, of acctest.Subject) {
			w.Resource(address, of.Config)
			w.Apply().Must()
		},
		func(w *acctest.Scenario, _ string, _ acctest.Subject) { w.Destroy() },
	},
}

// A Ctrl-C at any request of a command is back in three seconds, forgets and taints nothing, and a
// later run does the rest once. Fault F7.
func TestInterruptAtEachRequest(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for name, command := range runs {
			if name == "update" && of.Polls == "" {
				continue
			}
			usual := acctest.NewForSubjects(t).Scenario(t)
			command.prepare(usual, address, of)
			usual.ResetJournal()
			command.run(usual, address, of)
			for nth := 1; nth <= min(usual.Count(""), 8); nth++ {
				t.Run(fmt.Sprint(name, " ", nth), func(t *testing.T) {
					t.Parallel()
					acctest.Bubble(t, func(t *testing.T) {
						w := acctest.NewForSubjects(t).Scenario(t)
						command.prepare(w, address, of)
						var at time.Time
						fault := mockserver.Fault{Nth: nth, Reached: func() { at = time.Now(); w.Interrupt() }}
						if name == "destroy" {
							fault.Hold = make(chan struct{}) // never answered
						}
						w.Fault(fault)
						command.run(w, address, of)
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
