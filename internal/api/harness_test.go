package api_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const apiKey = "key-0123456789"

func newClock() *waittest.Clock {
	return waittest.NewClock(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))
}

// received is a request as the service saw it.
type received struct {
	method, path string // path: escaped, below the base path
	query        url.Values
	header       http.Header
	body         []byte
	at           time.Time
}

// answer is what a test's service does with its nth request, from 1.
type answer func(w http.ResponseWriter, r *http.Request, n int)

// service is one test's service. The API is below a base path of its own, the
// token exchange is at /root.
type service struct {
	*httptest.Server
	clock *waittest.Clock

	mutex sync.Mutex
	// exchange answers the token exchange; nil issues tokens "token-1", "token-2"…
	exchange answer
	// raw answers the API before its body is read.
	raw       http.HandlerFunc
	requests  []received
	exchanges []received
}

func newService(t testing.TB, api answer) *service {
	t.Helper()
	s := &service{clock: newClock()}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		exchange, raw := s.exchange, s.raw
		s.mutex.Unlock()
		isExchange := strings.HasPrefix(r.URL.Path, "/root/")
		switch {
		case isExchange && exchange != nil:
			exchange(w, r, s.note(&s.exchanges, r, "/root"))
		case isExchange:
			respond(w, 200, fmt.Sprintf(`{"accessToken":"token-%d"}`, s.note(&s.exchanges, r, "/root")))
		case raw != nil:
			raw(w, r)
		default:
			api(w, r, s.note(&s.requests, r, "/base/v2"))
		}
	}))
	s.Config.MaxHeaderBytes = 2 << 20 // for the test of a giant token
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *service) onExchange(exchange answer) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.exchange = exchange
}

func (s *service) onRaw(raw http.HandlerFunc) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.raw = raw
}

func (s *service) note(list *[]received, r *http.Request, base string) int {
	body, _ := io.ReadAll(r.Body)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	*list = append(*list, received{
		method: r.Method, path: strings.TrimPrefix(r.URL.EscapedPath(), base), query: r.URL.Query(),
		header: r.Header.Clone(), body: body, at: s.clock.Now(),
	})
	return len(*list)
}

// Requests are the API requests so far.
func (s *service) Requests() []received {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]received(nil), s.requests...)
}

// Exchanges is how many tokens were asked for.
func (s *service) Exchanges() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.exchanges)
}

func (s *service) url(t testing.TB, path string) *url.URL {
	t.Helper()
	address, err := url.Parse(s.URL + path)
	check.Must(t, err)
	return address
}

func (s *service) client(t testing.TB, change ...func(*api.Config)) *api.Client {
	t.Helper()
	config := api.Config{Config: transport.Config{
		BaseURL: s.url(t, "/base/v2"), Config: credential.Config{AuthURL: s.url(t, "/root"), APIKey: apiKey},
		MaxRetries: 4, UserAgent: "agent/1", Clock: s.clock,
	}}
	for _, apply := range change {
		apply(&config)
	}
	client, err := api.New(config)
	check.Must(t, err)
	return client
}

func respond(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// always answers every request alike.
func always(status int, body string) answer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) { respond(w, status, body) }
}

// first answers the first request with one, the others with another.
func first(one, other answer) answer {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		if n == 1 {
			one(w, r, n)
			return
		}
		other(w, r, n)
	}
}

// drop cuts the connection without an answer.
func drop(http.ResponseWriter, *http.Request, int) { panic(http.ErrAbortHandler) }

// truncated announces more than it sends.
func truncated(w http.ResponseWriter, _ *http.Request, _ int) {
	w.Header().Set("Content-Length", "1000")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, `{"batch_id":"b1","results":[{"gen`)
}

func jwt(t testing.TB, claims map[string]any) string {
	t.Helper()
	part := func(value any) string {
		text, err := json.Marshal(value)
		check.Must(t, err)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	return part(map[string]any{"alg": "HS256", "typ": "JWT"}) + "." + part(claims) + ".c2lnbmF0dXJl"
}

// roundTripper is one made of a function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func jsonResponse(r *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

func deref[T any](pointer *T) any {
	if pointer == nil {
		return nil
	}
	return *pointer
}
