package transport_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

func TestAnExchangeOutlivesTheCallerWhoBeganIt(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan struct{}), make(chan struct{})
	exchanges := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			exchanges++
			close(arrived)
			<-release
		}
		_, _ = io.WriteString(w, `{"accessToken":"late"}`)
	}))
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client, err := transport.New(transport.Config{BaseURL: address, AuthURL: address, APIKey: "key-0123456789"})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context) chan error {
		ended := make(chan error, 1)
		go func() {
			_, err := client.Do(ctx, transport.Get("/anything"))
			ended <- err
		}()
		return ended
	}
	ctx, cancel := context.WithCancel(t.Context())
	began := ask(ctx)
	<-arrived
	joined := ask(t.Context())
	for client.TokenWaiters() < 2 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-began; !transport.IsCanceled(err) || transport.IsOutcomeUnknown(err) {
		t.Errorf("the cancelled caller: %v", err)
	}
	close(release)
	if err := <-joined; err != nil || exchanges != 1 {
		t.Errorf("the other caller: %v, %d exchanges", err, exchanges)
	}
}
