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

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	killedGroup    = "mediagen_generation_group.x"
	killedTraining = "mediagen_body_lora_training.x"
	killedDataset  = "mediagen_dataset.x"
)

type killing struct {
	*acctest.Scenario
	log  string
	left string // what the log had when the apply was killed
}

func newKilling(t *testing.T, settings core.Object) *killing {
	t.Helper()
	s := acctest.NewRepeatable(t, func(o *mockserver.Options) { o.Extended = true })
	s.AddAda()
	s.AddReady("bob")
	k := &killing{Scenario: s.Scenario(t), log: filepath.Join(t.TempDir(), "purchases.jsonl")}
	provider := core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "purchase_log": k.log}
	maps.Copy(provider, settings)
	k.Workspace.Provider(provider)
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
	before, reached := len(k.Addresses()), false
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
	content, _ := os.ReadFile(k.log) // there may be none yet
	k.left = string(content)
	k.Kill()
}

// endProcess: the log has what the kill left, and the system has unlocked the file of its run.
func (k *killing) endProcess() {
	k.T.Helper()
	ended := regexp.MustCompile(`"run":"[^"]*"`).ReplaceAllString(k.left, `"run":"ended"`)
	check.Must(k.T, os.WriteFile(k.log, []byte(ended), 0o600))
	check.Must(k.T, os.WriteFile(k.log+".ended.running", nil, 0o600))
}

func (k *killing) wantBought(batches, trainings, datasets int) {
	k.T.Helper()
	for route, want := range map[string]int{mockserver.RouteBatch: batches, mockserver.RouteStartTraining: trainings, mockserver.RouteGenerateDataset: datasets} {
		k.WantCount(k.T, route, want)
	}
}

func (k *killing) wantReturned() {
	k.T.Helper()
	last := map[string]string{}
	for line := range strings.Lines(readFile(k.T, k.log)) {
		if !regexp.MustCompile(`"type":"(batch|training|dataset)"`).MatchString(line) {
			continue
		}
		request, outcome := regexp.MustCompile(`"request":"(\w+)"`).FindStringSubmatch(line), regexp.MustCompile(`"outcome":"(\w+)"`).FindStringSubmatch(line)
		last[request[1]] = outcome[1]
	}
	for request, outcome := range last {
		check.True(k.T, "it has returned, or was not bought", slices.Contains([]string{"returned", "refused", "unsent"}, outcome), request, outcome, readFile(k.T, k.log))
	}
}

func (k *killing) settles() {
	k.T.Helper()
	k.Apply().Must()
	k.Plan().Must().WantEmpty()
}

var (
	whileBatch = mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true}
	afterBatch = mockserver.Fault{Route: mockserver.RouteStatus, Nth: 1}
)

// What a killed run has bought is answered by its receipt, and nothing is sent. Fault F31.
func TestKilled_answered(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A", "b", "B")
	k.killedBy(afterBatch)
	plan := k.Plan().Must()
	k.WantWarning(plan.Diagnostics, "A Killed Run Has Bought This", `prompts "a", "b"`, "The apply takes the result from the log")
	k.WantWarning(k.Apply().Must().Diagnostics, "A Killed Run Had Bought This", "Nothing was sent")
	k.Want(killedGroup, core.Object{"id": "grp_000001", `generations["a"].id`: "gen_000001", `generations["b"].id`: "gen_000002", "succeeded_count": 2, "credits_deducted": 2})
	k.settles()
	k.wantReturned()
	left, err := filepath.Glob(k.log + "*")
	check.True(t, "only the log stays", err == nil && len(left) == 1, left, err)
	k.wantBought(1, 0, 0)
	k.Destroy().Must()
	k.WantCount(t, mockserver.RouteDeleteGroup, 1) // the group is ours by our own receipt
}

// Without its reply it may have been bought: it is recorded as unconfirmed. Fault F31.
func TestKilled_unanswered(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A", "b", "B")
	k.killedBy(whileBatch)
	k.WantWarning(k.Plan().Must().Diagnostics, "A Killed Run Has Bought This", "records the purchase as unconfirmed")
	k.Apply().Must()
	k.Want(killedGroup, core.Object{"unconfirmed_count": 2, `generations["a"].status`: "unconfirmed"})
	k.settles()
	k.wantBought(1, 0, 0)
	k.group(core.Object{"max_attempts": 2}, "a", "A", "b", "B")
	k.Apply().Must()
	k.wantBought(1, 0, 0)
}

// A batch is answered by prompt, some of which a person has changed. Fault F31.
func TestKilled_byPrompt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config  core.Object
		prompts []string
		batches int
		bought  string // what is sent after the kill
	}{
		"added":      {nil, []string{"a", "A", "b", "B", "c", "C"}, 2, "C"},
		"changed":    {nil, []string{"a", "A", "b", "another B"}, 2, "another B"},
		"removed":    {nil, []string{"a", "A"}, 1, ""},
		"renamed":    {nil, []string{"a", "A", "z", "B"}, 2, "B"},
		"otherTitle": {core.Object{"title": "Others"}, []string{"a", "A", "b", "B"}, 2, "A, B"},
		"otherOwner": {core.Object{"character_id": "bob"}, []string{"a", "A", "b", "B"}, 2, "A, B"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, nil)
			k.group(nil, "a", "A", "b", "B")
			k.killedBy(afterBatch)
			k.group(test.config, test.prompts...)
			k.Apply().Must()
			k.wantBought(test.batches, 0, 0)
			if entries := k.Ledger().Entries; test.bought != "" {
				check.Equal(t, "what was sent", strings.Join(entries[len(entries)-1].Prompts, ", "), test.bought)
			}
			if test.config == nil {
				k.Want(killedGroup, core.Object{"id": "grp_000001", `generations["a"].id`: "gen_000001"})
			}
			k.Plan().Must().WantEmpty()
		})
	}
}

