package repotest_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

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

// interface.md has each endpoint of the mock, the types that use it, the test of its fields, and
// all types of the provider.
func TestInterface_table(t *testing.T) {
	t.Parallel()
	tests := map[string]string{}
	for id, operation := range operations(t) {
		tests[operation.route] = "TestInterface_fields/" + id
	}
	types, named := providerTypes(t), map[string]bool{}
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
