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

// wantAll: each summary in the source was heard, except those that take more than a table.
func (a *audience) wantAll(t *testing.T) {
	t.Helper()
	written := repotest.Summaries(t)
	check.True(t, "the summaries of the source", len(written) >= 80, len(written))
	for summary, position := range written {
		pattern := repotest.Pattern(summary)
		found := false
		for heard := range a.summaries {
			found = found || pattern.MatchString(heard)
		}
		if why, elsewhere := untold[summary]; found && elsewhere {
			t.Errorf("%q was heard, although %s", summary, why)
		} else if !found && !elsewhere {
			t.Errorf("%s: nothing has provoked %q", position, summary)
		}
	}
	for summary := range untold {
		_, is := written[summary]
		check.True(t, "the source has the summary", is, summary)
	}
}

const (
	ofBug    = "it takes a bug in the provider or the CLI"
	ofCause  = "it is told under the name of its cause"
	ofDomain = "it takes a particular reply, which the domain's own tests give"
)

// untold are the summaries that are not provoked here, and why.
var untold = map[string]string{
	"Unable to Configure Provider":                   ofBug,
	"Unable to Plan Purchase":                        ofCause,
	"Unable to Read Private State":                   ofBug,
	"Address Too Long for the State":                 ofDomain,
	"Approval of Dataset Found Without an Answer":    ofDomain,
	"Approvals of Images Left":                       ofDomain,
	"Approved Image Not Shown":                       ofDomain,
	"Asset List Incomplete":                          ofDomain,
	"Character List Incomplete":                      ofDomain,
	"Character Not Listed":                           ofDomain,
	"Contact Sheet Not Written":                      ofDomain,
	"Different Prompts Were Given One Generation: *": ofDomain,
	"End of * Training Unknown":                      ofDomain,
	"Equal Prompts Share a Generation":               ofDomain,
	"Generation Group Has No Id: *":                  ofDomain,
	"Generations Are in Another Group: *":            ofDomain,
	"Generations May Be Another Key's: *":            ofDomain,
	"Images Could Not Be Deleted: *":                 ofDomain,
	"Imported Generations Left at the Service: *":    ofDomain,
	"Media Other Than Pictures":                      ofDomain,
	"Numbers Beyond Reason: *":                       ofDomain,
	"Prompts Not Submitted":                          ofDomain,
	"A Killed Run Had Bought This: *":                ofDomain,
	"A Killed Run Has Bought This: *":                ofDomain,
	"Another Run Had Bought This: *":                 ofDomain,
	"Another Run Has Bought This: *":                 ofDomain,
	"Purchase Log Is Incomplete":                     ofDomain,
	"Unable to Delete Generation":                    ofDomain,
	"Unable to Delete Superseded Generation":         ofDomain,
	"Unable to Record Downloads":                     ofDomain,
	"Unable to Write Contact Sheet":                  ofDomain,
	"Unrequested Generations in a Reply: *":          ofDomain,
}
