package mockserver

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

const (
	contractFile = "openapi.yaml"
	extendedFile = "extended.yaml" // refers to the other
)

//go:embed openapi.yaml extended.yaml
var documents embed.FS

// OpenAPI returns the interface description that the service validates against.
func OpenAPI() []byte { return document(contractFile) }

func document(name string) []byte {
	content, _ := documents.ReadFile(name) // embedded above
	return content
}

// ExtendedSpec returns extended.yaml, which [Options].Extended adds.
func ExtendedSpec() (*openapi3.T, error) { return loadSpec(extendedFile) }

// operation is the part of the documents about a route.
type operation struct {
	route   *routers.Route
	queries map[string]bool
	form    *openapi3.Schema // of an upload, else nil
	success *openapi3.Schema // of the JSON reply
	failure *openapi3.Schema
}

// contract is openapi.yaml, and maybe extended.yaml, and the routes that they
// describe. It never changes, and reading it takes longer than most tests, so
// all servers share it.
type contract struct {
	spec   *openapi3.T
	routes []*route
}

var (
	plainContract    = sync.OnceValues(loadContract)
	extendedContract = sync.OnceValues(extendContract)
)

func sharedContract(extended bool) (contract, error) {
	if extended {
		return extendedContract()
	}
	return plainContract()
}

func loadContract() (contract, error) {
	spec, err := loadSpec(contractFile)
	if err != nil {
		return contract{}, err
	}
	table := routes()
	return contract{spec, table}, describe(table, spec)
}

// extendContract prefers what extended.yaml says.
func extendContract() (contract, error) {
	base, err := loadContract()
	if err != nil {
		return contract{}, err
	}
	spec, err := loadSpec(extendedFile)
	if err != nil {
		return contract{}, err
	}
	base.routes = append(base.routes, extendedRoutes()...)
	return base, describe(base.routes, spec, base.spec)
}

func loadSpec(name string) (*openapi3.T, error) {
	loader := openapi3.NewLoader()
	loader.ReadFromURIFunc = func(_ *openapi3.Loader, location *url.URL) ([]byte, error) {
		return documents.ReadFile(path.Base(location.Path))
	}
	spec, err := loader.LoadFromDataWithPath(document(name), &url.URL{Path: name})
	if err == nil {
		err = spec.Validate(context.Background())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return spec, nil
}

// describe tells the routes about their operations, of the first document that
// has it.
func describe(table []*route, specs ...*openapi3.T) error {
	for _, r := range table {
		method, _, _ := strings.Cut(r.name, " ")
		found := slices.IndexFunc(specs, func(spec *openapi3.T) bool {
			item := spec.Paths.Value(r.path)
			return item != nil && item.GetOperation(method) != nil
		})
		if found < 0 {
			return fmt.Errorf("no document has %s", r.name)
		}
		r.op = newOperation(specs[found], r, method)
	}
	return nil
}

func newOperation(spec *openapi3.T, r *route, method string) operation {
	item := spec.Paths.Value(r.path)
	op := item.GetOperation(method)
	described := operation{
		route: &routers.Route{
			Spec: spec, Path: r.path, PathItem: item, Method: method, Operation: op,
		},
		queries: map[string]bool{},
		success: op.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value,
		failure: op.Responses.Default().Value.Content.Get("application/json").Schema.Value,
	}
	for _, parameter := range op.Parameters {
		if parameter.Value.In == openapi3.ParameterInQuery {
			described.queries[parameter.Value.Name] = true
		}
	}
	if op.RequestBody != nil {
		if form := op.RequestBody.Value.Content.Get("multipart/form-data"); form != nil {
			described.form = form.Schema.Value
		}
	}
	return described
}

// checkRequest returns what is wrong with a request, "" if nothing is. It is
// stricter than a service would be: a client has no reason to send more than
// the contract documents.
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

// checkSecrets checks that credentials are sent only to their own endpoint.
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
		Request: request, PathParams: c.params, QueryParams: c.entry.Query, Route: c.route.op.route,
		Options: &openapi3filter.Options{
			AuthenticationFunc: checkCredential, SkipSettingDefaults: true,
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

func (o operation) reply(status int) *openapi3.Schema {
	if status >= http.StatusBadRequest {
		return o.failure
	}
	return o.success
}

// Contract is both documents, for who looks at the replies of another service.
type Contract struct{ contract }

// NewContract returns a copy of its own.
func NewContract() (Contract, error) {
	known, err := extendContract()
	return Contract{known}, err
}

// Reply returns the endpoint of a request, as the journal names it, and what its
// reply has to be; "" and nil if no document has it.
func (k Contract) Reply(method, escapedPath string, status int) (endpoint string, schema *openapi3.Schema) {
	found, _, _ := k.match(method, escapedPath)
	if found == nil {
		return "", nil
	}
	return found.name, found.op.reply(status)
}

// checkReply validates a canonical reply, a success or an error, against its
// schema.
func (s *Server) checkReply(c *call, out *reply) string {
	var value any
	if err := json.Unmarshal(out.body, &value); err != nil {
		return err.Error()
	}
	if err := c.route.op.reply(out.status).VisitJSON(value, openapi3.VisitAsResponse(), openapi3.MultiErrors()); err != nil {
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

// Violations returns what was reported to OnViolation.
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
