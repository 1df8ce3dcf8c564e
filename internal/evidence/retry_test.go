package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

// operations has one request of each kind; good is a reply that all accept.
var operations = map[string]func(context.Context, *stub.Client) error{
	"GET": func(ctx context.Context, c *stub.Client) error {
		return check.ErrorOf(c.Generations.Get(ctx, "g1"))
	},
	"PUT": func(ctx context.Context, c *stub.Client) error {
		return check.ErrorOf(c.Characters.Update(ctx, "ch1", api.CharacterUpdate{Name: "n"}))
	},
	"DELETE": func(ctx context.Context, c *stub.Client) error {
		return check.ErrorOf(c.Groups.Delete(ctx, "grp1"))
	},
	"batch": func(ctx context.Context, c *stub.Client) error {
		return check.ErrorOf(stub.Buy(ctx, c, stub.OrderBatch(api.Batch{Prompts: []api.Prompt{{Prompt: "p"}}})))
	},
	"training": func(ctx context.Context, c *stub.Client) error {
		return check.ErrorOf(stub.Buy(ctx, c, stub.TrainingOf("ch1")))
	},
	"cancel": func(ctx context.Context, c *stub.Client) error { return c.Trainings.Cancel(ctx, "ch1", "job1") },
	"upload": func(ctx context.Context, c *stub.Client) error {
		return check.ErrorOf(c.Images.Upload(ctx, api.FaceImages, "ch1", "", stub.FaceImage("content")))
	},
}

const good = `{"success":true,"generation_id":"g1","status":"queued","character_id":"ch1","name":"n",` +
	`"batch_id":"b1","job_id":"job1","asset_id":"a1","deleted_generations":1}`

// faults says after which fault what is sent again, and for which a POST's
// outcome is unknown.
var faults = map[string]struct {
	answer                   stub.Answer
	reads, idempotent, posts bool
	unknown                  bool
}{
	"dropped before headers":  {stub.Drop, true, true, false, true},
	"dropped within the body": {stub.Truncated, true, true, false, true},
	"truncated JSON":          {stub.Always(200, `{"batch_id":"b1","resul`), true, true, false, true},
	"empty 200":               {stub.Always(200, ""), true, false, false, true},
	"HTML 200": {
		stub.Always(200, "<html><title>Maintenance</title></html>"),
		true,
		true,
		false,
		true,
	},
	"not an object":              {stub.Always(200, `["batch_id"]`), true, true, false, true},
	"trailing garbage":           {stub.Always(200, good+"}"), true, true, false, true},
	"400":                        {stub.Status(400), false, false, false, false},
	"402":                        {stub.Status(402), false, false, false, false},
	"403":                        {stub.Status(403), false, false, false, false},
	"404":                        {stub.Status(404), false, false, false, false},
	"408":                        {stub.Status(408), true, true, false, true},
	"422":                        {stub.Status(422), false, false, false, false},
	"429":                        {stub.Status(429), true, true, true, false},
	"429 with Retry-After":       {stub.Status(429, "Retry-After", "7"), true, true, true, false},
	"500":                        {stub.Status(500), true, true, false, true},
	"501":                        {stub.Status(501), false, false, false, true},
	"502":                        {stub.Status(502), true, true, false, true},
	"503":                        {stub.Status(503, "Retry-After", "2"), true, true, false, true},
	"504":                        {stub.Status(504), true, true, false, true},
	"redirect to another origin": {stub.Status(307, "Location", "http://127.0.0.1:1/x"), false, false, false, false},
	"redirect, then another way": {stub.Status(303, "Location", "http://127.0.0.1:1/x"), false, false, false, true},
	"redirect to nowhere":        {stub.Status(302), false, false, false, true},
	"304":                        {stub.Status(304), false, false, false, true},
	"401":                        {stub.Status(401), true, true, true, false},
	"success false in a 200":     {stub.Always(200, `{"success":false,"message":"no"}`), false, false, false, false},
	"error in a 200": {
		stub.Always(200, `{"error":{"code":"no_credits","message":"no"}}`),
		false,
		false,
		false,
		false,
	},
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
				isPost := operation != "GET" && operation != "PUT" && operation != "DELETE"
				if name == "trailing garbage" && isPost {
					t.Log("what a POST says counts, whatever is behind it, see TestAReceiptThatCanBeRead")
					return
				}
				s := stub.NewService(t, stub.First(fault.answer, stub.Always(200, good)))
				err := send(t.Context(), s.Client(t))
				wanted := 1
				if repeated {
					wanted = 2
				}
				check.True(t, "requests", len(s.Requests()) == wanted, len(s.Requests()), wanted, err)
				check.True(t, "error", (err == nil) == repeated, err)
				check.True(
					t,
					"whether the outcome is unknown",
					reply.IsEffectUnknown(err) == (fault.unknown && isPost),
					err,
				)
				check.True(
					t,
					"no bare time-out",
					err == nil || !strings.Contains(err.Error(), "deadline exceeded"),
					err,
				)
			})
		}
	}
}

