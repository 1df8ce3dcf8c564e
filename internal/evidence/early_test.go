package evidence_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/go-cleanhttp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// large is more than the buffers hold: of what was read in part, not all can
// have been sent.
const large = 12 << 20

func largeImage() api.Image {
	return api.Image{
		Open:     func() (io.ReadCloser, error) { return io.NopCloser(io.LimitReader(zeros{}, large)), nil },
		Filename: "face.png", Size: large,
	}
}

// ending is how a service ends a connection in the middle of an upload.
type ending struct {
	says  string // a whole reply, or what there is of it
	close func(net.Conn)
}

// The ways to close a connection. What a client still sends afterwards is
// answered with a reset.
var (
	closes = func(c net.Conn) { _ = c.Close() }
	resets = func(c net.Conn) {
		if secured, is := c.(*tls.Conn); is {
			c = secured.NetConn()
		}
		if plain, is := c.(*net.TCPConn); is {
			_ = plain.SetLinger(0)
		}
		_ = c.Close()
	}
	lingers = func(c net.Conn) {
		if half, is := c.(interface{ CloseWrite() error }); is {
			_ = half.CloseWrite()
		}
		_, _ = io.CopyN(io.Discard, c, 1<<20)
		// It stays open, see serve. After more, a slow client could send all
		// before it sees the reply.
	}
)

func rawReply(status int, body string, header ...string) string {
	lines := append([]string{
		fmt.Sprintf(
			"HTTP/1.1 %d %s",
			status,
			http.StatusText(status),
		),
		"Content-Type: application/json",
		"Connection: close",
		fmt.Sprintf("Content-Length: %d", len(body)),
	}, header...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n" + body
}

func (e ending) early(w http.ResponseWriter, r *http.Request) {
	_, _ = io.CopyN(io.Discard, r.Body, 100<<10)
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(connection, e.says)
	e.close(connection)
}

func overSockets(t *testing.T, test func(t *testing.T, serve func(http.HandlerFunc) *stub.Client)) {
	t.Helper()
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			test(t, func(handler http.HandlerFunc) *stub.Client { return serve(t, scheme, handler) })
		})
	}
}

// serve starts a service that issues tokens "token-1", "token-2"… and answers
// everything else with handler, and makes a client with the transport that
// POSTs have.
func serve(t *testing.T, scheme string, handler http.HandlerFunc) *stub.Client {
	t.Helper()
	var exchanges atomic.Int64
	routes := http.NewServeMux()
	routes.Handle("/v2/", handler)
	routes.HandleFunc("/auth/", func(w http.ResponseWriter, _ *http.Request) {
		stub.Respond(w, 200, fmt.Sprintf(`{"accessToken":"token-%d"}`, exchanges.Add(1)))
	})
	server := httptest.NewUnstartedServer(routes)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of connections that are reset
	server.Config.ConnState = func(connection net.Conn, state http.ConnState) {
		if state == http.StateHijacked {
			t.Cleanup(func() { _ = connection.Close() })
		}
	}
	sends := cleanhttp.DefaultTransport()
	if scheme == "https" {
		server.StartTLS()
		roots := x509.NewCertPool()
		roots.AddCert(server.Certificate())
		sends.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	root, err := url.Parse(server.URL)
	check.Must(t, err)
	return stub.NewClient(t, transport.Config{
		BaseURL: root.JoinPath(
			"v2",
		),
		Credential: transport.Credential{AuthURL: root, APIKey: stub.APIKey},
		MaxRetries: 4,
		Clock:      stub.NewClock(),
		Transport:  sends,
	})
}

// TestTheReplyThatComesEarlyIsRead repeats each ending: whether the transport
// sees the reply or the broken connection first is chance. The reset that
// follows a refusal may destroy the reply. Fault F16.
func TestTheReplyThatComesEarlyIsRead(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(net.Conn){"close": closes, "reset": resets, "linger": lingers} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overSockets(t, func(t *testing.T, serve func(http.HandlerFunc) *stub.Client) {
				client := serve(ending{rawReply(413, `{"message":"at most 10 MB"}`), end}.early)
				for range 20 {
					_, err := client.Images.Upload(t.Context(), api.FaceImages, "ch1", "", largeImage())
					failure, is := errors.AsType[*reply.Error](err)
					if !is || failure.Said.Status != 413 || failure.Said.Message != "at most 10 MB" ||
						reply.IsEffectUnknown(err) {
						t.Fatalf("error: %v", err)
					}
				}
			})
		})
	}
}

