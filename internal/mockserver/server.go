package mockserver

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Server is the service. It is an http.Handler, safe for concurrent use, and
// starts no goroutine.
type Server struct {
	opts Options
	contract
	journal journal
	rules   rules
	broken  violations

	mu    sync.Mutex // guards the world
	world *world
}

// New returns a service without characters. It fails only if the OpenAPI
// documents and the package's routes contradict each other.
func New(opts Options) (*Server, error) {
	shared, err := sharedContract(opts.Extended)
	if err != nil {
		return nil, err
	}
	s := &Server{opts: opts.withDefaults(), contract: shared}
	s.world = newWorld(s.opts)
	return s, nil
}

// statusGone is the journal's status for a client that went away during its
// request.
const statusGone = 499

// call is one request on its way through the service.
type call struct {
	r       *http.Request
	route   *route
	entry   *Entry
	params  map[string]string
	body    []byte
	upload  *upload
	origin  string // of the media addresses
	now     time.Time
	account            // of the token
	owner   *character // the character in the path
}

// ServeHTTP handles one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.serveBrowser(w, r) {
		return
	}
	if r.URL.Path == adminPath || strings.HasPrefix(r.URL.Path, adminPath+"/") {
		s.serveAdmin(w, r)
		return
	}
	if s.serveMedia(w, r) {
		return
	}
	found, params, status := s.match(r.Method, r.URL.EscapedPath())
	if found == nil {
		s.serveUnknown(w, r, status)
		return
	}
	c := &call{
		r:      r,
		route:  found,
		params: params,
		origin: s.origin(r),
		entry:  s.journal.arrived(r, found.name, s.opts.Now()),
	}
	if found.op.form != nil && s.endEarly(c, w) {
		return
	}
	malformed := s.receive(c)
	if errors.Is(malformed, errGone) {
		s.journal.change(c.entry, func(e *Entry) { e.Status = statusGone })
		panic(http.ErrAbortHandler) // nobody is waiting for an answer
	}
	s.rules.runHook(found.name)
	fault := s.rules.next(c.subject())
	fault.holdRequest(r)
	var out *reply
	if fault.needsWork() {
		out = s.perform(c, malformed)
	}
	fault.holdReply(r)
	fault.deliver(s, w, c, out)
}

// perform checks the request, processes it and returns the reply.
func (s *Server) perform(c *call, malformed error) *reply {
	if broken := s.checkRequest(c, malformed); broken != "" {
		s.violate("%s %s: %s", c.r.Method, c.entry.Path, broken)
		return s.refuse(c, &problem{
			status:  http.StatusBadRequest,
			code:    "invalid_request",
			message: broken,
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.now = s.now()
	if !c.route.public {
		known, err := s.authenticate(c)
		if err != nil {
			return s.refuse(c, err)
		}
		c.account = known
	}
	if err := s.limit(c); err != nil {
		return s.refuse(c, err)
	}
	if id, isNamed := c.params["character_id"]; isNamed {
		owner, err := s.world.character(c.organization, id)
		if err != nil {
			return s.refuse(c, err)
		}
		c.owner = owner
	}
	body, err := c.route.handler(s, c)
	if err != nil {
		return s.refuse(c, err)
	}
	return s.accept(c, body)
}

func (s *Server) serveUnknown(w http.ResponseWriter, r *http.Request, status int) {
	entry := s.journal.arrived(r, r.Method+" "+r.URL.Path, s.opts.Now())
	if !otherVersion.MatchString(r.URL.Path) { // otherwise the client's user has mistyped its address
		s.violate("%s %s: %s", r.Method, entry.Path, http.StatusText(status))
	}
	out := s.render(errorBody{Error: "not_found", Message: "no such endpoint"}, status)
	out.write(s, w, r, entry, Fault{})
}

// otherVersion matches the paths of versions that the service does not have.
var otherVersion = regexp.MustCompile(`^/v(?:[013-9]|[0-9]{2,})/`)

// now returns the service's time, which a variant may offset from the clock
// that it shares with its clients.
func (s *Server) now() time.Time { return s.opts.Now().Add(s.opts.Variant.ClockSkew).UTC() }

func (s *Server) origin(r *http.Request) string {
	switch {
	case s.opts.PublicURL != "":
		return strings.TrimSuffix(s.opts.PublicURL, "/")
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
