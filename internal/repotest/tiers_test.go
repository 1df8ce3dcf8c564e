package repotest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// Which tests run when is said by lists of names in the GNUmakefile. Each of their alternatives matches a
// test: one that was renamed would change its tier in silence.
func TestTiers_lists(t *testing.T) {
	t.Parallel()
	names := testNames(t)
	makefile := readFile(t, filepath.Join("..", "..", "GNUmakefile"))
	for _, list := range []string{"LARGE", "BROAD", "PINNED_ONLY", "NIGHTLY_ONLY", "FIRST"} {
		lines := regexp.MustCompile(`(?m)^`+list+` := (?:\$\(`+list+`\)\|)?(.+)$`).FindAllStringSubmatch(makefile, -1)
		check.True(t, list+" is in the GNUmakefile", len(lines) > 0)
		for _, line := range lines {
			for _, alternative := range alternativesOf(strings.ReplaceAll(line[1], "$$", "$")) {
				top, _, _ := strings.Cut(alternative, "/")
				pattern, err := regexp.Compile(top)
				check.Must(t, err)
				check.True(t, list+": a test has the name", slices.ContainsFunc(names, pattern.MatchString), alternative)
			}
		}
	}
}

func testNames(t *testing.T) (names []string) {
	t.Helper()
	check.Must(t, filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, test := range testFunction.FindAllStringSubmatch(string(source), -1) {
			names = append(names, test[1])
		}
		return err
	}))
	return names
}

// alternativesOf takes a pattern apart, with the alternatives of its groups.
func alternativesOf(pattern string) (all []string) {
	depth := 0
	begin := -1
	for i, letter := range pattern {
		switch {
		case letter == '(':
			if depth == 0 && begin < 0 {
				begin = i
			}
			depth++
		case letter == ')':
			depth--
		case letter == '|' && depth == 0:
			return append(alternativesOf(pattern[:i]), alternativesOf(pattern[i+1:])...)
		}
	}
	if begin < 0 {
		return []string{pattern}
	}
	end := begin
	for depth = 1; depth > 0; {
		end++
		depth += strings.Count(pattern[end:end+1], "(") - strings.Count(pattern[end:end+1], ")")
	}
	for _, inner := range alternativesOf(pattern[begin+1 : end]) {
		all = append(all, alternativesOf(pattern[:begin]+inner+strings.TrimPrefix(pattern[end+1:], "?"))...)
	}
	return all
}

func TestTiers_alternatives(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		"a":             "a",
		"a|b":           "a b",
		"^a(b|c)$|d":    "^ab$ ^ac$ d",
		"a(b(c|d)?|e)$": "abc$ abd$ ae$",
		"(a|b)(c|d)":    "ac ad bc bd",
		"[a-z]+":        "[a-z]+",
	} {
		check.Equal(t, pattern, strings.Join(alternativesOf(pattern), " "), want)
	}
}
