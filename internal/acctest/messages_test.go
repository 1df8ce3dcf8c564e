package acctest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestTimeoutsAreNamed(t *testing.T) {
	t.Parallel()
	for address, config := range map[string]core.Object{
		"mediagen_generation_group.x":   {"prompts": core.Object{"a": core.Object{"prompt": "A" + acctest.Hush}}},
		"mediagen_body_lora_training.x": {"character_id": "ada"},
	} {
		w := acctest.NewScenario(t, func(o *mockserver.Options) {
			o.GenerationTime = time.Hour
			o.TrainingTime = time.Hour
		})
		w.AddAda()
		config["timeouts"] = core.Object{"create": "2m", "update": "3m", "delete": "1m"}
		w.Resource(address, config)
		for _, test := range []struct{ says, silent string }{
			{"after 2m (timeouts.create sets the time)", "timeouts.update"},
			{"after 3m (timeouts.update sets the time)", "timeouts.create"},
		} {
			said := w.Apply().Must().Diagnostics.String()
			check.True(
				t,
				address,
				strings.Contains(said, test.says) && !strings.Contains(said, test.silent),
				test.says,
				said,
			)
		}
	}
}

// What means the same for every object is explained by the first error.
func TestAdvice(t *testing.T) {
	t.Parallel()
	const missing = `{"error":"not_found","message":"Said so."}`
	everything := func(w *acctest.Scenario) {
		w.Fault(mockserver.Fault{Route: mockserver.RouteToken})
		w.Fault(mockserver.Fault{Status: 404, Body: missing})
	}
	credential := func(change core.Object) func(*acctest.Scenario) {
		return func(w *acctest.Scenario) {
			config := core.Object{"base_url": w.URL}
			maps.Copy(config, change)
			w.Workspace.Provider(config)
		}
	}
	for name, test := range map[string]struct {
		prepare func(*acctest.Scenario)
		advice  string
		told    int // in how many of the errors
	}{
		"404 of everything": {everything, "Correct base_url (MEDIAGEN_BASE_URL), including its version", 1},
		"404 of everything since the plan": {func(w *acctest.Scenario) {
			w.Fault(mockserver.Fault{Route: mockserver.RouteCharacters})
			w.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 503})
			everything(w)
		}, "If every request is answered like this, check base_url (MEDIAGEN_BASE_URL), including its version.", 3},
		"404 of some": {func(w *acctest.Scenario) {
			w.RemoveCharacter("char_1")
			w.RemoveCharacter("char_2")
		}, "check base_url", 0},
		"404 of the token": {func(w *acctest.Scenario) {
			w.Fault(mockserver.Fault{Route: mockserver.RouteToken, Status: 404, Body: missing})
		}, "Tokens are not issued at this address. Check base_url (MEDIAGEN_BASE_URL), and auth_url " +
			"(MEDIAGEN_AUTH_URL)", 1},
		"no credential": {credential(nil), "MEDIAGEN_API_KEY, MEDIAGEN_ACCESS_TOKEN or MEDIAGEN_TOKEN_PROVIDER_URL " +
			"in the environment.", 1},
		"wrong key": {credential(core.Object{"api_key": "wrong-key-0123456789"}), "The service did not accept the " +
			"provider's api_key.", 1},
		"wrong token": {credential(core.Object{"access_token": "wrong-token-0123456789"}), "The service did not " +
			"accept the provider's access_token.", 1},
		"without a scheme": {credential(core.Object{"base_url": "127.0.0.1:8780/v2"}), "base_url has no https:// in " +
			"front", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewScenario(t)
			for i := range 3 {
				id := fmt.Sprintf("char_%d", i)
				w.AddReady(id)
				w.Resource(
					"mediagen_generation_group."+id,
					core.Object{
						"character_id": id,
						"prompts":      core.Object{"a": core.Object{"prompt": "A" + acctest.Hush}},
					},
				)
			}
			test.prepare(w)
			told := 0
			short := 0
			errors := w.Apply().Diagnostics.Errors()
			for _, failure := range errors {
				told += strings.Count(failure.Detail, test.advice)
				short += strings.Count(failure.Detail, "the same failure as another object's")
			}
			check.True(
				t,
				"the errors that tell it, all, and short ones",
				told == test.told && (test.told != 1 || told+short == len(errors)) && len(errors) != 0,
				told,
				len(errors),
				short,
				errors,
			)
		})
	}
}

