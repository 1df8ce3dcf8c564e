package mockserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// checkRequest returns the problem with a request, "" if there is none. It is
// stricter than a service would be, because a client has no reason to send more
// than the contract documents.
func (s *Server) checkRequest(c *call, malformed error) string {
	if malformed != nil {
		return malformed.Error()
	}
	checks := []func(*call) string{checkQuery, checkBody, checkSecrets, s.checkSpec}
	for _, check := range checks {
		if broken := check(c); broken != "" {
			return broken
		}
	}
	return ""
}

func checkQuery(c *call) string {
	for name, values := range c.entry.Query {
		if !c.route.op.queries[name] {
			return fmt.Sprintf("unknown query parameter %q", name)
		}
		if len(values) > 1 {
			return fmt.Sprintf("query parameter %q is given %d times", name, len(values))
		}
	}
	return ""
}

func checkBody(c *call) string {
	contentType := c.r.Header.Get("Content-Type")
	switch body := c.route.op.route.Operation.RequestBody; {
	case c.route.name == RouteTokenProvider:
		// The headers belong to the customer.
		if len(c.body) > 0 {
			return "a body where none is described"
		}
	case c.route.name == RouteToken && contentType != "application/json":
		return fmt.Sprintf("Content-Type %q instead of application/json", contentType)
	case body == nil && len(c.body) > 0:
		return "a body where none is described"
	case body == nil && contentType != "":
		return fmt.Sprintf("Content-Type %q without a body", contentType)
	case c.upload == nil && len(c.body) > 0 && !json.Valid(c.body):
		return "the body is not one JSON value"
	case !utf8.Valid(c.body):
		return "the body is not UTF-8"
	}
	return ""
}

// checkSecrets checks that each credential is sent only to its own endpoint.
func checkSecrets(c *call) string {
	if c.route.name != RouteToken && c.r.Header.Get("apikey") != "" {
		return "the API key is sent to another endpoint than the token exchange"
	}
	if c.route.name != RouteTokenProvider && c.r.Header.Get(userHeader) != "" {
		return "a header of the token provider is sent to another endpoint"
	}
	return ""
}

func (s *Server) checkSpec(c *call) string {
	request := c.r.Clone(c.r.Context())
	request.Body = io.NopCloser(bytes.NewReader(c.body))
	input := &openapi3filter.RequestValidationInput{
		Request:     request,
		PathParams:  c.params,
		QueryParams: c.entry.Query,
		Route:       c.route.op.route,
		Options: &openapi3filter.Options{
			AuthenticationFunc:  checkCredential,
			SkipSettingDefaults: true,
			// Uploads are streamed, and were checked on arrival.
			ExcludeRequestBody: c.upload != nil,
		},
	}
	if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
		return oneLine(err)
	}
	return ""
}

// checkCredential only checks that there is a header; the handlers check the
// credential.
func checkCredential(_ context.Context, in *openapi3filter.AuthenticationInput) error {
	header := in.RequestValidationInput.Request.Header
	if in.SecurityScheme.Type == "apiKey" && header.Get(in.SecurityScheme.Name) == "" {
		return fmt.Errorf("no header %s", in.SecurityScheme.Name)
	}
	token, isBearer := strings.CutPrefix(header.Get("Authorization"), "Bearer ")
	if in.SecurityScheme.Type == "http" && (!isBearer || token == "") {
		return errors.New("no bearer")
	}
	return nil
}

// checkReply validates a canonical reply, a success or an error, against its
// schema.
func (s *Server) checkReply(c *call, out *reply) string {
	var value any
	if err := json.Unmarshal(out.body, &value); err != nil {
		return err.Error()
	}
	if err := c.route.op.reply(out.status).
		VisitJSON(value, openapi3.VisitAsResponse(), openapi3.MultiErrors()); err != nil {
		return oneLine(err)
	}
	return ""
}

func oneLine(err error) string {
	return strings.Join(strings.Fields(strings.SplitN(err.Error(), "Schema:", 2)[0]), " ")
}

type violations struct {
	mu   sync.Mutex
	list []string
}

// Violations returns the texts that were reported to OnViolation.
func (s *Server) Violations() []string {
	s.broken.mu.Lock()
	defer s.broken.mu.Unlock()
	return append([]string(nil), s.broken.list...)
}

func (s *Server) violate(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.broken.mu.Lock()
	s.broken.list = append(s.broken.list, text)
	s.broken.mu.Unlock()
	s.opts.OnViolation(text)
}
