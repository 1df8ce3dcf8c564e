package acctest_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	killedGroup    = "mediagen_generation_group.x"
	killedTraining = "mediagen_body_lora_training.x"
	killedDataset  = "mediagen_dataset.x"
)

type killing struct {
	*acctest.Scenario
	log  *acctest.Book
	left acctest.BookCopy // what the log had when the apply was killed
}

func newKilling(t *testing.T, settings core.Object, change ...func(*mockserver.Options)) *killing {
	t.Helper()
	s := acctest.NewRepeatable(t, append(change, func(o *mockserver.Options) { o.Extended = true })...)
	s.AddAda()
	s.AddReady("bob")
	k := &killing{Scenario: s.Scenario(t), log: acctest.NewFileBook(t)}
	provider := core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "purchase_log": k.log.Name}
	maps.Copy(provider, settings)
	k.Workspace.Provider(provider)
	return k
}

// books are where the log of a killing may be.
var books = []func(*killing) *killing{inFile, (*killing).inStore}

func inFile(k *killing) *killing { return k }

// inStore has the log in a store, which nothing has written yet.
func (k *killing) inStore() *killing {
	k.T.Helper()
	k.log = k.NewStoreBook()
	k.set(nil)
	return k
}

func (k *killing) group(config core.Object, texts ...string) {
	prompts := core.Object{}
	for i := 0; i < len(texts); i += 2 {
		prompts[texts[i]] = core.Object{"prompt": texts[i+1]}
	}
	whole := core.Object{"character_id": "ada", "title": "Portraits", "prompts": prompts}
	maps.Copy(whole, config)
	k.Resource(killedGroup, whole)
}

func (k *killing) killedBy(fault mockserver.Fault) {
	k.T.Helper()
	before := len(k.Addresses())
	reached := false
	fault.Reached = func() {
		reached = true
		k.killNow()
	}
	k.Fault(fault)
	k.Apply()
	k.ClearFaults()
	if !reached || len(k.Addresses()) != before {
		k.T.Fatalf("the kill was reached: %t; the state has %v", reached, k.Addresses())
	}
	k.endProcess()
}

func (k *killing) killNow() {
	k.left = k.log.Kill()
	k.Kill()
}

// endProcess: the log has what the kill left, whatever the process would have
// written since.
func (k *killing) endProcess() {
	k.T.Helper()
	k.log.Restore(k.T, k.left)
}

func (k *killing) wantBought(batches, trainings, datasets int) {
	k.T.Helper()
	for route, want := range map[string]int{
		mockserver.RouteBatch:           batches,
		mockserver.RouteStartTraining:   trainings,
		mockserver.RouteGenerateDataset: datasets,
	} {
		k.WantCount(k.T, route, want)
	}
}

// wantClosed: what a state has is not open any more.
func (k *killing) wantClosed() {
	k.T.Helper()
	last := map[string]string{}
	for line := range strings.Lines(k.log.Text()) {
		if !regexp.MustCompile(`"type":"(batch|training|dataset|image|image_regeneration)"`).MatchString(line) {
			continue
		}
		request := regexp.MustCompile(`"request":"(\w+)"`).FindStringSubmatch(line)
		outcome := regexp.MustCompile(`"outcome":"(\w+)"`).FindStringSubmatch(line)
		last[request[1]] = outcome[1]
	}
	closed := []string{"stored", "refused", "unsent"}
	for request, outcome := range last {
		check.True(k.T, "it is closed", slices.Contains(closed, outcome), request, outcome, k.log.Text())
	}
}

// refused: the plan warns, the apply refuses, and neither sends anything that
// is paid.
func (k *killing) refused(texts ...string) {
	k.T.Helper()
	before := len(k.Ledger().Entries)
	k.WantWarning(k.Plan().Must().Diagnostics, anotherRun, append([]string{"An apply refuses"}, texts...)...)
	found := k.Apply().Diagnostics.Errors()
	check.Contains(k.T, "the error", found.String(), append([]string{anotherRun, "Nothing was sent"}, texts...)...)
	check.Equal(k.T, "errors", len(found), 1)
	check.Equal(k.T, "purchases", len(k.Ledger().Entries), before)
}

