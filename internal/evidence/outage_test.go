package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// dead is a service that fails until it is mended: all of it, or all but the
// exchange of the key.
type dead struct {
	*stub.Client
	attempts, exchanges atomic.Int64
	mended              atomic.Bool
}

func newDead(t *testing.T, exchanges bool, fail func(*http.Request) (*http.Response, error)) *dead {
	t.Helper()
	d := &dead{}
	d.Client = stub.WithoutSocket(t, func(r *http.Request) (*http.Response, error) {
		d.exchanges.Add(1)
		if exchanges || d.mended.Load() {
			return stub.JSON(r, 200, `{"accessToken":"token"}`), nil
		}
		return fail(r)
	}, func(r *http.Request) (*http.Response, error) {
		d.attempts.Add(1)
		if d.mended.Load() {
			return stub.JSON(
				r,
				200,
				`{"can_generate":true,"success":true,"status":"queued","assets":[],"total":0,"characters":[],`+
					`"pagination":{"has_more":false}}`,
			), nil
		}
		return fail(r)
	})
	return d
}

func unavailable(r *http.Request) (*http.Response, error) {
	return stub.JSON(r, 503, `{"message":"said so"}`), nil
}

func connectionRefused(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

func unknownHost(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{
		Op:  "dial",
		Net: "tcp",
		Err: &net.DNSError{Err: "no such host", Name: "api.example.com", IsNotFound: true},
	}
}

var sharedReads = map[string]func(context.Context, *stub.Client) error{
	"list": func(ctx context.Context, c *stub.Client) error {
		_, _, err := c.Characters.Find(ctx, "ch1")
		return err
	},
	"all": func(ctx context.Context, c *stub.Client) error { _, err := c.Characters.All(ctx); return err },
}

func init() {
	for name, shared := range reads {
		sharedReads[name] = shared.read
	}
}

// Fault F18.
func TestASharedReadFailsOnceForAll(t *testing.T) {
	t.Parallel()
	for name, read := range sharedReads {
		for _, exchanges := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				d := newDead(t, exchanges, unavailable)
				begun := time.Now()
				sent := func() int64 {
					if exchanges {
						return d.attempts.Load()
					}
					return d.exchanges.Load()
				}
				fail := func(want int64) {
					t.Helper()
					err := read(t.Context(), d.Client)
					failure, is := errors.AsType[*reply.Error](err)
					check.True(
						t,
						name,
						is && failure.Proves.Unanswered && !wait.IsCanceled(err) && sent() == want,
						err,
						sent(),
						want,
					)
				}
				check.Times(50, func(int) { fail(5) })
				check.True(t, name+": what it took", time.Since(begun) <= 15*time.Second, time.Since(begun))
				time.Sleep(9 * time.Second)
				fail(5)
				time.Sleep(2 * time.Second)
				fail(6) // the outage goes on: one attempt
				d.mended.Store(true)
				fail(6)
				time.Sleep(11 * time.Second)
				check.NoError(t, read(t.Context(), d.Client))
			})
		}
	}
}

// In an outage one attempt tells as much as five, until one succeeds.
// Fault F18.
func TestAnOutageIsRetriedByOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDead(t, true, unavailable)
		attempt := func(operation string, want int64) {
			t.Helper()
			before := d.attempts.Load()
			err := operations[operation](t.Context(), d.Client)
			check.True(
				t,
				operation,
				(err == nil) == d.mended.Load() && d.attempts.Load()-before == want,
				err,
				d.attempts.Load()-before,
				want,
			)
		}
		attempt("batch", 1)                      // a purchase says nothing: it is never sent again
		d.Characters.TryFind(t.Context(), "ch1") // nor does what is sent once
		attempt("GET", 5)
		for _, operation := range []string{"GET", "PUT", "DELETE", "batch"} {
			attempt(operation, 1)
		}
		d.mended.Store(true)
		attempt("GET", 1)
		d.mended.Store(false)
		attempt("GET", 5)
	})
}

