package mockserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// adminPath is the administration of the service by hand. It needs no token,
// and its requests are not in the journal.
const adminPath = "/_mock"

// adminPage is one endpoint of the administration.
type adminPage struct {
	method, path, purpose string
	serve                 func(*Server, http.ResponseWriter, *http.Request)
}

var adminPages = []adminPage{
	{"GET", "/", "the dashboard", (*Server).serveDashboard},
	{"GET", "/state", "every object", serveJSON((*Server).State)},
	{"GET", "/ledger", "the balance, what was deducted and what was deleted", serveJSON((*Server).Ledger)},
	{
		"GET",
		"/media",
		"how many generated images there are",
		serveJSON(func(s *Server) map[string]int { return map[string]int{"count": s.Media()} }),
	},
	{"GET", "/journal", "the requests; ?route= for those of one endpoint", (*Server).serveJournal},
	{"GET", "/violations", "what broke the contract", serveJSON((*Server).violationsView)},
	{"GET", "/openapi.yaml", "the contract", serveSpec(contractFile)},
	{"GET", "/extended.yaml", "what -extended adds to it", serveSpec(extendedFile)},
	{"POST", "/faults", "adds a fault", (*Server).serveFault},
	{"DELETE", "/faults", "removes all faults", serveDone((*Server).ClearFaults)},
	{"DELETE", "/journal", "forgets the requests", serveDone((*Server).ResetJournal)},
	{"POST", "/reset", "back to the characters and the balance of the start", serveDone((*Server).Reset)},
}

func (s *Server) serveAdmin(w http.ResponseWriter, r *http.Request) {
	path := cmp.Or(strings.TrimPrefix(r.URL.Path, adminPath), "/")
	for _, page := range adminPages {
		if page.method == r.Method && page.path == path {
			page.serve(s, w, r)
			return
		}
	}
	http.NotFound(w, r)
}

// State is a snapshot of the service.
type State struct {
	Now        time.Time        `json:"now"`
	Variant    string           `json:"variant"`
	Media      int              `json:"media"`
	Balance    float64          `json:"balance"`
	Characters []CharacterState `json:"characters"`
	Groups     []Group          `json:"groups"`
}

// CharacterState is a character with all its objects.
type CharacterState struct {
	CharacterSeed
	Assets    []Asset        `json:"assets"`
	Dataset   []DatasetImage `json:"dataset"`
	Trainings []Training     `json:"trainings"`
}

// State returns a snapshot of the service.
func (s *Server) State() State {
	state := State{
		Now:        s.opts.Now(),
		Variant:    s.opts.Variant.Name,
		Media:      s.Media(),
		Balance:    s.Ledger().Balance,
		Groups:     s.Groups(),
		Characters: []CharacterState{},
	}
	for _, id := range s.characterIDs() {
		if seed, ok := s.Character(id); ok {
			state.Characters = append(state.Characters, CharacterState{
				seed, s.Assets(id), s.DatasetImages(id), s.Trainings(id),
			})
		}
	}
	return state
}

func (s *Server) characterIDs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, c := range s.world.characters {
		ids = append(ids, c.ID)
	}
	return ids
}

// Reset restores the added characters and the settings of the options, and
// deletes everything else except tokens and keys.
func (s *Server) Reset() {
	s.ClearFaults()
	s.ResetJournal()
	s.mu.Lock()
	old := s.world
	s.world = newWorld(s.opts)
	s.world.tokens = old.tokens
	s.world.keys = old.keys
	s.world.numbers["token"] = old.numbers["token"]
	s.mu.Unlock()
	for _, seed := range old.seeds {
		s.AddCharacter(seed)
	}
}

// entryView is a journal entry without credentials.
type entryView struct {
	Seq    int             `json:"seq"`
	At     time.Time       `json:"at"`
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Route  string          `json:"route"`
	Query  url.Values      `json:"query,omitempty"`
	Header http.Header     `json:"header"`
	Body   json.RawMessage `json:"body,omitempty"`
	Status int             `json:"status"`
}

func (s *Server) journalView(route string) []entryView {
	views := []entryView{}
	for _, e := range s.journal.where(func(e *Entry) bool { return route == "" || e.Route == route }) {
		view := entryView{e.Seq, e.At, e.Method, e.Path, e.Route, e.Query, e.Header, nil, e.Status}
		if json.Valid(e.Body) {
			view.Body = e.Body
		}
		for _, secret := range []string{"Authorization", "Apikey", userHeader} {
			if view.Header.Get(secret) != "" {
				view.Header.Set(secret, "(hidden)")
			}
		}
		views = append(views, view)
	}
	return views
}

// serveFault adds a fault from JSON; the delay is text, like "2s".
func (s *Server) serveFault(w http.ResponseWriter, r *http.Request) {
	var wanted struct {
		Fault
		Delay string `json:"delay"`
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&wanted)
	if err == nil && wanted.Delay != "" {
		wanted.Fault.Delay, err = time.ParseDuration(wanted.Delay)
	}
	known := names(s.routes)
	if err == nil && wanted.Route != "" && !slices.Contains(known, wanted.Route) {
		err = fmt.Errorf("no route %q; there are:\n  %s", wanted.Route, strings.Join(known, "\n  "))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.Fault(wanted.Fault)
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) violationsView() []string { return append([]string{}, s.Violations()...) }

func (s *Server) serveJournal(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, s.journalView(r.URL.Query().Get("route")))
}

func serveJSON[T any](view func(*Server) T) func(*Server, http.ResponseWriter, *http.Request) {
	return func(s *Server, w http.ResponseWriter, _ *http.Request) { writeJSON(w, view(s)) }
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // the client went away
}

func serveDone(act func(*Server)) func(*Server, http.ResponseWriter, *http.Request) {
	return func(s *Server, w http.ResponseWriter, _ *http.Request) {
		act(s)
		w.WriteHeader(http.StatusNoContent)
	}
}

func serveSpec(name string) func(*Server, http.ResponseWriter, *http.Request) {
	return func(_ *Server, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(document(name)) // or the client went away
	}
}
