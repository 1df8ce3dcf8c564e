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
	"unicode"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// A test types each command of a guide, and has printed what it shows; scripts
// and configurations are those of the examples.
func TestGuides_commands(t *testing.T) {
	t.Parallel()
	followed := guidesIn(t, "follow")
	shown := guidesIn(t, "shows")
	fence := regexp.MustCompile("(?ms)^ *```(\\w*)\n(.*?)^ *```$")
	guides := glob(t, "..", "..", "docs", "guides", "*.md")
	for _, file := range guides {
		content := readFile(t, file)
		guide := strings.TrimSuffix(filepath.Base(file), ".md")
		for _, block := range fence.FindAllStringSubmatch(content, -1) {
			section := func(of map[string]bool) bool {
				return of[guide] || slices.ContainsFunc(slices.Collect(maps.Keys(of)), func(name string) bool {
					page, fragment, _ := strings.Cut(name, "#")
					return page == guide && strings.Contains(acctest.Section(content, fragment), block[0])
				})
			}
			switch language := block[1]; language {
			case "shell":
				check.True(t, "a test follows the guide's commands", section(followed), guide, block[2])
			case "text":
				check.True(t, "a test sees what the guide shows", section(shown), guide, block[2])
			case "sh", "terraform", "jq", "rego":
				check.True(t, "the guide's file is in an example", isExample(t, block[2]), guide, block[2])
			case "hcl", "json", "yaml", "":
			default:
				t.Errorf("the guide %s has a block of %q: commands are shell", guide, language)
			}
		}
	}
}

func guidesIn(t *testing.T, method string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, file := range glob(t, "..", "acctest", "*_test.go") {
		for _, call := range regexp.MustCompile(
			`\.`+method+`\(\s*"([\w#-]+)"`,
		).FindAllStringSubmatch(readFile(t, file), -1) {
			found[call[1]] = true
		}
	}
	return found
}

func isExample(t *testing.T, wanted string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, "examples"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		found = found || string(content) == wanted
		return err
	})
	check.Must(t, err)
	return found
}

func TestGuide_troubleshooting(t *testing.T) {
	t.Parallel()
	guide := readFile(t, filepath.Join("..", "..", "templates", "guides", "troubleshooting.md.tmpl"))
	headings := regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(guide, -1)
	if len(headings) == 0 {
		t.Fatal("the guide has no headings")
	}
	says := repotest.Sayings(t)
	for _, heading := range headings {
		check.True(t, "the provider says "+heading[1], says(heading[1]))
	}
}

func anchors(page string) (found []string) {
	for _, heading := range regexp.MustCompile("(?m)^#+ (.*)$").FindAllStringSubmatch(page, -1) {
		found = append(found, acctest.Fragment(heading[1]))
	}
	for _, anchor := range regexp.MustCompile(`<a id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		found = append(found, anchor[1])
	}
	return found
}

// Links of docs/ into the repository lead somewhere: they name a directory as a
// tree, a file as a blob. So do the links of the pages that only GitHub shows.
func TestDocs_links(t *testing.T) {
	t.Parallel()
	for _, page := range append(glob(t, root, "docs", "*", "*.md"), filepath.Join(root, "docs", "index.md")) {
		for _, link := range regexp.MustCompile(
			`\]\(https://github\.com/mediagen/terraform-provider-mediagen/(\w+)/main/([^)]+)\)`,
		).FindAllStringSubmatch(readFile(t, page), -1) {
			found, err := os.Stat(filepath.Join(root, link[2]))
			check.True(
				t,
				page+": the link leads somewhere",
				err == nil && found.IsDir() == (link[1] == "tree") && (link[1] == "tree" || link[1] == "blob"),
				link[1:],
				err,
			)
		}
	}
	for _, name := range []string{
		"README.md",
		"CONTRIBUTING.md",
		"RELEASING.md",
		"SECURITY.md",
		"internal/README.md",
		"internal/decisions.md",
	} {
		linksLead(t, filepath.Join(root, name))
	}
}

