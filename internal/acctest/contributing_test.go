package acctest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The table in CONTRIBUTING.md names tests: each must exist.
func TestFaultTable(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	var tests strings.Builder
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		tests.Write(source)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for document, heading := range map[string]string{"CONTRIBUTING.md": "## Faults", "internal/README.md": "## Rules"} {
		text, err := os.ReadFile(filepath.Join(root, document))
		if err != nil {
			t.Fatal(err)
		}
		_, section, found := strings.Cut(string(text), heading)
		names := regexp.MustCompile("`(Test[A-Za-z0-9_]+)`").FindAllStringSubmatch(section, -1)
		if !found || len(names) < 20 {
			t.Fatalf("%s names %d tests", document, len(names))
		}
		for _, name := range names {
			if !strings.Contains(tests.String(), "\nfunc "+name[1]+"(t *testing.T) {") {
				t.Errorf("%s names %s, which does not exist", document, name[1])
			}
		}
	}
}
