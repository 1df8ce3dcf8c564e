package api_test

import (
	"context"
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
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const apiKey = "key-0123456789"

func newClock() *waittest.Clock {
	return waittest.NewClock(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))
}

type received struct {
	method, path string // path: escaped, below the base path
	query        url.Values
	header       http.Header
	body         []byte
	at           time.Time
}

// answer is what a test's service does with its nth request, from 1.
type answer func(w http.ResponseWriter, r *http.Request, n int)

// service is one test's: the API below a base path of its own, the token
// exchange at /root.
type service struct {
	*httptest.Server
	clock *waittest.Clock

	mutex sync.Mutex
	// exchange answers the token exchange; nil issues tokens "token-1",
	// "token-2"…
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
		exchange := s.exchange
		raw := s.raw
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

func (s *service) Requests() []received {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]received(nil), s.requests...)
}

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
	return newClient(t, transport.Config{
		BaseURL: s.url(t, "/base/v2"), Credential: transport.Credential{AuthURL: s.url(t, "/root"), APIKey: apiKey},
		MaxRetries: 4, UserAgent: "agent/1", Clock: s.clock,
	}, change...)
}

// buy buys an order, and returns what has arrived of the reply, and why it was
// not accepted.
func buy[R any](ctx context.Context, c *api.Client, order api.Order[R]) (R, error) {
	answer := api.Buy(ctx, c, order)
	return answer.Reply, answer.Err
}

func regenerationOf(prompt string) api.Regeneration {
	return api.Regeneration{
		CharacterID:  "ch1",
		ImageID:      "i1",
		ImageRequest: api.ImageRequest{Prompt: prompt},
	}
}

func newClient(t testing.TB, sends transport.Config, change ...func(*api.Config)) *api.Client {
	t.Helper()
	config := api.Config{Config: sends}
	for _, apply := range change {
		apply(&config)
	}
	client, err := api.New(config)
	check.Must(t, err)
	return client
}

// inBubble is a client of a service without a socket, whose clock is the
// bubble's.
func inBubble(t *testing.T, sends roundTripper, change ...func(*api.Config)) *api.Client {
	t.Helper()
	address := &url.URL{Scheme: "http", Host: "localhost", Path: "/v2"}
	return newClient(
		t,
		transport.Config{BaseURL: address, Credential: transport.Credential{AccessToken: "static"}, Transport: sends},
		change...)
}

// withoutSocket exchanges a key: exchange, if it is not nil, answers that,
// others the rest.
func withoutSocket(t *testing.T, exchange, others roundTripper) *api.Client {
	t.Helper()
	return inBubble(t, func(r *http.Request) (*http.Response, error) {
		switch {
		case !strings.HasSuffix(r.URL.Path, "/generate-token"):
			return others(r)
		case exchange == nil:
			return jsonResponse(r, 200, `{"accessToken":"token"}`), nil
		}
		return exchange(r)
	}, func(c *api.Config) {
		c.Config.Credential = transport.Credential{AuthURL: &url.URL{Scheme: "http", Host: "localhost"}, APIKey: apiKey}
		c.MaxRetries = 4
	})
}

func respond(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func always(status int, body string) answer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) { respond(w, status, body) }
}

// first answers the first request with one, the others with another.
func first(one, other answer) answer { return firsts(1, one, other) }

func firsts(count int, one, other answer) answer {
	return when(func(_ *http.Request, n int) bool { return n <= count }, one, other)
}

// on answers requests whose method and path contain a part with one, the others
// with another.
func on(part string, one, other answer) answer {
	return when(func(r *http.Request, _ int) bool { return strings.Contains(r.Method+r.URL.Path, part) }, one, other)
}

func when(is func(r *http.Request, n int) bool, one, other answer) answer {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		if is(r, n) {
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
