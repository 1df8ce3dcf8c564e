package mockserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Fault makes matching requests go wrong. Without Status, Body or one of the
// Drop fields, the request is handled as usual. The reply is then only delayed,
// held, rewritten, cut off or given other headers.
type Fault struct {
	// Route is the endpoint, by its name in the journal; "" matches all.
	Route string `json:"route"`
	// About is a text that matching requests have in their address, JSON body or
	// uploaded file: an id, a prompt. "" matches all. With MidUpload, which comes
	// before the file is read, it is looked for in the address alone.
	About string `json:"-"`
	// Nth is the first matching request to hit, counted from 1 since the fault
	// was added; 0 hits from the first on.
	Nth int `json:"nth"`
	// Times is how many requests are hit; 0 means one if Nth is set, else all.
	Times int `json:"times"`
	// After is an endpoint. Requests count only after its first answer since
	// the fault was added, however many came before: "the first read after the
	// POST". A closed connection is an answer, too.
	After string `json:"-"`
	// MayStayUnmet leaves the fault out of Unmet. It is for random tests, and
	// for requests that should not come.
	MayStayUnmet bool `json:"-"`

	// Status replaces the reply (200 if only Body is set). Unless AfterWork is
	// set, the request is not processed.
	Status int `json:"status"`
	// Header is added to the reply, or replaces headers of the same name.
	Header http.Header `json:"header"`
	// Body replaces the body; {group_id}, {character_id} and {job_id} are
	// replaced by the values of the original reply.
	Body string `json:"body"`
	// ContentType is the content type of Body; by default it is guessed.
	ContentType string `json:"content_type"`
	// AfterWork processes the request before the reply is replaced. A request
	// that the service refuses is not reported as a success, though.
	AfterWork bool `json:"after_work"`

	// Delay passes before the reply is sent, through Options.OnDelay.
	Delay time.Duration `json:"delay"`
	// DropBefore closes the connection without processing the request.
	DropBefore bool `json:"drop_before"`
	// DropAfterWork processes the request and closes the connection without a
	// reply.
	DropAfterWork bool `json:"drop_after_work"`
	// DropInBody closes the connection after half of the body.
	DropInBody bool `json:"drop_in_body"`
	// Truncate sends a well-formed reply with only that many bytes of the body;
	// a negative value leaves half.
	Truncate int `json:"truncate"`

	// MidUpload applies the fault only to uploads, once that many bytes of the
	// request were read. Nothing more is read, and the request is not
	// processed.
	MidUpload int64 `json:"mid_upload"`

	// Reached is called when the request arrives, before any Hold.
	Reached func() `json:"-"`
	// Hold blocks the request until the channel is closed or the client goes
	// away.
	Hold <-chan struct{} `json:"-"`
	// HoldAfterWork holds the reply instead of the request.
	HoldAfterWork bool `json:"hold_after_work"`
	// HoldInBody holds the second half of the body. It needs a socket.
	HoldInBody bool `json:"hold_in_body"`
	// Rewrite changes the decoded reply, if it is a JSON object.
	Rewrite func(reply map[string]any) `json:"-"`
}

// Fault adds a fault. The first added fault that hits a request is used; each
// fault counts all its matching requests.
func (s *Server) Fault(f Fault) { s.rules.add(f) }

// ClearFaults removes all faults and all hooks of Before. Unmet still reports
// them.
func (s *Server) ClearFaults() { s.rules.clear() }

// Before calls act just before the next request of the route is handled. Each
// hook runs once; several hooks run for one request each.
func (s *Server) Before(route string, act func()) {
	s.rules.mu.Lock()
	defer s.rules.mu.Unlock()
	s.rules.hooks = append(s.rules.hooks, hook{route, act})
}

type hook struct {
	route string
	act   func()
}

type rules struct {
	mu      sync.Mutex
	faults  []*rule
	hooks   []hook
	cleared []string // descriptions of unmet faults that ClearFaults has removed
}

type rule struct {
	Fault
	follows bool // After has been answered
	seen    int  // matching requests
	met     bool
}

func (rs *rules) add(f Fault) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.faults = append(rs.faults, &rule{Fault: f})
}

func (rs *rules) clear() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.cleared = rs.unmet()
	rs.faults = nil
	rs.hooks = nil
}

func (rs *rules) next(of subject) Fault { return rs.pick(of, false) }

// subject is what tells a request from others of its route.
type subject struct {
	route, address string
	content        []byte // of its JSON body or uploaded file
}

func (s subject) has(text string) bool {
	return strings.Contains(s.address, text) || bytes.Contains(s.content, []byte(text))
}

func (c *call) subject() subject {
	content := c.body
	if c.upload != nil {
		content = c.upload.content
	}
	return subject{
		route:   c.route.name,
		address: c.r.URL.RequestURI(),
		content: content,
	}
}

