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

var (
	testFunction   = regexp.MustCompile(`(?m)^func (Test[A-Z]\w*)\(t \*testing\.T\)`)
	acceptanceTest = regexp.MustCompile(`^TestAcc[A-Z]`)
)

// An acceptance test stands in a file whose name says so, and no other test does.
func TestTiers_files(t *testing.T) {
	t.Parallel()
	acceptance := 0
	check.Must(t, filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, test := range testFunction.FindAllStringSubmatch(string(source), -1) {
			isNamed := strings.HasSuffix(path, "_acc_test.go")
			isOne := acceptanceTest.MatchString(test[1])
			check.True(t, path+": whether it is a file of acceptance tests", isNamed == isOne, test[1])
			if isOne {
				acceptance++
			}
		}
		return err
	}))
	check.True(t, "acceptance tests were found", acceptance > 100, acceptance)
}
