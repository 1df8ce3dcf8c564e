package acctest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// doorCodings are how a service may repeat a secret in a text.
var doorCodings = map[string]func(secret string) string{
	"plain": func(secret string) string { return "upstream said no to " + secret },
	"base64": func(secret string) string {
		return base64.StdEncoding.EncodeToString([]byte("user:" + secret + "?"))
	},
	"base64url": func(secret string) string { return base64.URLEncoding.EncodeToString([]byte(secret + "~~~")) },
	"percent": func(secret string) string {
		var coded strings.Builder
		for _, c := range []byte(secret) {
			fmt.Fprintf(&coded, "%%%02x", c)
		}
		return coded.String()
	},
}

// doorSecrets are the credentials of a run, by the setting that has them.
var doorSecrets = map[string]func(*acctest.Scenario) string{
	"api_key":      func(*acctest.Scenario) string { return acctest.APIKey },
	"access_token": func(w *acctest.Scenario) string { return w.IssueToken("") },
}

// eachField calls a function for each field of a reply, at any depth.
func eachField(value any, visit func(of map[string]any, name string)) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			visit(value, name)
			eachField(value[name], visit)
		}
	case []any:
		for _, item := range value {
			eachField(item, visit)
		}
	}
}

// doorLife is the life of all types, and what it leaves behind.
type doorLife struct {
	*acctest.Scenario
	book  string
	log   *bytes.Buffer
	heard []string
}

func newDoorLife(t *testing.T, credential string) (l *doorLife, secret string) {
	t.Helper()
	l = &doorLife{
		Scenario: acctest.NewForSubjects(t).Scenario(t),
		book:     filepath.Join(t.TempDir(), "purchases.jsonl"),
		log:      &bytes.Buffer{},
	}
	l.Environment = map[string]string{"MEDIAGEN_API_KEY": ""}
	secret = doorSecrets[credential](l.Scenario)
	l.Workspace.Provider(core.Object{
		"base_url":       l.URL,
		credential:       secret,
		"extended_reads": true,
		"purchase_log":   l.book,
	})
	for address, subject := range acctest.EverySubject(t) {
		l.Resource(address, subject.With(nil))
	}
	return l, secret
}

func (l *doorLife) hear(said any) {
	text, err := json.Marshal(said)
	check.Must(l.T, err)
	l.heard = append(l.heard, string(text), fmt.Sprint(said))
}

// live applies, reads and destroys everything.
func (l *doorLife) live() {
	ctx := tflogtest.RootLogger(l.T.Context(), l.log)
	ada := core.Object{"character_id": "ada"}
	for range 2 {
		l.hear(l.ApplyContext(ctx).Diagnostics)
		l.hear(l.Entries())
		plan := l.Plan()
		l.hear(plan.Changes)
		l.hear(plan.Diagnostics)
	}
	for name, config := range map[string]core.Object{
		"mediagen_assets":                  ada,
		"mediagen_character":               {"id": "ada"},
		"mediagen_characters":              {},
		"mediagen_dataset_images":          ada,
		"mediagen_generation":              {"id": "gen_000001"},
		"mediagen_generation_capabilities": ada,
		"mediagen_training_status":         ada,
	} {
		found, said := l.DataSource(name, config)
		l.hear(found)
		l.hear(said)
	}
	l.hear(l.Destroy().Diagnostics)
	l.hear(l.Entries())
}

// left is all that the life leaves behind, by where it is.
func (l *doorLife) left() map[string]string {
	book, _ := os.ReadFile(l.book)
	return map[string]string{
		"states, plans, outputs and messages": strings.Join(l.heard, "\n"),
		"the log":                             l.log.String(),
		"the purchase log":                    string(book),
	}
}

// doorFields are the fields of all replies that may be a text.
func doorFields(t *testing.T) []string {
	t.Helper()
	var mutex sync.Mutex
	names := map[string]bool{"error": true, "error_message": true, "message": true, "detail": true}
	l, _ := newDoorLife(t, "api_key")
	l.Fault(mockserver.Fault{Rewrite: func(said map[string]any) {
		mutex.Lock()
		defer mutex.Unlock()
		eachField(said, func(of map[string]any, name string) {
			_, isText := withText(of[name], "")
			names[name] = names[name] || isText
		})
	}})
	l.live()
	delete(names, "accessToken")
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(name string) bool { return !names[name] })
}

