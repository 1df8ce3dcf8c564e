package media_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	theService = "https://api.example.org/v2"
	picture    = "\x89PNG\r\n\x1a\n and so on"
	base       = "beach"
)

// internet is one server behind all names, at the test's addresses; nothing
// leaves the machine.
type internet struct {
	t       *testing.T
	hosts   map[string]string // address by name
	proxy   *url.URL
	server  *httptest.Server
	handler http.HandlerFunc

	mutex    sync.Mutex
	requests []*http.Request
	dialled  []string // what the guard has let pass
}

func newInternet(t *testing.T, handler http.HandlerFunc) *internet {
	t.Helper()
	n := &internet{
		t:       t,
		handler: handler,
		hosts:   map[string]string{"media.example.com": "93.184.216.34", "api.example.org": "93.184.216.35"},
	}
	n.server = httptest.NewUnstartedServer(n)
	n.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	n.server.StartTLS()
	t.Cleanup(n.server.Close)
	return n
}

func (n *internet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mutex.Lock()
	n.requests = append(n.requests, r)
	n.mutex.Unlock()
	n.handler(w, r)
}

func (n *internet) client(service string, change ...func(*media.Config)) *media.Client {
	n.t.Helper()
	address, err := url.Parse(service)
	check.Must(n.t, err)
	config := media.Config{Service: address, UserAgent: "test"}
	for _, apply := range change {
		apply(&config)
	}
	trusted := n.server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	return media.New(config).On(media.Internet{Lookup: n.lookup, Dial: n.dial, Proxy: n.proxy, TLS: trusted})
}

func (n *internet) lookup(_ context.Context, _, host string) ([]netip.Addr, error) {
	ip, err := netip.ParseAddr(n.hosts[host])
	return []netip.Addr{ip}, err
}

// dial does as the dialer does: it resolves, asks, and connects.
func (n *internet) dial(ctx context.Context, dialer *net.Dialer, network, address string) (net.Conn, error) {
	host, port, _ := net.SplitHostPort(address)
	if at, known := n.hosts[host]; known {
		host = at
	}
	at := net.JoinHostPort(host, port)
	if dialer.ControlContext != nil {
		if err := dialer.ControlContext(ctx, network, at, nil); err != nil {
			return nil, &net.OpError{Op: "dial", Net: network, Err: err}
		}
	}
	n.mutex.Lock()
	n.dialled = append(n.dialled, at)
	n.mutex.Unlock()
	return (&net.Dialer{}).DialContext(ctx, network, n.server.Listener.Addr().String())
}

func target(t *testing.T) (*media.Directory, string) {
	t.Helper()
	path := t.TempDir()
	directory, err := media.OpenDirectory(path)
	check.Must(t, err)
	t.Cleanup(func() { directory.Close() })
	return directory, path
}

func wantFiles(t *testing.T, directory string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(directory)
	check.Must(t, err)
	got := []string{}
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	slices.Sort(want)
	check.Equal(t, "the files", fmt.Sprint(got), fmt.Sprint(want))
}

func fetch(t *testing.T, client *media.Client, address string) (media.File, string, error) {
	t.Helper()
	directory, path := target(t)
	entry, err := client.Fetch(t.Context(), address, directory, base, 1, func(int64) {})
	return entry.File, path, err
}
