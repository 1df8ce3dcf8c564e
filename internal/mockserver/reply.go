package mockserver

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// problem is a refusal: the error body of the contract and its status.
type problem struct {
	status      int
	code        string
	message     string
	characterID string
	groupID     string
	retryAfter  int // seconds; 0 sends no Retry-After
}

func (p *problem) Error() string { return p.message }

func unknownParameter(name string) *problem {
	return &problem{
		status:  http.StatusUnprocessableEntity,
		code:    "unknown_parameter",
		message: "the query parameter " + name + " is not known",
	}
}

func notFound(what, id string) *problem {
	return &problem{
		status:  http.StatusNotFound,
		code:    "not_found",
		message: what + " " + strconv.Quote(id) + " does not exist",
	}
}

func invalid(message string) *problem {
	return &problem{
		status:  http.StatusBadRequest,
		code:    "invalid_request",
		message: message,
	}
}

// reply is a reply that is ready to be sent.
type reply struct {
	status      int
	contentType string
	body        []byte
	retryAfter  int
}

// accept returns the reply to a processed request. The canonical reply is
// validated first, because variants deviate from it on purpose.
func (s *Server) accept(c *call, body any) *reply {
	out := s.render(body, http.StatusOK)
	if broken := s.checkReply(c, out); broken != "" {
		s.violate("reply to %s: %s", c.route.name, broken)
	}
	s.opts.Variant.rewrite(c, out)
	return out
}

func (s *Server) refuse(c *call, err error) *reply {
	p := &problem{
		status:  http.StatusInternalServerError,
		code:    "internal",
		message: err.Error(),
	}
	errors.As(err, &p)
	out := s.render(errorBody{
		Error:       p.code,
		Message:     p.message,
		CharacterID: p.characterID,
		GroupID:     p.groupID,
	}, p.status)
	if broken := s.checkReply(c, out); broken != "" {
		s.violate("error reply to %s: %s", c.route.name, broken)
	}
	out.retryAfter = p.retryAfter
	s.opts.Variant.rewriteError(c, p, out)
	return out
}

// render encodes a wire type; a type that cannot be encoded is a violation.
func (s *Server) render(body any, status int) *reply {
	encoded, err := json.Marshal(body)
	if err != nil {
		s.violate("reply of type %T: %v", body, err)
	}
	return &reply{
		status:      status,
		contentType: "application/json",
		body:        encoded,
	}
}

// write sends the reply, changed by the fault.
func (o *reply) write(s *Server, w http.ResponseWriter, r *http.Request, entry *Entry, f Fault) {
	s.journal.change(entry, func(e *Entry) { e.Status = o.status })
	body := f.cut(o.body)
	header := w.Header()
	header.Set("Date", s.now().Format(http.TimeFormat))
	if o.contentType != "" {
		header.Set("Content-Type", o.contentType)
	}
	if o.status != http.StatusNoContent {
		header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	if o.retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(o.retryAfter))
	}
	for name, values := range f.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	w.WriteHeader(o.status)
	if o.status != http.StatusNoContent {
		f.send(w, r, body)
	}
}

// stamp writes a time in the service's format.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
