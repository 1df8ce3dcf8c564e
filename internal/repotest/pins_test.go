package repotest_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// The examples of types are fragments, to be pasted next to such a block.
var fragments = []string{"actions", "data-sources", "ephemeral-resources", "list-resources", "resources"}

// Each example pins the provider and the CLI: people copy it, and without a pin
// a later release changes what their configuration does.
func TestExamples_pinVersions(t *testing.T) {
	t.Parallel()
	configurations := map[string]string{}
	examples := os.DirFS(filepath.Join(root, "examples"))
	err := fs.WalkDir(examples, ".", func(file string, _ fs.DirEntry, err error) error {
		kind, _, _ := strings.Cut(file, "/")
		if err != nil || path.Ext(file) != ".tf" || slices.Contains(fragments, kind) {
			return err
		}
		content, err := fs.ReadFile(examples, file)
		configurations[path.Dir(file)] += string(content)
		return err
	})
	check.Must(t, err)
	check.True(t, "there are examples", len(configurations) > 20, len(configurations))
	pin := regexp.MustCompile(`mediagen = \{\n\s+source +=.*\n\s+version += "~> 0\.1"\n`)
	minimum := regexp.MustCompile(`(?m)^  required_version = ">= 1\.\d+"`)
	for directory, configuration := range configurations {
		check.True(t, directory+": pins the provider", pin.MatchString(configuration))
		check.True(t, directory+": says which CLI it needs", minimum.MatchString(configuration))
	}
}
