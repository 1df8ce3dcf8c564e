package mockserver

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Entry is one request that reached the service, including refused ones.
type Entry struct {
	Seq    int    // 1 for the first request
	Method string // as sent
	Path   string // escaped, as sent
	// Route names the endpoint, e.g. "GET
	// /v2/generation/status/{generation_id}"; for an unknown one it is the
	// method and path.
	Route  string
	Query  url.Values
	Header http.Header
	Body   []byte // empty for uploads, whose bytes Assets knows by their hash
	Status int    // of the reply; 0 while there is none, or if it was never sent
	At     time.Time

	issued string // the Authorization that an exchange has issued
}

// journal has its own lock, so that reading it never waits for a request.
type journal struct {
	mu      sync.Mutex
	seq     int
	entries []*Entry
}

func (j *journal) arrived(r *http.Request, route string, at time.Time) *Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seq++
	entry := &Entry{
		Seq:    j.seq,
		Method: r.Method,
		Path:   r.URL.EscapedPath(),
		Route:  route,
		Query:  r.URL.Query(),
		Header: r.Header.Clone(),
		At:     at,
	}
	j.entries = append(j.entries, entry)
	return entry
}

func (j *journal) change(entry *Entry, change func(*Entry)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(entry)
}

func (j *journal) where(keep func(*Entry) bool) []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	var found []Entry
	for _, entry := range j.entries {
		if keep(entry) {
			found = append(found, entry.clone())
		}
	}
	return found
}

// latest returns the last n entries, and how many there are in all.
func (j *journal) latest(n int) (entries []Entry, all int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	all = len(j.entries)
	for _, entry := range j.entries[max(all-n, 0):] {
		entries = append(entries, entry.clone())
	}
	return entries, all
}

func (e *Entry) clone() Entry {
	copied := *e
	copied.Query = maps.Clone(e.Query)
	copied.Header = e.Header.Clone()
	copied.Body = slices.Clone(e.Body)
	return copied
}

// Journal returns all requests since the start or the last ResetJournal, in
// the order in which they arrived.
func (s *Server) Journal() []Entry {
	return s.journal.where(func(*Entry) bool { return true })
}

// Requests returns the requests of one route, e.g. "POST /v2/generation/batch".
func (s *Server) Requests(route string) []Entry {
	return s.journal.where(func(e *Entry) bool { return e.Route == route })
}

// Count returns the number of requests of one route; "" counts all.
func (s *Server) Count(route string) int {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	count := 0
	for _, entry := range s.journal.entries {
		if route == "" || entry.Route == route {
			count++
		}
	}
	return count
}

// ResetJournal deletes all entries; sequence numbers continue.
func (s *Server) ResetJournal() {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	s.journal.entries = nil
}