const anotherRun = "Another Run Has Bought This"

func (k *killing) settles() {
	k.T.Helper()
	k.Apply().Must()
	k.Plan().Must().WantEmpty()
}

var (
	whileBatch = mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true}
	afterBatch = mockserver.Fault{Route: mockserver.RouteStatus, Nth: 1}
)

// What a run has bought that was killed is not bought again, and not taken: the
// import that the plan names has it. Fault F31.
func TestKilled_answered(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A", "b", "B")
	k.killedBy(afterBatch)
	k.refused(
		`prompts "a", "b"`,
		`group "grp_000001"`,
		`jsonencode({"a": "gen_000001", "b": "gen_000002"})`,
		"change take",
		"purchases-${terraform.workspace}.jsonl",
	)
	k.Import(killedGroup, `{"a":"gen_000001","b":"gen_000002"}`).Must()
	k.settles()
	k.wantClosed()
	k.wantBought(1, 0, 0)
	k.Want(killedGroup, core.Object{`generations["a"].id`: "gen_000001", "succeeded_count": 2})
}

// To buy it again all the same, take is changed. Fault F31.
func TestKilled_take(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A")
	k.killedBy(afterBatch)
	k.refused()
	k.group(core.Object{"prompts": core.Object{"a": core.Object{"prompt": "A", "take": int64(2)}}})
	k.settles()
	k.wantBought(2, 0, 0)
}

// Without its reply it may have been bought: a person looks for it, and imports
// what is found. Fault F31.
func TestKilled_unanswered(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A", "b", "B")
	k.killedBy(whileBatch)
	k.refused("no answer is known", `jsonencode({"a": "GENERATION_ID", "b": "GENERATION_ID"})`)
	k.Import(killedGroup, `{"a":"gen_000001","b":"gen_000002"}`).Must()
	k.settles()
	k.wantClosed()
	k.wantBought(1, 0, 0)
}

// An entry is for each prompt, by what is sent: a person may have changed the key
// and the title after the kill. Faults F31 and F39.
func TestKilled_byPrompt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  core.Object
		prompts []string
		refused bool
		bought  string // what is sent after the kill
	}{
		"added":      {nil, []string{"a", "A", "b", "B", "c", "C"}, true, ""},
		"changed":    {nil, []string{"a", "another A", "b", "another B"}, false, "another A, another B"},
		"removed":    {nil, []string{"a", "A"}, true, ""},
		"renamed":    {nil, []string{"y", "A", "z", "B"}, true, ""},
		"otherTitle": {core.Object{"title": "Others"}, []string{"a", "A", "b", "B"}, true, ""},
		"otherOwner": {core.Object{"character_id": "bob"}, []string{"a", "A", "b", "B"}, false, "A, B"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, nil)
			k.group(nil, "a", "A", "b", "B")
			k.killedBy(afterBatch)
			k.group(test.config, test.prompts...)
			if test.refused {
				k.refused()
				return
			}
			k.settles()
			entries := k.Ledger().Entries
			check.Equal(t, "what was sent", strings.Join(entries[len(entries)-1].Prompts, ", "), test.bought)
		})
	}
}

