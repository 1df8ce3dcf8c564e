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
	eachTestFile(t, func(path, source string) {
		for _, test := range testFunction.FindAllStringSubmatch(source, -1) {
			isNamed := strings.HasSuffix(path, "_acc_test.go")
			isOne := acceptanceTest.MatchString(test[1])
			check.True(t, path+": whether it is a file of acceptance tests", isNamed == isOne, test[1])
			if isOne {
				acceptance++
			}
		}
	})
	check.True(t, "acceptance tests were found", acceptance > 100, acceptance)
}

// Which tests run when is said by the tests: a list elsewhere changes the tier
// of a test that is renamed in silence. A command may name one test.
func TestTiers_noListsOfTests(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`\bTest[A-Z]\w+`)
	files := append(glob(t, root, "internal", "tools", "*"), glob(t, root, "internal", "tools", "*", "*")...)
	files = append(files, filepath.Join(root, "GNUmakefile"), filepath.Join(root, ".ci", "run"))
	files = append(files, glob(t, root, ".github", "workflows", "*.yml")...)
	for _, file := range files {
		info, err := os.Stat(file)
		check.Must(t, err)
		if info.IsDir() || strings.HasSuffix(file, ".go") || strings.HasSuffix(file, ".sum") {
			continue
		}
		for line := range strings.Lines(readFile(t, file)) {
			check.True(t, file+" names at most one test at a time", len(name.FindAllString(line, -1)) < 2, line)
		}
	}
}

// A target is one command that a person could type.
func TestTiers_makefileIsShort(t *testing.T) {
	t.Parallel()
	lines := strings.Count(readFile(t, filepath.Join(root, "GNUmakefile")), "\n")
	check.True(t, "the GNUmakefile has at most 165 lines", lines <= 165, lines)
}

// A skip says why: that of a tier, and any other.
func TestTiers_skipsSayWhy(t *testing.T) {
	t.Parallel()
	silent := regexp.MustCompile(`\.SkipNow\(\)|\.Skip\(\)|tier\.\w+\([tb], ""\)`)
	eachTestFile(t, func(path, source string) {
		check.True(t, path+": each skip has a reason", !silent.MatchString(source), silent.FindString(source))
	})
}

// A test says its tier before it does anything, so that nothing is built for what
// is left out.
func TestTiers_areSaidFirst(t *testing.T) {
	t.Parallel()
	body := regexp.MustCompile(`(?ms)^func Test\w+\(t \*testing\.T\) \{\n(.*?)^\}`)
	first := regexp.MustCompile(`^(?:\t(?:tier\.\w+\([^\n]*|t\.Parallel\(\))\n)*`)
	count := 0
	eachTestFile(t, func(path, source string) {
		for _, test := range body.FindAllStringSubmatch(source, -1) {
			lines := first.FindString(test[1])
			rest := strings.TrimPrefix(test[1], lines)
			count += strings.Count(lines, "\ttier.")
			check.True(
				t,
				path+" says a test's tier first",
				!strings.HasPrefix(rest, "\ttier.") && !strings.Contains(rest, "\n\ttier."),
				test[0],
			)
		}
	})
	check.True(t, "tests that say their tier", count > 100, count)
}

func eachTestFile(t *testing.T, test func(path, source string)) {
	t.Helper()
	check.Must(t, filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			test(path, readFile(t, path))
		}
		return err
	}))
}
