package mockserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	shownRequests = 1000 // the latest
	shownBody     = 4000 // bytes
)

// runView is the requests with a single token: the requests of one plan or
// apply.
type runView struct {
	Number   int    // the number of its first request
	Kind     string // apply if it asked for a change, refresh if it only read; "" if it did neither
	Agent    string
	From, To time.Time
	Count    int
	Refused  int
	Lines    []*lineView

	hasToken bool
	reads    map[lineKey]*lineView // since the last request that was not a read
}

// lineView is a request, or a poll: equal reads that no other request
// interrupts.
type lineView struct {
	Number   int // the number of the first
	Method   string
	Path     string // the path of all; the endpoint's pattern if the paths differ
	Status   int
	From, To time.Time
	Count    int
	Objects  []countView // the paths
	Body     string
}

type lineKey struct {
	route  string
	status int
}

// groupByRun returns the runs, newest first. A token's exchange belongs to the
// run that uses the token. A request without a token (a download) belongs to
// the latest run.
func groupByRun(journal []Entry) []*runView {
	var runs []*runView // oldest first
	byToken := map[string]*runView{}
	for _, entry := range journal {
		token := entry.token()
		current := byToken[token]
		if all := len(runs); current == nil && all > 0 && runs[all-1].goesOn(entry) {
			current = runs[all-1]
		}
		if current == nil {
			current = &runView{
				Number: entry.Seq,
				Agent:  entry.Header.Get("User-Agent"),
				From:   entry.At,
			}
			runs = append(runs, current)
		}
		if token != "" {
			byToken[token] = current
			current.hasToken = true
		}
		current.add(entry)
	}
	slices.Reverse(runs)
	return runs
}

// goesOn reports whether a request without a run's token belongs to this run,
// the latest.
func (r *runView) goesOn(entry Entry) bool {
	if entry.exchanges() {
		return !r.hasToken // asks again
	}
	return entry.token() == ""
}

// token returns the token that the request carries, or that an exchange has
// issued.
func (e *Entry) token() string {
	sent := e.Header.Get("Authorization")
	if e.Status == http.StatusOK {
		return cmp.Or(sent, e.issued)
	}
	return sent
}

func (e *Entry) exchanges() bool { return e.Route == RouteToken || e.Route == RouteTokenProvider }

// changes reports whether a request asks for a change. An inference leaves
// nothing behind, and so changes nothing.
func (e *Entry) changes() bool {
	inferences := []string{RouteChat, RouteVision, RouteCategories, RouteImage}
	return e.Method != http.MethodGet && !e.exchanges() && !slices.Contains(inferences, e.Route)
}

func (r *runView) add(entry Entry) {
	r.To = entry.At
	r.Count++
	if entry.Status >= http.StatusBadRequest {
		r.Refused++
	}
	if entry.changes() {
		r.Kind = "apply"
	} else if !entry.exchanges() {
		r.Kind = cmp.Or(r.Kind, "refresh")
	}
	key := lineKey{entry.Route, entry.Status}
	line := r.reads[key]
	if line == nil {
		line = &lineView{
			Number: entry.Seq,
			Method: entry.Method,
			Status: entry.Status,
			From:   entry.At,
			Body:   readable(entry.Body),
		}
		r.Lines = append(r.Lines, line)
	}
	line.add(entry)
	switch {
	case entry.Method != http.MethodGet:
		r.reads = nil
	case r.reads == nil:
		r.reads = map[lineKey]*lineView{key: line}
	default:
		r.reads[key] = line
	}
}

func (l *lineView) add(entry Entry) {
	l.To = entry.At
	l.Count++
	path := entry.Path
	if len(entry.Query) > 0 {
		path += "?" + entry.Query.Encode()
	}
	l.Objects = countIn(l.Objects, path)
	if len(l.Objects) == 1 {
		l.Path = path
	} else {
		_, l.Path, _ = strings.Cut(entry.Route, " ")
	}
}

// readable indents JSON; it returns "" for any other text.
func readable(body []byte) string {
	var indented bytes.Buffer
	if len(body) == 0 || json.Indent(&indented, body, "", "  ") != nil {
		return ""
	}
	if indented.Len() > shownBody {
		return strings.ToValidUTF8(indented.String()[:shownBody], "") + "…"
	}
	return indented.String()
}
