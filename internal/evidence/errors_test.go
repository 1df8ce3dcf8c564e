package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

func TestAnEchoedTokenIsRedacted(t *testing.T) {
	t.Parallel()
	s := stub.NewService(
		t,
		stub.Always(403, `{"error":"forbidden","message":"token token-1 of key `+stub.APIKey+` may not"}`),
	)
	_, err := s.Client(t).Generations.Get(t.Context(), "g1")
	text := err.Error()
	check.True(
		t,
		"the error",
		!strings.Contains(text, "token-1") && !strings.Contains(text, stub.APIKey) &&
			strings.Contains(text, "token [redacted] of key [redacted] may not"),
		text,
	)
}

func TestTheLogHasOneLineAnAttempt(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	var lines []string
	s := stub.NewService(t, stub.First(stub.Status(500), stub.Always(200, good)))
	client := s.Client(t, func(c *stub.Config) {
		c.Log = func(_ context.Context, message string, fields map[string]any) {
			mutex.Lock()
			defer mutex.Unlock()
			_, ok := fields["milliseconds"].(int64)
			check.True(t, "the time is told", ok, fields)
			lines = append(
				lines,
				fmt.Sprint(
					message,
					" ",
					fields["method"],
					" ",
					fields["route"],
					" ",
					fields["status"],
					" ",
					fields["attempt"],
					" ",
					fields["ids"],
				),
			)
		}
	})
	check.Must(t, check.ErrorOf(client.Images.List(t.Context(), "ch_7", "")))
	want := []string{
		"Sent a request POST " + s.URL + "/root/auth/generate-token" + " 200 1 <nil>",
		"Sent a request GET /{character_id}/assets 500 1 ch_7",
		"Sent a request GET /{character_id}/assets 200 2 ch_7",
	}
	check.Equal(t, "lines", lines, want)
}

// Fault F26.
func TestIDsCannotLeaveTheirSegment(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	client := s.Client(t)
	for _, id := range []string{"", " ", ".", "..", "a\x00b", "a\nb", "\x7f", "a\u0085b"} {
		_, err := client.Generations.Get(t.Context(), id)
		check.True(t, "read of "+id, errors.Is(err, transport.ErrInvalidID) && !reply.IsEffectUnknown(err), err)
		err = client.Trainings.Cancel(t.Context(), "ch1", id)
		check.True(
			t,
			"cancellation of "+id,
			errors.Is(err, transport.ErrInvalidID) && strings.Contains(err.Error(), "job_id"),
			err,
		)
	}
	check.Equal(t, "requests", len(s.Requests()), 0)
	check.Equal(t, "exchanges", s.Exchanges(), 0)
	for id, want := range map[string]string{
		"a/b": "a%2Fb", "../x": "..%2Fx", "%2f": "%252f", "a?b#c": "a%3Fb%23c", "ä b": "%C3%A4%20b",
		"{job_id}": "%7Bjob_id%7D", "a+b&c=d;e": "a+b&c=d%3Be", "...": "...",
	} {
		err := client.Trainings.Cancel(t.Context(), id, id)
		requests := s.Requests()
		got := requests[len(requests)-1].Path
		check.True(t, id, err == nil && got == "/"+want+"/training/jobs/"+want+"/cancel", got, err)
	}
}

func TestAnErrorThatSaysNothingIsNone(t *testing.T) {
	t.Parallel()
	for _, nothing := range []string{
		`null`, `""`, `{}`, `[]`, `"None"`, `"null"`, `" NIL "`, `"undefined"`, `["none"]`, `{"message":"None"}`,
		`{"code":0,"message":""}`,
	} {
		deleted := stub.Always(200, `{"message":"deleted","error":`+nothing+`}`)
		shown := stub.Always(200, `{"status":"processing","error":`+nothing+`}`)
		s := stub.NewService(t, stub.On("DELETE", deleted, shown))
		client := s.Client(t)
		result, err := client.Generations.Delete(t.Context(), "gen1")
		check.True(t, nothing+", deleted", err == nil && result != nil, result, err)
		status, err := client.Generations.Get(t.Context(), "gen1")
		check.True(
			t,
			nothing+", a status",
			err == nil && status.Phase() == api.Running && status.Error == nil,
			status,
			err,
		)
		bought := stub.NewService(t, stub.On("POST", stub.Always(200, `{"error":`+nothing+`}`), shown)).Client(t)
		_, err = stub.Buy(t.Context(), bought, stub.OrderOf("a"))
		check.True(t, nothing+", a purchase is not refused", reply.IsEffectUnknown(err), err)
	}
}
