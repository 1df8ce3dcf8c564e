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
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// buyer is a caller of one organization.
type buyer string

func (b buyer) caller() evidence.Caller {
	return evidence.Caller{Address: "api", Organization: string(b)}
}

// newRun is a provider process that writes the files.
func newRun(t testing.TB, who buyer, paths ...string) *purchases.Log {
	t.Helper()
	log, err := purchases.NewLog(purchases.Config{
		Books:    paths,
		Caller:   who.caller,
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

// buys sends an order for an object, and gets an answer.
func buys(t testing.TB, log *purchases.Log, object string, entry *purchases.Entry, failure error) {
	t.Helper()
	ctx, _ := purchases.Collect(t.Context(), object, nil)
	check.Must(t, log.Begin(ctx, entry))
	if failure == nil {
		entry.GroupID = "grp"
		entry.Generations = map[string]string{}
		for key := range entry.Prompts {
			entry.Generations[key] = "gen_" + key
		}
	}
	log.End(entry, failure)
}

// refusedKeys are those of an order that the apply of another run refuses.
func refusedKeys(found []purchases.Bought) (keys []string) {
	for _, bought := range found {
		keys = append(keys, bought.Keys...)
	}
	return keys
}

// wantRefused checks what of an order the apply of another run refuses.
func wantRefused(t testing.TB, path string, want *purchases.Entry, keys ...string) {
	t.Helper()
	check.Equal(t, "what is refused", refusedKeys(refuses(t, newRun(t, "org", path), "new", want)), keys)
}

// refuses is what an apply of an object refuses to buy.
func refuses(t testing.TB, log *purchases.Log, object string, want *purchases.Entry) []purchases.Bought {
	t.Helper()
	ctx, _ := purchases.Collect(t.Context(), object, nil)
	return log.Refuse(ctx, want)
}

// plans is a plan that buys the same, after it was given states.
func plans(t testing.TB, path string, want *purchases.Entry, given ...purchases.Holding) purchases.Found {
	t.Helper()
	log := newRun(t, "org", path)
	for _, has := range given {
		log.Stored(has)
	}
	found := log.Find(want, "new")
	log.Want(found, nil)
	return found
}

var (
	refused = &reply.Error{Sent: reply.Request{Connected: true}, Said: reply.Answer{Status: 402}}
	unknown = &reply.Error{Sent: reply.Request{Connected: true}, Proves: reply.Proof{Effect: reply.EffectUnknown}}
)

// What was bought lives until something ends it, and a state that has it is no
// end. Faults F31 and F39.
func TestLog_guardsWhatLives(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		failure error
		settle  func(log *purchases.Log, entry *purchases.Entry)
		refused []string
	}{
		"answered": {nil, nil, []string{"a", "b"}},
		"unknown":  {unknown, nil, []string{"a", "b"}},
		"refused":  {refused, nil, nil},
		"unsent":   {&reply.Error{}, nil, nil},
		"forgotten": {nil, func(log *purchases.Log, entry *purchases.Entry) {
			log.Forgotten(purchases.Holding{Requests: []string{entry.Request}})
		}, nil},
		"gone": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.Gone(purchases.Holding{Generations: []string{"gen_b"}})
		}, []string{"a"}},
		"kept": {
			nil,
			func(log *purchases.Log, _ *purchases.Entry) { log.ForgottenGenerations("grp", []string{"gen_b"}) },
			[]string{"a"},
		},
		"its group deleted": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.End(log.Note(&purchases.Entry{Type: "delete_group", GroupID: "grp"}), nil)
		}, nil},
		"one deleted": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.End(log.Note(&purchases.Entry{Type: "delete_generation", GenerationID: "gen_a"}), nil)
		}, []string{"b"}},
		"a deletion without an answer": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.End(log.Note(&purchases.Entry{Type: "delete_generation", GenerationID: "gen_a"}), unknown)
		}, []string{"a", "b"}},
		"bought again by the same object": {nil, func(log *purchases.Log, _ *purchases.Entry) {
			log.Stored(purchases.Holding{Object: "x", Generations: []string{"gen_a"}})
			buys(t, log, "x", batch("ch", "a"), nil)
			log.End(log.Note(&purchases.Entry{Type: "delete_generation", GenerationID: "gen_a"}), nil)
		}, []string{"b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := newPath(t)
			entry := batch("ch", "a", "b")
			buys(t, newRun(t, "org", path), "x", entry, test.failure)
			if test.settle != nil {
				test.settle(newRun(t, "org", path), entry)
			}
			wantRefused(t, path, batch("ch", "a", "b"), test.refused...)
		})
	}
}

