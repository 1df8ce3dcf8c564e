package repotest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Every endpoint is used through Terraform: each field of its request is sent,
// and each of its reply is an attribute. A field that is added to the documents
// fails.
func TestInterface_fields(t *testing.T) {
	t.Parallel()
	typesOf := map[string][]string{}
	for _, row := range tableOfInterface(t) {
		typesOf[row.route] = row.types
	}
	for name, operation := range operations(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newRecording(t, operation)
			use, ok := uses[name]
			if !ok {
				use.play = func(s *recording) { s.invoke(typesOf[operation.route]) }
			}
			use.play(s)
			s.wantSent()
			s.wantFound(use)
			check.True(
				t,
				"interface.md says what uses it",
				slices.Contains(typesOf[operation.route], s.used),
				s.used,
				operation.route,
			)
		})
	}
}

type operation struct {
	*openapi3.Operation
	route   string
	further bool
}

func (o operation) reply() *openapi3.Schema {
	return o.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value
}

func operations(t *testing.T) map[string]operation {
	t.Helper()
	spec, err := openapi3.NewLoader().LoadFromData(mockserver.OpenAPI())
	check.Must(t, err)
	further, err := mockserver.ExtendedSpec()
	check.Must(t, err)
	found := map[string]operation{}
	for _, document := range []*openapi3.T{spec, further} {
		for path, item := range document.Paths.Map() {
			prefix := "/v2"
			if len(item.Servers) > 0 {
				prefix = ""
			}
			for method, o := range item.Operations() {
				if _, known := found[o.OperationID]; !known {
					found[o.OperationID] = operation{o, method + " " + prefix + path, document == further}
				}
			}
		}
	}
	return found
}

type recording struct {
	*acctest.Scenario
	operation  operation
	attributes core.Object // what Terraform knows in the end, of the type that was used
	used       string

	mutex   sync.Mutex
	replies []any
	filling bool
}

func newRecording(t *testing.T, o operation) *recording {
	t.Helper()
	s := &recording{
		Scenario:  acctest.NewScenario(t, func(options *mockserver.Options) { options.Extended = o.further }),
		operation: o,
	}
	s.Fault(mockserver.Fault{Route: o.route, Rewrite: s.answer})
	return s
}

// fill: what the service leaves out, null or empty gets a value that occurs
// nowhere else.
func (s *recording) fill() { s.filling = true }

func (s *recording) answer(reply map[string]any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.filling {
		filled(s.operation.reply(), reply, s.operation.OperationID)
	}
	s.replies = append(s.replies, plain(reply))
}

func (s *recording) apply(address string, config core.Object) {
	s.T.Helper()
	s.Resource(address, config)
	s.Apply().Must()
	name, _, _ := strings.Cut(address, ".")
	s.know(name, s.State(address))
}

func (s *recording) read(name string, config core.Object) {
	s.T.Helper()
	attributes, diagnostics := s.DataSource(name, config)
	if diagnostics.HasErrors() {
		s.T.Fatal(diagnostics)
	}
	s.know("data."+name, attributes)
}

// invoke counts what an action's lines of progress say as attributes.
func (s *recording) invoke(types []string) {
	s.T.Helper()
	s.fill()
	s.AddCharacter(mockserver.CharacterSeed{ID: "ada"})
	check.True(
		s.T,
		"an action alone uses what has no line in uses",
		len(types) == 1 && strings.HasPrefix(types[0], "action."),
		s.operation.route,
		types,
	)
	name := strings.TrimPrefix(types[0], "action.")
	lines, said := s.Invoke(name, configured(acctest.Schemas(s.T).ActionSchemas[name].Schema, nil))
	if said.HasErrors() {
		s.T.Fatal(said)
	}
	told := core.Object{}
	for field, values := range fields(s.operation.reply(), s.replies, "") {
		if len(values) > 0 && strings.Contains(strings.Join(lines, "\n"), fmt.Sprint(values[0])) {
			told[field] = values[0]
		}
	}
	s.know(types[0], told)
}

func (s *recording) know(name string, attributes core.Object) {
	s.used = name
	s.attributes = attributes
}

func (s *recording) wantSent() {
	s.T.Helper()
	entries := s.Requests(s.operation.route)
	entries = slices.DeleteFunc(entries, func(e mockserver.Entry) bool { return e.Status != http.StatusOK })
	if len(entries) == 0 {
		s.T.Fatalf("%s was not requested; the journal:\n%s", s.operation.route, s.Story())
	}
	var bodies []any
	for _, entry := range entries {
		var body any
		if json.Unmarshal(entry.Body, &body) == nil {
			bodies = append(bodies, body)
		}
	}
	for _, parameter := range s.operation.Parameters {
		p := parameter.Value
		check.True(
			s.T,
			"a query parameter is sent",
			p.In != openapi3.ParameterInQuery ||
				slices.ContainsFunc(entries, func(e mockserver.Entry) bool { return e.Query.Has(p.Name) }),
			p.Name,
		)
	}
	if s.operation.RequestBody == nil {
		return
	}
	content := s.operation.RequestBody.Value.Content
	if content.Get("multipart/form-data") != nil {
		// The service is strict about the parts: a reply of 200 had them all.
		kind := entries[0].Header.Get("Content-Type")
		check.True(s.T, "sent as a form", strings.HasPrefix(kind, "multipart/form-data"), kind)
		return
	}
	for field, values := range fields(content.Get("application/json").Schema.Value, bodies, "") {
		check.True(s.T, field+" is sent", len(values) != 0 || field == neverSent)
	}
}

// neverSent would store the same, and the format of a streamed reply is not
// documented.
const neverSent = "stream"

func (s *recording) wantFound(use use) {
	s.T.Helper()
	known := fields(s.operation.reply(), s.replies, "")
	for field, values := range known {
		if use.hidden[field] != "" {
			continue
		}
		path := use.attribute(field)
		got := plain(core.Lookup(s.attributes, path))
		check.True(
			s.T,
			field+" is the value of "+path,
			slices.ContainsFunc(values, func(value any) bool { return value != nil && same(got, value) }),
			values,
			got,
		)
	}
	for field := range use.hidden {
		_, ok := known[field]
		check.True(s.T, field+" is there to be hidden", ok)
	}
}

// same compares an attribute with a field; free-form objects are attributes in
// JSON.
func same(attribute, field any) bool {
	if text, ok := attribute.(string); ok {
		if _, scalar := field.(string); !scalar {
			var decoded any
			return json.Unmarshal([]byte(text), &decoded) == nil && reflect.DeepEqual(decoded, field)
		}
	}
	return reflect.DeepEqual(attribute, field)
}

func plain(value any) any {
	content, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var decoded any
	if err := json.Unmarshal(content, &decoded); err != nil {
		panic(err)
	}
	return decoded
}
