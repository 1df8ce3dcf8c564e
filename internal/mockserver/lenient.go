package mockserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// dropUnknown removes the fields that the contract does not name from a request
// body, and reports them. It is what services do with the fields of a client that
// also talks to others.
func (s *Server) dropUnknown(c *call) {
	described := c.route.op.route.Operation.RequestBody
	if described == nil || c.upload != nil {
		return
	}
	media := described.Value.Content.Get("application/json")
	decoder := json.NewDecoder(bytes.NewReader(c.body))
	decoder.UseNumber()
	var body any
	if media == nil || !json.Valid(c.body) || decoder.Decode(&body) != nil {
		return // checkRequest tells what is wrong
	}
	dropped := dropFields(media.Schema.Value, body, "")
	if len(dropped) == 0 {
		return
	}
	if known, err := json.Marshal(body); err == nil {
		c.body = known
		s.violate("%s %s: accepted leniently: unknown %s", c.r.Method, c.entry.Path, strings.Join(dropped, ", "))
	}
}

// dropFields removes what the schema does not name, and returns its paths.
func dropFields(schema *openapi3.Schema, value any, path string) (dropped []string) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			field := strings.TrimPrefix(path+"."+name, ".")
			if known := property(schema, name); known != nil {
				dropped = append(dropped, dropFields(known, value[name], field)...)
			} else if closed(schema) {
				delete(value, name)
				dropped = append(dropped, field)
			}
		}
	case []any:
		if schema.Items == nil {
			return nil
		}
		for i, item := range value {
			dropped = append(dropped, dropFields(schema.Items.Value, item, fmt.Sprintf("%s[%d]", path, i))...)
		}
	}
	return dropped
}

// property is the schema of a field; of alternatives, in the first that has it.
func property(schema *openapi3.Schema, name string) *openapi3.Schema {
	if found := schema.Properties[name]; found != nil {
		return found.Value
	}
	for _, alternative := range schema.OneOf {
		if found := property(alternative.Value, name); found != nil {
			return found
		}
	}
	return nil
}

func closed(schema *openapi3.Schema) bool {
	if len(schema.OneOf) > 0 {
		return !slices.ContainsFunc(schema.OneOf, func(a *openapi3.SchemaRef) bool { return !closed(a.Value) })
	}
	allowed := schema.AdditionalProperties.Has
	return allowed != nil && !*allowed
}
