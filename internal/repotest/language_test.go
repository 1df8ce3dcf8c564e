package repotest_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

const (
	mostSentenceWords  = 32
	mostGuideNegatives = 1.5 // in 100 words
	mostPageNegatives  = 2   // of a resource, which has limits to tell
)

var negatives = regexp.MustCompile(`(?i)\b(no|not|nothing|never|without|unless|until)\b`)

// What was hard to read here was not the length of the sentences: they said
// what is not so, four times as often as the pages of other providers.
func TestDocs_sayWhatIs(t *testing.T) {
	t.Parallel()
	for directory, most := range map[string]float64{"guides": mostGuideNegatives, "resources": mostPageNegatives} {
		words := 0
		found := 0
		for _, file := range glob(t, root, "docs", directory, "*.md") {
			page := readFile(t, file)
			words += wordsOf(page)
			found += len(negatives.FindAllString(prose(page), -1))
		}
		share := 100 * float64(found) / float64(words)
		check.True(t, directory+": negatives in 100 words", share <= most, share, most)
	}
}

// A sentence that needs a second reading is two sentences.
func TestDocs_sentences(t *testing.T) {
	t.Parallel()
	for _, directory := range []string{"guides", "resources", "data-sources"} {
		for _, file := range glob(t, root, "docs", directory, "*.md") {
			for _, sentence := range sentencesOf(readFile(t, file)) {
				words := len(strings.FieldsFunc(sentence, unicode.IsSpace))
				check.True(t, filepath.Base(file)+": words of a sentence", words <= mostSentenceWords, words, sentence)
			}
		}
	}
}

// prose is a page without its head, code and anchors.
func prose(page string) string {
	return regexp.MustCompile(`<[^>]*>`).ReplaceAllString(blocks.ReplaceAllString(withoutHead(page), ""), "")
}

var (
	paragraphs   = regexp.MustCompile(`\n\n|\n\s*(?:[-*]|\d+\.) `)
	sentenceEnds = regexp.MustCompile("[.:!?]\\*{0,2}\\s+(?:[A-Z`*\"\\[])")
	linkTargets  = regexp.MustCompile(`\]\([^)]*\)`)
)

// sentencesOf are those of paragraphs and bullets, without tables and headings.
func sentencesOf(page string) (sentences []string) {
	text := linkTargets.ReplaceAllString(withoutTable(prose(page)), "]")
	text = regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(text, "")
	for _, paragraph := range paragraphs.Split(text, -1) {
		line := strings.Join(strings.Fields(paragraph), " ")
		for {
			end := sentenceEnds.FindStringIndex(line)
			if end == nil {
				break
			}
			sentences = append(sentences, line[:end[1]-1])
			line = line[end[1]-1:]
		}
		sentences = append(sentences, line)
	}
	return sentences
}