// The plan decides, and the apply obeys: what a state once had is refused where
// the last plan that wanted it was given no state of it. Fault F39.
func TestLog_theApplyDoesAsItsPlan(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	want := batch("ch", "a")
	entry := batch("ch", "a")
	buys(t, newRun(t, "org", path), "x", entry, nil)
	has := purchases.Holding{Object: "x", Generations: []string{"gen_a"}}
	found := plans(t, path, want)
	check.Equal(t, "guarded before a state has it", len(found.Guarded), 1)
	wantRefused(t, path, want, "a")
	found = plans(t, path, want, has)
	check.Equal(t, "equal to another's", len(found.Equal), 1)
	wantRefused(t, path, want)
	for range 3 { // a plan every night
		newRun(t, "org", path).Stored(has)
	}
	found = plans(t, path, want) // the state is lost
	check.True(t, "guarded", len(found.Guarded) == 1 && found.Guarded[0].WasStored, found)
	wantRefused(t, path, want, "a")
	check.Equal(t, "lines of states", strings.Count(readFile(t, path), `"stored"`), 2)
	log := newRun(t, "org", path) // the state comes after the wish
	log.Want(log.Find(want, "new"), nil)
	log.Stored(has)
	wantRefused(t, path, want)
}

// Without a note of its plan an apply does what that has said: it is refused
// only what no state ever had. Fault F39.
func TestLog_aPlanThatCouldNotNote(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	buys(t, newRun(t, "org", path), "x", batch("ch", "a"), nil)
	newRun(t, "org", path).Stored(purchases.Holding{Object: "x", Generations: []string{"gen_a"}})
	wantRefused(t, path, batch("ch", "a"))
}

// An apply that takes itself for a plan notes what it wants, and is given no
// unchanged object. Once it buys, its note counts for nobody: the next apply whose
// plan could not note was refused what a state has. Fault F39.
func TestLog_anApplyThatPlansAgain(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	want := batch("ch", "a")
	buys(t, newRun(t, "org", path), "x", batch("ch", "a"), nil)
	newRun(t, "org", path).Stored(purchases.Holding{Object: "x", Generations: []string{"gen_a"}})
	apply := newRun(t, "org", path)
	apply.Want(apply.Find(want, "new"), nil)
	buys(t, apply, "new", batch("ch", "a"), refused)
	wantRefused(t, path, want)
}

// What an object's own state has it may buy again. Fault F39.
func TestLog_ownPurchases(t *testing.T) {
	t.Parallel()
	for name, has := range map[string]func(entry *purchases.Entry) purchases.Holding{
		"by its id": func(*purchases.Entry) purchases.Holding {
			return purchases.Holding{Object: "new", Generations: []string{"gen_a"}}
		},
		"by its request": func(entry *purchases.Entry) purchases.Holding {
			return purchases.Holding{Object: "new", Requests: []string{entry.Request}}
		},
	} {
		path := newPath(t)
		entry := batch("ch", "a")
		buys(t, newRun(t, "org", path), "new", entry, nil)
		log := newRun(t, "org", path)
		log.Stored(has(entry))
		check.Equal(t, name+": refused", len(refuses(t, log, "new", batch("ch", "a"))), 0)
		check.Equal(t, name+": its own", len(log.Find(batch("ch", "a"), "new").Own), 1)
	}
}

