package mockserver

import (
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"time"
)

//go:embed dashboard.html
var dashboardHTML string

var dashboard = template.Must(template.New("dashboard").Funcs(template.FuncMap{
	"clock": func(t time.Time) string { return t.UTC().Format("15:04:05") },
	"image": func(id string) string { return "/media/results/" + url.PathEscape(id) + ".png?signature=dashboard" },
}).Parse(dashboardHTML))

// shownRequests is how much of the journal the dashboard shows.
const shownRequests = 200

// serveDashboard serves a page for people: the objects, the costs and the
// requests.
func (s *Server) serveDashboard(w http.ResponseWriter, _ *http.Request) {
	journal := s.journalView("")
	slices.Reverse(journal)
	view := struct {
		State
		Ledger     Ledger
		Requests   int
		Journal    []entryView
		Violations []string
	}{s.State(), s.Ledger(), len(journal), journal[:min(len(journal), shownRequests)], s.Violations()}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := dashboard.Execute(w, view); err != nil {
		s.violate("dashboard: %v", err)
	}
}
