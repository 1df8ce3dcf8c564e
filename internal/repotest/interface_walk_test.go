package repotest_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// fields are the leaves of a schema: also lists of scalars and free-form objects.
func fields(schema *openapi3.Schema, values []any, at string) map[string][]any {
	found := map[string][]any{}
	for _, part := range schema.OneOf {
		merge(found, fields(part.Value, values, at))
	}
	properties := schema.Properties
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		path := name
		if at != "" {
			path = at + "." + name
		}
		property, below := properties[name].Value, members(values, name)
		if items := property.Items; items != nil && isObject(items.Value) {
			path, property, below = path+"[]", items.Value, elements(below)
		}
		if len(property.Properties)+len(property.OneOf) == 0 {
			merge(found, map[string][]any{path: below})
			continue
		}
		merge(found, fields(property, below, path))
	}
	return found
}

func isObject(schema *openapi3.Schema) bool {
	return schema.Type.Is(openapi3.TypeObject) || len(schema.OneOf) > 0
}

func merge(into, from map[string][]any) {
	for path, values := range from {
		into[path] = append(into[path], values...)
	}
}

func members(values []any, name string) (found []any) {
	for _, value := range values {
		if object, ok := value.(map[string]any); ok {
			if member, ok := object[name]; ok {
				found = append(found, member)
			}
		}
	}
	return found
}

func elements(values []any) (found []any) {
	for _, value := range values {
		if list, ok := value.([]any); ok {
			found = append(found, list...)
		}
	}
	return found
}

// filled gives what is missing, null or empty a value that names its place.
func filled(schema *openapi3.Schema, value any, at string) any {
	switch {
	case schema.Type.Is(openapi3.TypeObject):
		object, _ := value.(map[string]any)
		if object == nil {
			object = map[string]any{}
		}
		for name, property := range schema.Properties {
			object[name] = filled(property.Value, object[name], at+"."+name)
		}
		if len(object) == 0 {
			object["at"] = at
		}
		return object
	case schema.Type.Is(openapi3.TypeArray):
		list, _ := value.([]any)
		if len(list) == 0 {
			list = []any{nil}
		}
		for i := range list {
			list[i] = filled(schema.Items.Value, list[i], fmt.Sprintf("%s[%d]", at, i))
		}
		return list
	case value != nil && value != "":
		return value
	case schema.Type.Is(openapi3.TypeInteger):
		return len(at)
	case schema.Type.Is(openapi3.TypeNumber):
		return float64(len(at)) + 0.5
	case schema.Type.Is(openapi3.TypeBoolean):
		return true
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	}
	return at
}
