package repotest_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

type row struct {
	route, test string
	types       []string
}

var quoted = regexp.MustCompile("`([^`]+)`")

func tableOfInterface(t *testing.T) []row {
	t.Helper()
	text := readFile(t, filepath.Join("..", "interface.md"))
	var rows []row
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !strings.Contains(cells[2], "`") {
			continue
		}
		rows = append(rows, row{strings.Trim(cells[2], " `"), strings.Trim(cells[4], " `"), names(cells[3])})
	}
	return rows
}

func names(cell string) (found []string) {
	for _, match := range quoted.FindAllStringSubmatch(cell, -1) {
		found = append(found, match[1])
	}
	return found
}

// interface.md has each endpoint, the types that use it, the test of its
// fields, and all types.
func TestInterface_table(t *testing.T) {
	t.Parallel()
	tests := map[string]string{}
	for id, operation := range operations(t) {
		tests[operation.route] = "TestInterface_fields/" + id
	}
	types := providerTypes(t)
	named := map[string]bool{}
	for _, row := range tableOfInterface(t) {
		check.Equal(t, "the test of "+row.route, tests[row.route], row.test)
		delete(tests, row.route)
		check.True(t, row.route+" is used", len(row.types) != 0)
		for _, name := range row.types {
			named[name] = true
			check.True(t, row.route+": the provider has "+name, slices.Contains(types, name))
		}
	}
	for route := range tests {
		t.Errorf("%s has no row", route)
	}
	named["data.mediagen_purchases"] = true // it reads a file, and sends nothing
	for _, name := range types {
		check.True(t, name+" is in a row", named[name])
	}
}

func providerTypes(t *testing.T) []string {
	t.Helper()
	schemas := acctest.Schemas(t)
	found := append([]string{"provider"}, slices.Collect(maps.Keys(schemas.ResourceSchemas))...)
	for prefix, kinds := range map[string][]string{
		"data.":      slices.Collect(maps.Keys(schemas.DataSourceSchemas)),
		"ephemeral.": slices.Collect(maps.Keys(schemas.EphemeralResourceSchemas)),
		"list.":      slices.Collect(maps.Keys(schemas.ListResourceSchemas)),
		"action.":    slices.Collect(maps.Keys(schemas.ActionSchemas)),
	} {
		for _, kind := range kinds {
			found = append(found, prefix+kind)
		}
	}
	return found
}

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
		property := properties[name].Value
		below := members(values, name)
		if items := property.Items; items != nil &&
			(items.Value.Type.Is(openapi3.TypeObject) || len(items.Value.OneOf) > 0) {
			path += "[]"
			property = items.Value
			below = elements(below)
		}
		if len(property.Properties)+len(property.OneOf) == 0 {
			merge(found, map[string][]any{path: below})
			continue
		}
		merge(found, fields(property, below, path))
	}
	return found
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
