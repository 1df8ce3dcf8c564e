package acctest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// WantCount fails the test unless a route was requested this often since the
// journal was last reset.
func (s *Service) WantCount(t testing.TB, route string, want int) {
	t.Helper()
	if got := s.Count(route); got != want {
		t.Errorf("%s was requested %d times, want %d; the journal:\n%s", route, got, want, s.Story())
	}
}

// WantCountAfter fails the test unless a route was requested this often after
// the first request of the route first.
func (s *Service) WantCountAfter(t testing.TB, first, route string, want int) {
	t.Helper()
	journal := s.Journal()
	begin := slices.IndexFunc(journal, func(e mockserver.Entry) bool { return e.Route == first })
	if begin < 0 {
		t.Fatalf("%s was not requested; the journal:\n%s", first, s.Story())
	}
	got := 0
	for _, entry := range journal[begin+1:] {
		if entry.Route == route {
			got++
		}
	}
	if got != want {
		t.Errorf("%s was requested %d times after %s, want %d; the journal:\n%s", route, got, first, want, s.Story())
	}
}

// WantNoRequests fails the test if the service received any request other than
// for a token: the provider exchanges its credential when it is configured.
func (s *Service) WantNoRequests(t testing.TB) {
	t.Helper()
	if s.Count("") > s.Count(mockserver.RouteToken) {
		t.Errorf("the service has seen requests:\n%s", s.Story())
	}
}

// Story returns the journal, one request per line.
func (s *Service) Story() string {
	var lines strings.Builder
	for _, entry := range s.Journal() {
		fmt.Fprintf(&lines, "  %d %s %s -> %d\n", entry.Seq, entry.Method, entry.Path, entry.Status)
	}
	return lines.String()
}
