//go:build unix

package acctest_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// stateStore is an http backend. It keeps a state and, of runs that ask for one, a lock.
type stateStore struct {
	mutex  sync.Mutex
	state  []byte
	lock   []byte        // what its holder says of itself
	denied chan struct{} // gets one for each lock that another run holds; nil if nobody listens
}

func (s *stateStore) serve(t *testing.T) (address string) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

func (s *stateStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case r.Method == "LOCK" && len(s.lock) > 0:
		w.WriteHeader(http.StatusLocked)
		_, _ = w.Write(s.lock)
		select {
		case s.denied <- struct{}{}:
		default:
		}
	case r.Method == "LOCK":
		s.lock, _ = io.ReadAll(r.Body)
	case r.Method == "UNLOCK":
		s.lock = nil
	case r.Method == http.MethodPost:
		s.state, _ = io.ReadAll(r.Body)
	case len(s.state) == 0:
		w.WriteHeader(http.StatusNoContent)
	default:
		_, _ = w.Write(s.state)
	}
}

// newLocked opens a configuration whose backend locks its state.
func newLocked(t *testing.T) (*terminal, *stateStore) {
	t.Helper()
	m := newLogged(t, "http")
	store := &stateStore{denied: make(chan struct{}, 1)}
	address := store.serve(t)
	for _, variable := range []string{"TF_HTTP_ADDRESS", "TF_HTTP_LOCK_ADDRESS", "TF_HTTP_UNLOCK_ADDRESS"} {
		m.setenv(variable, address)
	}
	_, _ = m.try("init", "-reconfigure")
	return m, store
}

// While an apply holds the lock, a second one fails at once and sends nothing. With
// -lock-timeout it waits, and buys nothing that the first has bought.
func TestAccGuide_twoJobsAtOnce(t *testing.T) {
	tier.Long(t, "what a guide promises")
	t.Parallel()
	m, store := newLocked(t)
	m.run("plan", "-out="+planned)
	buying := make(chan struct{})
	release := make(chan struct{})
	m.fault(boundary{mockserver.RouteBatch, 1, answeredLate}, buying, release)
	apply := func(ended chan<- string, arguments ...string) {
		run := *m // with a transcript of its own
		run.transcript = &bytes.Buffer{}
		said, _ := run.try(append([]string{"apply", "-auto-approve", "-no-color"}, arguments...)...)
		ended <- said
	}
	first := make(chan string, 1)
	second := make(chan string, 1)
	go apply(first)
	<-buying
	sent := len(m.Journal())
	m.refuses([]string{"Error acquiring the state lock", "Who:"}, "apply", "-auto-approve")
	m.shows("two-accounts#a-locked-state")
	check.Equal(t, "requests of the run that was refused", len(m.Journal()), sent)
	<-store.denied
	go apply(second, "-lock-timeout=5m")
	<-store.denied
	close(release)
	check.Contains(t, "the first run", <-first, "1 added, 0 changed, 0 destroyed")
	check.Contains(t, "the run that waited", <-second, "0 added, 0 changed, 0 destroyed")
	m.refuses([]string{"Saved plan is stale"}, "apply", planned)
	m.WantCount(t, mockserver.RouteBatch, 1)
}

// The lock of a run that was killed stays. After it is lifted, the purchase log keeps
// a plan and an apply from buying again what that run has bought.
func TestAccGuide_lockedState(t *testing.T) {
	tier.Long(t, "what a guide promises")
	t.Parallel()
	m, _ := newLocked(t)
	at := boundary{mockserver.RouteBatch, 1, followed}
	m.signalled(at, killAll(m), "apply", "-auto-approve", "-no-color", "-var=wait=true")
	m.ClearFaults()
	m.ResetJournal()
	said := m.refuses([]string{"Error acquiring the state lock"}, "plan")
	check.Equal(t, "requests of a plan that was refused", len(m.Journal()), 0)
	id := regexp.MustCompile(`\bID: +(\S+)`).FindStringSubmatch(said)
	if id == nil {
		t.Fatal(said)
	}
	m.run("force-unlock", "-force", id[1])
	m.wantSays(m.run("plan"), "Another Run Has Bought This")
	m.refuses([]string{"Another Run Has Bought This"}, "apply", "-auto-approve")
	m.WantCount(t, mockserver.RouteBatch, 0)
}
