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
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

const introduction = "# Messages\n\n" +
	"An example of each message of the provider that `TestMessages` provokes, in the order of the alphabet: the " +
	"shortest, without what differs from run to run. `make messages` writes this page.\n\n"

// Messages begin with a capital, or with their attribute; they say what they
// are about, and speak neither Go nor templates. None quotes a text that may be
// sensitive: no provider sees that mark.
func TestMessages(t *testing.T) {
	tier.Large(t, "the stories of all messages, 70 seconds")
	t.Parallel()
	heard := &audience{summaries: map[string]bool{}, page: messagesPage{}}
	t.Cleanup(func() { // after the last provocation
		heard.wantAll(t)
		heard.page.want(t, "messages.md", heard.page.text(introduction)+untoldMessages(t))
	})
	for name, provoke := range provocations(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provoke(t, func(run core.Diagnostics) { heard.listen(t, run) })
		})
	}
}

type audience struct {
	mutex     sync.Mutex
	summaries map[string]bool
	page      messagesPage
}

func (a *audience) listen(t *testing.T, run core.Diagnostics) {
	t.Helper()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for i, message := range run {
		if message.Summary == "execution halted" {
			continue // the core's own, after Ctrl-C
		}
		a.summaries[message.Summary] = true
		a.page.add(message)
		for _, problem := range problemsOf(message) {
			t.Errorf("a message %s:\n%s", problem, message)
		}
		for _, other := range run[:i].Errors() {
			check.True(
				t,
				"two errors have different words",
				message.Severity != core.Error || message.Summary != other.Summary || message.Detail != other.Detail,
				other,
				message,
			)
		}
	}
}

var (
	quotation   = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	placeholder = regexp.MustCompile(`\{[a-z_]+\}`)
	inGo        = regexp.MustCompile(
		`\bnil\b|&\{|%!|map\[|context (?:deadline exceeded|canceled)|\bEOF\b|dial tcp|invalid ` +
			`character|strconv\.|json:|<nil>`,
	)
	notPlural = regexp.MustCompile(
		`\b1 (?:prompts|generations|trainings|results|credits|images|files|elements|times|minutes)\b`,
	)
	doubled  = regexp.MustCompile(`\.\.(?:\s|$)`)
	endsInID = regexp.MustCompile(`^[^:\n]*: .*`)           // of a summary, without quotation marks
	capital  = regexp.MustCompile(`^(?:[A-Z0-9]|[a-z]+_)`)  // or a setting's name
	element  = regexp.MustCompile(`\[Value\(("[^"]*")\)\]`) // of a set
	aside    = regexp.MustCompile(`\([^()]*\)|; the last (?:poll|answer): .*`)
	named    = regexp.MustCompile(`"[^"]+"|MEDIAGEN_[A-Z_]+`)
)

// aboutNone are errors about no object: there is one of it, or the CLI names it.
var aboutNone = []string{
	"Unable to Read Characters",
	"Unable to List Characters",
	"Unable to List Generation Groups",
	"Unable to Obtain Access Token",
	"Provider Configuration Not Known Yet",
	"Import Not Possible",
	"Invalid Import Id",
	"Unable to Create Chat Completion",
	"Unable to Create Vision Completion",
	"Unable to Create Media Categorization",
	"Unable to Create Image",
	"Unable to Create Character",
	"Unable to Find Character",
}

// maxWords is how many words the first line of a message has at most; the next
// says what to do, at the latest.
const maxWords = 60

// beginning is the first line of a detail, without what the service has said.
func beginning(detail string) string {
	beginning, _, _ := strings.Cut(detail, "\n")
	for aside.MatchString(beginning) { // brackets within brackets, too
		beginning = aside.ReplaceAllString(beginning, "")
	}
	return beginning
}