// README and overview answer five questions before anything else: what this is,
// for whom, what a person needs, what a trial costs and where to ask. Both show
// the example of the provider.
func TestDocs_firstScreen(t *testing.T) {
	t.Parallel()
	example := readFile(t, filepath.Join(root, "examples", "provider", "provider.tf"))
	form := readFile(t, filepath.Join(root, ".github", "ISSUE_TEMPLATE", "question.yml"))
	check.Contains(t, "the form for questions", form, "name: ", "label: Your question")
	for _, page := range []string{"README.md", filepath.Join("docs", "index.md")} {
		text := withoutHead(readFile(t, filepath.Join(root, page)))
		first, rest, _ := strings.Cut(text, "```")
		check.Contains(
			t,
			page+": its first screen",
			first,
			"# Pictures of AI characters as code",
			"**For** teams",
			"**You need** the address and an API key",
			"**To try it** costs nothing",
			"issues/new?template=question.yml",
		)
		words := len(strings.Fields(first))
		check.True(t, page+": words before its example", words <= mostFirstWords, words)
		_, block, _ := strings.Cut(rest, "\n")
		check.True(t, page+": begins with the provider's example", strings.HasPrefix(block, example+"```"))
		check.Contains(t, page+": the plan's price", block, "      + cost                = 2\n")
	}
}

func linksLead(t *testing.T, page string) {
	t.Helper()
	content := readFile(t, page)
	for _, link := range regexp.MustCompile(`\]\(([\w./-]*)(?:#([\w-]+))?\)`).FindAllStringSubmatch(content, -1) {
		target := page
		linked := content
		if link[1] != "" {
			target = filepath.Join(filepath.Dir(page), link[1])
		}
		found, err := os.Stat(target)
		check.Must(t, err)
		if link[2] != "" && !found.IsDir() {
			linked = readFile(t, target)
		}
		check.True(
			t,
			page+": the link leads somewhere",
			link[2] == "" || slices.Contains(anchors(linked), link[2]),
			target,
			link[2],
		)
	}
}

// withoutTable leaves out the lines of tables.
func withoutTable(page string) string {
	return regexp.MustCompile(`(?m)^\|.*$`).ReplaceAllString(page, "")
}

const (
	mostWords      = 23_270 // of docs/, code not counted
	mostFirstWords = 150    // before a guide's first heading, its block not counted
	mostMoneyWords = 100    // before the example of a type
	// Of what contributors read first: stores brought two rooms and three words, the
	// door of replies one word, tests within a package one line, recipes in plain
	// sentences 27. The way of a purchase, where to find what, the table of what may
	// import what, the commonest change and three words took 510.
	mostHouseWords = 2_930
)

// The documentation was 33,000 words long, and nobody read it. Then it was half
// of that, in telegrams, and nobody understood it. What is added is paid for by
// a cut. The log in a bucket, with its rights, its faults and the way there and
// back, took 400 words more than carrying a file had. Whom the provider is for,
// and where a question goes, took 50. Mirrors, editors and the way from OpenTofu
// to Terraform are three pages, of 600 words. Fifteen questions of a team that no page
// had answered, approvals and locked states took 600. The format of the record, which
// other tools read, took 370, a third of them the names in the action's schema; one
// page of all pictures took 100.
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
			life := strings.Count(first, "\n| ")
			isResource := strings.Contains(file, "resources") && !strings.Contains(file, "-resources")
			check.Equal(t, file+": the head and the four lines of its life", life, map[bool]int{true: 5}[isResource])
			count := len(strings.Fields(withoutTable(withoutHead(first))))
			check.True(t, file+": words before the example", count <= mostMoneyWords, count, mostMoneyWords)
		}
		return nil
	})
	check.Must(t, err)
	check.True(t, "the words of docs/", words <= mostWords, words, mostWords)
	house := len(
		strings.Fields(readFile(t, filepath.Join(root, "CONTRIBUTING.md"))),
	) + len(
		strings.Fields(readFile(t, filepath.Join(root, "internal", "README.md"))),
	)
	check.True(t, "the words of CONTRIBUTING.md and internal/README.md", house <= mostHouseWords, house, mostHouseWords)
}

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
