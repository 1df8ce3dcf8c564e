package acctest

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// APIKey is the key that every mock service of a test knows.
const APIKey = "test-api-key-0123456789"

// Service is one test's mock service with its clock. A request or reply that
// breaks the service's OpenAPI document fails the test.
type Service struct {
	*mockserver.Server
	// URL is the base_url, ending in /v2.
	URL string
	// Host is URL without the version.
	Host string
	// Clock is shared by the service and the provider.
	Clock *Clock
	// Environment holds the environment variables that the provider sees; it
	// sees none of the process's own.
	Environment map[string]string
}

// NewService starts a mock service for one test.
func NewService(t testing.TB, change ...func(*mockserver.Options)) *Service {
	t.Helper()
	clock := NewClock()
	options := mockserver.Options{
		Now: clock.Now, APIKey: APIKey, Balance: 10_000,
		GenerationTime: 20 * time.Second, TrainingTime: 20 * time.Minute, TokenLifetime: 24 * time.Hour,
		OnDelay:     func(ctx context.Context, d time.Duration) { _ = clock.Sleep(ctx, d) },
		OnViolation: func(violation string) { t.Errorf("the contract was broken: %s", violation) },
	}
	for _, apply := range change {
		apply(&options)
	}
	server, err := mockserver.New(options)
	if err != nil {
		t.Fatalf("mock service: %s", err)
	}
	listener := httptest.NewServer(server)
	t.Cleanup(listener.Close)
	return &Service{Server: server, URL: listener.URL + "/v2", Host: listener.URL, Clock: clock, Environment: map[string]string{}}
}

// Provider makes one provider instance that goes by the service's clock.
func (s *Service) Provider() (tfprotov6.ProviderServer, error) {
	lookup := func(variable string) string { return s.Environment[variable] }
	return providerserver.NewProtocol6WithError(provider.New("test", provider.WithClock(s.Clock), provider.WithEnvironment(lookup))())()
}

// Factories is the provider as plugin-testing wants it.
func (s *Service) Factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){"mediagen": s.Provider}
}

// Config is a configuration that begins with the provider block for this
// service.
func (s *Service) Config(format string, values ...any) string {
	return s.ConfigWith("", format, values...)
}

// ConfigWith is Config with more settings in the provider block.
func (s *Service) ConfigWith(settings, format string, values ...any) string {
	return fmt.Sprintf("provider \"mediagen\" {\n  base_url = %q\n  api_key  = %q\n  %s\n}\n\n", s.URL, APIKey, settings) + fmt.Sprintf(format, values...)
}