// What fails while other requests are answered is no outage.
// Fault F18.
func TestAFailureAmongAnswersIsNoOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var failures atomic.Int64
		client := stub.WithoutSocket(t, nil, func(r *http.Request) (*http.Response, error) {
			if strings.Contains(r.URL.Path, "/fine/") {
				return stub.JSON(r, 404, `{"error":"not_found"}`), nil
			}
			failures.Add(1)
			return unavailable(r)
		})
		for _, want := range []int64{5, 10, 15, 16} {
			if want < 15 {
				time.AfterFunc(time.Second, func() { _, _ = client.Images.List(t.Context(), "fine", "") })
			}
			_, err := client.Images.List(t.Context(), "broken", "")
			check.True(t, "the error, and attempts", err != nil && failures.Load() == want, err, failures.Load(), want)
		}
	})
}

// An address that is wrong is known soon; one that has worked is not wrong.
// Fault F18.
func TestWhoNeverAnsweredIsGivenUpSoon(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*http.Request) (*http.Response, error){
		"refused":      connectionRefused,
		"unknown host": unknownHost,
	} {
		for operation, send := range operations {
			for _, exchanges := range []bool{true, false} {
				synctest.Test(t, func(t *testing.T) {
					d := newDead(t, exchanges, fail)
					begun := time.Now()
					err := send(t.Context(), d.Client)
					attempts := d.attempts.Load()
					if !exchanges {
						attempts = d.exchanges.Load()
					}
					check.True(
						t,
						name+", "+operation,
						err != nil && !reply.IsEffectUnknown(err) && attempts == 2 &&
							time.Since(begun) <= 3*time.Second,
						err,
						attempts,
						time.Since(begun),
					)
				})
				synctest.Test(t, func(t *testing.T) {
					d := newDead(t, true, fail)
					d.mended.Store(true)
					check.Must(t, check.ErrorOf(d.Characters.Capabilities(t.Context(), "ch1")))
					d.mended.Store(false)
					err := send(t.Context(), d.Client)
					check.True(
						t,
						name+", "+operation+", of a service that has answered",
						err != nil && d.attempts.Load() == 6,
						err,
						d.attempts.Load()-1,
					)
				})
			}
		}
	}
}

// What is waited for is paid for: a poll is retried whatever has failed before.
// Fault F18.
func TestAPollOutlastsAnOutage(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*http.Request) (*http.Response, error){
		"503":     unavailable,
		"refused": connectionRefused,
	} {
		for _, exchanges := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				d := newDead(t, exchanges, fail)
				if _, err := d.Characters.CapabilitiesOnce(t.Context(), "ch1"); err == nil {
					t.Fatal("no error")
				}
				time.AfterFunc(7*time.Second, func() { d.mended.Store(true) })
				schedule := wait.Schedule{First: time.Second, Max: time.Second}
				err := wait.Poll(t.Context(), wait.System, schedule.Next, nil, func(ctx context.Context) (bool, error) {
					_, err := d.Characters.CapabilitiesOnce(ctx, "ch1")
					return true, err
				})
				check.True(t, name, err == nil, err)
			})
		}
	}
}

// Fault F18.
func TestAnOutageIsToldOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDead(t, true, unavailable)
		var told []error
		tell := func(err error) {
			if reply.Tell(fmt.Errorf("while reading: %w", err), "") {
				told = append(told, err)
			}
		}
		for range 2 {
			_, _, err := d.Characters.Find(t.Context(), "ch1")
			tell(err)
		}
		other := operations["GET"](t.Context(), d.Client)
		tell(other)
		unknown := operations["batch"](t.Context(), d.Client)
		check.True(
			t,
			"what may have been bought is told in full",
			reply.Tell(unknown, "") && reply.IsEffectUnknown(unknown),
			unknown,
		)
		if len(told) != 1 ||
			!strings.HasPrefix(
				told[0].Error(),
				"said so (503 Service Unavailable, GET /characters, sent 5 times within ",
			) ||
			!strings.HasSuffix(told[0].Error(), "s, to http://localhost)") {
			t.Errorf("in full: %v", told)
		}
		check.True(
			t,
			"in short",
			reply.Cause(other) == "said so (503 Service Unavailable)" && reply.IsUnreachable(other),
			other,
		)
	})
}
