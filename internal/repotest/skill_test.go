package repotest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// A skill is found by its front matter, whose name is that of its folder and whose
// description has 1,024 characters at most. Then all of it is read: it is one page.
// TestAccSkill runs its commands.
func TestSkill(t *testing.T) {
	t.Parallel()
	page := readFile(t, filepath.Join(root, "skills", "mediagen", "SKILL.md"))
	parts := strings.SplitN(page, "---\n", 3)
	check.True(t, "front matter", len(parts) == 3 && parts[0] == "", page)
	var header struct{ Name, Description string }
	check.Must(t, yaml.Unmarshal([]byte(parts[1]), &header))
	check.Equal(t, "name", header.Name, "mediagen")
	check.True(t, "description", header.Description != "" && len(header.Description) <= 1024, header.Description)
	words := len(strings.Fields(parts[2]))
	check.True(t, "one page", words < 800, words)
	links := regexp.MustCompile(`terraform-provider-mediagen/(?:blob/)?main/([\w./-]+)`).FindAllStringSubmatch(page, -1)
	check.True(t, "links", len(links) > 0)
	for _, link := range links {
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(link[1])))
		check.NoError(t, err)
	}
	for _, block := range regexp.MustCompile("(?s)```shell\n(.*?)```").FindAllString(page, -1) {
		check.True(t, "commands that ask nobody", !strings.Contains(block, "auto-approve"), block)
	}
}