// One entry has one claimant: of equal groups of a killed run each is told
// another, and one that is left without is bought. Fault F39.
func TestLog_oneEntryOneClaimant(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	killed := newRun(t, "org", path)
	buys(t, killed, "x", batch("ch", "a"), nil)
	second := batch("ch", "a")
	ctx, _ := purchases.Collect(t.Context(), "y", nil)
	check.Must(t, killed.Begin(ctx, second))
	second.Generations = map[string]string{"a": "gen_other"}
	killed.End(second, nil)
	for name, ask := range map[string]func(log *purchases.Log, object string) []purchases.Bought{
		"plan": func(log *purchases.Log, object string) []purchases.Bought {
			return log.Find(batch("ch", "a"), object).Guarded
		},
		"apply": func(log *purchases.Log, object string) []purchases.Bought {
			return refuses(t, log, object, batch("ch", "a"))
		},
	} {
		log := newRun(t, "org", path)
		told := map[string]bool{}
		for _, object := range []string{"one", "two", "one"} {
			found := ask(log, object)
			check.Equal(t, name+": entries for "+object, len(found), 1)
			told[found[0].Generations["a"]] = true
		}
		check.Equal(t, name+": each is told another", len(told), 2)
		check.Equal(t, name+": the third", len(ask(log, "three")), 0)
	}
}

// Two equal prompts of one object are two purchases, whatever their keys are by
// now. Fault F39.
func TestLog_equalPromptsOfOneObject(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	bought := batch("ch", "a", "b")
	bought.Prompts["b"] = bought.Prompts["a"]
	buys(t, newRun(t, "org", path), "x", bought, nil)
	renamed := batch("ch", "y", "z")
	renamed.Prompts["y"] = bought.Prompts["a"]
	renamed.Prompts["z"] = bought.Prompts["a"]
	wantRefused(t, path, renamed, "y", "z")
	found := newRun(t, "org", path).Find(renamed, "new").Guarded
	check.True(
		t,
		"each has another",
		len(found) == 1 && found[0].Generations["y"] != found[0].Generations["z"],
		found,
	)
}

// Equal purchases of two objects guard both; those of one object only the last.
// Fault F39.
func TestLog_equalPurchases(t *testing.T) {
	t.Parallel()
	for objects, left := range map[[2]string]int{{"x", "y"}: 2, {"x", "x"}: 1} {
		path := newPath(t)
		log := newRun(t, "org", path)
		for _, object := range objects {
			buys(t, log, object, training("ch"), nil)
		}
		log = newRun(t, "org", path)
		found := 0
		for _, object := range []string{"one", "two"} {
			found += len(log.Find(training("ch"), object).Guarded)
		}
		check.Equal(t, fmt.Sprint(objects), found, left)
	}
}

// What no state ever had is known by what was sent alone: a person may have
// changed the rest after a kill. What a state had is known by its group, else by
// title and key. Fault F39.
func TestLog_whatIsTheSame(t *testing.T) {
	t.Parallel()
	renamed := batch("ch", "b")
	renamed.Prompts["b"] = purchases.SumOf("a")
	titled := batch("ch", "a")
	titled.Title = new("Others")
	grouped := batch("ch", "b")
	grouped.Prompts["b"] = purchases.SumOf("a")
	grouped.GroupID = "grp"
	elsewhere := batch("ch", "a")
	elsewhere.GroupID = "other"
	text := batch("ch", "a")
	text.Prompts["a"] = purchases.SumOf("another text")
	for name, test := range map[string]struct {
		want           *purchases.Entry
		unstored, kept int
	}{
		"the same":          {batch("ch", "a"), 1, 1},
		"another key":       {renamed, 1, 0},
		"another title":     {titled, 1, 0},
		"the same group":    {grouped, 1, 1},
		"another group":     {elsewhere, 1, 0},
		"another text":      {text, 0, 0},
		"another character": {batch("ch_2", "a"), 0, 0},
		"another kind":      {&purchases.Entry{Type: "dataset", CharacterID: "ch", Inputs: purchases.SumOf("a")}, 0, 0},
	} {
		path := newPath(t)
		buys(t, newRun(t, "org", path), "x", batch("ch", "a"), nil)
		check.Equal(t, name+": in no state", len(newRun(t, "org", path).Find(test.want, "new").Guarded), test.unstored)
		newRun(t, "org", path).Stored(purchases.Holding{Object: "x", Generations: []string{"gen_a"}})
		check.Equal(t, name+": in a state once", len(newRun(t, "org", path).Find(test.want, "new").Guarded), test.kept)
	}
}

