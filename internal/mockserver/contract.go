package mockserver

import (
	"context"
	"embed"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
)

const (
	contractFile = "openapi.yaml"
	extendedFile = "extended.yaml" // refers to the other document
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

// contract is openapi.yaml, and perhaps extended.yaml, with the routes that
// they describe. It never changes, and reading it takes longer than most tests,
// so all servers share it.
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

// extendContract combines both documents. If they differ, extended.yaml counts.
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

// describe gives each route its operation, from the first document that has it.
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
			Spec:      spec,
			Path:      r.path,
			PathItem:  item,
			Method:    method,
			Operation: op,
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

func (o operation) reply(status int) *openapi3.Schema {
	if status >= http.StatusBadRequest {
		return o.failure
	}
	return o.success
}

// Contract is both documents, for checks of the replies of other services.
type Contract struct{ contract }

// NewContract returns a separate copy of the documents.
func NewContract() (Contract, error) {
	known, err := extendContract()
	return Contract{known}, err
}

// Reply returns the endpoint of a request, by its name in the journal, and the
// schema of its reply; "" and nil if no document has it.
func (k Contract) Reply(method, escapedPath string, status int) (endpoint string, schema *openapi3.Schema) {
	found, _, _ := k.match(method, escapedPath)
	if found == nil {
		return "", nil
	}
	return found.name, found.op.reply(status)
}
