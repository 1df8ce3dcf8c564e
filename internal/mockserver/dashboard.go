package mockserver

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

//go:embed dashboard/*.html dashboard/*.css dashboard/*.js dashboard/*.svg
var dashboardFiles embed.FS

var dashboard = template.Must(template.New("").Funcs(template.FuncMap{
	"clock":   func(t time.Time) string { return t.Local().Format("15:04:05") },
	"credits": credits,
	"words":   func(status string) string { return strings.ReplaceAll(status, "_", " ") },
	"short":   func(d time.Duration) string { return d.Round(time.Second).String() },
}).ParseFS(dashboardFiles, "dashboard/dashboard.html"))

func credits(amount float64) string {
	const exact = 1e4 // sums of decimal fractions are inexact
	return strconv.FormatFloat(math.Round(amount*exact)/exact, 'f', -1, 64)
}

const (
	picturePath = adminPath + "/pictures/"
	// lookAgain is how often a page that is being watched is rendered.
	lookAgain = 500 * time.Millisecond
)

// serveDashboard serves a page for people: the objects, the costs and the
// requests.
func (s *Server) serveDashboard(w http.ResponseWriter, r *http.Request) {
	page, err := s.renderDashboard("dashboard.html", r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'self'")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(page)
}

func (s *Server) renderDashboard(name string, r *http.Request) ([]byte, error) {
	var page bytes.Buffer
	err := dashboard.ExecuteTemplate(&page, name, s.dashboardView(s.origin(r)))
	return page.Bytes(), err
}

// serveBrowser serves the requests of a browser other than for the dashboard's
// page. Like the page, they leave no trace in the journal.
func (s *Server) serveBrowser(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	anonymous := r.Header.Get("Authorization") == "" // a client with a wrong address has a token
	switch asked := r.URL.Path; {
	case asked == "/" && anonymous:
		http.Redirect(w, r, adminPath+"/", http.StatusFound)
	case asked == "/favicon.ico" && anonymous:
		http.ServeFileFS(w, r, dashboardFiles, "dashboard/dashboard.svg")
	case asked == adminPath+"/dashboard.css", asked == adminPath+"/dashboard.js", asked == adminPath+"/dashboard.svg":
		http.ServeFileFS(w, r, dashboardFiles, path.Join("dashboard", path.Base(asked)))
	case asked == adminPath+"/events":
		s.serveEvents(w, r)
	case strings.HasPrefix(asked, picturePath):
		s.servePicture(w, r)
	default:
		return false
	}
	return true
}

// serveEvents sends the page's content now and whenever it differs, as
// server-sent events, until the client or the server goes away.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	if server, ok := ctx.Value(http.ServerContextKey).(*http.Server); ok {
		server.RegisterOnShutdown(stop) // Shutdown would wait for this request
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	ticker := time.NewTicker(lookAgain)
	defer ticker.Stop()
	var last []byte
	for {
		content, err := s.renderDashboard("content", r)
		if err != nil {
			return // the page itself shows the error
		}
		if !bytes.Equal(content, last) {
			line, _ := json.Marshal(string(content)) // a string
			_, _ = fmt.Fprintf(w, "data: %s\n\n", line)
			if http.NewResponseController(w).Flush() != nil {
				return
			}
			last = content
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// servePicture serves a media file without faults. It restricts scripts,
// because an uploaded image may be a page with a script.
func (s *Server) servePicture(w http.ResponseWriter, r *http.Request) {
	body, contentType := s.mediaFile(strings.TrimPrefix(r.URL.EscapedPath(), picturePath))
	if body == nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(body)
}
