package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

func TestErrorBodiesOfAllShapes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		contentType, body string
		want              api.Error
	}{
		"the interface's":      {"", `{"error":"insufficient_credits","message":"Buy more","character_id":"ch1","group_id":"grp1"}`, api.Error{Code: "insufficient_credits", Message: "Buy more", CharacterID: "ch1", GroupID: "grp1"}},
		"nested":               {"", `{"error":{"code":42,"message":"Buy more"}}`, api.Error{Code: "42", Message: "Buy more"}},
		"a sentence as error":  {"", `{"error":"Something went wrong"}`, api.Error{Message: "Something went wrong"}},
		"a gateway's":          {"", `{"message":"no Route matched"}`, api.Error{Message: "no Route matched"}},
		"a code beside":        {"", `{"code":"E1","message":"x"}`, api.Error{Code: "E1", Message: "x"}},
		"detail":               {"", `{"detail":"Face not sharp"}`, api.Error{Message: "Face not sharp"}},
		"detail object":        {"", `{"detail":{"msg":"Face not sharp"}}`, api.Error{Message: "Face not sharp"}},
		"detail list":          {"", `{"detail":[{"loc":["body","prompts",0,"prompt"],"msg":"field required"},{"loc":["body","name"],"msg":"too long"}]}`, api.Error{Fields: []api.FieldError{{Path: []string{"body", "prompts", "0", "prompt"}, Message: "field required"}, {Path: []string{"body", "name"}, Message: "too long"}}}},
		"detail list of texts": {"", `{"detail":["a","b"]}`, api.Error{Message: "a; b"}},
		"errors":               {"", `{"errors":[{"message":"a"},"b"]}`, api.Error{Message: "a; b"}},
		"unknown fields":       {"", `{"b":2,"a":"x"}`, api.Error{Message: `{"a":"x","b":2}`}},
		"a JSON text":          {"", `"no"`, api.Error{Message: "no"}},
		"BOM":                  {"", "\ufeff" + `{"message":"x"}`, api.Error{Message: "x"}},
		"plain":                {"text/plain", "upstream\n\tconnect  error\x00\x1b[31m", api.Error{Message: "upstream connect error [31m"}},
		"HTML":                 {"text/html", "<!doctype html><html><head><title>502 Bad &amp; Gateway</title><style>p{}</style></head><body><h1>Oops</h1><script>x()</script></body>", api.Error{Message: "502 Bad & Gateway Oops"}},
		"HTML unannounced":     {"", " <html><body>Oops</body>", api.Error{Message: "Oops"}},
		"cut off":              {"application/json", `{"message":"half`, api.Error{Message: `{"message":"half`}},
		"empty":                {"", "", api.Error{}},
		"null":                 {"", "null", api.Error{}},
		"nulls":                {"", `{"error":null,"message":null}`, api.Error{}},
	} {
		if diff := cmp.Diff(&test.want, api.ReadError(test.contentType, []byte(test.body))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestErrorTextsAreTamed(t *testing.T) {
	t.Parallel()
	failure := api.ReadError("", []byte(`{"error":"c\u001b[2J\u202e","message":"`+strings.Repeat(`long \u0007text\r\n`, 10000)+`","group_id":"g\nx"}`))
	failure.Operation, failure.Status = "GET /x", 500
	text := failure.Error()
	if len(text) > 2000 || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, "\u202e") || !strings.Contains(text, `(group_id "g x")`) {
		t.Errorf("%d bytes: %q", len(text), text)
	}
	full := &api.Error{
		Operation: "POST /generation/batch", Status: 422, Code: "invalid", Message: "bad", Outcome: api.OutcomeUnknown,
		Fields: []api.FieldError{{Path: []string{"body", "name"}, Message: "too long"}}, CharacterID: "ch1", Err: errors.New("cut off"),
	}
	want := `POST /generation/batch: the service answered 422 Unprocessable Entity: invalid: bad: body.name: too long: cut off (character_id "ch1"); it is not known whether the service has processed the request`
	if got := full.Error(); got != want {
		t.Errorf("%s", got)
	}
}

func TestSecretsAreRedacted(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("abcdefghij", 1000)
	for _, test := range [][3]string{
		{"key secret-1 key", "secret-1", "key [redacted] key"},
		{"short abc", "abc", "short abc"},
		{"x" + long + "y" + long, long, "x[redacted]y[redacted]"},
		{"cut " + long[:500], long, "cut [redacted]"},
		{"nothing", "secret-1", "nothing"},
	} {
		if got := api.Redact(test[0], test[1]); got != test[2] {
			t.Errorf("%.80q: %.80q, want %q", test[0], got, test[2])
		}
	}
	if got := api.Redact("secret-1-longer secret-1", "secret-1", "secret-1-longer"); got != "[redacted] [redacted]" {
		t.Errorf("a secret within another: %q", got)
	}
}

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
			lines = append(lines, fmt.Sprint(message, " ", fields["method"], " ", fields["route"], " ", fields["status"], " ", fields["attempt"]))
		}
	})
	if _, err := client.Assets(t.Context(), "ch-secret-id", ""); err != nil {
		t.Fatal(err)
	}
	want := []string{"Sent a request POST {auth_url}/auth/generate-token 200 1", "Sent a request GET /{character_id}/assets 500 1", "Sent a request GET /{character_id}/assets 200 2"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

func TestIDsCannotLeaveTheirSegment(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, good))
	client := s.client(t)
	for _, id := range []string{"", " ", ".", "..", "a\x00b", "a\nb", "\x7f", "a\u0085b"} {
		if _, err := client.Generation(t.Context(), id); !errors.Is(err, api.ErrInvalidID) || api.IsOutcomeUnknown(err) {
			t.Errorf("%q: %v", id, err)
		}
		if _, err := client.CancelTraining(t.Context(), "ch1", id); !errors.Is(err, api.ErrInvalidID) || !strings.Contains(err.Error(), "job_id") {
			t.Errorf("%q: %v", id, err)
		}
	}
	if len(s.Requests()) != 0 || s.Exchanges() != 0 {
		t.Errorf("%d requests", len(s.Requests()))
	}
	for id, want := range map[string]string{
		"a/b": "a%2Fb", "../x": "..%2Fx", "%2f": "%252f", "a?b#c": "a%3Fb%23c", "ä b": "%C3%A4%20b", "{job_id}": "%7Bjob_id%7D", "a+b&c=d;e": "a+b&c=d%3Be", "...": "...",
	} {
		_, err := client.CancelTraining(t.Context(), id, id)
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
				reply(w, 200, `{"message":"deleted","error":`+nothing+`}`)
				return
			}
			reply(w, 200, `{"status":"processing","error":`+nothing+`}`)
		})
		client := s.client(t)
		if result, err := client.DeleteGeneration(t.Context(), "gen1"); err != nil || deref(result.Message) != "deleted" {
			t.Errorf("error %s: delete: %v, %v", nothing, result, err)
		}
		if status, err := client.Generation(t.Context(), "gen1"); err != nil || status.Phase() != api.Running || status.Error != nil {
			t.Errorf("error %s: status: %v, %v", nothing, status, err)
		}
	}
}
