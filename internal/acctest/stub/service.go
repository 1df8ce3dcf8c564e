// Package stub is a service whose replies a test writes itself, and a client of
// the service. It is for replies that no correct service sends, and that the
// mock service therefore refuses to send.
package stub

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

// APIKey is the API key that clients in tests exchange for a token.
const APIKey = "key-0123456789"

// NewClock returns a clock for tests. The clock begins at a fixed time.
func NewClock() *waittest.Clock {
	return waittest.NewClock(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))
}

// Request is a request that a service has received.
type Request struct {
	Method, Path string // path: escaped, below the base path
	Query        url.Values
	Header       http.Header
	Body         []byte
	At           time.Time
}

// Answer answers the nth request to a service. The first request has number 1.
type Answer func(w http.ResponseWriter, r *http.Request, n int)

// Service is the service of one test. The API is below the path /base/v2, the
// token exchange below /root.
type Service struct {
	*httptest.Server
	Clock *waittest.Clock

	mutex sync.Mutex
	// exchange answers the token exchange. If it is nil, the service issues the
	// tokens "token-1", "token-2"…
	exchange Answer
	// raw answers requests to the API before their body is read.
	raw       http.HandlerFunc
	requests  []Request
	exchanges []Request
}

// NewService starts a service that answers each request to the API by a
// function.
func NewService(t testing.TB, api Answer) *Service {
	t.Helper()
	s := &Service{Clock: NewClock()}
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
			Respond(w, 200, fmt.Sprintf(`{"accessToken":"token-%d"}`, s.note(&s.exchanges, r, "/root")))
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

// OnExchange replaces the answer of the token exchange.
func (s *Service) OnExchange(exchange Answer) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.exchange = exchange
}

// OnRaw makes the service answer requests before it reads their body.
func (s *Service) OnRaw(raw http.HandlerFunc) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.raw = raw
}

func (s *Service) note(list *[]Request, r *http.Request, base string) int {
	body, _ := io.ReadAll(r.Body)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	*list = append(*list, Request{
		Method: r.Method,
		Path:   strings.TrimPrefix(r.URL.EscapedPath(), base),
		Query:  r.URL.Query(),
		Header: r.Header.Clone(),
		Body:   body,
		At:     s.Clock.Now(),
	})
	return len(*list)
}

// Requests returns the requests to the API in their order.
func (s *Service) Requests() []Request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]Request(nil), s.requests...)
}

// ExchangeRequests returns the requests for a token.
func (s *Service) ExchangeRequests() []Request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.exchanges)
}

// Exchanges returns the number of requests for a token.
func (s *Service) Exchanges() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.exchanges)
}

// Address returns the address of a path at the service.
func (s *Service) Address(t testing.TB, path string) *url.URL {
	t.Helper()
	address, err := url.Parse(s.URL + path)
	check.Must(t, err)
	return address
}

// Client returns a client of the service, with an API key.
func (s *Service) Client(t testing.TB, change ...func(*Config)) *Client {
	t.Helper()
	return NewClient(t, transport.Config{
		BaseURL:    s.Address(t, "/base/v2"),
		Credential: transport.Credential{AuthURL: s.Address(t, "/root"), APIKey: APIKey},
		MaxRetries: 4,
		UserAgent:  "agent/1",
		Clock:      s.Clock,
	}, change...)
}

// Client is a client of the service, with the purchaser of a run.
type Client struct {
	*evidence.Client
	Buys *purchases.Purchaser
}

// Config configures a Client.
type Config struct {
	evidence.Config
	purchases.Terms
	PurchaseLogs []string
	Author       purchases.Author
}

// PurchaseLog returns the purchaser's log.
func (c *Client) PurchaseLog() *purchases.Log { return c.Buys.Log() }

// Account returns the purchaser's account.
func (c *Client) Account() *purchases.Account { return c.Buys.Account() }

// Anew returns the client of a new run.
func (c *Client) Anew() *Client {
	next := &purchases.Purchaser{}
	next.Succeed(c.Buys)
	return &Client{next.Client, next}
}

// Send sends an order.
func Send[R any](ctx context.Context, c *Client, order purchases.Order[R]) purchases.Answer[R] {
	return purchases.Send(ctx, c.Buys, order)
}

// Buy sends an order. It returns the reply as far as it has arrived, and the
// reason why the order was not accepted.
func Buy[R any](ctx context.Context, c *Client, order purchases.Order[R]) (R, error) {
	answer := Send(ctx, c, order)
	return answer.Reply, answer.Err
}

