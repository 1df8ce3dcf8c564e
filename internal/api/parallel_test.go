package api_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// oneAtATime has a client read one generation at a time.
func oneAtATime(c *api.Config) { c.MaxRequestsPerMinute, c.MaxRetries = 60, 0 }

// A generation that is gone says nothing of the next; a service that is down does.
func TestGenerationsEndWithTheFirstFailure(t *testing.T) {
	t.Parallel()
	s := newService(t, func(w http.ResponseWriter, _ *http.Request, n int) {
		switch n {
		case 1:
			reply(w, 404, `{"error":"not_found"}`)
		case 2:
			reply(w, 200, `{"status":"completed"}`)
		default:
			reply(w, 500, `{"error":"down"}`)
		}
	})
	reads := s.client(t, oneAtATime).Generations(t.Context(), []string{"g1", "g2", "g3", "g4", "g5"})
	if len(reads) != 3 || reads[0].Err == nil || reads[1].Status == nil || reads[2].Err == nil {
		t.Errorf("want a 404, a status and a 500, got %+v", reads)
	}
	if sent := len(s.Requests()); sent != 3 {
		t.Errorf("%d requests were sent, want 3", sent)
	}
}

// What was not read because of Ctrl-C is not left out in silence.
func TestGenerationsThatAreInterrupted(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, `{"status":"processing"}`))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	reads := s.client(t, oneAtATime).Generations(ctx, []string{"g1", "g2"})
	if len(reads) != 1 || reads[0].ID != "g1" {
		t.Fatalf("want one read, of g1, got %+v", reads)
	}
	if _, canceled := errors.AsType[*wait.CanceledError](reads[0].Err); !canceled || len(s.Requests()) > 0 {
		t.Errorf("ended with %v after %d requests", reads[0].Err, len(s.Requests()))
	}
}
