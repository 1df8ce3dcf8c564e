package api_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

// operations has one request of each kind; good is a reply that all accept.
var operations = map[string]func(context.Context, *api.Client) error{
	"GET": func(ctx context.Context, c *api.Client) error {
		_, err := c.Generation(ctx, "g1")
		return err
	},
	"PUT": func(ctx context.Context, c *api.Client) error {
		_, err := c.UpdateCharacter(ctx, "ch1", api.CharacterUpdate{Name: "n"})
		return err
	},
	"DELETE": func(ctx context.Context, c *api.Client) error {
		_, err := c.DeleteGroup(ctx, "grp1")
		return err
	},
	"batch": func(ctx context.Context, c *api.Client) error {
		_, err := c.SubmitBatch(ctx, api.Batch{Prompts: []api.Prompt{{Prompt: "p"}}})
		return err
	},
	"training": func(ctx context.Context, c *api.Client) error {
		_, err := c.StartWork(ctx, api.BodyTraining.Order("ch1", nil))
		return err
	},
	"cancel": func(ctx context.Context, c *api.Client) error {
		err := c.CancelTraining(ctx, "ch1", "job1")
		return err
	},
	"upload": func(ctx context.Context, c *api.Client) error {
		_, err := c.UploadImage(ctx, api.FaceImages, "ch1", "", imageOf("content"))
		return err
	},
}

const good = `{"success":true,"generation_id":"g1","status":"queued","character_id":"ch1","name":"n","batch_id":"b1","job_id":"job1","asset_id":"a1","deleted_generations":1}`

func status(code int, header ...string) answer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		respond(w, code, `{"error":"code","message":"said so"}`)
	}
}

// faults says after which fault which class of request is sent again, and for
// which a POST's outcome is unknown.
var faults = map[string]struct {
	answer                   answer
	reads, idempotent, posts bool
	unknown                  bool
}{
	"dropped before headers":     {drop, true, true, false, true},
	"dropped within the body":    {truncated, true, true, false, true},
	"truncated JSON":             {always(200, `{"batch_id":"b1","resul`), true, true, false, true},
	"empty 200":                  {always(200, ""), true, false, false, true},
	"HTML 200":                   {always(200, "<html><title>Maintenance</title></html>"), true, true, false, true},
	"not an object":              {always(200, `["batch_id"]`), true, true, false, true},
	"trailing garbage":           {always(200, good+"}"), true, true, false, true},
	"400":                        {status(400), false, false, false, false},
	"402":                        {status(402), false, false, false, false},
	"403":                        {status(403), false, false, false, false},
	"404":                        {status(404), false, false, false, false},
	"408":                        {status(408), true, true, false, true},
	"422":                        {status(422), false, false, false, false},
	"429":                        {status(429), true, true, true, false},
	"429 with Retry-After":       {status(429, "Retry-After", "7"), true, true, true, false},
	"500":                        {status(500), true, true, false, true},
	"501":                        {status(501), false, false, false, true},
	"502":                        {status(502), true, true, false, true},
	"503":                        {status(503, "Retry-After", "2"), true, true, false, true},
	"504":                        {status(504), true, true, false, true},
	"redirect to another origin": {status(307, "Location", "http://127.0.0.1:1/x"), false, false, false, true},
	"redirect to nowhere":        {status(302), false, false, false, true},
	"304":                        {status(304), false, false, false, true},
	"401":                        {status(401), true, true, true, false},
	"success false in a 200":     {always(200, `{"success":false,"message":"no"}`), false, false, false, false},
	"error in a 200":             {always(200, `{"error":{"code":"no_credits","message":"no"}}`), false, false, false, false},
}

// Fault F2.
func TestRequestsAreSentAgainByTheirClassAlone(t *testing.T) {
	t.Parallel()
	for name, fault := range faults {
		for operation, send := range operations {
			t.Run(name+"/"+operation, func(t *testing.T) {
				t.Parallel()
				repeated := fault.posts
				switch operation {
				case "GET":
					repeated = fault.reads
				case "PUT", "DELETE":
					repeated = fault.idempotent
				}
				if name == "empty 200" && (operation == "PUT" || operation == "DELETE" || operation == "cancel") {
					t.Log("an empty 2xx is a success here, see TestEmptySuccess")
					return
				}
				s := newService(t, first(fault.answer, always(200, good)))
				err := send(t.Context(), s.client(t))
				wanted := 1
				if repeated {
					wanted = 2
				}
				if got := len(s.Requests()); got != wanted {
					t.Errorf("the service got %d requests, want %d (error: %v)", got, wanted, err)
				}
				check.True(t, "error", (err == nil) == repeated, err)
				isPost := operation != "GET" && operation != "PUT" && operation != "DELETE"
				if got := reply.IsEffectUnknown(err); got != (fault.unknown && isPost) {
					t.Errorf("outcome unknown: %t (error: %v)", got, err)
				}
				check.True(t, "no bare time-out", err == nil || !strings.Contains(err.Error(), "deadline exceeded"), err)
			})
		}
	}
}