// withText is a text, a list of texts or null with a text behind it.
func withText(value any, text string) (with any, isText bool) {
	switch value := value.(type) {
	case nil:
		return text, true
	case string:
		return value + text, true
	case []any:
		with := []any{}
		for _, item := range value {
			said, is := item.(string)
			if !is {
				return value, false
			}
			with = append(with, said+text)
		}
		return with, len(with) > 0
	default:
		return value, false
	}
}

// A reply may repeat the credential in any text: nothing that a run leaves
// behind has it. Fault F27.
func TestDoor_noSecret(t *testing.T) {
	t.Parallel()
	fields := doorFields(t)
	check.True(t, "there are fields", len(fields) > 40, fields)
	places := 0
	for _, field := range fields {
		for credential := range doorSecrets {
			for _, coding := range slices.Sorted(maps.Keys(doorCodings)) {
				places++
				place := places
				t.Run(field+", "+credential+", "+coding, func(t *testing.T) {
					t.Parallel()
					if place%43 != 0 {
						tier.Nightly(t, "each field with each secret in each coding")
					}
					checkDoor(t, field, credential, coding)
				})
			}
		}
	}
}

func checkDoor(t *testing.T, field, credential, coding string) {
	t.Helper()
	l, secret := newDoorLife(t, credential)
	coded := doorCodings[coding](secret)
	if credential == "api_key" {
		l.Fault(mockserver.Fault{Route: mockserver.RouteToken})
	}
	l.Fault(mockserver.Fault{Rewrite: func(said map[string]any) {
		eachField(said, func(of map[string]any, name string) {
			if name == field {
				of[name], _ = withText(of[name], " "+coded)
			}
		})
	}})
	l.live()
	for where, text := range l.left() {
		for _, form := range []string{secret, coded[len(coded)/4 : 3*len(coded)/4]} {
			at := strings.Index(text, form)
			check.True(t, field+" in "+where, at < 0, text[max(0, at-200):max(0, min(len(text), at+300))])
		}
	}
}

// No text of a reply brings a character with it that steers how the rest is
// shown. Fault F36.
func TestDoor_noControls(t *testing.T) {
	t.Parallel()
	const hostile = "\x1b[2J\x07\u0085\u202egnp\u2066\u200f"
	for i, field := range doorFields(t) {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			if i%11 != 0 {
				tier.Nightly(t, "each field")
			}
			l, _ := newDoorLife(t, "api_key")
			l.Fault(mockserver.Fault{Route: mockserver.RouteToken})
			l.Fault(mockserver.Fault{Rewrite: func(said map[string]any) {
				eachField(said, func(of map[string]any, name string) {
					if name == field {
						of[name], _ = withText(of[name], hostile)
					}
				})
			}})
			l.live()
			for where, text := range l.left() {
				isHostile := func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Bidi_Control) }
				at := strings.IndexFunc(text, isHostile)
				check.True(
					t,
					field+" in "+where,
					at < 0,
					fmt.Sprintf("%+q", text[max(0, at-100):max(0, min(len(text), at+100))]),
				)
				check.True(t, field+" in "+where, !strings.Contains(text, `\u001b`), text)
			}
		})
	}
}

// A prompt is what a person has written: whatever characters it has, and however
// a service shows them, nothing is planned. Fault F35.
func TestDoor_promptsStay(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"emoji":         "a family 👨‍👩‍👧 ❤️ at dawn",
		"lines":         "one\n\ttwo\r\nthree\n",
		"right to left": "דיוקן של אישה \u200fבשקיעה\u200e, 85mm",
		"directions":    "plain \u202eturned\u202c \u2067isolated\u2069",
		"a bell":        "a bell \a rings",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const address = "mediagen_generation_group.a"
			w := acctest.NewForSubjects(t).Scenario(t)
			w.Set(core.Object{"extended_reads": true})
			config := core.Object{
				"character_id": "ada",
				"title":        "Of " + strings.ReplaceAll(text, "\n", " "),
				"prompts":      core.Object{"a": core.Object{"prompt": text}},
			}
			w.Resource(address, config)
			w.Apply().Must()
			w.Plan().Must().WantEmpty()
			id := fmt.Sprint(w.State(address)["id"])
			w.Forget(address)
			imported := w.Import(address, id)
			imported.Must()
			plan := w.Plan().Must()
			check.True(
				t,
				"nothing is bought",
				plan.Action(address) != core.Create && len(plan.UnknownIDs(address)) == 0,
				plan,
			)
			w.ApplyPlan(plan).Must()
			w.Plan().Must().WantEmpty()
			w.WantCount(t, mockserver.RouteBatch, 1)
		})
	}
}