// Who asks may be who has bought, unless both organizations are known and
// differ, or the host does. Fault F39.
func TestLog_whoBought(t *testing.T) {
	t.Parallel()
	type caller = evidence.Caller
	for name, test := range map[string]struct {
		bought, asks caller
		guarded      int
	}{
		"another key": {
			caller{Address: "a/v2", Credential: "1"},
			caller{Address: "a/v2", Credential: "2"},
			1,
		},
		"another organization": {
			caller{Address: "a/v2", Organization: "1"},
			caller{Address: "a/v2", Organization: "2"},
			0,
		},
		"one is not known": {
			caller{Address: "a/v2", Organization: "1"},
			caller{Address: "a/v2", Credential: "2"},
			1,
		},
		"another path":            {caller{Address: "a/v2"}, caller{Address: "a//v2"}, 1},
		"another version":         {caller{Address: "a/v2"}, caller{Address: "a/v3"}, 1},
		"another host":            {caller{Address: "a/v2"}, caller{Address: "b/v2"}, 0},
		"another port":            {caller{Address: "a:8443/v2"}, caller{Address: "a:9443/v2"}, 0},
		"the port that is usual":  {caller{Address: "a:443/v2"}, caller{Address: "a/v2"}, 1},
		"upper case, and a dot":   {caller{Address: "API.example.com./v2"}, caller{Address: "api.example.com/v2"}, 1},
		"names of the loopback":   {caller{Address: "localhost:80/v2"}, caller{Address: "127.0.0.2/v2"}, 1},
		"loopback of IPv6":        {caller{Address: "[::1]:8080/v2"}, caller{Address: "localhost:8080/v2"}, 1},
		"loopback of other ports": {caller{Address: "[::1]:8080/v2"}, caller{Address: "localhost:8081/v2"}, 0},
	} {
		path := newPath(t)
		run := func(who caller) *purchases.Log {
			log, err := purchases.NewLog(purchases.Config{
				Books:  []string{path},
				Caller: func() evidence.Caller { return who },
				Clock:  wait.System,
			})
			check.Must(t, err)
			return log
		}
		buys(t, run(test.bought), "x", batch("ch", "a"), nil)
		check.Equal(t, name, len(refuses(t, run(test.asks), "new", batch("ch", "a"))), test.guarded)
	}
}

// An entry without ids learns them from a state that has an equal prompt or job
// which no entry names. Fault F39.
func TestLog_learnsIDs(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	buys(t, newRun(t, "org", path), "x", batch("ch", "a", "b"), unknown)
	buys(t, newRun(t, "org", path), "x", training("ch"), unknown)
	prompts := batch("ch", "a")
	prompts.Generations = map[string]string{"a": "gen_found"}
	job := training("ch")
	job.JobID = new("job_found")
	held := purchases.Holding{
		Object:      "imported",
		Generations: []string{"gen_found"},
		Order:       func() *purchases.Entry { return prompts },
	}
	log := newRun(t, "org", path)
	log.Stored(held)
	log.Stored(purchases.Holding{
		Object:      "imported too",
		CharacterID: "ch",
		JobID:       "job_found",
		Order:       func() *purchases.Entry { return job },
	})
	found := plans(t, path, batch("ch", "a", "b"), held)
	check.True(t, "the state has one", len(found.Equal) == 1 && found.Equal[0].Generations["a"] == "gen_found", found)
	check.Equal(t, "of the other nobody knows", refusedKeys(found.Guarded), []string{"b"})
	trained := newRun(t, "org", path).Find(training("ch"), "new").Guarded
	check.True(t, "the job", len(trained) == 1 && trained[0].JobID == "job_found" && trained[0].WasStored, trained)
	others := batch("ch", "a")
	others.Generations = map[string]string{"a": "gen_found"}
	buys(t, newRun(t, "org", path), "z", batch("ch", "c"), unknown)
	newRun(t, "org", path).Stored(purchases.Holding{Object: "again", Order: func() *purchases.Entry { return others }})
	check.Equal(t, "an id is learned once", strings.Count(readFile(t, path), `"generations":{"a":"gen_found"}`), 1)
}