// Batches that were answered are taken, the others unconfirmed; also after another kill. Fault F31.
func TestKilled_twice(t *testing.T) {
	t.Parallel()
	k := newKilling(t, core.Object{"max_prompts_per_batch": int64(1)})
	k.group(nil, "a", "A", "b", "B", "c", "C")
	k.killedBy(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 2, DropAfterWork: true})
	k.killedBy(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 1})
	k.settles()
	k.wantReturned()
	k.wantBought(3, 0, 0)
	k.Want(killedGroup, core.Object{
		"id": "grp_000001", `generations["a"].id`: "gen_000001", `generations["b"].status`: "unconfirmed", `generations["c"].id`: "gen_000003",
	})
}

// An update is answered as a create is, in the group that it has. Fault F31.
func TestKilled_update(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A")
	k.Apply().Must()
	k.group(nil, "a", "changed", "b", "B")
	k.killedBy(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 2}) // the first is the refresh
	k.WantWarning(k.Plan().Must().Diagnostics, "A Killed Run Has Bought This")
	k.settles()
	k.wantBought(2, 0, 0)
	k.Want(killedGroup, core.Object{`generations["a"].id`: "gen_000002", `generations["b"].id`: "gen_000003"})
}

// What an import has left out of a killed run's group is taken from the log as well. Fault F31.
func TestKilled_importedInPart(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A", "b", "B")
	k.killedBy(afterBatch)
	k.Import(killedGroup, `{"a":"gen_000001"}`).Must()
	k.settles()
	k.wantBought(1, 0, 0)
	k.Want(killedGroup, core.Object{`generations["b"].id`: "gen_000002"})
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

// Another host's process, or one that may run, keeps what it has: the apply buys, and the plan says
// so before. Fault F31.
func TestKilled_elsewhere(t *testing.T) {
	t.Parallel()
	for name, other := range map[string][2]string{
		"host":      {`"host":"[^"]*"`, `"host":"elsewhere"`},
		"directory": {`"directory":"[^"]*"`, `"directory":"/elsewhere"`},
		"running":   {`"run":"[^"]*"`, `"run":"other"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, nil)
			k.group(nil, "a", "A")
			k.killedBy(afterBatch)
			k.left = readFile(t, k.log)
			check.Must(t, os.Mkdir(k.log+".other.running", 0o700)) // it cannot be told that nobody has it locked
			check.Must(t, os.WriteFile(k.log, []byte(regexp.MustCompile(other[0]).ReplaceAllString(k.left, other[1])), 0o600))
			k.WantWarning(k.Plan().Must().Diagnostics, "Another Run Has Bought This", `jsonencode({"a": "gen_000001"})`, "the apply buys")
			k.WantWarning(k.Apply().Must().Diagnostics, "Another Run Had Bought This", "This apply bought it again")
			k.WantCount(t, mockserver.RouteBatch, 2)
		})
	}
}

// A training and a dataset are answered if what they are made from is equal. Fault F31.
func TestKilled_work(t *testing.T) {
	t.Parallel()
	for address, of := range map[string]struct {
		starts, polls string
		config        core.Object
	}{
		killedTraining: {mockserver.RouteStartTraining, mockserver.RouteTraining, core.Object{"character_id": "ada"}},
		killedDataset:  {mockserver.RouteGenerateDataset, mockserver.RouteDatasetStatus, core.Object{"character_id": "ada", "prompts": []any{"smiling"}}},
	} {
		for _, test := range []struct {
			name    string
			fault   mockserver.Fault
			trigger bool
			starts  int
			status  string
		}{
			{"answered", mockserver.Fault{Route: of.polls, Nth: 4}, false, 1, ""},
			{"unanswered", mockserver.Fault{Route: of.starts, Nth: 1, DropAfterWork: true}, false, 1, "unconfirmed"},
			{"not received", mockserver.Fault{Route: of.starts, Nth: 1, DropBefore: true}, false, 1, "unconfirmed"},
			{"triggers changed", mockserver.Fault{Route: of.starts, Nth: 1, DropBefore: true}, true, 2, ""},
		} {
			t.Run(fmt.Sprintf("%s %s", address, test.name), func(t *testing.T) {
				t.Parallel()
				k := newKilling(t, nil)
				k.Resource(address, of.config)
				k.killedBy(test.fault)
				if test.trigger {
					changed := core.Object{"triggers": core.Object{"round": "2"}}
					maps.Copy(changed, of.config)
					k.Resource(address, changed)
				} else {
					k.WantWarning(k.Plan().Must().Diagnostics, "A Killed Run Has Bought This")
				}
				k.settles()
				k.WantCount(t, of.starts, test.starts)
				if test.status != "" {
					k.Want(address, core.Object{"status": test.status})
				} else if id, _ := k.Value(address, "id").(string); strings.HasPrefix(id, "unconfirmed") || id == "" {
					t.Errorf("the id is %q", id)
				}
			})
		}
	}
}

// Runs that are killed anywhere buy nothing twice, whatever is added meanwhile. Fault F31.
func TestKilled_anywhere(t *testing.T) {
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
		routes := []string{mockserver.RouteBatch, mockserver.RouteStatus, mockserver.RouteStartTraining, mockserver.RouteTraining, mockserver.RouteGenerateDataset, mockserver.RouteDatasetStatus}
		fault := mockserver.Fault{
			Route: routes[random.IntN(len(routes))], Nth: 1 + random.IntN(3),
			DropAfterWork: random.IntN(3) == 0, DropBefore: random.IntN(3) == 0,
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
		k.Apply().Must()
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
	k.wantReturned()
}
