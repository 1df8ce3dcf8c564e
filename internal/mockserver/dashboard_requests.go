package mockserver

import (
	"bytes"
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

// runView is the requests with one token: those of one plan or apply.
type runView struct {
	Number   int // of its first request
	Agent    string
	From, To time.Time
	Count    int
	Refused  int
	Lines    []*lineView

	reads map[lineKey]*lineView // since the last request that was not a read
}

// lineView is one request, or a poll: equal reads that nothing else interrupts.
type lineView struct {
	Number   int // of the first one
	Method   string
	Path     string // of all; the endpoint's pattern if they differ
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
// run that uses the token, and a request without one (a download) to the latest.
func groupByRun(journal []Entry) []*runView {
	var runs []*runView // oldest first
	byToken := map[string]*runView{}
	var waiting []*runView // for the first use of their token
	for _, entry := range journal {
		token := entry.Header.Get("Authorization")
		exchange := entry.Route == RouteToken || entry.Route == RouteTokenProvider
		var current *runView
		switch {
		case exchange && len(waiting) > 0 && !waiting[len(waiting)-1].hasToken():
			current = waiting[len(waiting)-1] // asks again
		case byToken[token] != nil:
			current = byToken[token]
		case token != "" && len(waiting) > 0:
			current, waiting = waiting[0], waiting[1:]
			byToken[token] = current
		case token == "" && !exchange && len(runs) > 0:
			current = runs[len(runs)-1]
		default:
			current = &runView{Number: entry.Seq, Agent: entry.Header.Get("User-Agent"), From: entry.At}
			runs = append(runs, current)
			if exchange {
				waiting = append(waiting, current)
			} else if token != "" {
				byToken[token] = current
			}
		}
		current.add(entry)
	}
	slices.Reverse(runs)
	return runs
}

// hasToken reports whether the last request, an exchange, was successful.
func (r *runView) hasToken() bool { return r.Lines[len(r.Lines)-1].Status == http.StatusOK }

func (r *runView) add(entry Entry) {
	r.To = entry.At
	r.Count++
	if entry.Status >= http.StatusBadRequest {
		r.Refused++
	}
	key := lineKey{entry.Route, entry.Status}
	line := r.reads[key]
	if line == nil {
		line = &lineView{Number: entry.Seq, Method: entry.Method, Status: entry.Status, From: entry.At, Body: readable(entry.Body)}
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
	if l.Objects = countIn(l.Objects, path); len(l.Objects) == 1 {
		l.Path = path
	} else {
		_, l.Path, _ = strings.Cut(entry.Route, " ")
	}
}

// readable indents JSON; "" is for what is not.
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
