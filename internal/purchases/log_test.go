package purchases_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// buyer is a caller of one organization.
type buyer string

func (b buyer) Now() purchases.Caller {
	return purchases.Caller{Address: "api", Organization: string(b)}
}

func (b buyer) IsOther(then purchases.Caller) bool { return then.Organization != string(b) }

// newRun is a provider process that writes the files.
func newRun(t testing.TB, who buyer, paths ...string) *purchases.Log {
	t.Helper()
	log, err := purchases.NewLog(purchases.Config{
		Paths:    paths,
		Buyer:    who,
		Clock:    wait.System,
		Patience: purchases.Patience{Tell: time.Hour, Buy: 300 * time.Millisecond, Other: 50 * time.Millisecond},
	})
	check.Must(t, err)
	return log
}

func newPath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "purchases.jsonl")
}

// batch orders prompts by key; what is sent of each is its key.
func batch(character string, keys ...string) *purchases.Entry {
	entry := &purchases.Entry{Type: "batch", CharacterID: character, Prompts: map[string]string{}}
	for _, key := range keys {
		entry.Prompts[key] = purchases.SumOf(key)
	}
	return entry
}

func training(character string) *purchases.Entry {
	return &purchases.Entry{Type: "training", CharacterID: character, Inputs: purchases.SumOf("inputs")}
}

// buys sends an order and gets an answer.
func buys(t testing.TB, log *purchases.Log, entry *purchases.Entry, failure error) {
	t.Helper()
	check.Must(t, log.Begin(t.Context(), entry))
	if failure == nil {
		entry.GroupID = "grp"
		entry.Generations = map[string]string{}
		for key := range entry.Prompts {
			entry.Generations[key] = "gen_" + key
		}
	}
	log.End(entry, failure)
}

// wantGuarded checks what of an order an open entry keeps another run from
// buying.
func wantGuarded(t testing.TB, path string, want *purchases.Entry, keys ...string) {
	t.Helper()
	var guarded []string
	for _, found := range newRun(t, "org", path).Find(want) {
		guarded = append(guarded, found.Keys...)
	}
	check.Equal(t, "what is guarded", guarded, keys)
}

// Fault F31.
func TestLog_guardsWhatNoStateHasShown(t *testing.T) {
	t.Parallel()
	refused := &reply.Error{Sent: reply.Request{Connected: true}, Said: reply.Answer{Status: 402}}
	unknown := &reply.Error{Sent: reply.Request{Connected: true}, Proves: reply.Proof{Effect: reply.EffectUnknown}}
	for name, test := range map[string]struct {
		failure error
		settle  func(log *purchases.Log, entry *purchases.Entry)
		guarded []string
	}{
		"answered": {nil, nil, []string{"a", "b"}},
		"unknown":  {unknown, nil, []string{"a", "b"}},
		"refused":  {refused, nil, nil},
		"unsent":   {&reply.Error{}, nil, nil},
		"stored by its request": {nil, func(log *purchases.Log, entry *purchases.Entry) {
			log.Stored(purchases.Holding{Requests: []string{entry.Request}})
		}, nil},
		"stored by an id": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.Stored(purchases.Holding{Generations: []string{"gen_a"}})
		}, []string{"b"}},
		"stored by all ids": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.Stored(purchases.Holding{Generations: []string{"gen_a", "gen_b"}})
		}, nil},
		"imported without an answer": {unknown, func(log *purchases.Log, _ *purchases.Entry) {
			log.Stored(purchases.Holding{Import: batch("ch", "a", "b")})
		}, nil},
		"forgotten": {nil, func(log *purchases.Log, entry *purchases.Entry) {
			log.Forgotten(purchases.Holding{Requests: []string{entry.Request}})
		}, nil},
		"kept": {nil, func(log *purchases.Log, _ *purchases.Entry) { log.ForgottenGenerations("grp", []string{"gen_b"}) }, []string{"a"}},
		"its group deleted": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.End(log.Note(&purchases.Entry{Type: "delete_group", GroupID: "grp"}), nil)
		}, nil},
		"one deleted": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.End(log.Note(&purchases.Entry{Type: "delete_generation", GenerationID: "gen_a"}), nil)
		}, []string{"b"}},
		"a deletion without an answer": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.End(log.Note(&purchases.Entry{Type: "delete_generation", GenerationID: "gen_a"}), unknown)
		}, []string{"a", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := newPath(t)
			entry := batch("ch", "a", "b")
			buys(t, newRun(t, "org", path), entry, test.failure)
			if test.settle != nil {
				test.settle(newRun(t, "org", path), entry)
			}
			wantGuarded(t, path, batch("ch", "a", "b"), test.guarded...)
		})
	}
}

// What a reply named before it was cut off is held by whoever imports it, and
// guarded no longer. Fault F31.
func TestLog_holdsWhatABrokenReplyNamed(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	entry := batch("ch", "a", "b")
	log := newRun(t, "org", path)
	check.Must(t, log.Begin(t.Context(), entry))
	entry.Generations = map[string]string{"a": "gen_a", "b": "gen_b"}
	log.End(entry, &reply.Error{Proves: reply.Proof{Effect: reply.EffectUnknown}})
	wantGuarded(t, path, batch("ch", "a", "b"), "a", "b")
	newRun(t, "org", path).Stored(purchases.Holding{Generations: []string{"gen_a"}})
	wantGuarded(t, path, batch("ch", "a", "b"), "b")
}

