package live_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// recorder compares each reply with the mock's documents.
type recorder struct {
	next     http.RoundTripper
	base     string // path of base_url
	contract mockserver.Contract

	mutex sync.Mutex
	// lines are the report: endpoint, status, and what differs by name and type.
	lines map[string]bool
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	reply, err := r.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(reply.Body)
	if err = errors.Join(err, reply.Body.Close()); err != nil {
		return nil, err
	}
	reply.Body = io.NopCloser(bytes.NewReader(body))
	path := "/token-provider"
	if below, isOfService := strings.CutPrefix(request.URL.EscapedPath(), r.base+"/"); isOfService {
		path = "/v2/" + below
	} else if strings.HasSuffix(request.URL.Path, "/auth/generate-token") {
		path = "/auth/generate-token"
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	endpoint, schema := r.contract.Reply(request.Method, path, reply.StatusCode)
	line := fmt.Sprintf("%s %d", endpoint, reply.StatusCode)
	r.lines[line] = true
	var value any
	switch {
	case schema == nil:
		r.lines[request.Method+line+": not described"] = true
	case json.Unmarshal(body, &value) != nil:
		r.lines[line+": no JSON"] = true
	default:
		wantAll(schema)
		r.compare(line, schema.VisitJSON(value, openapi3.VisitAsResponse(), openapi3.MultiErrors()))
	}
	return reply, nil
}

func wantAll(schema *openapi3.Schema) {
	schema.Required, schema.Nullable = slices.Collect(maps.Keys(schema.Properties)), false
	parts := append(slices.Collect(maps.Values(schema.Properties)), schema.OneOf...)
	if schema.Items != nil {
		parts = append(parts, schema.Items)
	}
	for _, part := range parts {
		wantAll(part.Value)
	}
}

var (
	position = regexp.MustCompile(`\.[0-9]+(\.|$)`)
	unusual  = regexp.MustCompile(`[^.]*[^][A-Za-z_.-][^.]*`)
)

// compare leaves values out: a key with other characters than names have may be one.
func (r *recorder) compare(line string, err error) {
	many, _ := errors.AsType[openapi3.MultiError](err)
	for _, one := range many {
		r.compare(line, one)
	}
	broken, is := errors.AsType[*openapi3.SchemaError](err)
	if !is || many != nil {
		return
	}
	steps, what := broken.JSONPointer(), broken.SchemaField
	add := func(name string) {
		path := position.ReplaceAllString(strings.Join(append(steps, name), "."), "[]$1")
		r.lines[line+": "+unusual.ReplaceAllString(strings.Trim(path, "."), "(an unusual name)")+": "+what] = true
	}
	switch what {
	case "required":
		what = "missing"
	case "nullable":
		what = "null"
	case "type":
		what = fmt.Sprint(reflect.ValueOf(broken.Value).Kind(), " instead of ", strings.Join(broken.Schema.Type.Slice(), " or "))
	case "properties":
		what = "not described"
		object, _ := broken.Value.(map[string]any)
		for name := range object {
			if broken.Schema.Properties[name] == nil {
				add(name)
			}
		}
		return
	}
	add("")
}

func (r *recorder) String() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return strings.Join(slices.Sorted(maps.Keys(r.lines)), "\n")
}
