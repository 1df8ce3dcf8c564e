package acctest

import (
	"regexp"
	"strings"
)

// Section returns the part of a page below the heading that a fragment
// addresses; the whole page without a fragment.
func Section(page, fragment string) string {
	if fragment == "" {
		return page
	}
	for _, section := range strings.Split(page, "\n## ")[1:] {
		if heading, text, _ := strings.Cut(section, "\n"); Fragment(heading) == fragment {
			return text
		}
	}
	return ""
}

// Fragment returns the fragment of a heading, by the rules of registries and
// GitHub.
func Fragment(heading string) string {
	plain := regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(plain, " ", "-")
}
