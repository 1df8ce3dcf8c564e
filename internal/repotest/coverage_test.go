package repotest_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// Each fault of the table in promises.md is named by the doc comment of a test,
// and each such name is a fault of the table.
func TestFaultTable(t *testing.T) {
	t.Parallel()
	promises := readFile(t, filepath.Join(root, "internal", "promises.md"))
	tests := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^\| (F\d+b?) \|`).FindAllStringSubmatch(promises, -1) {
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
				_, isFault := tests[fault]
				check.True(
					t,
					"a fault of promises.md and a full stop, in the doc comment of a test",
					isFault && isSentence && test.MatchString(doc[2]),
					path,
					match[1],
					doc[2],
				)
				tests[fault]++
			}
		}
		return err
	})
	check.Must(t, err)
	check.True(t, "promises.md has a table of faults", len(tests) != 0)
	for fault, count := range tests {
		check.True(t, fault+" has a test", count != 0, fault)
	}
}

// Each promise names tests, and each of them exists: a test that is renamed or
// goes leaves no promise without proof.
func TestPromiseTable(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	eachTestFile(t, func(_, source string) {
		for _, test := range testFunction.FindAllStringSubmatch(source, -1) {
			known[test[1]] = true
		}
	})
	promises := readFile(t, filepath.Join(root, "internal", "promises.md"))
	proven := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^\| (P\d+) \| (.+) \| (.+) \|$`).FindAllStringSubmatch(promises, -1) {
		tests := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(row[3], -1)
		check.True(t, row[1]+" has a test", len(tests) > 0, row[2])
		for _, test := range tests {
			check.True(t, row[1]+" names a test that exists", known[test[1]], row[2], test[1])
		}
		proven[row[1]]++
	}
	for _, promise := range regexp.MustCompile(`(?m)^\| \*\*(P\d+)\*\* \|`).FindAllStringSubmatch(promises, -1) {
		check.True(t, promise[1]+" is proven", proven[promise[1]] > 0)
		delete(proven, promise[1])
	}
	check.Equal(t, "rows of promises that are not told", len(proven), 0)
}

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

const (
	hush = acctest.Hush
	png  = acctest.PNG
)

type subject = acctest.Subject

var newReplanService = acctest.NewForSubjects

var root = filepath.Join("..", "..")

func readFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	check.Must(t, err)
	return string(content)
}

func glob(t *testing.T, pattern ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no %s: %v", filepath.Join(pattern...), err)
	}
	return files
}

func TestMain(m *testing.M) { acctest.Main(m) }

// A branch that goes takes its variant with it; a new one has to show a service
// like that.
func TestVariantsAreNeeded(t *testing.T) {
	t.Parallel()
	known := mockserver.Variants()
	maps.Copy(known, mockserver.ExtendedVariants())
	maps.Copy(known, mockserver.LossyVariants())
	needed := map[string]bool{"plain": true}
	comment := regexp.MustCompile(`// variant: ([a-z0-9-]+(?:, [a-z0-9-]+)*)\n`)
	rooms := append(
		[]string{"reply", "transport", "api", "evidence", "media", "same"},
		repotest.SpeaksToTerraform...)
	for _, room := range rooms {
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
