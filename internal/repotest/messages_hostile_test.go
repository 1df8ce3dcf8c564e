package repotest_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// forged is what a service, or a gateway before it, may say so that a message
// lies: it clears the screen, begins a line that looks like the CLI's, and
// turns around what follows.
const forged = "Worker lost.\r\nError: All Is Lost\u2028Error: All Is Lost\n\x1b[2J\x07\x00\u202egnp.exe\u200b"

// leaks repeat the credential, each in a way that is legible to whoever reads
// the message.
var leaks = map[string]string{
	"nothing":    "nobody",
	"as it is":   acctest.APIKey,
	"zero width": strings.Join(strings.Split(acctest.APIKey, ""), "\u200b"),
	"entities":   strings.ReplaceAll(acctest.APIKey, "-", "&#45;"),
	"percent":    strings.ReplaceAll(acctest.APIKey, "-", "%2D"),
	"folded":     acctest.APIKey[:10] + "\r\n " + acctest.APIKey[10:],
}

const hostileIntroduction = "# Hostile messages\n\n" +
	"What the provider makes of a service that says what it should not, as `TestMessages_hostile` provokes it: " +
	"control characters, lines that look like the CLI's, the credential. `make messages` writes this page.\n\n"

// Whatever a service says, a person reads one line of it, all of which is seen,
// without the credential. hostile_messages.md shows how that looks. Fault F36.
func TestMessages_hostile(t *testing.T) {
	tier.Large(t, "each hostile text in the life of all types, 45 seconds")
	t.Parallel()
	heard := &audience{summaries: map[string]bool{}, page: messagesPage{}}
	t.Cleanup(func() { // after the last provocation
		check.True(t, "there are messages", len(heard.page) > 40, len(heard.page))
		heard.page.want(t, "hostile_messages.md", heard.page.text(hostileIntroduction))
	})
	subjects := acctest.Subjects(t)
	for name, fault := range hostileFaults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faultyLife(subjects, fault)(t, func(run core.Diagnostics) { heard.listenToHostile(t, run) })
		})
	}
}

func hostileFaults() map[string]mockserver.Fault {
	all := map[string]mockserver.Fault{}
	for leak, secret := range leaks {
		text := forged + " Authorization: Bearer " + secret
		body, _ := json.Marshal(map[string]string{"error": text, "message": text})
		for _, status := range []int{402, 404, 422, 503} {
			all[fmt.Sprintf("%d/%s", status, leak)] = mockserver.Fault{Status: status, Body: string(body)}
		}
		all["a page/"+leak] = mockserver.Fault{Status: 502, Body: "<html><title>" + text + "</title></html>"}
		for part, spoil := range hostileReplies {
			all[part+"/"+leak] = mockserver.Fault{Rewrite: func(said map[string]any) {
				spoilEach(said, func(of map[string]any) { spoil(of, text) })
			}}
		}
	}
	return all
}

// hostileReplies change one object of a reply that succeeds. The words of a
// status stay what they begin with, so that the provider waits for as long as
// it does.
var hostileReplies = map[string]func(of map[string]any, text string){
	"every text": func(of map[string]any, text string) {
		for name, value := range of {
			if said, is := value.(string); is && !namesObject.MatchString(name) {
				of[name] = said + text
			}
		}
	},
	"failures": func(of map[string]any, text string) {
		if of["status"] != nil {
			of["status"] = "failed"
			of["error"] = text
			of["error_message"] = text
			of["message"] = text
		}
	},
	"moments": func(of map[string]any, text string) {
		for _, name := range []string{"created_at", "updated_at"} {
			if of[name] != nil {
				of[name] = text
			}
		}
	},
	"ids of receipts": func(of map[string]any, text string) {
		for _, name := range []string{"generation_id", "job_id", "group_id"} {
			if id, is := of[name].(string); is {
				of[name] = id + text
			}
		}
	},
}

var namesObject = regexp.MustCompile(`(?i)(^|_)(ids?|urls?|token|key|type)$`)

func spoilEach(value any, spoil func(of map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		spoil(value)
		for _, inner := range value {
			spoilEach(inner, spoil)
		}
	case []any:
		for _, inner := range value {
			spoilEach(inner, spoil)
		}
	}
}

var halfOfTheKey = acctest.APIKey[:len(acctest.APIKey)/2+1]

var forgedLine = regexp.MustCompile(`(?m)^\W*Error: All Is Lost`)

func (a *audience) listenToHostile(t *testing.T, run core.Diagnostics) {
	t.Helper()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, message := range run {
		text := strings.ReplaceAll(message.Summary+"\n"+message.Detail, hush, "")
		check.True(t, "all of a message is seen", !strings.ContainsFunc(text, isUnseen), fmt.Sprintf("%+q", text))
		check.True(t, "it has gone through the door", !strings.Contains(text, `\x1b[2J`), text)
		check.True(t, "no line is forged", !forgedLine.MatchString(text), text)
		check.True(t, "no credential is told", !strings.Contains(decoded(text), halfOfTheKey), text)
		isWithheld := strings.Contains(text, "(not shown") && strings.HasPrefix(message.Summary, "Not Enough Credits")
		if strings.Contains(text, "All Is Lost") || isWithheld { // one that is withheld will do
			a.page.add(message)
		}
	}
}

// isUnseen is the test's own notion of what nobody sees in a message, or what
// begins a line in it.
func isUnseen(r rune) bool {
	return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector)
}

var blanks = regexp.MustCompile(`\s|<U\+[0-9A-F]+>`)

// decoded is a text as somebody reads it who looks for a credential in it.
func decoded(text string) string {
	text = html.UnescapeString(text)
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	return blanks.ReplaceAllString(text, "")
}
