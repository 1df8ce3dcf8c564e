package acctest_test

import (
	"encoding/json"
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
		l.lines, l.times = append(l.lines, entry.Message), append(l.times, l.service.Clock.Now())
	}
	return len(line), nil
}

// What is waited for is logged whenever it changes, and at least every minute, by its id.
func TestProgressIsLogged(t *testing.T) {
	t.Parallel()
	cannotTrain := func(w *acctest.Scenario) {
		w.SetCharacter("ada", func(c *mockserver.CharacterSeed) { c.CanTrain = new(bool) })
	}
	group := core.Object{"title": "Portraits" + acctest.Hush, "prompts": core.Object{
		"a": core.Object{"prompt": "A" + acctest.Hush}, "b": core.Object{"prompt": "B" + acctest.Hush}, "c": core.Object{"prompt": "C" + acctest.Hush},
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
			[]string{`Training "job_000001" of character "ada": training, phase preparing, 1 percent, about `, " minutes left", `Training "job_000001" of character "ada": completed, 100 percent`}, true,
		},
		"group": {
			"mediagen_generation_group.x", group, nil,
			[]string{`Generation group "grp_000001": 0 of 3 generations have ended; "gen_00000`, " percent", `Generation group "grp_000001": 3 of 3 generations have ended`}, true,
		},
		"no start": {"mediagen_body_lora_training.x", core.Object{"character_id": "ada"}, cannotTrain, []string{`No training of character "ada" can start yet`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewScenario(t, func(o *mockserver.Options) { o.GenerationTime, o.TrainingTime = 20*time.Minute, 2*time.Hour })
			w.AddAda()
			w.Resource(test.address, test.config)
			if test.prepare != nil {
				test.prepare(w)
			}
			log, begun := &infoLog{service: w.Service}, w.Clock.Now()
			w.ApplyContext(tflogtest.RootLogger(t.Context(), log))
			text := strings.Join(log.lines, "\n")
			check.True(t, "no line quotes a text that may be sensitive", !strings.Contains(text, acctest.Hush), text)
			for rest, i := text, 0; i < len(test.says); i++ {
				_, after, found := strings.Cut(rest, test.says[i])
				if !found {
					t.Fatalf("%q is not said in time:\n%s", test.says[i], text)
				}
				rest = after
			}
			check.True(t, "the last line says how it ended", !test.ends || strings.HasPrefix(log.lines[len(log.lines)-1], test.says[len(test.says)-1]), text)
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
