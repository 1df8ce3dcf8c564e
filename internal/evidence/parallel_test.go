package evidence_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// oneAtATime has a client read one generation at a time.
func oneAtATime(c *stub.Config) {
	c.MaxRequestsPerMinute = 60
	c.MaxRetries = 0
}

// together answers each of count requests once all of them have arrived.
func together(count int64, then stub.Answer) stub.Answer {
	var waiting atomic.Int64
	all := make(chan struct{})
	return func(w http.ResponseWriter, r *http.Request, n int) {
		if waiting.Add(1) == count {
			close(all)
		}
		select {
		case <-all:
			then(w, r, n)
		case <-r.Context().Done():
		}
	}
}

func soon(c *stub.Config) {
	c.RequestTimeout = 10 * time.Second
	c.MaxRetries = 0
}

func TestGenerationsAreReadSideBySide(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, together(8, stub.Always(200, `{"status":"completed"}`)))
	ids := []string{"g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"}
	for i, read := range s.Client(t, soon).Generations.GetAll(t.Context(), ids) {
		check.True(t, "a read", read.ID == ids[i] && read.Err == nil, i, read.ID, read.Err)
	}
}

// What was read beside a failure is not told: one at a time it would not have
// been read.
func TestGenerationsBesideAFailure(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		together(3, stub.On("/g2", stub.Always(500, `{"error":"down"}`), stub.Always(200, `{"status":"completed"}`))),
	)
	reads := s.Client(t, soon).Generations.GetAll(t.Context(), []string{"g1", "g2", "g3"})
	check.True(t, "a status and a 500", len(reads) == 2 && reads[0].Err == nil && reads[1].Err != nil, reads)
}

// A generation that is gone says nothing of the next; a service that is down
// does.
func TestGenerationsEndWithTheFirstFailure(t *testing.T) {
	t.Parallel()
	gone := stub.Always(404, `{"error":"not_found"}`)
	completed := stub.Always(200, `{"status":"completed"}`)
	down := stub.Always(500, `{"error":"down"}`)
	s := stub.NewService(t, stub.First(gone, stub.Firsts(2, completed, down)))
	reads := s.Client(t, oneAtATime).Generations.GetAll(t.Context(), []string{"g1", "g2", "g3", "g4", "g5"})
	check.True(
		t,
		"a 404, a status and a 500",
		len(reads) == 3 && reads[0].Err != nil && reads[1].Status != nil && reads[2].Err != nil,
		reads,
	)
	check.Equal(t, "requests sent", len(s.Requests()), 3)
}

// What was not read because of Ctrl-C is not left out in silence.
func TestGenerationsThatAreInterrupted(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, `{"status":"processing"}`))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	reads := s.Client(t, oneAtATime).Generations.GetAll(ctx, []string{"g1", "g2"})
	if len(reads) != 1 || reads[0].ID != "g1" {
		t.Fatalf("want one read, of g1, got %+v", reads)
	}
	check.True(
		t,
		"interrupted before a request",
		wait.IsCanceled(reads[0].Err) && len(s.Requests()) == 0,
		reads[0].Err,
		len(s.Requests()),
	)
}

func BenchmarkGenerations(b *testing.B) {
	s := stub.NewService(b, stub.Always(200, good))
	client := s.Client(b)
	ids := make([]string, 200)
	for i := range ids {
		ids[i] = fmt.Sprintf("g%d", i)
	}
	for b.Loop() {
		for _, read := range client.Generations.GetAll(b.Context(), ids) {
			check.Must(b, read.Err)
		}
	}
}
