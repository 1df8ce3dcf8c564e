package repotest_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

const (
	mostWords      = 18_000 // of docs/, code not counted
	mostFirstWords = 150    // before a guide's first heading, its block not counted
	mostMoneyWords = 100    // before the example of a type
	mostHouseWords = 2_800  // of what contributors read, a third of it tables
)

// TestDocs_words: the documentation was accurate, complete and 33,000 words long, and nobody read
// it. Then it was half of that, in telegrams, and nobody understood it. What is added is paid for
// by a cut.
func TestDocs_words(t *testing.T) {
	t.Parallel()
	words := 0
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		page := readFile(t, file)
		words += wordsOf(page)
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
	check.True(t, "the words of docs/", words <= mostWords, words, mostWords)
	house := len(strings.Fields(readFile(t, filepath.Join(root, "CONTRIBUTING.md")))) + len(strings.Fields(readFile(t, filepath.Join(root, "internal", "README.md"))))
	check.True(t, "the words of CONTRIBUTING.md and internal/README.md", house <= mostHouseWords, house, mostHouseWords)
}

// A guide begins with what to do: a few words, and at most one block to copy.
func checkFirstPart(t *testing.T, file, page string) {
	t.Helper()
	first, _, _ := strings.Cut(withoutHead(page), "\n## ")
	found := len(blocks.FindAllString(first, -1))
	check.True(t, file+": blocks before the first heading", found <= 1, found)
	count := len(strings.Fields(blocks.ReplaceAllString(first, "")))
	check.True(t, file+": words before the first heading", count <= mostFirstWords, count, mostFirstWords)
}

func withoutHead(page string) string {
	return regexp.MustCompile(`(?s)^---\n.*?\n---\n`).ReplaceAllString(page, "")
}

var blocks = regexp.MustCompile("(?ms)^ *```\\w*\n.*?^ *```$")

// wordsOf counts what a page has to read: no code, no bars of tables, no anchors.
func wordsOf(page string) (words int) {
	text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(blocks.ReplaceAllString(withoutHead(page), ""), "")
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words++
		}
	}
	return words
}
