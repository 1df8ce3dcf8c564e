package acctest

import (
	"regexp"
	"strings"
)

// Section is the part of a page below the heading that a fragment addresses;
// without a fragment all of the page.
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

// Fragment addresses a heading, as registries and GitHub do.
func Fragment(heading string) string {
	plain := regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(plain, " ", "-")
}