// Fault F2.
func TestEmptySuccess(t *testing.T) {
	t.Parallel()
	for _, code := range []int{200, 204} {
		listed := `{"characters":[{"character_id":"ch1","name":"listed"}],"pagination":{"has_more":false}}`
		empty := func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(code) }
		s := stub.NewService(t, stub.On("GET", stub.Always(200, listed), empty))
		client := s.Client(t)
		result, err := client.Groups.Delete(t.Context(), "grp1")
		check.True(t, "a deletion", err == nil && result != nil, code, result, err)
		check.NoError(t, client.Trainings.Cancel(t.Context(), "ch1", "job1"))
		character, err := client.Characters.Update(t.Context(), "ch1", api.CharacterUpdate{Name: "sent"})
		check.True(
			t,
			"an update with an empty reply is read back",
			err == nil && stub.Deref(character.Name) == "listed",
			code,
			character,
			err,
		)
		_, err = stub.Buy(t.Context(), client, stub.TrainingOf("ch1"))
		check.True(t, "a paid request with an empty reply", reply.IsEffectUnknown(err), code, err)
	}
}

func TestAPaidReplyWithoutAnyFieldIsUnknown(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"message":"ok"}`, `{"batch_id":null,"status":"x"}`} {
		s := stub.NewService(t, stub.Always(200, body))
		err := operations["batch"](t.Context(), s.Client(t))
		check.True(t, body, reply.IsEffectUnknown(err), err)
	}
}

func flaky(failures int32) http.RoundTripper {
	var dials atomic.Int32
	return &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if dials.Add(1) <= failures {
				return nil, errors.New("connection refused")
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}
}

func TestAPaidRequestThatNeverHadAConnectionIsSentAgain(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	client := s.Client(t, func(c *stub.Config) {
		c.Transport = flaky(3)
		c.APIKey = ""
		c.AccessToken = "static"
	})
	check.NoError(t, operations["batch"](t.Context(), client))
	check.Equal(t, "requests", len(s.Requests()), 1)
	client = s.Client(t, func(c *stub.Config) {
		c.Transport = flaky(99)
		c.APIKey = ""
		c.AccessToken = "static"
	})
	var failure *reply.Error
	err := operations["batch"](t.Context(), client)
	check.True(
		t,
		"nothing was sent",
		errors.As(err, &failure) && !failure.Sent.Connected && !reply.IsEffectUnknown(err) &&
			strings.Contains(err.Error(), "refused"),
		err,
	)
}

// Fault F3.
func TestRetriesAreCountedAndTheLastAnswerIsKept(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Status(503))
	_, err := s.Client(t).Generations.Get(t.Context(), "g1")
	var failure *reply.Error
	check.True(
		t,
		"the error",
		errors.As(err, &failure) && failure.Said.Status == 503 && failure.Said.Message == "said so" &&
			failure.Sent.Operation == "GET /generation/status/g1",
		err,
	)
	check.Equal(t, "requests", len(s.Requests()), 5)
	// 1, 2, 4 and 8 seconds, each less up to half.
	slept := s.Clock.Slept()
	check.True(t, "slept", slept >= 7500*time.Millisecond && slept <= 15*time.Second, slept)
}

func TestTheAnswerBeforeALostConnectionIsKept(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.First(stub.Status(502), stub.Drop))
	_, err := s.Client(t).Generations.Get(t.Context(), "g1")
	check.Contains(t, "the error", err.Error(), "502 Bad Gateway", "said so")
}

// A POST whose reply is lost was not refused, whatever was said of the attempt
// before. Fault F4.
func TestALostPostReportsNoEarlier429(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.First(stub.Status(429), stub.Drop))
	err := operations["batch"](t.Context(), s.Client(t))
	var failure *reply.Error
	check.True(
		t,
		"no old answer is reported",
		errors.As(err, &failure) && failure.Said.Status == 0 && failure.Said.Message == "" && reply.Status(err) != 429,
		err,
	)
	check.True(
		t,
		"the error, after some requests",
		reply.IsEffectUnknown(err) && len(s.Requests()) == 2,
		err,
		len(s.Requests()),
	)
}

// The retries are left to other faults.
// Fault F2.
// Fault F3.
func TestA429DoesNotCountAgainstTheRetries(t *testing.T) {
	t.Parallel()
	for operation, test := range map[string]struct{ refusals, faults int }{"batch": {12, 0}, "GET": {5, 1}} {
		s := stub.NewService(
			t,
			stub.Firsts(
				test.refusals,
				stub.Status(429),
				stub.Firsts(test.refusals+test.faults, stub.Status(503), stub.Always(200, good)),
			),
		)
		client := s.Client(t, func(c *stub.Config) { c.MaxRetries = int64(test.faults) })
		check.NoError(t, operations[operation](t.Context(), client))
		check.Equal(t, operation+": requests", len(s.Requests()), test.refusals+test.faults+1)
	}
}

// Fault F3.
func TestADeadlineOfTheClockEndsAStormOf429(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Status(429, "Retry-After", "20"))
	deadline := s.Clock.Now().Add(70 * time.Second)
	err := operations["batch"](wait.WithTimeout(t.Context(), s.Clock, 70*time.Second, ""), s.Client(t))
	var failure *reply.Error
	check.True(
		t,
		"the last answer is told",
		errors.As(err, &failure) && failure.Said.Status == 429 && failure.Said.Message == "said so" &&
			!failure.Sent.Connected,
		err,
	)
	check.True(
		t,
		"error",
		wait.IsTimeout(err) && reply.Status(err) == 429 && !reply.IsEffectUnknown(err) && !wait.IsCanceled(err),
		err,
	)
	check.True(
		t,
		"requests, and when the last was",
		len(s.Requests()) == 4 && !s.Clock.Now().After(deadline),
		len(s.Requests()),
		s.Clock.Now(),
	)
}

func TestAStormOf429WithoutADeadlineEnds(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Status(429))
	_, err := s.Client(t).Generations.Get(transport.WithChange(t.Context()), "g1")
	check.True(
		t,
		"the error, and how long it slept",
		reply.Status(err) == 429 && s.Clock.Slept() >= 20*time.Minute && s.Clock.Slept() <= 22*time.Minute,
		err,
		s.Clock.Slept(),
	)
}

// Fault F3.
func TestRetryAfterHoldsAllRequests(t *testing.T) {
	t.Parallel()
	for _, code := range []int{429, 503} {
		s := stub.NewService(t, stub.First(stub.Status(code, "Retry-After", "40"), stub.Always(200, good)))
		client := s.Client(t)
		ctx, cancel := context.WithCancel(t.Context())
		// The first caller is gone before it could wait: the backoff is not.
		blocked := s.Client(t, func(c *stub.Config) { c.Clock = &stopped{Clock: s.Clock, cancel: cancel} })
		if _, err := blocked.Generations.Get(ctx, "g1"); !wait.IsCanceled(err) {
			t.Fatalf("%d: %v", code, err)
		}
		before := s.Clock.Now()
		_, err := blocked.Generations.Get(t.Context(), "g2")
		check.True(t, "the second request waits for the backoff", wait.IsCanceled(err), code, err)
		_, err = client.Generations.Get(t.Context(), "g1")
		check.True(t, "another client is cooled too", err == nil && s.Clock.Now().Equal(before), code, err)
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
	huge := func(code int) stub.Answer {
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
	s := stub.NewService(t, huge(200))
	_, err := s.Client(t).Generations.Get(t.Context(), "g1")
	check.True(
		t,
		"the error, after one request",
		err != nil && strings.Contains(err.Error(), "32 MiB") && len(s.Requests()) == 1,
		err,
		len(s.Requests()),
	)
	s = stub.NewService(t, huge(404))
	_, err = s.Client(t).Generations.Get(t.Context(), "g1")
	check.True(t, "a large error body hides no status", reply.IsNotFound(err), err)
}

// Fault F2.
func TestTheBodyIsRewound(t *testing.T) {
	t.Parallel()
	for _, status := range []int{401, 429} {
		s := stub.NewService(t, stub.First(stub.Always(status, `{"error":"not now"}`), stub.Always(200, good)))
		check.Must(t, operations["batch"](t.Context(), s.Client(t)))
		sent := s.Requests()
		check.True(
			t,
			"sent",
			len(sent) == 2 && string(sent[0].Body) == `{"prompts":[{"prompt":"p"}]}` &&
				string(sent[1].Body) == string(sent[0].Body),
			status,
			sent,
		)
	}
}

// A reply that refuses is read to its end, so that its connection serves the
// next request. Fault F2.
func TestTheConnectionIsUsedAgainAfterARefusal(t *testing.T) {
	t.Parallel()
	for _, status := range []int{404, 429, 503} {
		s := stub.NewService(t, stub.First(stub.Always(status, `{"error":"no such thing"}`), stub.Always(200, good)))
		var connections atomic.Int32
		listener := httptest.NewUnstartedServer(s.Config.Handler)
		listener.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		}
		listener.Start()
		t.Cleanup(listener.Close)
		client := s.Client(t, func(c *stub.Config) {
			c.APIKey = ""
			c.AccessToken = "static"
			c.BaseURL.Host = listener.Listener.Addr().String()
		})
		for range 3 {
			_, _ = client.Generations.Get(t.Context(), "g1")
		}
		check.Equal(t, fmt.Sprint(status, ": connections"), connections.Load(), 1)
	}
}
