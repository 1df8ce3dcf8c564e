package transport_test

import (
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// TestCircuitTakesRetries is the circuit's whole decision: how often a request
// without an answer is retried, of four times.
// Fault F18.
func TestCircuitTakesRetries(t *testing.T) {
	t.Parallel()
	both := []bool{false, true}
	for _, open := range both {
		for _, first := range both {
			for _, unreachable := range both {
				for _, hung := range both {
					want := int64(4)
					if first && unreachable {
						want = 1
					}
					if open || hung {
						want = 0
					}
					if got := transport.RetriesOf(false, open, first, unreachable, hung); got != want {
						t.Errorf("open: %t, first: %t, unreachable: %t, hung: %t: %d retries, want %d", open, first, unreachable, hung, got, want)
					}
					if got := transport.RetriesOf(true, open, first, unreachable, hung); got != 4 {
						t.Errorf("open: %t, first: %t, unreachable: %t, hung: %t: a poll has %d retries", open, first, unreachable, hung, got)
					}
				}
			}
		}
	}
}

// TestCircuitOpens is what opens and closes the circuit, and whose failures have
// the same cause.
// Fault F18.
func TestCircuitOpens(t *testing.T) {
	t.Parallel()
	const persistent, sentOnce = true, false
	circuit := transport.NewCircuit()
	is := func(when string, answers int, open bool) {
		t.Helper()
		if gotAnswers, gotOpen := circuit.State(); gotAnswers != answers || gotOpen != open {
			t.Errorf("%s: %d answers, open: %t", when, gotAnswers, gotOpen)
		}
	}
	is("at first", 0, false)
	alone := circuit.Failed(sentOnce, 0)
	is("what is not retried says nothing", 0, false)
	circuit.Answered()
	among := circuit.Failed(persistent, 0)
	is("somebody was answered meanwhile", 1, false)
	cause := circuit.Failed(persistent, 1)
	is("nobody was", 1, true)
	check.True(t, "failures of a closed circuit have causes of their own", alone != nil && among != nil && cause != nil && alone != among && among != cause)
	check.True(t, "failures of an open circuit have its cause", circuit.Failed(sentOnce, 1) == cause && circuit.Failed(persistent, 0) == cause)
	is("others fail", 1, true)
	circuit.Answered()
	is("an answer", 2, false)
	if again := circuit.Failed(persistent, 2); again == cause {
		t.Error("the circuit opens again with the old cause")
	}
	is("it opens again", 2, true)
}

func TestACircuitOpensAndClosesAtOnce(t *testing.T) {
	t.Parallel()
	circuit := transport.NewCircuit()
	check.AtOnce(circuit.Answered, func() { circuit.State() }, func() { circuit.Failed(true, 0) })
}

// What hangs without a limit, as in a plan, is not read again; a change is made
// again all the same.
func TestWhatHangs(t *testing.T) {
	t.Parallel()
	for request, want := range map[*transport.Request]int{transport.Get("/x"): 1, transport.Put("/x"): 2, transport.Delete("/x"): 2} {
		synctest.Test(t, func(t *testing.T) {
			requests := 0
			client := answering(t, transport.Config{AccessToken: "static"}, func(r *http.Request) *http.Response {
				if requests++; requests == 1 {
					<-r.Context().Done()
				}
				return response(r, http.StatusOK, `{}`)
			})
			if _, err := client.Do(t.Context(), request); requests != want || (err == nil) != (want == 2) {
				t.Errorf("%s: %d requests, %v", request.Operation(), requests, err)
			}
		})
	}
}