// RegenerationOf returns an order that makes an image again from a prompt.
func RegenerationOf(prompt string) purchases.Order[*api.DatasetImage] {
	return purchases.OrderRegeneration("ch1", "i1", purchases.ImageRequest{Prompt: prompt})
}

// NewClient returns a client with the transport configuration sends, after each
// change.
func NewClient(t testing.TB, sends transport.Config, change ...func(*Config)) *Client {
	t.Helper()
	config := Config{Config: evidence.Config{Config: sends}}
	for _, apply := range change {
		apply(&config)
	}
	client, err := Open(config)
	check.Must(t, err)
	return client
}

// Open returns a client and its purchaser.
func Open(config Config) (*Client, error) {
	purchaser := &purchases.Purchaser{Clock: cmp.Or(config.Clock, wait.System)}
	author := config.Author
	if config.Secrets == nil {
		config.Secrets = &transport.Secrets{}
	}
	client := evidence.New(config.Config)
	err := purchaser.Connect(client, purchases.Config{
		Books:  config.PurchaseLogs,
		Terms:  config.Terms,
		Author: author.Screened(config.Secrets.Screen),
		Say:    config.Inform,
	})
	return &Client{client, purchaser}, err
}

// InBubble returns a client that uses no socket. Its clock is the clock of the
// test's bubble.
func InBubble(t *testing.T, sends RoundTripper, change ...func(*Config)) *Client {
	t.Helper()
	address := &url.URL{
		Scheme: "http",
		Host:   "localhost",
		Path:   "/v2",
	}
	return NewClient(
		t,
		transport.Config{
			BaseURL:    address,
			Credential: transport.Credential{AccessToken: "static"},
			Transport:  sends,
		},
		change...)
}

// WithoutSocket returns a client that exchanges an API key and uses no socket.
// exchange answers the token exchange; if it is nil, the reply is a token.
// others answers all other requests.
func WithoutSocket(t *testing.T, exchange, others RoundTripper) *Client {
	t.Helper()
	return InBubble(t, func(r *http.Request) (*http.Response, error) {
		switch {
		case !strings.HasSuffix(r.URL.Path, "/generate-token"):
			return others(r)
		case exchange == nil:
			return JSON(r, 200, `{"accessToken":"token"}`), nil
		}
		return exchange(r)
	}, func(c *Config) {
		c.Credential = transport.Credential{
			AuthURL: &url.URL{Scheme: "http", Host: "localhost"},
			APIKey:  APIKey,
		}
		c.MaxRetries = 4
	})
}

// Respond writes a JSON reply.
func Respond(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// Always returns the same reply to each request.
func Always(status int, body string) Answer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) { Respond(w, status, body) }
}

// First lets the first answer handle the first request, and other all later
// requests.
func First(one, other Answer) Answer { return Firsts(1, one, other) }

// Firsts lets the first answer handle the first count requests, and other all
// later requests.
func Firsts(count int, one, other Answer) Answer {
	return When(func(_ *http.Request, n int) bool { return n <= count }, one, other)
}

// On lets the first answer handle requests whose method and path contain part,
// and other all remaining requests.
func On(part string, one, other Answer) Answer {
	return When(func(r *http.Request, _ int) bool { return strings.Contains(r.Method+r.URL.Path, part) }, one, other)
}

// When lets the first answer handle the requests for which is returns true, and
// other all remaining requests.
func When(is func(r *http.Request, n int) bool, one, other Answer) Answer {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		if is(r, n) {
			one(w, r, n)
			return
		}
		other(w, r, n)
	}
}

// Drop closes the connection without an answer.
func Drop(http.ResponseWriter, *http.Request, int) { panic(http.ErrAbortHandler) }

// Truncated announces a longer body than it sends.
func Truncated(w http.ResponseWriter, _ *http.Request, _ int) {
	w.Header().Set("Content-Length", "1000")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, `{"batch_id":"b1","results":[{"gen`)
}

// RoundTripper is a service without a socket.
type RoundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f RoundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// JSON returns a JSON reply to a request.
func JSON(r *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(body)),
		Request:    r,
	}
}

// Deref returns the value that a pointer points to, or nil for a nil pointer.
func Deref[T any](pointer *T) any {
	if pointer == nil {
		return nil
	}
	return *pointer
}

// Status returns an answer with an HTTP status and header fields.
func Status(code int, header ...string) Answer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		Respond(w, code, `{"error":"code","message":"said so"}`)
	}
}
