package engines

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"gocloud.dev/blob"

	// The same clients of the clouds as in main.
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// Kind is a server that keeps buckets.
type Kind struct {
	Name    string
	dialect dialect
	// start makes a bucket. It returns the server that answers requests for it.
	start func(t testing.TB, e *Engine) server
}

// Kinds of servers. The first two run in the process of the test. The variables
// VERSITYGW and AZURITE name the programs of the other two.
var (
	FakeS3 = Kind{
		Name:    "gofakes3",
		dialect: s3,
		start:   startFakeS3,
	}
	FakeGoogle = Kind{
		Name:    "fake-gcs-server",
		dialect: google,
		start:   startFakeGoogle,
	}
	Versity = Kind{
		Name:    "versitygw",
		dialect: s3,
		start:   startVersity,
	}
	Azurite = Kind{
		Name:    "azurite",
		dialect: azure,
		start:   startAzurite,
	}
)

// Engine is an empty bucket at a server, for one test.
type Engine struct {
	Kind Kind
	// Address is the address of an empty store, with a prefix.
	Address string
	*Faults

	bucket string
	host   string // of the proxy, with its port
	lying  bool
}

// count numbers the buckets of the process, because all tests that speak
// Google's protocol share one server.
var count atomic.Int64

// Start starts a server of a kind, with an empty bucket.
func Start(t testing.TB, kind Kind) *Engine {
	t.Helper()
	return start(t, &Engine{Kind: kind})
}

// StartLying starts a server that ignores the condition of a write: each of two
// writers succeeds, and the last wins. Azurite cannot do so.
func StartLying(t testing.TB, kind Kind) *Engine {
	t.Helper()
	return start(t, &Engine{Kind: kind, lying: true})
}

func start(t testing.TB, e *Engine) *Engine {
	t.Helper()
	e.bucket = fmt.Sprintf("log-%d", count.Add(1))
	e.Faults = newFaults(e.Kind.dialect)
	proxy := httptest.NewServer(e.Faults)
	e.host = proxy.Listener.Addr().String()
	t.Cleanup(proxy.Close)
	t.Cleanup(e.Heal) // before Close, which waits for hanging requests
	served := e.Kind.start(t, e)
	e.next = served.handler
	e.Address = e.AddressOf(e.bucket, "studio")
	served.makeBucket()
	e.Reset()
	return e
}

// AddressOf returns the address of another store at the same server.
func (e *Engine) AddressOf(bucket, prefix string) string {
	address := url.URL{
		Scheme:   e.Kind.dialect.scheme,
		Host:     bucket,
		Path:     "/" + prefix,
		RawQuery: e.Kind.dialect.query(e.host).Encode(),
	}
	return address.String()
}

// Missing returns the address of a store in a bucket that does not exist.
func (e *Engine) Missing() string { return e.AddressOf("missing", "studio") }

// Objects opens the whole bucket as gocloud's type, for operations that only a
// test needs.
func (e *Engine) Objects(t testing.TB) *blob.Bucket {
	t.Helper()
	address, _, _ := strings.Cut(e.AddressOf(e.bucket, ""), "/?")
	bucket, err := blob.OpenBucket(t.Context(), address+"?"+e.Kind.dialect.query(e.host).Encode())
	check.Must(t, err)
	t.Cleanup(func() { check.NoError(t, bucket.Close()) })
	return bucket
}

// Environment returns the variables with which a program reaches this server.
func (e *Engine) Environment() map[string]string {
	environment := maps.Clone(credentials)
	environment["STORAGE_EMULATOR_HOST"] = e.host
	return environment
}

// credentials are the credentials that all servers know; Azurite's are in its
// manual. Files of the person who runs the tests are not read.
var credentials = map[string]string{
	"AWS_ACCESS_KEY_ID":           accessKey,
	"AWS_SECRET_ACCESS_KEY":       secretKey,
	"AWS_CONFIG_FILE":             os.DevNull,
	"AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	"AWS_EC2_METADATA_DISABLED":   "true",
	"AZURE_STORAGE_ACCOUNT":       azureAccount,
	"AZURE_STORAGE_KEY":           azureKey,
}

const (
	accessKey    = "engines"
	secretKey    = "not-a-secret"
	azureAccount = "devstoreaccount1"
	azureKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// Main runs a package's tests with the credentials in the environment, and
// fails if a test leaves a goroutine behind.
func Main(m *testing.M) {
	// A package that fake-gcs-server imports starts this goroutine.
	metrics := goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start")
	goleak.VerifyTestMain(surrounded{m}, metrics)
}

// surrounded are tests with a setup before the first and a teardown after the
// last.
type surrounded struct{ tests *testing.M }

// Run implements goleak.TestingM.
func (s surrounded) Run() int {
	for name, value := range credentials {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	stop := serveGoogle()
	defer stop()
	return s.tests.Run()
}
