package repotest_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// messagesPage has the shortest example of each message. MESSAGES=write writes it to messages.md,
// which a person reads for its voice.
type messagesPage map[string]string

var chance = []struct {
	found *regexp.Regexp
	as    string
}{
	{regexp.MustCompile(`unconfirmed-[a-z0-9]{20,}`), "unconfirmed-abc"},
	{regexp.MustCompile(`\b[a-z2-7]{26}\b`), "abc"},
	{regexp.MustCompile(`/[^" ]*/(Test[^/" ]*/\d+|repotest/no)/?`), "/home/ada/"},
	{regexp.MustCompile(`\b(127\.0\.0\.1|localhost):\d+`), "localhost"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`), "2026-01-01T00:00:00Z"},
	{regexp.MustCompile(`process \d+ on host "[^"]*"`), `process 1 on host "ci"`},
	{regexp.MustCompile(`within \d[\w.]*`), "within 1s"},
	{regexp.MustCompile(regexp.QuoteMeta(hush)), ""},
}

func (p messagesPage) add(message core.Diagnostic) {
	kind := "warning"
	if message.Severity == core.Error {
		kind = "error"
	}
	text := fmt.Sprintf("## %s\n\n_%s_ %s\n", headline(message.Summary), kind, message.Detail)
	for _, one := range chance {
		text = one.found.ReplaceAllString(text, one.as)
	}
	heading, _, _ := strings.Cut(text, "\n")
	if known, is := p[heading]; !is || better(text, known) {
		p[heading] = text
	}
}

func better(text, known string) bool {
	const again = "the same failure as another object's"
	if told := !strings.Contains(text, again); told != !strings.Contains(known, again) {
		return told
	}
	return cmp.Or(cmp.Compare(len(text), len(known)), cmp.Compare(text, known)) < 0
}

func headline(summary string) string {
	line, _, _ := strings.Cut(summary, "\n")
	line, _, _ = strings.Cut(line, ": ")
	return line
}

func (p messagesPage) want(t *testing.T) {
	t.Helper()
	path := filepath.Join("..", "messages.md")
	if os.Getenv("MESSAGES") == "write" {
		check.Must(t, os.WriteFile(path, []byte(p.text(t)), 0o600))
	}
	written := regexp.MustCompile(`(?m)^## .*$`).FindAllString(readFile(t, path), -1)
	check.Equal(t, "messages.md, which make messages writes", written, slices.Sorted(maps.Keys(p)))
}

func (p messagesPage) text(t *testing.T) string {
	t.Helper()
	var page strings.Builder
	page.WriteString("# Messages\n\nAn example of each message of the provider that `TestMessages` provokes, in the order of the alphabet: " +
		"the shortest, without what differs from run to run. `make messages` writes this page.\n\n")
	for _, heading := range slices.Sorted(maps.Keys(p)) {
		page.WriteString(p[heading] + "\n")
	}
	page.WriteString("The domains' own tests provoke these:\n\n")
	written := repotest.Summaries(t)
	for _, summary := range slices.Sorted(maps.Keys(untold)) {
		fmt.Fprintf(&page, "- %s (`%s`)\n", headline(summary), strings.TrimPrefix(filepath.ToSlash(written[summary].Filename), "../"))
	}
	return page.String()
}
