package repotest_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// Words of a page, code included, as `wc -w` counts them.
const (
	mostWords      = 18_000 // of docs/ but for what is generated from schemas
	mostReference  = 8_500  // generated from schemas, which are looked up
	mostFirstWords = 150    // before a guide's first heading, its block not counted
	mostMoneyWords = 100    // before the example of a type
	mostHouseWords = 2_300  // of what contributors read, a third of it tables
)

// TestDocs_words: the documentation was accurate, complete and 33,000 words
// long, and nobody read it. What is added is paid for by a cut. A schema is looked up,
// one attribute at a time, which says what it is without the others.
func TestDocs_words(t *testing.T) {
	t.Parallel()
	words, reference := 0, 0
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		page := readFile(t, file)
		read, _, _ := strings.Cut(page, "\n## Schema\n")
		words += len(strings.Fields(read))
		reference += len(strings.Fields(page)) - len(strings.Fields(read))
		switch filepath.Base(filepath.Dir(file)) {
		case "guides":
			checkFirstPart(t, file, page)
		case "docs":
		default:
			first, _, _ := strings.Cut(page, "\n## ")
			count := len(strings.Fields(withoutHead(first)))
			check.True(t, file+": words before the example", count <= mostMoneyWords, count, mostMoneyWords)
		}
		return nil
	})
	check.Must(t, err)
	check.True(t, "the words of docs/", words <= mostWords && reference <= mostReference, words, mostWords, reference, mostReference)
	house := len(strings.Fields(readFile(t, filepath.Join(root, "CONTRIBUTING.md")))) + len(strings.Fields(readFile(t, filepath.Join(root, "internal", "README.md"))))
	check.True(t, "the words of CONTRIBUTING.md and internal/README.md", house <= mostHouseWords, house, mostHouseWords)
}

// checkFirstPart wants a guide to begin with what to do: a few words, and at
// most one block to copy.
func checkFirstPart(t *testing.T, file, page string) {
	t.Helper()
	first, _, _ := strings.Cut(withoutHead(page), "\n## ")
	blocks := regexp.MustCompile("(?ms)^ *```\\w*\n.*?^ *```$")
	found := len(blocks.FindAllString(first, -1))
	check.True(t, file+": blocks before the first heading", found <= 1, found)
	count := len(strings.Fields(blocks.ReplaceAllString(first, "")))
	check.True(t, file+": words before the first heading", count <= mostFirstWords, count, mostFirstWords)
}

// withoutHead is a page without what its registry reads.
func withoutHead(page string) string {
	return regexp.MustCompile(`(?s)^---\n.*?\n---\n`).ReplaceAllString(page, "")
}
