package mockserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// adminPath is the administration of the service by hand. It needs no token,
// and its requests are not in the journal.
const adminPath = "/_mock"

func (s *Server) serveAdmin(w http.ResponseWriter, r *http.Request) {
	pages := map[string]func(http.ResponseWriter, *http.Request){
		"GET ":              s.serveDashboard,
		"GET /":             s.serveDashboard,
		"GET /openapi.yaml": serveSpec,
		"GET /state":        serveJSON(func(*http.Request) any { return s.State() }),
		"GET /ledger":       serveJSON(func(*http.Request) any { return s.Ledger() }),
		"GET /media":        serveJSON(func(*http.Request) any { return map[string]int{"count": s.Media()} }),
		"GET /journal":      serveJSON(func(r *http.Request) any { return s.journalView(r.URL.Query().Get("route")) }),
		"GET /violations":   serveJSON(func(*http.Request) any { return append([]string{}, s.Violations()...) }),
		"DELETE /journal":   serveDone(s.ResetJournal),
		"DELETE /faults":    serveDone(s.ClearFaults),
		"POST /reset":       serveDone(s.Reset),
		"POST /faults":      s.serveFault,
	}
	page := pages[r.Method+" "+r.URL.Path[len(adminPath):]]
	if page == nil {
		page = http.NotFound
	}
	page(w, r)
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

// CharacterState is a character with everything that belongs to it.
type CharacterState struct {
	CharacterSeed
	Assets    []Asset        `json:"assets"`
	Dataset   []DatasetImage `json:"dataset"`
	Trainings []Training     `json:"trainings"`
}

// State returns a snapshot of the service.
func (s *Server) State() State {
	state := State{
		Now: s.opts.Now(), Variant: s.opts.Variant.Name, Media: s.Media(),
		Balance: s.Ledger().Balance, Groups: s.Groups(), Characters: []CharacterState{},
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

// Reset restores the added characters and the initial balance, and deletes
// everything else except tokens and keys.
func (s *Server) Reset() {
	s.ClearFaults()
	s.ResetJournal()
	s.mu.Lock()
	old := s.world
	s.world = newWorld(s.opts.Balance, s.opts.Variant.IDs)
	s.world.tokens, s.world.keys = old.tokens, old.keys
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
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.Fault(wanted.Fault)
	w.WriteHeader(http.StatusNoContent)
}

func serveJSON(view func(*http.Request) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		_ = encoder.Encode(view(r)) // the client went away
	}
}

func serveDone(act func()) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		act()
		w.WriteHeader(http.StatusNoContent)
	}
}

func serveSpec(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = fmt.Fprintf(w, "%s", openapiYAML)
}