func problemsOf(message core.Diagnostic) (problems []string) {
	add := func(wrong bool, problem string) {
		if wrong {
			problems = append(problems, problem)
		}
	}
	detail := message.Detail
	text := quotation.ReplaceAllString(message.Summary+"\n"+message.Detail, `""`)
	text = endsInID.ReplaceAllString(text, "")
	about := message.Path
	detail = element.ReplaceAllString(detail, "[$1]")
	add(!capital.MatchString(message.Summary), "has a summary without a capital")
	add(!capital.MatchString(detail) && (about == "" || !strings.HasPrefix(detail, about)), "begins without a capital")
	add(doubled.MatchString(text), "has two full stops")
	add(placeholder.MatchString(text), "shows a template")
	add(inGo.MatchString(text), "speaks Go")
	add(strings.Contains(message.Summary+message.Detail, hush), "quotes a text that may be sensitive")
	add(notPlural.MatchString(text), "has a wrong plural")
	add(len(strings.Fields(beginning(detail))) > maxWords, "has too many words before it says what to do")
	if message.Severity == core.Error {
		add(
			strings.ContainsAny(about, ".[") && !strings.Contains(detail, about),
			"does not name the value within the attribute",
		)
		ofNone := slices.ContainsFunc(aboutNone, func(none string) bool {
			return strings.Contains(message.Summary+detail, strings.TrimPrefix(none, "Unable to "))
		})
		add(about == "" && !named.MatchString(detail) && !ofNone, "names no object")
	}
	return problems
}

// messagesPage has the shortest example of each message; MESSAGES=write writes
// messages.md.
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

// want compares the headings alone: which example is the shortest may differ
// from run to run.
func (p messagesPage) want(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("..", name)
	if os.Getenv("MESSAGES") == "write" {
		check.Must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for heading, message := range p {
		if name != "messages.md" {
			break // what hostile replies say is as long as they are
		}
		length := linesOf(strings.TrimPrefix(message, heading))
		check.True(t, heading+" has at most eight lines of 80 columns", length <= 8, length, message)
	}
	written := regexp.MustCompile(`(?m)^## .*$`).FindAllString(readFile(t, path), -1)
	check.Equal(t, name+", which make messages writes", written, slices.Sorted(maps.Keys(p)))
}

// linesOf counts the lines of a message at 80 columns, without what is to be
// pasted, which is indented.
func linesOf(message string) (count int) {
	for line := range strings.Lines(message) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		column := 80 // of a line that is full
		for word := range strings.FieldsSeq(line) {
			column += 1 + utf8.RuneCountInString(word)
			if column > 80 {
				count++
				column = utf8.RuneCountInString(word)
			}
		}
	}
	return count
}

func (p messagesPage) text(introduction string) string {
	var page strings.Builder
	page.WriteString(introduction)
	for _, heading := range slices.Sorted(maps.Keys(p)) {
		page.WriteString(p[heading] + "\n")
	}
	return page.String()
}

func untoldMessages(t *testing.T) string {
	t.Helper()
	var list strings.Builder
	list.WriteString("The domains' own tests provoke these:\n\n")
	written := repotest.Summaries(t)
	for _, summary := range slices.Sorted(maps.Keys(untold)) {
		file := strings.TrimPrefix(filepath.ToSlash(written[summary].Filename), "../")
		fmt.Fprintf(&list, "- %s (`%s`)\n", headline(summary), file)
	}
	return list.String()
}

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
var untold = func() map[string]string {
	why := map[string]string{
		"Unable to Configure Provider": ofBug,
		"Unable to Plan Purchase":      ofCause,
		"Unable to Read Private State": ofBug,
		"Unable to Show *":             ofBug,
	}
	for _, summary := range []string{
		"Address Too Long for the State", "Approval of Dataset Found Without an Answer", "Approvals of Images " +
			"Left", "Approved Image Not Shown",
		"Asset List Incomplete", "Character List Incomplete", "Character Not Listed", "Contact Sheet Not Written",
		"Different Prompts Were Given One Generation: *", "End of * Training Unknown", "Equal Prompts Share a " +
			"Generation", "Generation Group Has No Id: *",
		"Generations Are in Another Group: *", "Generations May Be Another Key's: *", "Images Could Not Be Deleted: *",
		"Imported Generations Left at the Service: *", "Media Other Than Pictures", "Numbers Beyond Reason: *",
		"Prompts Not Submitted",
		"Purchase Log Is Incomplete", "Unable to Delete Generation", "Unable to Delete Superseded Generation",
		"Unable to Record Downloads",
		"Unable to Write Contact Sheet", "Unrequested Generations in a Reply: *",
	} {
		why[summary] = ofDomain
	}
	return why
}()
