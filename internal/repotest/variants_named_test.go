package repotest_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A branch that goes takes its variant with it, and a new one has to show a service that behaves
// like that.
func TestVariantsAreNeeded(t *testing.T) {
	t.Parallel()
	known := mockserver.Variants()
	maps.Copy(known, mockserver.ExtendedVariants())
	maps.Copy(known, mockserver.LossyVariants())
	needed := map[string]bool{"plain": true}
	comment := regexp.MustCompile(`// variant: ([a-z0-9-]+(?:, [a-z0-9-]+)*)\n`)
	for _, room := range []string{"reply", "credential", "transport", "api", "media", "framework", "service"} {
		check.Must(t, filepath.WalkDir(filepath.Join("..", room), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			named := comment.FindAllStringSubmatch(string(source), -1)
			check.Equal(t, path+": comments in the form", len(named), strings.Count(string(source), "variant:"))
			for _, match := range named {
				for name := range strings.SplitSeq(match[1], ", ") {
					_, is := known[name]
					check.True(t, path+": the mock has the variant", is, name)
					needed[name] = true
				}
			}
			return err
		}))
	}
	for name := range known {
		check.True(t, "a branch needs the variant", needed[name], name)
	}
}
