package repotest_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

func TestExamplesOfEveryType(t *testing.T) {
	t.Parallel()
	schemas := acctest.Schemas(t)
	for folder, types := range map[string][]string{
		"resources":           slices.Collect(maps.Keys(schemas.ResourceSchemas)),
		"data-sources":        slices.Collect(maps.Keys(schemas.DataSourceSchemas)),
		"ephemeral-resources": slices.Collect(maps.Keys(schemas.EphemeralResourceSchemas)),
		"list-resources":      slices.Collect(maps.Keys(schemas.ListResourceSchemas)),
		"actions":             slices.Collect(maps.Keys(schemas.ActionSchemas)),
		"functions":           slices.Collect(maps.Keys(schemas.Functions)),
	} {
		check.True(t, "the provider has "+folder, len(types) != 0)
		for _, name := range types {
			files, err := os.ReadDir(filepath.Join(root, "examples", folder, name))
			check.True(t, "there is an example of "+name, err == nil && len(files) != 0, folder, err)
		}
	}
}