// Before the closing boundary was sent nothing was stored, whatever was answered.
// Fault F16.
func TestAnIncompleteUploadIsNoUpload(t *testing.T) {
	tier.Long(t, "each length at which an upload is cut, 8 seconds")
	t.Parallel()
	for name, end := range map[string]ending{
		"closed":                {"", closes},
		"reset":                 {"", resets},
		"half a reply":          {rawReply(413, "too large")[:40], resets},
		"half a body":           {rawReply(413, "too large")[:112], resets},
		"500":                   {rawReply(500, "{}"), closes},
		"408":                   {rawReply(408, "{}"), resets},
		"504 page":              {rawReply(504, "<html>"), lingers},
		"redirect":              {rawReply(307, "", "Location: /elsewhere"), closes},
		"success":               {rawReply(200, `{"success":true,"asset_id":"a1"}`), closes},
		"success, then a reset": {rawReply(201, `{"asset_id":"a1"}`), resets},
		"half a success":        {rawReply(200, `{"success":true,"asset_id":"a1"}`)[:115], resets},
		"empty success":         {rawReply(202, ""), lingers},
		"not HTTP":              {"so long", closes},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overSockets(t, func(t *testing.T, serve func(http.HandlerFunc) *stub.Client) {
				var requests atomic.Int64
				client := serve(func(w http.ResponseWriter, r *http.Request) {
					requests.Add(1)
					end.early(w, r)
				})
				result, err := client.Images.Upload(t.Context(), api.FaceImages, "ch1", "", largeImage())
				check.True(
					t,
					"requests",
					err != nil && !reply.IsEffectUnknown(err) && requests.Load() == 1,
					result,
					err,
					requests.Load(),
				)
				check.True(t, "the error says it", !strings.Contains(name, "success") ||
					(strings.Contains(fmt.Sprint(err), "before the request was complete") && (name != "success" ||
						strings.Contains(fmt.Sprint(err), "a1"))), err)
			})
		})
	}
}

// The first attempt is answered in its middle with what proves that it was not
// processed. Fault F16.
func TestAnUploadIsSentAgainAfterAnEarlyRefusal(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]ending{
		"401":            {rawReply(401, `{"error":"expired"}`), closes},
		"401, reset":     {rawReply(401, `{"error":"expired"}`), resets},
		"429":            {rawReply(429, `{}`, "Retry-After: 7"), closes},
		"429, lingering": {rawReply(429, `{}`, "Retry-After: 7"), lingers},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overSockets(t, func(t *testing.T, serve func(http.HandlerFunc) *stub.Client) {
				var requests, size atomic.Int64
				var bearer atomic.Value
				client := serve(func(w http.ResponseWriter, r *http.Request) {
					if requests.Add(1) == 1 {
						end.early(w, r)
						return
					}
					bearer.Store(r.Header.Get("Authorization"))
					if file, _, err := r.FormFile("file"); err == nil {
						n, _ := io.Copy(io.Discard, file)
						size.Store(n)
					}
					stub.Respond(w, 200, good)
				})
				_, err := client.Images.Upload(t.Context(), api.FaceImages, "ch1", "", largeImage())
				if err != nil || requests.Load() != 2 || size.Load() != large {
					t.Fatalf("%v, %d requests, the last of a file of %d bytes", err, requests.Load(), size.Load())
				}
				check.Equal(
					t,
					"it is sent again with a new token",
					bearer.Load() == "Bearer token-2",
					strings.HasPrefix(name, "401"),
				)
			})
		})
	}
}

// Fault F16.
func TestInterruptedUploads(t *testing.T) {
	tier.Long(t, "uploads that are interrupted in real time, 10 seconds")
	t.Parallel()
	for name, middle := range map[string]bool{"in the middle": true, "at the end": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overSockets(t, func(t *testing.T, serve func(http.HandlerFunc) *stub.Client) {
				ctx, interrupt := context.WithCancel(t.Context())
				returned := make(chan struct{})
				client := serve(func(_ http.ResponseWriter, r *http.Request) {
					if middle {
						_, _ = io.CopyN(io.Discard, r.Body, 100<<10)
					} else {
						_, _ = io.Copy(io.Discard, r.Body)
					}
					interrupt()
					<-returned
				})
				_, err := client.Images.Upload(ctx, api.FaceImages, "ch1", "", largeImage())
				close(returned)
				check.True(t, "error", wait.IsCanceled(err) && reply.IsEffectUnknown(err) != middle, err)
			})
		})
	}
}

// The service keeps the connection awake while it reads.
func TestASuccessMayBeginBeforeTheUploadEnds(t *testing.T) {
	t.Parallel()
	overSockets(t, func(t *testing.T, serve func(http.HandlerFunc) *stub.Client) {
		client := serve(func(w http.ResponseWriter, r *http.Request) {
			control := http.NewResponseController(w)
			_ = control.EnableFullDuplex()
			_, _ = io.CopyN(io.Discard, r.Body, 100<<10)
			_, _ = io.WriteString(w, " ")
			_ = control.Flush()
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, good)
		})
		check.NoError(t, check.ErrorOf(client.Images.Upload(t.Context(), api.FaceImages, "ch1", "", largeImage())))
	})
}

