package transport_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// unreadable is a file that tells when it is read, and fails.
type unreadable struct{ reading chan struct{} }

func (f unreadable) Read([]byte) (int, error) {
	close(f.reading)
	return 0, errors.New("unreadable")
}

func (unreadable) Close() error { return nil }

// A service that answers early has the form closed while the file is read.
func TestAFormIsReadAndClosedAtOnce(t *testing.T) {
	t.Parallel()
	file, group := unreadable{make(chan struct{})}, sync.WaitGroup{}
	client := transport.New(transport.Config{
		BaseURL: &url.URL{Scheme: "http", Host: "localhost"}, Config: credential.Config{AccessToken: "static"},
		Transport: service(func(r *http.Request) (*http.Response, error) {
			group.Go(func() { _, _ = io.Copy(io.Discard, r.Body) })
			<-file.reading
			group.Go(func() { _ = r.Body.Close() })
			return &http.Response{StatusCode: http.StatusBadRequest, Body: io.NopCloser(strings.NewReader(`{"error":"no"}`)), Request: r}, nil
		}),
	})
	open := func() (io.ReadCloser, error) { return file, nil }
	_, err := client.Do(t.Context(), transport.Post("/images").Form("file", transport.File{Open: open, Filename: "a.png", Size: 10}, nil))
	if group.Wait(); err == nil {
		t.Error("a file that cannot be read was sent")
	}
}
