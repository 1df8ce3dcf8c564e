package repotest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// Each fault of the table in CONTRIBUTING.md is named by the doc comment of a test, and each such
// name is a fault of the table.
func TestFaultTable(t *testing.T) {
	t.Parallel()
	contributing := readFile(t, filepath.Join(root, "CONTRIBUTING.md"))
	tests := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^\| (F\d+b?) \|`).FindAllStringSubmatch(contributing, -1) {
		tests[row[1]] = 0
	}
	comment := regexp.MustCompile(`(?m)((?:^//.*\n)+)(.*)`)
	tag := regexp.MustCompile(`\bFault (\S*)`)
	test := regexp.MustCompile(`^func Test\w+\(t \*testing\.T\) \{$`)
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, doc := range comment.FindAllStringSubmatch(string(source), -1) {
			for _, match := range tag.FindAllStringSubmatch(doc[1], -1) {
				fault, isSentence := strings.CutSuffix(match[1], ".")
				if _, isFault := tests[fault]; !isFault || !isSentence || !test.MatchString(doc[2]) {
					t.Errorf("%s: %q above %q: want a fault of CONTRIBUTING.md and a full stop, in the doc comment of a test", path, match[1], doc[2])
				}
				tests[fault]++
			}
		}
		return err
	})
	check.Must(t, err)
	check.True(t, "CONTRIBUTING.md has a table of faults", len(tests) != 0)
	for fault, count := range tests {
		check.True(t, fault+" has a test", count != 0, fault)
	}
}