// What is the same to a plan is the same purchase: a killed run of a checkout
// with CRLF guards that of one with LF. What is another is bought. Faults F31
// and F35.
func TestKilled_sameTexts(t *testing.T) {
	t.Parallel()
	for address, of := range map[string]struct {
		route, after string // the request that the kill meets, and a request before that
	}{
		"mediagen_generation_group.prompt":           {mockserver.RouteStatus, mockserver.RouteBatch},
		"mediagen_body_lora_training.triggers":       {mockserver.RouteTraining, mockserver.RouteStartTraining},
		"mediagen_dataset.prompts":                   {mockserver.RouteDatasetStatus, mockserver.RouteGenerateDataset},
		"mediagen_dataset_image_regeneration.prompt": {mockserver.RouteRegenerate, ""},
		"mediagen_image.prompt":                      {mockserver.RouteImage, ""},
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			config := texted[address]
			same := check.SameTexts(written)
			if address == "mediagen_generation_group.prompt" { // alone, so that nothing else is guarded
				config = func(text string) core.Object {
					return core.Object{"character_id": "ada", "prompts": core.Object{"a": core.Object{"prompt": text}}}
				}
			}
			k := newKilling(t, nil)
			k.Resource(address, config(same.Example(1)))
			k.killedBy(mockserver.Fault{Route: of.route, After: of.after, Times: 1})
			k.Clock.Advance(time.Hour)
			for seed := range 10 {
				k.Resource(address, config(same.Example(seed)))
				k.refused()
			}
			k.Resource(address, config(written+"x"))
			k.Apply().Must()
		})
	}
}

// A fresh signature is no other purchase, and another query is one. Faults F31
// and F35.
func TestKilled_sameAddress(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	shown := func(query string) {
		photo := core.Object{"source_image_url": "https://images.example.com/chair.jpg?" + query}
		k.group(core.Object{"prompts": core.Object{"a": photo}})
	}
	shown("w=1&h=2&Expires=1&Signature=a")
	k.killedBy(afterBatch)
	shown("h=2&w=1&Expires=2&Signature=b")
	k.refused()
	shown("h=2&w=2&Expires=2&Signature=b")
	k.settles()
	k.wantBought(2, 0, 0)
}

// Each batch has an entry, and each guards its own, also one that was sent into
// the group of the first. Fault F31.
func TestKilled_batches(t *testing.T) {
	t.Parallel()
	k := newKilling(t, core.Object{"max_prompts_per_batch": int64(1)})
	k.group(nil, "a", "A", "b", "B", "c", "C")
	k.killedBy(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 2, DropAfterWork: true})
	k.refused(`prompts "a", "b"`, `jsonencode({"a": "gen_000001", "b": "GENERATION_ID"})`)
	k.Import(killedGroup, `{"a":"gen_000001"}`).Must()
	k.refused(`prompt "b"`, "terraform state rm", `jsonencode({"a": "gen_000001", "b": "GENERATION_ID"})`)
	k.Forget(killedGroup)
	k.Import(killedGroup, `{"a":"gen_000001","b":"gen_000002"}`).Must()
	k.settles()
	k.wantClosed()
	k.wantBought(3, 0, 0)
}

// The state holds the rest of the group: the import has all pairs, in place of
// that. Fault F31.
func TestKilled_update(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A", "c", "C")
	k.Apply().Must()
	k.group(nil, "a", "changed", "b", "B", "c", "C")
	k.killedBy(mockserver.Fault{Route: mockserver.RouteStatus, After: mockserver.RouteBatch, Nth: 1})
	k.refused("terraform state rm", `jsonencode({"a": "gen_000003", "b": "gen_000004", "c": "gen_000002"})`)
	k.Forget(killedGroup)
	k.Import(killedGroup, `{"a":"gen_000003","b":"gen_000004","c":"gen_000002"}`).Must()
	k.settles()
	k.wantClosed()
	k.wantBought(2, 0, 0)
}

// What was deleted since is bought. Fault F31.
func TestKilled_deletedSince(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A")
	k.killedBy(afterBatch)
	k.Import(killedGroup, `{"a":"gen_000001"}`).Must()
	k.Destroy().Must()
	k.settles()
	k.wantBought(2, 0, 0)
}

