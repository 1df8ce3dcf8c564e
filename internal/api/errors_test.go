package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

func TestAnEchoedTokenIsRedacted(t *testing.T) {
	t.Parallel()
	s := newService(t, always(403, `{"error":"forbidden","message":"token token-1 of key `+apiKey+` may not"}`))
	_, err := s.client(t).Generation(t.Context(), "g1")
	if text := err.Error(); strings.Contains(text, "token-1") || strings.Contains(text, apiKey) || !strings.Contains(text, "token [redacted] of key [redacted] may not") {
		t.Errorf("error: %s", text)
	}
}

func TestTheLogHasOneLineAnAttempt(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	var lines []string
	s := newService(t, first(status(500), always(200, good)))
	client := s.client(t, func(c *api.Config) {
		c.Log = func(_ context.Context, message string, fields map[string]any) {
			mutex.Lock()
			defer mutex.Unlock()
			if _, ok := fields["milliseconds"].(int64); !ok {
				t.Errorf("fields: %v", fields)
			}
			lines = append(lines, fmt.Sprint(message, " ", fields["method"], " ", fields["route"], " ", fields["status"], " ", fields["attempt"], " ", fields["ids"]))
		}
	})
	check.Must(t, check.ErrorOf(client.Assets(t.Context(), "ch_7", "")))
	want := []string{"Sent a request POST " + s.URL + "/root/auth/generate-token" + " 200 1 <nil>", "Sent a request GET /{character_id}/assets 500 1 ch_7", "Sent a request GET /{character_id}/assets 200 2 ch_7"}
	check.Equal(t, "lines", lines, want)
}

// Fault F26.
func TestIDsCannotLeaveTheirSegment(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, good))
	client := s.client(t)
	for _, id := range []string{"", " ", ".", "..", "a\x00b", "a\nb", "\x7f", "a\u0085b"} {
		if _, err := client.Generation(t.Context(), id); !errors.Is(err, transport.ErrInvalidID) || reply.IsEffectUnknown(err) {
			t.Errorf("%q: %v", id, err)
		}
		if err := client.CancelTraining(t.Context(), "ch1", id); !errors.Is(err, transport.ErrInvalidID) || !strings.Contains(err.Error(), "job_id") {
			t.Errorf("%q: %v", id, err)
		}
	}
	check.Equal(t, "requests", len(s.Requests()), 0)
	check.Equal(t, "exchanges", s.Exchanges(), 0)
	for id, want := range map[string]string{
		"a/b": "a%2Fb", "../x": "..%2Fx", "%2f": "%252f", "a?b#c": "a%3Fb%23c", "ä b": "%C3%A4%20b", "{job_id}": "%7Bjob_id%7D", "a+b&c=d;e": "a+b&c=d%3Be", "...": "...",
	} {
		err := client.CancelTraining(t.Context(), id, id)
		requests := s.Requests()
		if got := requests[len(requests)-1].path; err != nil || got != "/"+want+"/training/jobs/"+want+"/cancel" {
			t.Errorf("%q: %s, %v", id, got, err)
		}
	}
}

func TestAnErrorThatSaysNothingIsNone(t *testing.T) {
	t.Parallel()
	for _, nothing := range []string{`null`, `""`, `{}`, `[]`} {
		s := newService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
			if r.Method == http.MethodDelete {
				respond(w, 200, `{"message":"deleted","error":`+nothing+`}`)
				return
			}
			respond(w, 200, `{"status":"processing","error":`+nothing+`}`)
		})
		client := s.client(t)
		if result, err := client.DeleteGeneration(t.Context(), "gen1"); err != nil || result == nil {
			t.Errorf("error %s: delete: %v, %v", nothing, result, err)
		}
		if status, err := client.Generation(t.Context(), "gen1"); err != nil || status.Phase() != api.Running || status.Error != nil {
			t.Errorf("error %s: status: %v, %v", nothing, status, err)
		}
	}
}