// Fault F2.
func TestEmptySuccess(t *testing.T) {
	t.Parallel()
	for _, code := range []int{200, 204} {
		s := newService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
			if r.Method == http.MethodGet {
				respond(w, 200, `{"characters":[{"character_id":"ch1","name":"listed"}],"pagination":{"has_more":false}}`)
				return
			}
			w.WriteHeader(code)
		})
		client := s.client(t)
		if result, err := client.DeleteGroup(t.Context(), "grp1"); err != nil || result == nil {
			t.Errorf("%d: delete: %v, %v", code, result, err)
		}
		if err := client.CancelTraining(t.Context(), "ch1", "job1"); err != nil {
			t.Errorf("%d: cancel: %v", code, err)
		}
		character, err := client.UpdateCharacter(t.Context(), "ch1", api.CharacterUpdate{Name: "sent"})
		check.True(t, "an update with an empty reply is read back", err == nil && deref(character.Name) == "listed", code, character, err)
		if _, err := client.StartWork(t.Context(), api.BodyTraining.Order("ch1", nil)); !reply.IsEffectUnknown(err) {
			t.Errorf("%d: a paid request with an empty reply: %v", code, err)
		}
	}
}

func TestAPaidReplyWithoutAnyFieldIsUnknown(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"message":"ok"}`, `{"batch_id":null,"status":"x"}`} {
		s := newService(t, always(200, body))
		if err := operations["batch"](t.Context(), s.client(t)); !reply.IsEffectUnknown(err) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A service may make the group first, and the generations in the background.
func TestAPaidReplyWithOnlyAGroupIsRead(t *testing.T) {
	t.Parallel()
	s := newService(t, always(202, `{"group_id":"grp1"}`))
	reply, err := s.client(t).SubmitBatch(t.Context(), batchOf("a"))
	if err != nil || deref(reply.GroupID) != "grp1" || reply.Effects[0].Unconfirmed == "" || len(s.Requests()) != 1 {
		t.Errorf("%+v, %v after %d requests", reply, err, len(s.Requests()))
	}
}

// flaky fails its first dials.
func flaky(failures int32) http.RoundTripper {
	var dials atomic.Int32
	return &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if dials.Add(1) <= failures {
			return nil, errors.New("connection refused")
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}}
}

func TestAPaidRequestThatNeverHadAConnectionIsSentAgain(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, good))
	client := s.client(t, func(c *api.Config) { c.Transport, c.APIKey, c.AccessToken = flaky(3), "", "static" })
	if err := operations["batch"](t.Context(), client); err != nil || len(s.Requests()) != 1 {
		t.Errorf("%v, %d requests", err, len(s.Requests()))
	}
	client = s.client(t, func(c *api.Config) { c.Transport, c.APIKey, c.AccessToken = flaky(99), "", "static" })
	var failure *reply.Error
	err := operations["batch"](t.Context(), client)
	if !errors.As(err, &failure) || failure.Sent || reply.IsEffectUnknown(err) || !strings.Contains(err.Error(), "refused") {
		t.Errorf("nothing was sent: %v", err)
	}
}

// Fault F3.
func TestRetriesAreCountedAndTheLastAnswerIsKept(t *testing.T) {
	t.Parallel()
	s := newService(t, status(503))
	_, err := s.client(t).Generation(t.Context(), "g1")
	var failure *reply.Error
	if !errors.As(err, &failure) || failure.Status != 503 || failure.Message != "said so" || failure.Operation != "GET /generation/status/g1" {
		t.Errorf("error: %#v", err)
	}
	check.Equal(t, "requests", len(s.Requests()), 5)
	// 1, 2, 4 and 8 seconds, each less up to half.
	if slept := s.clock.Slept(); slept < 7500*time.Millisecond || slept > 15*time.Second {
		t.Errorf("slept %s", slept)
	}
}

func TestTheAnswerBeforeALostConnectionIsKept(t *testing.T) {
	t.Parallel()
	s := newService(t, first(status(502), drop))
	_, err := s.client(t).Generation(t.Context(), "g1")
	if text := err.Error(); !strings.Contains(text, "502 Bad Gateway") || !strings.Contains(text, "said so") {
		t.Errorf("error: %s", text)
	}
}

// A POST whose reply is lost was not refused, whatever was said of the attempt
// before.
// Fault F4.
func TestALostPostReportsNoEarlier429(t *testing.T) {
	t.Parallel()
	s := newService(t, first(status(429), drop))
	err := operations["batch"](t.Context(), s.client(t))
	var failure *reply.Error
	if !errors.As(err, &failure) || failure.Status != 0 || failure.Message != "" || reply.Status(err) == 429 {
		t.Errorf("the old answer is reported: %v", err)
	}
	check.True(t, "the error, after some requests", reply.IsEffectUnknown(err) && len(s.Requests()) == 2, err, len(s.Requests()))
}

// The retries are left to other faults.
// Fault F2.
// Fault F3.
func TestA429DoesNotCountAgainstTheRetries(t *testing.T) {
	t.Parallel()
	for operation, test := range map[string]struct{ refusals, faults int }{"batch": {12, 0}, "GET": {5, 1}} {
		s := newService(t, func(w http.ResponseWriter, r *http.Request, n int) {
			switch {
			case n <= test.refusals:
				status(429)(w, r, n)
			case n <= test.refusals+test.faults:
				status(503)(w, r, n)
			default:
				respond(w, 200, good)
			}
		})
		client := s.client(t, func(c *api.Config) { c.MaxRetries = int64(test.faults) })
		check.NoError(t, operations[operation](t.Context(), client))
		check.Equal(t, operation+": requests", len(s.Requests()), test.refusals+test.faults+1)
	}
}

// Fault F3.
func TestADeadlineOfTheClockEndsAStormOf429(t *testing.T) {
	t.Parallel()
	s := newService(t, status(429, "Retry-After", "20"))
	deadline := s.clock.Now().Add(70 * time.Second)
	err := operations["batch"](wait.WithTimeout(t.Context(), s.clock, 70*time.Second, ""), s.client(t))
	var failure *reply.Error
	check.True(t, "the last answer is told", errors.As(err, &failure) && failure.Status == 429 && failure.Message == "said so" && !failure.Sent, err)
	check.True(t, "error", wait.IsTimeout(err) && reply.Status(err) == 429 && !reply.IsEffectUnknown(err) && !wait.IsCanceled(err), err)
	check.True(t, "requests, and when the last was", len(s.Requests()) == 4 && !s.clock.Now().After(deadline), len(s.Requests()), s.clock.Now())
}

func TestAStormOf429WithoutADeadlineEnds(t *testing.T) {
	t.Parallel()
	s := newService(t, status(429))
	_, err := s.client(t).Generation(transport.WithChange(t.Context()), "g1")
	check.True(t, "the error, and how long it slept", reply.Status(err) == 429 && s.clock.Slept() >= 20*time.Minute && s.clock.Slept() <= 22*time.Minute, err, s.clock.Slept())
}

// Fault F3.
func TestRetryAfterHoldsAllRequests(t *testing.T) {
	t.Parallel()
	for _, code := range []int{429, 503} {
		s := newService(t, first(status(code, "Retry-After", "40"), always(200, good)))
		client := s.client(t)
		ctx, cancel := context.WithCancel(t.Context())
		// The first caller is gone before it could wait: the backoff is not.
		blocked := s.client(t, func(c *api.Config) { c.Clock = &stopped{Clock: s.clock, cancel: cancel} })
		if _, err := blocked.Generation(ctx, "g1"); !wait.IsCanceled(err) {
			t.Fatalf("%d: %v", code, err)
		}
		before := s.clock.Now()
		if _, err := blocked.Generation(t.Context(), "g2"); !wait.IsCanceled(err) {
			t.Errorf("%d: the second request did not wait for the backoff: %v", code, err)
		}
		if _, err := client.Generation(t.Context(), "g1"); err != nil || s.clock.Now() != before {
			t.Errorf("%d: another client is not cooled: %v", code, err)
		}
	}
}

// stopped is a clock on which nobody can sleep: whoever tries is cancelled.
type stopped struct {
	*waittest.Clock
	cancel context.CancelFunc
}

func (s *stopped) Sleep(context.Context, time.Duration) error {
	s.cancel()
	return context.Canceled
}

func TestLargeRepliesAreRefused(t *testing.T) {
	t.Parallel()
	huge := func(code int) answer {
		return func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.WriteHeader(code)
			block := strings.Repeat(" ", 1<<20)
			for range 33 {
				if _, err := io.WriteString(w, block); err != nil {
					return
				}
			}
			_, _ = io.WriteString(w, good)
		}
	}
	s := newService(t, huge(200))
	if _, err := s.client(t).Generation(t.Context(), "g1"); err == nil || !strings.Contains(err.Error(), "32 MiB") || len(s.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
	s = newService(t, huge(404))
	if _, err := s.client(t).Generation(t.Context(), "g1"); !reply.IsNotFound(err) {
		t.Errorf("a large error body hides the status: %v", err)
	}
}