// One error tells of a mistyped character, with what is close, others in a
// line. The list is read for it once, and nothing where the id is right.
func TestMistypedCharacter(t *testing.T) {
	t.Parallel()
	for id, lists := range map[string]int{"ada_lovelac": 2, "ada_lovelace": 1} {
		w := acctest.NewScenario(t, func(o *mockserver.Options) { o.Extended = true })
		w.AddReady("ada_lovelace")
		for _, address := range []string{
			"mediagen_body_lora_training.b",
			"mediagen_face_lora_training.f",
			"mediagen_dataset.d",
		} {
			w.Resource(address, core.Object{"character_id": id})
		}
		for _, address := range []string{"mediagen_generation_group.g", "mediagen_generation_group.h"} {
			w.Resource(
				address,
				core.Object{
					"character_id": id,
					"prompts":      core.Object{"a": core.Object{"prompt": address + acctest.Hush}},
				},
			)
		}
		refused := w.Plan().Diagnostics.Errors().At("character_id")
		// The first asks whether the address is right, unless something was
		// found before.
		check.True(
			t,
			"lists",
			w.Count(mockserver.RouteCharacters) == lists ||
				id == "ada_lovelace" && w.Count(mockserver.RouteCharacters) == 0,
			w.Story(),
		)
		if id == "ada_lovelace" {
			check.True(t, "nothing is wrong", len(refused) == 0, refused)
			w.WantCount(t, mockserver.RouteCapabilities, 1)
			continue
		}
		w.WantCount(t, mockserver.RouteCapabilities, 3) // one by the dataset's own read
		full := strings.Count(refused.String(), `A similar character is "ada_lovelace".`)
		short := strings.Count(
			refused.String(),
			`There is no character "ada_lovelac" for this credential: the same failure as another object's.`,
		)
		check.True(t, "five errors, one in full", len(refused) == 5 && full == 1 && short == 4, full, short, refused)
	}
}

type infoLog struct {
	service *acctest.Service

	mutex sync.Mutex
	lines []string
	times []time.Time
}

func (l *infoLog) Write(line []byte) (int, error) {
	var entry struct {
		Level   string `json:"@level"`
		Message string `json:"@message"`
	}
	if err := json.Unmarshal(line, &entry); err != nil {
		return 0, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if entry.Level == "info" {
		l.lines = append(l.lines, entry.Message)
		l.times = append(l.times, l.service.Clock.Now())
	}
	return len(line), nil
}

// What is waited for is logged whenever it changes, and at least every minute,
// by its id.
func TestProgressIsLogged(t *testing.T) {
	t.Parallel()
	cannotTrain := func(w *acctest.Scenario) {
		w.SetCharacter("ada", func(c *mockserver.CharacterSeed) { c.CanTrain = new(bool) })
	}
	group := core.Object{"title": "Portraits" + acctest.Hush, "prompts": core.Object{
		"a": core.Object{
			"prompt": "A" + acctest.Hush,
		},
		"b": core.Object{"prompt": "B" + acctest.Hush},
		"c": core.Object{"prompt": "C" + acctest.Hush},
	}}
	for name, test := range map[string]struct {
		address string
		config  core.Object
		prepare func(*acctest.Scenario)
		says    []string // part of the lines, in their order
		ends    bool
	}{
		"training": {
			"mediagen_body_lora_training.x", core.Object{"character_id": "ada"}, nil,
			[]string{
				`Training "job_000001" of character "ada": training, phase preparing, 1 percent, about `,
				" minutes left",
				`Training "job_000001" of character "ada": completed, 100 percent`,
			}, true,
		},
		"group": {
			"mediagen_generation_group.x", group, nil,
			[]string{
				`Generation group "grp_000001": 0 of 3 generations have ended; "gen_00000`,
				" percent",
				`Generation group "grp_000001": 3 of 3 generations have ended`,
			}, true,
		},
		"no start": {
			"mediagen_body_lora_training.x",
			core.Object{"character_id": "ada"},
			cannotTrain,
			[]string{`No training of character "ada" can start yet`},
			false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewScenario(t, func(o *mockserver.Options) {
				o.GenerationTime = 20 * time.Minute
				o.TrainingTime = 2 * time.Hour
			})
			w.AddAda()
			w.Resource(test.address, test.config)
			if test.prepare != nil {
				test.prepare(w)
			}
			log := &infoLog{service: w.Service}
			begun := w.Clock.Now()
			w.ApplyContext(tflogtest.RootLogger(t.Context(), log))
			text := strings.Join(log.lines, "\n")
			check.True(t, "no line quotes a text that may be sensitive", !strings.Contains(text, acctest.Hush), text)
			rest := text
			for _, line := range test.says {
				_, after, found := strings.Cut(rest, line)
				if !found {
					t.Fatalf("%q is not said in time:\n%s", line, text)
				}
				rest = after
			}
			check.True(
				t,
				"the last line says how it ended",
				!test.ends || strings.HasPrefix(log.lines[len(log.lines)-1], test.says[len(test.says)-1]),
				text,
			)
			for i, at := range append(log.times, w.Clock.Now()) {
				before := begun
				if i > 0 {
					before = log.times[i-1]
				}
				silence := at.Sub(before)
				check.True(t, "at most a minute of silence", silence <= time.Minute, silence, i, text)
			}
		})
	}
}
