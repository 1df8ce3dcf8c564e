// Package stub is a service that a test answers itself, reply by reply, and a
// client of it: for replies that no service of sound mind sends, and which the
// mock service refuses to send.
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

// APIKey is the key that the clients of tests exchange.
const APIKey = "key-0123456789"

// NewClock is a clock of tests, which begins at a fixed time.
func NewClock() *waittest.Clock {
	return waittest.NewClock(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))
}

// Request is what a service was sent.
type Request struct {
	Method, Path string // path: escaped, below the base path
	Query        url.Values
	Header       http.Header
	Body         []byte
	At           time.Time
}

// Answer is what a test's service does with its nth request, from 1.
type Answer func(w http.ResponseWriter, r *http.Request, n int)

// Service is one test's: the API below a base path of its own, the token
// exchange at /root.
type Service struct {
	*httptest.Server
	Clock *waittest.Clock

	mutex sync.Mutex
	// exchange answers the token exchange; nil issues tokens "token-1",
	// "token-2"…
	exchange Answer
	// raw answers the API before its body is read.
	raw       http.HandlerFunc
	requests  []Request
	exchanges []Request
}

// NewService is a service that answers each request by a function.
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

// OnExchange has the token exchange answered otherwise.
func (s *Service) OnExchange(exchange Answer) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.exchange = exchange
}

// OnRaw has requests answered before their body is read.
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
		Method: r.Method, Path: strings.TrimPrefix(r.URL.EscapedPath(), base), Query: r.URL.Query(),
		Header: r.Header.Clone(), Body: body, At: s.Clock.Now(),
	})
	return len(*list)
}

// Requests are those below the base path, in their order.
func (s *Service) Requests() []Request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]Request(nil), s.requests...)
}

// ExchangeRequests are the requests for a token.
func (s *Service) ExchangeRequests() []Request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.exchanges)
}

// Exchanges is how many there were.
func (s *Service) Exchanges() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.exchanges)
}

// Address is that of a path of the service.
func (s *Service) Address(t testing.TB, path string) *url.URL {
	t.Helper()
	address, err := url.Parse(s.URL + path)
	check.Must(t, err)
	return address
}

// Client is a client of the service, with a key.
func (s *Service) Client(t testing.TB, change ...func(*Config)) *Client {
	t.Helper()
	return NewClient(t, transport.Config{
		BaseURL: s.Address(
			t,
			"/base/v2",
		),
		Credential: transport.Credential{AuthURL: s.Address(t, "/root"), APIKey: APIKey},
		MaxRetries: 4,
		UserAgent:  "agent/1",
		Clock:      s.Clock,
	}, change...)
}

// Client is a client, and what a run buys with it.
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

// PurchaseLog returns the log of the purchaser.
func (c *Client) PurchaseLog() *purchases.Log { return c.Buys.Log() }

// Account returns the account of the purchaser.
func (c *Client) Account() *purchases.Account { return c.Buys.Account() }

// Anew begins another run.
func (c *Client) Anew() *Client {
	next := &purchases.Purchaser{}
	next.Succeed(c.Buys)
	return &Client{next.Client, next}
}

// Send sends an order.
func Send[R any](ctx context.Context, c *Client, order purchases.Order[R]) purchases.Answer[R] {
	return purchases.Send(ctx, c.Buys, order)
}

// Buy buys an order, and returns what has arrived of the reply, and why it was
// not accepted.
func Buy[R any](ctx context.Context, c *Client, order purchases.Order[R]) (R, error) {
	answer := Send(ctx, c, order)
	return answer.Reply, answer.Err
}

// RegenerationOf orders that an image is made again from a prompt.
func RegenerationOf(prompt string) purchases.Order[*api.DatasetImage] {
	return purchases.OrderRegeneration("ch1", "i1", purchases.ImageRequest{Prompt: prompt})
}

// NewClient is a client that sends as configured.
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

// InBubble is a client of a service without a socket, whose clock is the
// bubble's.
func InBubble(t *testing.T, sends RoundTripper, change ...func(*Config)) *Client {
	t.Helper()
	address := &url.URL{Scheme: "http", Host: "localhost", Path: "/v2"}
	return NewClient(
		t,
		transport.Config{BaseURL: address, Credential: transport.Credential{AccessToken: "static"}, Transport: sends},
		change...)
}

// WithoutSocket exchanges a key: exchange, if it is not nil, answers that,
// others the rest.
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

// Always answers each request alike.
func Always(status int, body string) Answer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) { Respond(w, status, body) }
}

// First answers the first request with one, the others with another.
func First(one, other Answer) Answer { return Firsts(1, one, other) }

// Firsts answers as many requests with one, the others with another.
func Firsts(count int, one, other Answer) Answer {
	return When(func(_ *http.Request, n int) bool { return n <= count }, one, other)
}

// On answers requests whose method and path contain a part with one, the others
// with another.
func On(part string, one, other Answer) Answer {
	return When(func(r *http.Request, _ int) bool { return strings.Contains(r.Method+r.URL.Path, part) }, one, other)
}

// When answers some requests with one, the others with another.
func When(is func(r *http.Request, n int) bool, one, other Answer) Answer {
	return func(w http.ResponseWriter, r *http.Request, n int) {
		if is(r, n) {
			one(w, r, n)
			return
		}
		other(w, r, n)
	}
}

// Drop cuts the connection without an answer.
func Drop(http.ResponseWriter, *http.Request, int) { panic(http.ErrAbortHandler) }

// Truncated announces more than it sends.
func Truncated(w http.ResponseWriter, _ *http.Request, _ int) {
	w.Header().Set("Content-Length", "1000")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, `{"batch_id":"b1","results":[{"gen`)
}

// RoundTripper is a service without a socket.
type RoundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f RoundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// JSON is a JSON reply to a request.
func JSON(r *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

// Deref is what a pointer points to, nil if it points to nothing.
func Deref[T any](pointer *T) any {
	if pointer == nil {
		return nil
	}
	return *pointer
}

// Status answers with a status.
func Status(code int, header ...string) Answer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		Respond(w, code, `{"error":"code","message":"said so"}`)
	}
}