// A training and a dataset are known by what they are made from. Fault F31.
func TestKilled_work(t *testing.T) {
	t.Parallel()
	for address, of := range map[string]struct {
		starts, polls, id string
		config            core.Object
	}{
		killedTraining: {
			mockserver.RouteStartTraining,
			mockserver.RouteTraining,
			"ada/job_000001",
			core.Object{"character_id": "ada"},
		},
		killedDataset: {
			mockserver.RouteGenerateDataset, mockserver.RouteDatasetStatus, "ada/dataset_000001",
			core.Object{"character_id": "ada", "prompts": []any{"smiling"}},
		},
	} {
		for _, test := range []struct {
			name    string
			fault   mockserver.Fault
			trigger bool
			says    string
		}{
			{"answered", mockserver.Fault{Route: of.polls, After: of.starts, Nth: 1}, false, of.id},
			{"unanswered", mockserver.Fault{Route: of.starts, Nth: 1, DropAfterWork: true}, false, "ada/JOB_ID"},
			{"not received", mockserver.Fault{Route: of.starts, Nth: 1, DropBefore: true}, false, "ada/JOB_ID"},
			{"triggers changed", mockserver.Fault{Route: of.starts, Nth: 1, DropBefore: true}, true, ""},
		} {
			t.Run(fmt.Sprintf("%s %s", address, test.name), func(t *testing.T) {
				t.Parallel()
				k := newKilling(t, nil)
				k.Resource(address, of.config)
				k.killedBy(test.fault)
				k.Clock.Advance(time.Hour)
				if test.trigger {
					changed := core.Object{"triggers": core.Object{"round": "2"}}
					maps.Copy(changed, of.config)
					k.Resource(address, changed)
					k.settles()
					return
				}
				k.refused(test.says, "change triggers")
				if test.fault.DropBefore {
					return
				}
				k.Import(address, of.id).Must()
				k.settles()
				k.wantClosed()
				k.WantCount(t, of.starts, 1)
			})
		}
	}
}

// An image and a regeneration are guarded too, and closed by the state that
// shows them. Fault F31.
func TestKilled_images(t *testing.T) {
	t.Parallel()
	for address, of := range map[string]struct {
		route  string
		config core.Object
		says   string
	}{
		"mediagen_image.x": {mockserver.RouteImage, core.Object{"prompt": "a castle"}, "cannot be imported"},
		"mediagen_dataset_image_regeneration.x": {
			mockserver.RouteRegenerate,
			core.Object{"character_id": "ada", "image_id": "image_000001", "prompt": "in the rain"},
			`"ada/image_000001"`,
		},
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, nil)
			k.Resource(address, of.config)
			k.killedBy(mockserver.Fault{Route: of.route, Nth: 1})
			k.refused(of.says, "change triggers")
			k.refused()
			changed := core.Object{"triggers": core.Object{"round": "2"}}
			maps.Copy(changed, of.config)
			k.Resource(address, changed)
			k.Apply().Must()
			k.Plan().Must()
			check.Contains(t, "the log", k.log.Text(), `"outcome":"stored"`)
			k.Apply(core.Replacing(address)).Must()
			k.Destroy().Must()
			k.Apply().Must()
		})
	}
}

// What an orderly run leaves is never guarded: the state shows it. Fault F31.
func TestKilled_neverInOrder(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]func(*killing){
		"replace":           func(k *killing) { k.Apply(core.Replacing(killedGroup)).Must() },
		"taint":             func(k *killing) { k.Taint(killedGroup); k.Apply().Must() },
		"destroy and apply": func(k *killing) { k.Destroy().Must(); k.Apply().Must() },
		"no refresh":        func(k *killing) { k.Apply(core.Replacing(killedGroup), core.Refresh(false)).Must() },
		"renamed": func(k *killing) {
			k.Remove(killedGroup)
			k.Resource(
				"mediagen_generation_group.y",
				core.Object{
					"character_id": "ada",
					"title":        "Portraits",
					"prompts":      core.Object{"a": core.Object{"prompt": "A"}},
				},
			)
			k.Apply().Must()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, nil)
			k.group(nil, "a", "A")
			k.Apply().Must()
			again(k)
			k.settles()
			k.wantBought(2, 0, 0)
		})
	}
}