// An import is in a state once a run is given one: not as it is planned.
// Fault F39.
func TestLog_anImportIsNoStateYet(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	buys(t, newRun(t, "org", path), "x", batch("ch", "a"), nil)
	newRun(t, "org", path).Stored(purchases.Holding{Object: "imported", Generations: []string{"gen_a"}, IsNew: true})
	wantRefused(t, path, batch("ch", "a"), "a")
}

// What a reply named before it was cut off is held by whoever imports it.
// Fault F31.
func TestLog_holdsWhatABrokenReplyNamed(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	entry := batch("ch", "a", "b")
	log := newRun(t, "org", path)
	ctx, _ := purchases.Collect(t.Context(), "x", nil)
	check.Must(t, log.Begin(ctx, entry))
	entry.Generations = map[string]string{"a": "gen_a", "b": "gen_b"}
	log.End(entry, unknown)
	wantRefused(t, path, batch("ch", "a", "b"), "a", "b")
	found := plans(t, path, batch("ch", "a", "b"), purchases.Holding{Object: "y", Generations: []string{"gen_a"}})
	check.Equal(t, "held", refusedKeys(found.Equal), []string{"a"})
	wantRefused(t, path, batch("ch", "a", "b"), "b")
}

// A run that was killed in a replacement has bought what an object of the state
// has already. A run that ended in order is believed until another plan finds
// that no state has it. Fault F39.
func TestLog_unclaimed(t *testing.T) {
	t.Parallel()
	order := func() *purchases.Entry { return batch("ch", "a") }
	path := newPath(t)
	killed := batch("ch", "a")
	buys(t, newRun(t, "org", path), "x", killed, nil)
	told, _ := newRun(t, "org", path).Unclaimed(order, "old")
	check.Equal(t, "told of a killed run", len(told), 1)
	newRun(t, "org", path).Returned([]string{killed.Request})
	log := newRun(t, "org", path)
	told, untold := log.Unclaimed(order, "old")
	check.True(t, "not told of one that ended", len(told) == 0 && len(untold) == 1, told, untold)
	log.Want(purchases.Found{Guarded: untold}, nil)
	told, _ = newRun(t, "org", path).Unclaimed(order, "old")
	check.Equal(t, "told by the next plan", len(told), 1)
	newRun(t, "org", path).Stored(purchases.Holding{Object: "y", Generations: []string{"gen_a"}})
	told, untold = newRun(t, "org", path).Unclaimed(order, "old")
	check.Equal(t, "a state has it", len(told)+len(untold), 0)
}

// What an earlier build has written ends with the state that has it, as it did
// then. Fault F39.
func TestLog_entriesOfTheBuildBefore(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	before := newRun(t, "org", path)
	buys(t, before, "", batch("ch", "a", "b"), nil) // it named no object
	newRun(t, "org", path).Stored(purchases.Holding{Object: "x", Generations: []string{"gen_a"}})
	wantRefused(t, path, batch("ch", "a", "b"), "b")
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
	check.Equal(t, "found in half a line", len(reader.Find(batch("ch", "a"), "new").Guarded), 0)
	check.Must(t, os.WriteFile(path, content, 0o600))
	check.Equal(t, "found in the whole line", len(reader.Find(batch("ch", "a"), "new").Guarded), 1)
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
	buys(t, newRun(t, "org", one, two, one), "x", batch("ch", "a"), nil)
	check.Equal(t, "both have it", readFile(t, one), readFile(t, two))
	check.Equal(t, "once", strings.Count(readFile(t, one), `"answered"`), 1)
	wantRefused(t, one, batch("ch", "a"), "a")
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
				`"character_id":"ch_%[1]d","inputs":"i"}`+"\n"+
				`{"request":"r%[1]d","type":"training","outcome":"answered","character_id":"ch_%[1]d",`+
				`"job_id":"j%[1]d"}`+"\n",
			i,
		)
	}
	check.Must(b, os.WriteFile(path, []byte(lines.String()), 0o600))
	for b.Loop() {
		log := newRun(b, "org", path)
		for i := range 40 {
			log.Find(&purchases.Entry{Type: "training", CharacterID: fmt.Sprint("ch_", i), Inputs: "i"}, "new")
		}
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	check.Must(t, err)
	return string(content)
}
