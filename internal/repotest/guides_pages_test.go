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
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// Every command that a guide prints is typed by a test, which follows the
// whole guide; scripts and configurations are those of the examples.
func TestGuides_commands(t *testing.T) {
	t.Parallel()
	followed := followedGuides(t)
	fence := regexp.MustCompile("(?ms)^ *```(\\w*)\n(.*?)^ *```$")
	guides := glob(t, "..", "..", "docs", "guides", "*.md")
	for _, file := range guides {
		content := readFile(t, file)
		guide := strings.TrimSuffix(filepath.Base(file), ".md")
		for _, block := range fence.FindAllStringSubmatch(content, -1) {
			switch language := block[1]; language {
			case "shell":
				if !followed[guide] {
					t.Errorf("no test follows the guide %s, which has the commands\n%s", guide, block[2])
				}
			case "sh", "terraform", "jq", "rego":
				if !isExample(t, block[2]) {
					t.Errorf("the guide %s has a file that is in no example:\n%s", guide, block[2])
				}
			case "hcl", "json", "yaml", "text", "":
			default:
				t.Errorf("the guide %s has a block of %q: commands are shell", guide, language)
			}
		}
	}
}

// followedGuides are the guides that the tests of acctest follow.
func followedGuides(t *testing.T) map[string]bool {
	t.Helper()
	files := glob(t, "..", "acctest", "*_test.go")
	followed := map[string]bool{}
	for _, file := range files {
		source := readFile(t, file)
		for _, call := range regexp.MustCompile(`\.follow\("([\w-]+)"`).FindAllStringSubmatch(source, -1) {
			followed[call[1]] = true
		}
	}
	return followed
}

// isExample reports whether an example has a file of this content.
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

// The headings of the troubleshooting guide are what the provider says.
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

// Links within the documentation lead somewhere, fragments included. They end in
// .md, which the repository's pages need and Terraform's registry leaves out.
func TestGuides_links(t *testing.T) {
	t.Parallel()
	docs := filepath.Join("..", "..", "docs")
	link := regexp.MustCompile(`\]\(([\w./-]*)(?:#([\w-]+))?\)`)
	pages := 0
	err := filepath.WalkDir(docs, func(page string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		pages++
		content, err := os.ReadFile(page)
		for _, found := range link.FindAllStringSubmatch(string(content), -1) {
			target := page
			if found[1] != "" {
				target = filepath.Join(filepath.Dir(page), found[1])
			}
			linked, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s: %s", page, err)
			}
			check.True(t, page+": the link leads somewhere", found[2] == "" || slices.Contains(anchors(string(linked)), found[2]), target, found[2])
		}
		return err
	})
	check.True(t, "the pages", err == nil && pages != 0, pages, err)
}

// anchors are the fragments that address a page's headings and schemas.
func anchors(page string) (found []string) {
	for _, heading := range regexp.MustCompile("(?m)^#+ (.*)$").FindAllStringSubmatch(page, -1) {
		slug := regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		found = append(found, strings.ReplaceAll(slug, " ", "-"))
	}
	for _, anchor := range regexp.MustCompile(`<a id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		found = append(found, anchor[1])
	}
	return found
}

// Links to the repository, from its own pages and from the registries', name what
// is there: a directory as a tree, a file as a blob.
func TestDocs_repositoryLinks(t *testing.T) {
	t.Parallel()
	docs := glob(t, root, "docs", "*", "*.md")
	for _, page := range append(docs, filepath.Join(root, "docs", "index.md")) {
		for _, link := range regexp.MustCompile(`\]\(https://github\.com/mediagen/terraform-provider-mediagen/(\w+)/main/([^)]+)\)`).FindAllStringSubmatch(readFile(t, page), -1) {
			found, err := os.Stat(filepath.Join(root, link[2]))
			check.True(t, page+": the link leads somewhere", err == nil && found.IsDir() == (link[1] == "tree") && (link[1] == "tree" || link[1] == "blob"),
				link[1:], err)
		}
	}
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "internal/README.md"} {
		page := filepath.Join(root, name)
		for _, link := range regexp.MustCompile(`\]\(([\w./-]+)(?:#[\w-]+)?\)`).FindAllStringSubmatch(readFile(t, page), -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(page), link[1]))
			check.True(t, name+": the link leads somewhere", err == nil, link[1], err)
		}
	}
}
