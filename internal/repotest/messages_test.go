package repotest_test

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// Messages begin with a capital, or with their attribute; they say what they are about, and speak
// neither Go nor templates. None quotes a text that may be sensitive: no provider sees that mark.
func TestMessages(t *testing.T) {
	t.Parallel()
	heard := &audience{summaries: map[string]bool{}, page: messagesPage{}}
	t.Cleanup(func() { // after the last provocation
		heard.wantAll(t)
		heard.page.want(t)
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
			check.True(t, "two errors have different words", message.Severity != core.Error || message.Summary != other.Summary || message.Detail != other.Detail,
				other, message)
		}
	}
}

var (
	quotation   = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	placeholder = regexp.MustCompile(`\{[a-z_]+\}`)
	inGo        = regexp.MustCompile(`\bnil\b|&\{|%!|map\[|context (?:deadline exceeded|canceled)|\bEOF\b|dial tcp|invalid character|strconv\.|json:|<nil>`)
	notPlural   = regexp.MustCompile(`\b1 (?:prompts|generations|trainings|results|credits|images|files|elements|times|minutes)\b`)
	doubled     = regexp.MustCompile(`\.\.(?:\s|$)`)
	endsInID    = regexp.MustCompile(`^[^:\n]*: .*`)           // of a summary, without quotation marks
	capital     = regexp.MustCompile(`^(?:[A-Z0-9]|[a-z]+_)`)  // or a setting's name
	element     = regexp.MustCompile(`\[Value\(("[^"]*")\)\]`) // of a set
	named       = regexp.MustCompile(`"[^"]+"|MEDIAGEN_[A-Z_]+`)
)

// aboutNone are errors about no object: there is one of it, or the CLI names it.
var aboutNone = []string{
	"Unable to Read Characters", "Unable to List Characters", "Unable to List Generation Groups", "Unable to Obtain Access Token", "Provider Configuration Not Known Yet", "Import Not Possible", "Invalid Import Id",
	"Unable to Create Chat Completion", "Unable to Create Vision Completion", "Unable to Create Media Categorization", "Unable to Create Image", "Unable to Create Character", "Unable to Find Character",
}

func problemsOf(message core.Diagnostic) (problems []string) {
	add := func(wrong bool, problem string) {
		if wrong {
			problems = append(problems, problem)
		}
	}
	detail, text := message.Detail, quotation.ReplaceAllString(message.Summary+"\n"+message.Detail, `""`)
	text = endsInID.ReplaceAllString(text, "")
	about, detail := message.Path, element.ReplaceAllString(detail, "[$1]")
	add(!capital.MatchString(message.Summary), "has a summary without a capital")
	add(!capital.MatchString(detail) && (about == "" || !strings.HasPrefix(detail, about)), "begins without a capital")
	add(doubled.MatchString(text), "has two full stops")
	add(placeholder.MatchString(text), "shows a template")
	add(inGo.MatchString(text), "speaks Go")
	add(strings.Contains(message.Summary+message.Detail, hush), "quotes a text that may be sensitive")
	add(notPlural.MatchString(text), "has a wrong plural")
	if message.Severity == core.Error {
		add(strings.ContainsAny(about, ".[") && !strings.Contains(detail, about), "does not name the value within the attribute")
		ofNone := slices.ContainsFunc(aboutNone, func(none string) bool {
			return strings.Contains(message.Summary+detail, strings.TrimPrefix(none, "Unable to "))
		})
		add(about == "" && !named.MatchString(detail) && !ofNone, "names no object")
	}
	return problems
}