// pick counts the request on every matching fault and returns the first fault
// that hits.
func (rs *rules) pick(of subject, midUpload bool) Fault {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var chosen *rule
	for _, r := range rs.faults {
		if r.Route != "" && r.Route != of.route || !of.has(r.About) || (r.MidUpload > 0) != midUpload {
			continue
		}
		if r.After != "" && !r.follows {
			continue
		}
		r.seen++
		if chosen == nil && r.hits() {
			chosen = r
		}
	}
	if chosen == nil {
		return Fault{}
	}
	chosen.met = true
	return chosen.Fault
}

func (r *rule) hits() bool {
	first := max(r.Nth, 1)
	times := r.Times
	if times == 0 && r.Nth > 0 {
		times = 1
	}
	return r.seen >= first && (times == 0 || r.seen < first+times)
}

// runHook runs the oldest hook of the route, without holding a lock.
func (rs *rules) runHook(route string) {
	rs.mu.Lock()
	act := func() {}
	for i, h := range rs.hooks {
		if h.route == route {
			act = h.act
			rs.hooks = append(rs.hooks[:i:i], rs.hooks[i+1:]...)
			break
		}
	}
	rs.mu.Unlock()
	act()
}

func (f Fault) replaces() bool { return f.Status != 0 || f.Body != "" }

// needsWork reports whether the request is processed at all.
func (f Fault) needsWork() bool { return !f.DropBefore && (!f.replaces() || f.AfterWork) }

// holdRequest holds the request before it is processed.
func (f Fault) holdRequest(r *http.Request) {
	if !f.HoldAfterWork && !f.HoldInBody {
		f.hold(r)
	}
}

// holdReply holds the reply after the request was processed.
func (f Fault) holdReply(r *http.Request) {
	if f.HoldAfterWork {
		f.hold(r)
	}
}

// hold blocks until the test releases it. If the client goes away, the hold
// ends but the processing continues, so that the outcome is unknown.
func (f Fault) hold(r *http.Request) {
	if f.Reached != nil {
		f.Reached()
	}
	if f.Hold == nil {
		return
	}
	select {
	case <-f.Hold:
	case <-r.Context().Done():
	}
}

// deliver sends the part of the reply that the fault leaves.
func (f Fault) deliver(s *Server, w http.ResponseWriter, c *call, out *reply) {
	if f.DropBefore || f.DropAfterWork {
		s.rules.answered(c.route.name)
		panic(http.ErrAbortHandler) // the connection is closed without a reply
	}
	if delay := f.Delay + s.opts.Variant.delay(c.route); delay > 0 {
		s.opts.OnDelay(c.r.Context(), delay)
	}
	if f.replaces() && !f.belies(out) {
		out = f.replacement(out)
	}
	if f.Rewrite != nil {
		out.rewrite(f.Rewrite)
	}
	s.rules.answered(c.route.name)
	out.write(s, w, c.r, c.entry, f)
}

// belies reports whether the replacement would present a refusal as a success.
func (f Fault) belies(usual *reply) bool {
	return usual != nil && usual.status >= http.StatusBadRequest &&
		cmp.Or(f.Status, http.StatusOK) < http.StatusMultipleChoices
}

func (f Fault) replacement(usual *reply) *reply {
	body := f.Body
	if usual != nil {
		var named struct {
			Group     string `json:"group_id"`
			Character string `json:"character_id"`
			Job       string `json:"job_id"`
		}
		_ = json.Unmarshal(usual.body, &named)
		body = strings.NewReplacer("{group_id}", named.Group,
			"{character_id}", named.Character, "{job_id}", named.Job).Replace(body)
	}
	return &reply{
		status:      cmp.Or(f.Status, http.StatusOK),
		body:        []byte(body),
		contentType: cmp.Or(f.ContentType, guessType(body)),
	}
}

func guessType(body string) string {
	switch {
	case body == "":
		return ""
	case strings.HasPrefix(body, "{"), strings.HasPrefix(body, "["):
		return "application/json"
	case strings.HasPrefix(body, "<"):
		return "text/html; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}

func (f Fault) cut(body []byte) []byte {
	switch {
	case f.Truncate > 0:
		return body[:min(f.Truncate, len(body))]
	case f.Truncate < 0:
		return body[:len(body)/2]
	}
	return body
}

// send writes a body; for some faults only half of it, or half of it first.
func (f Fault) send(w http.ResponseWriter, r *http.Request, body []byte) {
	if !f.DropInBody && !f.HoldInBody {
		_, _ = w.Write(body)
		return
	}
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush()
	if f.DropInBody {
		panic(http.ErrAbortHandler)
	}
	f.hold(r)
	_, _ = w.Write(body[len(body)/2:])
}

// rewrite changes a reply if it is a JSON object.
func (o *reply) rewrite(alter func(map[string]any)) {
	decoder := json.NewDecoder(bytes.NewReader(o.body))
	decoder.UseNumber()
	var object map[string]any
	if decoder.Decode(&object) != nil || object == nil {
		return
	}
	alter(object)
	if encoded, err := json.Marshal(object); err == nil {
		o.body = encoded
	}
}
