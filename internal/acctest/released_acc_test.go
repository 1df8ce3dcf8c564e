package acctest_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// At a service that was sent what the last release has sent, its state needs
// nothing but reads.
func TestAccReleasedState(t *testing.T) {
	t.Parallel()
	if os.Getenv("RELEASED_STATE") == "write" {
		writeReleased(t)
	}
	var requests []sent
	decode(t, readFile(t, filepath.Join(released, "requests.json")), &requests)
	s := newReleasedService(t)
	for _, request := range requests {
		s.send(request)
	}
	s.ResetJournal()
	m := newTerminal(t, s.Service, released)
	state := strings.ReplaceAll(m.read("state.json"), somewhere, strings.TrimPrefix(s.Host, "http://"))
	m.write("terraform.tfstate", withPrivate(t, state, closed))
	m.wantNoChanges()
	m.run("apply", "-auto-approve")
	m.wantNoChanges("-refresh=false")
	for _, request := range s.Journal() {
		check.True(
			t,
			"an upgrade sends only reads",
			request.Method == http.MethodGet || request.Route == mockserver.RouteToken,
			request.Method,
			request.Path,
		)
	}
}