// A line that another process has only begun to write is read once it is whole.
// Fault F31.
func TestLog_readsALineThatIsBeingWritten(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	check.Must(t, newRun(t, "org", path).Begin(t.Context(), batch("ch", "a")))
	content, err := os.ReadFile(path)
	check.Must(t, err)
	half := len(content) / 2
	check.Must(t, os.WriteFile(path, content[:half], 0o600))
	reader := newRun(t, "org", path)
	check.Equal(t, "found in half a line", len(reader.Find(batch("ch", "a"))), 0)
	check.Must(t, os.WriteFile(path, content, 0o600))
	check.Equal(t, "found in the whole line", len(reader.Find(batch("ch", "a"))), 1)
}

// Fault F31.
func TestLog_whatIsTheSame(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	first := newRun(t, "org", path)
	buys(t, first, batch("ch", "a"), nil)
	buys(t, first, training("ch"), nil)
	other := batch("ch", "a")
	other.Prompts["a"] = purchases.SumOf("another text")
	titled := batch("ch", "a")
	titled.Title = new("Others")
	for name, order := range map[string]*purchases.Entry{
		"another character": batch("ch_2", "a"), "another key": batch("ch", "b"), "another text": other, "another title": titled,
		"another kind": {Type: "dataset", CharacterID: "ch", Inputs: purchases.SumOf("inputs")},
	} {
		check.Equal(t, name, len(newRun(t, "org", path).Find(order)), 0)
	}
	check.Equal(t, "another caller", len(newRun(t, "others", path).Find(batch("ch", "a"))), 0)
	check.Equal(t, "the run itself", len(first.Find(batch("ch", "a"))), 0)
	check.Equal(t, "the same training", len(newRun(t, "org", path).Find(training("ch"))), 1)
	err := newRun(t, "org", path).Begin(t.Context(), batch("ch", "a"))
	bought, is := errors.AsType[*purchases.BoughtError](err)
	check.True(t, "it is refused, with its ids", is && bought.Found[0].Generations["a"] == "gen_a", err)
	first.Stored(purchases.Holding{Generations: []string{"gen_a"}})
	wantGuarded(t, path, batch("ch", "a"), "a") // its own state may not be stored yet
}

// Of runs that would buy the same at once, one passes, also where they make the
// file. Fault F31.
func TestLog_oneOfTwoRuns(t *testing.T) {
	t.Parallel()
	for range 20 {
		path := newPath(t)
		var passed, refused atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			log := newRun(t, "org", path)
			all.Go(func() {
				err := log.Begin(t.Context(), batch("ch", "a"))
				switch _, is := errors.AsType[*purchases.BoughtError](err); {
				case is:
					refused.Add(1)
				case err == nil:
					passed.Add(1)
				}
			})
		}
		all.Wait()
		check.Equal(t, "who passes", passed.Load(), 1)
		check.Equal(t, "who hears why not", refused.Load(), 7)
	}
}

// A log of an earlier build has no entry that a state could close. Fault F31.
func TestLog_earlierBuildsGuardNothing(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join("..", "acctest", "testdata", "earlier.jsonl"))
	check.Must(t, err)
	path := newPath(t)
	check.Must(t, os.WriteFile(path, content, 0o600))
	log := newRun(t, "org", path)
	check.Must(t, log.Check())
	check.Must(t, log.Begin(t.Context(), batch("ch", "a")))
	check.True(t, "what was there stays", strings.HasPrefix(readFile(t, path), string(content)))
}

// All files have each purchase, and one that cannot be written is an error
// before it is sent.
func TestLog_twoFiles(t *testing.T) {
	t.Parallel()
	one := newPath(t)
	two := newPath(t)
	buys(t, newRun(t, "org", one, two, one), batch("ch", "a"), nil)
	check.Equal(t, "both have it", readFile(t, one), readFile(t, two))
	check.Equal(t, "once", strings.Count(readFile(t, one), `"answered"`), 1)
	wantGuarded(t, one, batch("ch", "a"), "a")
	missing := filepath.Join(t.TempDir(), "missing", "log")
	log := newRun(t, "org", newPath(t), missing)
	check.True(t, "the plan is refused", log.Check() != nil)
	err := log.Begin(t.Context(), batch("ch", "b"))
	check.True(t, "so is the purchase", errors.Is(err, purchases.ErrLog) && strings.Contains(err.Error(), missing), err)
}

// A log is read once, and then what was added. A line that is cut off is none.
func BenchmarkLog(b *testing.B) {
	path := newPath(b)
	var lines strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(
			&lines,
			`{"request":"r%d","type":"training","outcome":"sending","version":2,"by":{"run":"x","organization":"org"},`+
				`"character_id":"ch_%[1]d","inputs":"i"}`+"\n"+`{"request":"r%[1]d","type":"training","outcome":"answered","character_id":"ch_%[1]d","job_id":"j%[1]d"}`+"\n",
			i,
		)
	}
	check.Must(b, os.WriteFile(path, []byte(lines.String()), 0o600))
	for b.Loop() {
		log := newRun(b, "org", path)
		for i := range 40 {
			log.Find(&purchases.Entry{Type: "training", CharacterID: fmt.Sprint("ch_", i), Inputs: "i"})
		}
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	check.Must(t, err)
	return string(content)
}
