package acctest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func stormy(route string, times int) mockserver.Fault {
	return mockserver.Fault{Route: route, Times: times, Status: 429, Header: http.Header{"Retry-After": {"20"}}, Body: `{"error":"rate_limited","message":"Slow down."}`}
}

// A refresh gives up a storm of 429s after five minutes, for all objects together. An apply that
// buys goes on, within its timeout. Both say so at INFO. Fault F3.
func TestStormEndsAPlanAndNoPurchase(t *testing.T) {
	t.Parallel()
	w := acctest.NewForSubjects(t).Scenario(t)
	for _, id := range []string{"ada", "bob"} {
		w.Resource("mediagen_character."+id, core.Object{"id": id})
		w.Resource("mediagen_body_lora_training."+id, core.Object{"character_id": id, "wait_for_completion": false})
		w.Resource("mediagen_generation_group."+id, dawn(id))
	}
	w.Apply().Must()
	before := w.Addresses()
	w.ResetJournal()
	everywhere(w, stormy("", 0))
	begun := w.Clock.Now()
	log := &infoLog{service: w.Service}
	said := w.ApplyContext(tflogtest.RootLogger(t.Context(), log)).Diagnostics
	check.True(t, "one error in full, and short ones", len(said.Find("Limit of Requests (429)")) == 6 && len(said) == 6 &&
		strings.Count(said.String(), "max_requests_per_minute") == 1 && strings.Count(said.String(), "Slow down; no request has had another answer for five minutes, so it was given up (429 Too Many Requests, rate_limited") == 6 &&
		strings.Count(said.String(), "the same failure as another object's") == 5, said)
	check.True(t, "it ends", w.Clock.Now().Sub(begun) == 5*time.Minute && requested(w) == 16, w.Clock.Now().Sub(begun), w.Story())
	check.Equal(t, "lines", len(log.lines), 6)
	check.Equal(t, "state", w.Addresses(), before)

	w.ClearFaults()
	w.Resource("mediagen_generation_group.new", dawn(nil))
	plan := w.Plan().Must()
	w.ResetJournal()
	w.Fault(stormy(mockserver.RouteBatch, 30))
	w.ApplyPlan(plan).Must()
	w.WantCount(t, mockserver.RouteBatch, 31)
	w.Plan().Must().WantEmpty()
}

// What ends with a Ctrl-C names the 429s that it has waited for. Fault F7.
func TestInterruptedStormNamesTheLastAnswer(t *testing.T) {
	t.Parallel()
	w := acctest.NewForSubjects(t).Scenario(t)
	w.Resource("mediagen_body_lora_training.ada", core.Object{"character_id": "ada", "wait_for_completion": false})
	w.Apply().Must()
	refuses, refused := stormy("", 0), 0
	refuses.Reached = func() {
		if refused++; refused == 4 {
			w.Interrupt()
		}
	}
	everywhere(w, refuses)
	said := w.Plan().Diagnostics
	w.WantError(said, "Limit of Requests (429)", "Slow down; the operation was interrupted (429 Too Many Requests, rate_limited", "max_requests_per_minute")
}
