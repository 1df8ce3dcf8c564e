package evidence_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func slow(takes time.Duration, body string) stub.RoundTripper {
	return func(r *http.Request) (*http.Response, error) {
		if trace := httptrace.ContextClientTrace(r.Context()); trace != nil {
			trace.GotConn(httptrace.GotConnInfo{})
		}
		if r.Body != nil {
			_, _ = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
		}
		select {
		case <-time.After(takes):
			return stub.JSON(r, 200, body), nil
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
}

func unhurried(c *stub.Config) {
	c.RequestTimeout = time.Minute
	c.PaidRequestTimeout = 10 * time.Minute
}

// After Ctrl-C, for what a person pays, and for uploads, whose reply alone
// names the asset.
func TestAPaidRequestInFlightIsGivenAFewSeconds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		operation     string
		takes         time.Duration
		fails, known  bool
		returnsWithin time.Duration
	}{
		"answered in time":       {"batch", 5 * time.Second, false, true, 5 * time.Second},
		"answered at the end":    {"training", 6400 * time.Millisecond, false, true, 6400 * time.Millisecond},
		"not answered":           {"batch", time.Hour, true, false, 6500 * time.Millisecond},
		"an upload is answered":  {"upload", 5 * time.Second, false, true, 5 * time.Second},
		"an upload is not":       {"upload", time.Hour, true, false, 6500 * time.Millisecond},
		"a cancellation ends":    {"cancel", time.Hour, true, false, 4 * time.Second},
		"a read ends":            {"GET", time.Hour, true, true, 4 * time.Second},
		"a deletion ends":        {"DELETE", time.Hour, true, true, 4 * time.Second},
		"answered before Ctrl-C": {"batch", time.Second, false, true, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				time.AfterFunc(4*time.Second, cancel)
				begun := time.Now()
				err := operations[test.operation](ctx, stub.InBubble(t, slow(test.takes, good), unhurried))
				check.Equal(t, "returned after", time.Since(begun), test.returnsWithin)
				check.True(
					t,
					"error",
					(err != nil) == test.fails && wait.IsCanceled(err) == test.fails &&
						reply.IsEffectUnknown(err) != test.known,
					err,
				)
			})
		})
	}
}

// So is an inference: its answer cannot be asked for again.
func TestAnInferenceInFlightIsGivenAFewSeconds(t *testing.T) {
	t.Parallel()
	const answer = `{"choices":[{"message":{"content":"Hi."}}],"metadata":{"tags":["a"]},` +
		`"output":["https://media.example.com/1"]}`
	for name, infer := range map[string]func(context.Context, *stub.Client) error{
		"chat": func(ctx context.Context, c *stub.Client) error {
			return check.ErrorOf(c.Models.Chat(ctx, api.ChatRequest{}))
		},
		"vision": func(ctx context.Context, c *stub.Client) error {
			return check.ErrorOf(c.Models.Vision(ctx, api.VisionRequest{}))
		},
		"categories": func(ctx context.Context, c *stub.Client) error {
			return check.ErrorOf(c.Models.Categorize(ctx, api.CategoriesRequest{}))
		},
		"image": func(ctx context.Context, c *stub.Client) error {
			return check.ErrorOf(stub.Buy(ctx, c, stub.ImageOf("a cat")))
		},
	} {
		for takes, answered := range map[time.Duration]bool{6 * time.Second: true, time.Hour: false} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				time.AfterFunc(4*time.Second, cancel)
				begun := time.Now()
				err := infer(ctx, stub.InBubble(t, slow(takes, answer), unhurried))
				check.True(
					t,
					name,
					(err == nil) == answered && time.Since(begun) <= 6500*time.Millisecond,
					takes,
					err,
					time.Since(begun),
				)
			})
		}
	}
}

func TestATimeoutSaysWhichItIs(t *testing.T) {
	t.Parallel()
	for operation, name := range map[string]string{
		"GET":    "1m0s (request_timeout)",
		"batch":  "10m0s (paid_request_timeout)",
		"upload": "10m0s (paid_request_timeout)",
	} {
		synctest.Test(t, func(t *testing.T) {
			err := operations[operation](t.Context(), stub.InBubble(t, slow(time.Hour, good), unhurried))
			check.True(
				t,
				operation,
				err != nil && strings.Contains(err.Error(), "no answer within "+name) &&
					!strings.Contains(err.Error(), "deadline"),
				err,
			)
			check.True(
				t,
				operation,
				!wait.IsCanceled(err) && !wait.IsTimeout(err) && reply.IsEffectUnknown(err) == (operation != "GET"),
				err,
			)
		})
	}
}

// Headers and half a body come, then nothing.
// Fault F2.
func TestAStalledBodyTimesOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		attempts := 0
		client := stub.InBubble(t, func(r *http.Request) (*http.Response, error) {
			attempts++
			response := stub.JSON(r, 200, "")
			response.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"batch_id":`), stalled{r.Context()}))
			return response, nil
		}, unhurried)
		err := operations["batch"](t.Context(), client)
		check.True(
			t,
			"the error, after some attempts",
			reply.IsEffectUnknown(err) && attempts == 1 && strings.Contains(err.Error(), "no answer within 10m0s"),
			err,
			attempts,
		)
	})
}

type stalled struct{ ctx context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func TestACancelledBackoffKeepsTheAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		client := stub.InBubble(t, func(r *http.Request) (*http.Response, error) {
			return stub.JSON(r, 429, `{"message":"slow down"}`), nil
		}, unhurried)
		time.AfterFunc(time.Minute, cancel)
		err := operations["batch"](ctx, client)
		var failure *reply.Error
		check.True(
			t,
			"the error",
			errors.As(err, &failure) && failure.Said.Status == 429 && failure.Said.Message == "slow down" &&
				wait.IsCanceled(err) &&
				!reply.IsEffectUnknown(err) &&
				!failure.Sent.Connected,
			err,
		)
	})
}