// handOver is a transport that reads so much of a body, closes it as net/http
// does, and answers.
func handOver(size int64, status int, requests *atomic.Int64) stub.RoundTripper {
	return func(r *http.Request) (*http.Response, error) {
		requests.Add(1)
		if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && size > 0 {
			trace.GotConn(httptrace.GotConnInfo{})
		}
		_, _ = io.CopyN(io.Discard, r.Body, size)
		_ = r.Body.Close()
		if status == 0 {
			return nil, errors.New("connection reset by peer")
		}
		return stub.JSON(r, status, good), nil
	}
}

// A reply that may have arrived is waited for, and nothing else.
func TestOnlyABrokenUploadWaits(t *testing.T) {
	t.Parallel()
	changed := stub.FaceImage("pixels")
	changed.Open = stub.FaceImage("pixelS").Open
	for name, test := range map[string]struct {
		image    api.Image
		size     int64
		status   int
		requests int64
		unknown  bool
		waits    time.Duration
	}{
		"no connection":                {stub.FaceImage("pixels"), 0, 0, 5, false, 0},
		"broken":                       {stub.FaceImage("pixels"), 10, 0, 1, false, time.Second},
		"broken at the end":            {stub.FaceImage("pixels"), large, 0, 1, true, 0},
		"answered":                     {stub.FaceImage("pixels"), large, 200, 1, false, 0},
		"changed file":                 {changed, large, 0, 1, false, 0},
		"changed file, refused":        {changed, large, 429, 1, false, 0},
		"changed file, and a success":  {changed, large, 200, 1, false, 0},
		"changed file, seen too late":  {changed, 10, 200, 1, false, time.Second},
		"changed file, without a word": {changed, large, 401, 1, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var requests atomic.Int64
				client := stub.InBubble(t, handOver(test.size, test.status, &requests), retrying)
				began := time.Now()
				_, err := client.Images.Upload(t.Context(), api.FaceImages, "ch1", "", test.image)
				took := time.Since(began)
				check.True(
					t,
					"what it took",
					took == test.waits && requests.Load() == test.requests &&
						reply.IsEffectUnknown(err) == test.unknown,
					err,
					took,
					requests.Load(),
				)
				changed := test.image.SHA256 != "" && test.size == large && strings.HasPrefix(name, "changed")
				check.True(t, "the kind of error", errors.Is(err, api.ErrFileChanged) == changed, err)
			})
		})
	}
}

// retrying is on a clock of its own, so that only other pauses take the
// bubble's time.
func retrying(c *stub.Config) {
	c.MaxRetries = 4
	c.Clock = stub.NewClock()
}

// A transport whose read of the body fails would close the connection, and the
// reply with it.
func TestAnEarlyReplyIsReadInPeace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failed := make(chan error, 1)
		client := stub.InBubble(t, func(r *http.Request) (*http.Response, error) {
			_, _ = io.CopyN(io.Discard, r.Body, 10)
			response := stub.JSON(r, 413, `{"message":"at most 10 MB"}`)
			response.Body = io.NopCloser(io.MultiReader(readAfter(func() {
				go func() {
					_, err := io.Copy(io.Discard, r.Body)
					failed <- err
				}()
				synctest.Wait()
				check.True(t, "the body is whole until the reply is read", len(failed) == 0)
			}), response.Body))
			return response, nil
		}, retrying)
		_, err := client.Images.Upload(t.Context(), api.FaceImages, "ch1", "", largeImage())
		check.True(t, "the error", strings.Contains(fmt.Sprint(err), "at most 10 MB"), err)
		check.True(t, "reading the rest of the body fails", <-failed != nil)
	})
}

type readAfter func()

func (f readAfter) Read([]byte) (int, error) {
	f()
	return 0, io.EOF
}

// What is known of one attempt says nothing about the next.
func TestALostReplyAfterAnEarlyRefusalIsOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var requests atomic.Int64
		early := handOver(10, 429, &requests)
		late := handOver(large, 0, &requests)
		client := stub.InBubble(t, func(r *http.Request) (*http.Response, error) {
			if requests.Load() == 0 {
				return early(r)
			}
			return late(r)
		}, retrying)
		_, err := client.Images.Upload(t.Context(), api.FaceImages, "ch1", "", stub.FaceImage("pixels"))
		check.True(
			t,
			"the error, after two requests",
			reply.IsEffectUnknown(err) && requests.Load() == 2,
			err,
			requests.Load(),
		)
	})
}
