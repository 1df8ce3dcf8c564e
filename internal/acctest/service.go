// Package acctest is the harness of the acceptance tests: a mock service, a
// clock and a provider for each test, and an in-process Terraform core for the
// tests that are too many for a real CLI.
package acctest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

// APIKey is the key that every mock service accepts.
const APIKey = "test-api-key-0123456789"

// PNG is the beginning of a picture.
const PNG = "\x89PNG\r\n\x1a\n"

// Service is the mock service of a test, with its clock. A request or reply
// that violates the service's OpenAPI document fails the test.
type Service struct {
	*mockserver.Server
	// URL is the base_url, ending in /v2.
	URL string
	// Host is URL without the version.
	Host string
	// Clock is shared by the service and the provider; nil in a bubble.
	Clock *waittest.Clock
	// Environment holds the environment variables that the provider sees,
	// instead of the variables of the process.
	Environment map[string]string
	// User and Machine are the person who runs the provider, and the host.
	User, Machine string

	options provider.Options
	line    line

	mutex    sync.Mutex
	finishes []func() // of the provider processes that have not ended
}

// Bubble runs a test in a synctest bubble, where a slow machine changes
// nothing. Its services are made by NewInBubble.
func Bubble(t *testing.T, test func(*testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		bubbles.Store(t, true)
		defer bubbles.Delete(t)
		test(t)
	})
}

var bubbles sync.Map

// NewService starts a mock service for one test.
func NewService(t testing.TB, change ...func(*mockserver.Options)) *Service {
	t.Helper()
	if _, found := bubbles.Load(t); found {
		return NewInBubble(t, change...)
	}
	clock := waittest.NewClock(time.Now()) // tokens contain the time
	s := newService(t, clock, change)
	s.Clock = clock
	s.options.Adjust = withBestEffort
	listener := httptest.NewServer(s.Server)
	t.Cleanup(listener.Close)
	s.Host = listener.URL
	s.URL = s.Host + "/v2"
	return s
}

// NewRepeatable is NewService without chance and without a socket, so that
// every run is equal: the clock begins at a fixed time, backoffs have no
// jitter, and the goroutine that sends a request also handles it. Real CLIs
// cannot reach it.
func NewRepeatable(t testing.TB, change ...func(*mockserver.Options)) *Service {
	t.Helper()
	if _, found := bubbles.Load(t); found {
		return NewInBubble(t, change...)
	}
	clock := waittest.NewClock(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC))
	s := newService(t, clock, change)
	s.Clock = clock
	s.withoutSocket(func(config *evidence.Config) {
		withBestEffort(config)
		config.Backoff = func(repetition int) time.Duration { return time.Second << min(repetition, 5) }
	})
	return s
}

// NewInBubble is NewService in a synctest bubble, whose time advances once
// every goroutine waits. It is for tests of how long many operations take
// together. It has no socket, because a bubble cannot see whether a goroutine
// waits for a socket, and no Clock but the bubble's own.
func NewInBubble(t testing.TB, change ...func(*mockserver.Options)) *Service {
	t.Helper()
	s := newService(t, wait.System, change)
	s.withoutSocket(func(*evidence.Config) {})
	return s
}

// withBestEffort raises the real-time limit of best-effort reads, so that a
// slow machine does not change what a plan says.
func withBestEffort(config *evidence.Config) { config.BestEffortLimit = time.Minute }

func (s *Service) withoutSocket(adjust func(*evidence.Config)) {
	s.URL = "http://localhost/v2"
	s.Host = "http://localhost"
	s.line.service = s.RoundTripper()
	s.options.Adjust = func(config *evidence.Config) {
		config.Transport = &s.line
		adjust(config)
	}
}

// line connects to a service without a socket.
type line struct {
	service http.RoundTripper
	refuses atomic.Int64
	refused atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (l *line) RoundTrip(request *http.Request) (*http.Response, error) {
	if l.refuses.Add(-1) >= 0 {
		l.refused.Add(1)
		return nil, syscall.ECONNREFUSED
	}
	return l.service.RoundTrip(request)
}

// RefuseConnections refuses the next connections; 0 ends it. It needs a service
// without a socket.
func (s *Service) RefuseConnections(times int) { s.line.refuses.Store(int64(times)) }

// Refused returns how many requests could not connect.
func (s *Service) Refused() int { return int(s.line.refused.Load()) }

func newService(t testing.TB, clock wait.Clock, change []func(*mockserver.Options)) *Service {
	t.Helper()
	options := mockserver.Options{
		Now:            clock.Now,
		APIKey:         APIKey,
		Balance:        10_000,
		GenerationTime: 20 * time.Second,
		TrainingTime:   20 * time.Minute,
		TokenLifetime:  24 * time.Hour,
		OnDelay:        func(ctx context.Context, d time.Duration) { _ = clock.Sleep(ctx, d) },
		OnViolation:    func(violation string) { t.Errorf("the contract was broken: %s", violation) },
	}
	for _, apply := range change {
		apply(&options)
	}
	server, err := mockserver.New(options)
	if err != nil {
		t.Fatalf("mock service: %s", err)
	}
	t.Cleanup(func() { reportUnmet(t, server) })
	s := &Service{
		Server:      server,
		Environment: map[string]string{},
		User:        "tester",
		Machine:     "workstation",
	}
	s.options = provider.Options{
		Clock:       clock,
		Environment: func(variable string) string { return s.Environment[variable] },
		Machine:     func() (user, host string) { return s.User, s.Machine },
	}
	return s
}

// reportUnmet fails a test with a fault that no request has met. A skipped
// test, for instance without a CLI, sends no requests and is ignored.
func reportUnmet(t testing.TB, server *mockserver.Server) {
	t.Helper()
	if t.Skipped() {
		return
	}
	for _, unmet := range server.Unmet() {
		t.Errorf("the test proves less than it says: %s", unmet)
	}
}

// Provider returns a provider instance that uses the service's clock.
func (s *Service) Provider() (tfprotov6.ProviderServer, error) {
	serve, finish := provider.Serve("test", s.options)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.finishes = append(s.finishes, finish)
	return serve(), nil
}

// finish ends the provider processes so far, like main.
func (s *Service) finish() {
	s.mutex.Lock()
	finishes := s.finishes
	s.finishes = nil
	s.mutex.Unlock()
	for _, finish := range finishes {
		finish()
	}
}

// Schemas returns the schemas of all types of the provider.
func Schemas(t testing.TB) *tfprotov6.GetProviderSchemaResponse {
	t.Helper()
	server, err := NewService(t).Provider()
	check.Must(t, err)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	check.Must(t, err)
	return schemas
}

// Factories returns the provider in the form that plugin-testing wants.
func (s *Service) Factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){"mediagen": s.Provider}
}

// Config returns a configuration that begins with the provider block for this
// service.
func (s *Service) Config(format string, values ...any) string {
	block := fmt.Sprintf("provider \"mediagen\" {\n  base_url = %q\n  api_key  = %q\n}\n\n", s.URL, APIKey)
	return block + fmt.Sprintf(format, values...)
}