// A lost reply in an orderly run is in the state, and bought again by take.
// Fault F31.
func TestKilled_lostReplyInOrder(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A")
	k.Fault(whileBatch)
	k.Apply().Must()
	k.ClearFaults()
	k.Plan().Must().WantEmpty()
	k.wantClosed()
	k.Destroy().Must()
	k.settles()
	k.wantBought(2, 0, 0)
}

// A state that was given up before any run has shown it is guarded by right.
// Fault F31.
func TestKilled_stateRemoved(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A")
	k.Apply().Must()
	k.Forget(killedGroup)
	k.refused(`jsonencode({"a": "gen_000001"})`)
}

// Two equal groups of one run are two purchases. Fault F31.
func TestKilled_equalGroups(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	config := core.Object{
		"character_id": "ada",
		"title":        "Portraits",
		"prompts":      core.Object{"a": core.Object{"prompt": "A"}},
	}
	k.Resource(killedGroup, config)
	k.Resource("mediagen_generation_group.y", config)
	k.settles()
	k.wantBought(2, 0, 0)
}

// The log of an earlier build guards nothing: no state of then has kept its
// requests. Fault F31.
func TestKilled_earlierLog(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A")
	check.Must(t, os.WriteFile(k.log.Name, []byte(readFile(t, filepath.Join("testdata", "earlier.jsonl"))), 0o600))
	k.settles()
	k.wantBought(1, 0, 0)
}

// Runs that are killed anywhere buy nothing twice, whatever is added meanwhile.
// Fault F31.
func TestKilled_anywhere(t *testing.T) {
	tier.Large(t, "a kill at each of 200 requests")
	t.Parallel()
	for seed := range uint64(200) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			killedAnywhere(t, rand.New(rand.NewPCG(seed, 31)))
		})
	}
}

func killedAnywhere(t *testing.T, random *rand.Rand) {
	k := newKilling(t, core.Object{"max_prompts_per_batch": int64(1 + random.IntN(3))})
	k.Resource(killedTraining, core.Object{"character_id": "ada"})
	k.Resource(killedDataset, core.Object{"character_id": "bob", "prompts": []any{"smiling"}})
	var texts []string
	for kills := random.IntN(4); kills >= 0; kills-- {
		for range 1 + random.IntN(2) {
			key := string(rune('a' + len(texts)/2))
			texts = append(texts, key, "picture "+key)
		}
		k.group(nil, texts...)
		routes := []string{
			mockserver.RouteBatch, mockserver.RouteStatus, mockserver.RouteStartTraining, mockserver.RouteTraining,
			mockserver.RouteGenerateDataset, mockserver.RouteDatasetStatus,
		}
		fault := mockserver.Fault{
			Route:         routes[random.IntN(len(routes))],
			Nth:           1 + random.IntN(3),
			DropAfterWork: random.IntN(3) == 0,
			DropBefore:    random.IntN(3) == 0,
			MayStayUnmet:  true, // the drawn run may send fewer requests
		}
		reached := false
		fault.Reached = func() {
			if !reached {
				reached = true
				k.killNow()
			}
		}
		k.Fault(fault)
		k.Apply()
		k.ClearFaults()
		if reached {
			k.endProcess()
		}
	}
	for range 3 {
		k.Apply() // what is guarded is refused
	}
	bought := map[string]int{}
	for _, entry := range k.Ledger().Entries {
		for _, prompt := range entry.Prompts {
			bought[entry.Kind+" "+prompt]++
		}
		if len(entry.Prompts) == 0 {
			bought[entry.Kind]++
		}
	}
	for what, times := range bought {
		check.True(t, "bought once", times == 1, what, times, k.Story())
	}
}
