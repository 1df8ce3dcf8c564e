package engines

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// server is the server that a kind starts.
type server struct {
	handler    http.Handler
	makeBucket func()
}

// honest returns the handler, or for a lying engine a handler that ignores the
// condition of each write.
func (e *Engine) honest(answers http.Handler) http.Handler {
	if !e.lying {
		return answers
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.Kind.dialect.forget(r)
		answers.ServeHTTP(w, r)
	})
}

func startFakeS3(t testing.TB, e *Engine) server {
	t.Helper()
	keeps := s3mem.New()
	return server{
		handler:    e.honest(gofakes3.New(keeps, gofakes3.WithTimeSkewLimit(0)).Server()),
		makeBucket: func() { check.Must(t, keeps.CreateBucket(e.bucket)) },
	}
}

// theGoogle is the server of all tests of a process that speak Google's
// protocol, because its client takes the address from the environment of the
// process.
var theGoogle struct {
	*fakestorage.Server
	engines sync.Map // *Engine by the name of its bucket
}

// serveGoogle starts theGoogle, and a proxy that finds the engine of a request.
func serveGoogle() (stop func()) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for part := range strings.SplitSeq(r.URL.Path, "/") {
			found, _ := theGoogle.engines.Load(part)
			if engine, isOurs := found.(*Engine); isOurs {
				engine.ServeHTTP(w, r)
				return
			}
		}
		theGoogle.HTTPHandler().ServeHTTP(w, r)
	}))
	host := proxy.Listener.Addr().String()
	started, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true, PublicHost: host})
	if err != nil {
		panic(err)
	}
	theGoogle.Server = started
	if err := os.Setenv("STORAGE_EMULATOR_HOST", host); err != nil {
		panic(err)
	}
	return func() {
		proxy.Close()
		started.Stop()
	}
}

func startFakeGoogle(t testing.TB, e *Engine) server {
	t.Helper()
	if theGoogle.Server == nil {
		t.Fatal("the package's TestMain does not call engines.Main")
	}
	host := os.Getenv("STORAGE_EMULATOR_HOST")
	theGoogle.engines.Store(e.bucket, e)
	t.Cleanup(func() { theGoogle.engines.Delete(e.bucket) })
	return server{
		handler: e.honest(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Host = host // in another process, the host is the proxy of this engine
			theGoogle.HTTPHandler().ServeHTTP(w, r)
		})),
		makeBucket: func() { theGoogle.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: e.bucket}) },
	}
}
