package generation_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// The outcome of a batch is not confirmed. It is sent once over any number of
// applies, whatever max_attempts is, until another take is asked for.
// Fault F4.
func TestGroup_unconfirmed(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"dropped before the reply": {DropAfterWork: true},
		"dropped before the work":  {DropBefore: true},
	}, func(t *testing.T, fault mockserver.Fault) {
		s := newScenario(t)
		fault.Route = mockserver.RouteBatch
		fault.Nth = 1
		s.Fault(fault)
		result := s.applies(map[string]string{"a": "A", "b": "B"})
		check.True(
			t,
			"a warning",
			len(result.Diagnostics.Warnings().Find("Unconfirmed Prompts: group")) == 1,
			result.Diagnostics,
		)
		s.Want(
			groupAddress,
			core.Object{
				"unconfirmed_count":         int64(2),
				`generations["a"].id`:       nil,
				`generations["a"].attempts`: int64(1),
				"complete":                  false,
			},
		)
		id, _ := s.Value(groupAddress, "id").(string)
		check.True(t, "no id", strings.HasPrefix(id, "unconfirmed-"), id)
		for range 3 {
			s.Plan().Must().WantEmpty()
			s.Apply().Must()
		}
		s.WantCount(t, mockserver.RouteBatch, 1)

		all := map[string]string{"a": "A", "b": "B"}
		s.group(all, core.Object{"max_attempts": int64(9)})
		s.buys(nil, 0)
		s.Plan().Must().WantEmpty()
		s.group(all, again(all, "a", "b"))
		s.buys([]string{"id", `generations["a"]`, `generations["b"]`}, 2)
		s.Want(groupAddress, core.Object{"succeeded_count": int64(2), "unconfirmed_count": int64(0)})
		s.Plan().Must().WantEmpty()
	})
}

// A person looks for it at the time of its sending, which a time-out ends long
// after. Fault F4.
func TestGroup_unconfirmedSaysWhenItWasSent(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	sent := s.Clock.Now().UTC().Format(time.RFC3339)
	s.Fault(mockserver.Fault{
		Route:         mockserver.RouteBatch,
		Nth:           1,
		DropAfterWork: true,
		Reached:       func() { s.Clock.Advance(time.Hour) },
	})
	result := s.applies(map[string]string{"a": "A"})
	check.True(t, "the time", strings.Contains(result.Diagnostics.String(), "sent at "+sent), result.Diagnostics)
}

// After an unconfirmed batch no other is bought: the rest is planned again.
// Fault F4.
func TestGroup_unconfirmedEndsTheBatches(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"max_prompts_per_batch": int64(1)})
	s.WantCount(t, mockserver.RouteBatch, 1)
	s.Want(groupAddress, core.Object{"unconfirmed_count": int64(1), "complete": false})
	check.Equal(t, "prompts charged", s.charged(), 1)
	s.buys([]string{"id", `generations["b"]`}, 1)
	s.Plan().Must().WantEmpty()
}

// With attempts left the next apply buys what has failed again, unasked: who
// reads the first apply's warning must not believe that raising max_attempts is
// what does it.
func TestGroup_attemptsThatAreLeftAreAnnounced(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.FailPrompt("A", "out of memory")
	s.group(map[string]string{"100%d": "A"}, core.Object{"max_attempts": 2}) // a key is no format
	for batches, says := range []string{
		`max_attempts is 2: the next apply submits "100%d" again`,
		"raise max_attempts",
	} {
		s.WantWarning(s.Apply().Must().Diagnostics, "Generations Failed", says)
		s.WantCount(t, mockserver.RouteBatch, batches+1)
	}
	s.Plan().Must().WantEmpty()
}

// A max_attempts that has always been 2 does not repeat what may have been
// bought: of a batch of which no reply came, and of a prompt that its reply
// leaves out. What has failed it does. Fault F4.
func TestGroup_attemptsThatAreLeftRepeatNothingUnconfirmed(t *testing.T) {
	t.Parallel()
	all := map[string]string{"a": "A", "b": "B"}
	type row struct {
		happens             func(scenario)
		unconfirmed, failed int
	}
	check.Each(t, map[string]row{
		"a lost reply": {
			func(s scenario) { s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true}) },
			2,
			0,
		},
		"half a reply": {scenario.leavesOutTheSecond, 1, 0},
		"half a reply, beside a failure": {func(s scenario) {
			s.FailPrompt("A", "out of memory")
			s.leavesOutTheSecond()
		}, 1, 1},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		test.happens(s)
		said := s.applies(all, core.Object{"max_attempts": 2}).Diagnostics
		s.WantWarning(said, unconfirmedBatch, "change its take", "max_attempts does not")
		check.True(t, "no purchase is announced of it", len(said.Find(unconfirmedBatch)) == 1 &&
			!strings.Contains(said.Find(unconfirmedBatch).String(), "next apply submits"), said)
		s.FailPrompt("A", "")
		for range 2 {
			s.Apply().Must()
		}
		s.WantCount(t, mockserver.RouteBatch, 1+test.failed)
		check.Equal(t, "prompts charged", s.charged(), 2+test.failed)
		s.Want(groupAddress, core.Object{"unconfirmed_count": test.unconfirmed})
		s.Plan().Must().WantEmpty()
	})
}

// No plan is told of -replace, so that the apply says what the state forgets.
// Fault F4.
func TestGroup_unconfirmedAndReplaced(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.applies(map[string]string{"a": "Portrait at dawn", "b": "Portrait at noon"})
	plan := s.Plan(core.Replacing(groupAddress)).Must()
	s.WantWarning(s.ApplyPlan(plan).Must().Diagnostics, "Unconfirmed Generations Are Left Behind", `"a", "b"`)
}

// The outcome stays unconfirmed, whatever is done to the object, until somebody
// checks: no refresh asks for what has no id, and nothing is bought again. The
// state forgets a purchase only with a warning that names it.
// Fault F4.
func TestGroup_unconfirmedThroughItsLife(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.group(map[string]string{"a": "Portrait at dawn", "b": "Portrait at noon"})
	sent := s.Clock.Now().UTC().Format(time.RFC3339)
	result := s.Apply().Must()
	s.WantWarning(result.Diagnostics, "Unconfirmed Prompts: group",
		sent, `"ch_1"`, `"a", "b"`, "change its take")

	s.ResetJournal()
	s.Refresh()
	s.Plan().Must().WantEmpty()
	s.WantNoRequests(t)

	const leftBehind = "Unconfirmed Generations Are Left Behind"
	s.WantWarning(
		s.plans(map[string]string{"a": "Portrait at dusk", "b": "Portrait at noon"}).Diagnostics,
		leftBehind,
		`"a"`,
		sent,
	)
	both := map[string]string{"a": "Portrait at dawn", "b": "Portrait at noon"}
	s.WantSilent(s.plans(both, core.Object{"max_attempts": int64(2)}).Diagnostics, leftBehind)
	s.WantWarning(s.plans(both, again(both, "a", "b")).Diagnostics, leftBehind, `"a", "b"`)

	result = s.applies(map[string]string{"b": "Portrait at noon"})
	s.WantWarning(result.Diagnostics, leftBehind, `"a"`, sent)
	s.WantSilent(result.Diagnostics, "Media Will Be Deleted")
	s.Want(groupAddress, core.Object{"unconfirmed_count": int64(1)})

	plan := s.Plan(core.Destroying()).Must()
	s.WantWarning(plan.Diagnostics, leftBehind, `"b"`, sent)
	s.WantWarning(s.ApplyPlan(plan).Must().Diagnostics, leftBehind, `"b"`, sent, "the state has forgotten them")
	s.WantCount(t, mockserver.RouteBatch, 0)
	s.WantCount(t, mockserver.RouteStatus, 0)
	s.WantCount(t, mockserver.RouteDelete, 0)
	check.Equal(t, "generations at the service", len(s.Groups()[0].Generations), 2)

	// Somebody has checked.
	ids := map[string]string{}
	for i, generation := range s.Groups()[0].Generations {
		ids[string(rune('a'+i))] = generation.ID
	}
	s.group(map[string]string{"a": "Portrait at dawn", "b": "Portrait at noon"})
	s.Import(groupAddress, importID(ids)).Must()
	s.buys(nil, 0)
	s.Plan().Must().WantEmpty()
	s.Destroy().Must()
	check.True(t, "media left, prompts charged", s.Media() == 0 && s.charged() == 2, s.Media(), s.charged())
}

const unconfirmedBatch = "Unconfirmed Prompts: group"

// lose lets the reply to the next batch be lost after the work, while something
// happens.
func (s scenario) lose(meanwhile ...func()) {
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true, Reached: func() {
		for _, happens := range meanwhile {
			happens()
		}
	}})
}

var pastedID = regexp.MustCompile(`(?m)^ +id = (?:jsonencode\((.*)\)|"(.*)")$`)

// pasted is the id of the import that the one warning of a summary says.
func (s scenario) pasted(said core.Diagnostics, summary string) string {
	s.T.Helper()
	s.WantWarning(said, summary, "terraform state rm ADDRESS")
	found := said.Find(summary)
	id := pastedID.FindStringSubmatch(found[0].Detail)
	if id == nil {
		s.T.Fatalf("no import:\n%s", found)
	}
	return id[1] + id[2]
}

// takes does what a warning says: it imports in place of the resource, which buys
// nothing, sends nothing twice, and holds all that was charged.
func (s scenario) takes(id string) {
	s.T.Helper()
	charged := s.charged()
	s.Forget(groupAddress)
	s.Import(groupAddress, id).Must()
	s.buys(nil, 0)
	plan := s.Plan().Must()
	plan.WantEmpty()
	s.WantSilent(plan.Diagnostics, unresolved)
	s.Want(groupAddress, core.Object{"unconfirmed_count": 0, "succeeded_count": charged, "complete": true})
}

// A batch whose reply was lost is recorded and named, with what to paste,
// beside a stranger's group of the same title and texts. Nothing of either is
// taken, and the import buys nothing. Fault F4b.
func TestUnconfirmedBatch_ofANewGroup(t *testing.T) {
	t.Parallel()
	type row struct{ plain, stranger, before bool }
	check.Each(t, map[string]row{
		"plain": {
			plain: true,
		},
		"alone":               {},
		"beside a stranger's": {stranger: true},
		"a stranger's alone":  {stranger: true, before: true},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		s.readsMore(!test.plain)
		s.GenerateElsewhere("ch_1", "Sketches", "A", "B")
		s.GenerateElsewhere("ch_1", "Portraits", "A", "B")
		s.Clock.Advance(time.Hour) // those are older
		s.Fault(
			mockserver.Fault{
				Route:         mockserver.RouteBatch,
				Nth:           1,
				DropAfterWork: !test.before,
				DropBefore:    test.before,
				Reached: func() {
					if test.stranger {
						s.GenerateElsewhere("ch_1", "Portraits", "A", "B")
					}
				},
			},
		)
		s.group(map[string]string{"a": "A", "b": " B\n"})
		sent := s.Clock.Now().UTC().Format(time.RFC3339)
		said := s.Apply().Must().Diagnostics
		made := s.Groups()[2:]
		for i, group := range s.Groups() {
			check.True(
				t,
				"only the new groups are named",
				strings.Contains(said.String(), group.ID) == (i > 1 && !test.plain),
				group.ID,
				i,
				said,
			)
		}
		s.WantWarning(said, unconfirmedBatch, sent, "change its take")
		id := s.pasted(said, unconfirmedBatch)
		switch {
		case test.plain:
		case len(made) == 1:
			check.Equal(t, "the only group is the import", id, made[0].ID)
		default:
			check.Equal(t, "a person chooses among several", id, "GROUP_ID")
		}
		s.Want(
			groupAddress,
			core.Object{"unconfirmed_count": 2, `generations["a"].id`: nil, `generations["a"].status`: "unconfirmed"},
		)
		s.WantCount(t, mockserver.RouteBatch, 1)
		page := map[bool]int{false: 1}[test.plain]
		s.WantCount(t, mockserver.RouteGroups, page)
		for range 2 {
			s.ResetJournal()
			plan := s.Plan().Must()
			plan.WantEmpty()
			check.Equal(t, "the id to paste", s.pasted(plan.Diagnostics, unresolved), id)
			s.WantCount(t, mockserver.RouteGroups, page)
			s.WantCount(t, mockserver.RouteGroup, 0)
		}
		s.ResetJournal()
		s.pasted(s.Plan(core.Refresh(false)).Must().Diagnostics, unresolved)
		s.WantNoRequests(t)
		if !test.before {
			ours := made[len(made)-1]
			for i, key := range []string{"a", "b"} {
				id = strings.Replace(
					id,
					fmt.Sprintf(`"%s": "GENERATION_ID"`, key),
					fmt.Sprintf("%q:%q", key, ours.Generations[i].ID),
					1,
				)
			}
			s.takes(strings.Replace(id, "GROUP_ID", ours.ID, 1))
		}
		s.Destroy().Must()
		s.WantCount(t, mockserver.RouteBatch, 0)
		s.Clock.Advance(time.Hour)
		check.Equal(t, "media left: the strangers'", s.Media(), 4+map[bool]int{true: 2}[test.stranger])
	})
}

// In a known group the import is whole: what the state has, and of the lost
// keys what nothing else can be. Fault F4b.
func TestUnconfirmedBatch_intoAKnownGroup(t *testing.T) {
	t.Parallel()
	const open = "GENERATION_ID"
	listed := func(more map[string]any) func(map[string]any) {
		return func(reply map[string]any) {
			shown := reply["generations"].([]any)
			stranger := maps.Clone(shown[len(shown)-1].(map[string]any))
			stranger["generation_id"] = "gen_stranger"
			maps.Copy(stranger, more)
			reply["generations"] = append(shown, any(stranger))
			reply["generation_count"] = len(shown) + 1
		}
	}
	type row struct {
		plain   bool
		rewrite func(map[string]any)
		fault   mockserver.Fault
		added   core.Object
		open    []string
		named   bool
	}
	check.Each(t, map[string]row{
		"alone":         {},
		"plain":         {plain: true, open: []string{"b", "c"}},
		"another text":  {rewrite: listed(map[string]any{"prompt": "Z"})},
		"an equal text": {rewrite: listed(map[string]any{"prompt": "B"}), open: []string{"b"}, named: true},
		"an older one":  {rewrite: listed(map[string]any{"prompt": "B", "created_at": "2020-01-01T00:00:00Z"})},
		"equal prompts": {added: texts(map[string]string{"b": "B", "c": "B"})},
		"takes of a prompt": {
			added: core.Object{"b": core.Object{"prompt": "B"}, "c": core.Object{"prompt": "B", "take": 2}},
		},
		"other options": {
			added: core.Object{"b": core.Object{"prompt": "B", "face_swap": true}, "c": core.Object{"prompt": "B"}},
			open:  []string{"b", "c"},
		},
		"a list that fails": {fault: mockserver.Fault{Status: 500, Times: 1}, open: []string{"b", "c"}},
		"no list":           {fault: mockserver.Fault{Status: 404, Times: 1}, open: []string{"b", "c"}},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		s.readsMore(!test.plain)
		s.applies(map[string]string{"a": "A"})
		id := s.Value(groupAddress, "id")
		if test.added == nil {
			test.added = texts(map[string]string{"b": "B", "c": "C"})
		}
		prompts := core.Object{"a": core.Object{"prompt": "A"}}
		maps.Copy(prompts, test.added)
		test.fault.Route = mockserver.RouteGroup
		if test.rewrite != nil || test.fault.Times > 0 {
			test.fault.Rewrite = test.rewrite
			test.fault.Times = max(test.fault.Times, 1)
			s.Fault(test.fault)
		}
		s.group(nil, core.Object{"prompts": prompts})
		s.lose()
		said := s.Apply().Must().Diagnostics
		said = slices.DeleteFunc(
			said,
			func(d core.Diagnostic) bool { return d.Summary == "Extended Read Failed" },
		) // of later reads
		check.True(
			t,
			"one warning, and the stranger's generation as wanted",
			len(said) == 1 && strings.Contains(said.String(), "gen_stranger") == test.named,
			test.named,
			said,
		)
		s.Want(
			groupAddress,
			core.Object{"id": id, "unconfirmed_count": 2, "succeeded_count": 1, "pending_count": 0, "complete": false},
		)
		s.WantCount(t, mockserver.RouteBatch, 2)
		pairs := map[string]string{}
		check.Must(t, json.Unmarshal([]byte(s.pasted(said, unconfirmedBatch)), &pairs))
		check.Equal(t, "keys of the import", len(pairs), 3)
		made := s.Groups()[0].Generations
		for i, key := range []string{"a", "b", "c"} {
			isOpen := slices.Contains(test.open, key)
			check.True(
				t,
				"what is open",
				isOpen == (pairs[key] == open) && (!isOpen || strings.Contains(said.String(), fmt.Sprintf("%q", key))),
				key,
				pairs,
			)
			if pairs[key] == open {
				pairs[key] = made[i].ID
			}
		}
		s.ClearFaults()
		whole, _ := json.Marshal(pairs)
		s.takes(string(whole))
		s.Destroy().Must()
		s.wantNoMedia()
	})
}

// What a run holds is not named, whichever reply of it was lost.
// Fault F4b.
func TestUnconfirmedBatch_twoOfARun(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	for _, name := range []string{"g", "h", "held"} {
		s.Resource(
			"mediagen_generation_group."+name,
			core.Object{"title": "Portraits", "prompts": texts(map[string]string{"a": "A", "b": "B"})},
		)
	}
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 2, DropAfterWork: true})
	s.Parallel(1)
	said := s.Apply().Must().Diagnostics.Find(unconfirmedBatch)
	groups := s.Groups()
	check.True(
		t,
		"two warnings, and not of the last",
		len(said) == 2 && len(groups) == 3 && !strings.Contains(said.String(), groups[2].ID),
		groups,
		said,
	)
	s.WantCount(t, mockserver.RouteBatch, 3)
	s.Destroy().Must()
	s.Clock.Advance(time.Hour)
	s.wantStanding("A", "A", "B", "B")
}

// Ctrl-C ends the read, with everything in the state.
// Fault F7.
func TestUnconfirmedBatch_interrupted(t *testing.T) {
	t.Parallel()
	check.Each(
		t,
		map[string]string{"batch": mockserver.RouteBatch, "list": mockserver.RouteGroups},
		func(t *testing.T, route string) {
			s := newExtended(t)
			var began atomic.Int64
			interrupt := func() {
				began.Store(time.Now().UnixNano())
				s.Interrupt()
			}
			if route == mockserver.RouteBatch {
				s.lose(interrupt)
			} else {
				s.lose()
				s.Fault(mockserver.Fault{Route: route, Nth: 1, Reached: interrupt, Delay: time.Hour})
			}
			s.group(map[string]string{"a": "A"})
			s.Apply()
			took := time.Since(time.Unix(0, began.Load()))
			check.True(t, "it ends soon", took <= 3*time.Second, took)
			check.True(t, "not tainted", !s.Tainted(groupAddress))
			s.Want(groupAddress, core.Object{"unconfirmed_count": 1})
		},
	)
}

// What is accepted without ids stays unconfirmed, told with the group and its
// list. Fault F14.
func TestUnconfirmedBatch_replyWithoutIDs(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Variant{
		"no results": {
			Background: mockserver.BackgroundNoResults,
		},
		"no ids":      {Background: mockserver.BackgroundNoIDs},
		"ids dropped": {DropGenerationID: true},
	}, func(t *testing.T, variant mockserver.Variant) {
		s := newExtended(t, func(o *mockserver.Options) { o.Variant = variant })
		said := s.applies(map[string]string{"a": "A", "b": "B", "c": "A"}).Diagnostics
		id := s.Groups()[0].ID
		s.WantWarning(said, unresolved, id, s.Groups()[0].Generations[2].ID)
		s.Want(groupAddress, core.Object{"unconfirmed_count": 3})
		s.WantCount(t, mockserver.RouteBatch, 1)
		s.WantCount(t, mockserver.RouteGroup, 1)
		s.takes(s.pasted(said, unresolved))
		s.Destroy().Must()
		s.wantNoMedia()
	})
}

// Of a receipt that is cut off or broken the ids that have arrived are named,
// and stand in the import that settles the prompts, which buys nothing. None of
// it is taken. Fault F4.
func TestGroup_whatIsLeftOfAReceipt(t *testing.T) {
	t.Parallel()
	const begins = `{"group_id":"{group_id}","credits_deducted":2,"results":[{"prompt_index":0,` +
		`"generation_id":"gen_000001"},`
	check.Each(t, map[string]struct{ body, ids, second string }{
		"cut off": {begins + `{"prompt_index":1,"generation_id":"gen_00000`, `"gen_000001"`, "GENERATION_ID"},
		"broken": {
			begins + `{"prompt_index":1,"score":nan,"generation_id":"gen_000002"}]}`,
			`"gen_000001", "gen_000002"`,
			"gen_000002",
		},
	}, func(t *testing.T, test struct{ body, ids, second string }) {
		s := newScenario(t)
		s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, AfterWork: true, Body: test.body})
		said := s.applies(map[string]string{"a": "A", "b": "B"}).Diagnostics
		pairs := fmt.Sprintf(`id = jsonencode({"a": "gen_000001", "b": %q})`, test.second)
		s.WantWarning(
			said,
			"Unconfirmed Prompts: group",
			"it names "+test.ids,
			"credits_deducted 2",
			"grp_000001",
			pairs,
		)
		s.Want(groupAddress, core.Object{"unconfirmed_count": int64(2), `generations["a"].id`: nil})
		s.Plan().Must().WantEmpty()
		s.WantCount(t, mockserver.RouteBatch, 1)
		s.Forget(groupAddress)
		s.Import(groupAddress, `{"a":"gen_000001","b":"gen_000002"}`).Must()
		s.Apply().Must()
		s.Want(groupAddress, core.Object{"unconfirmed_count": int64(0), `generations["a"].id`: "gen_000001"})
		s.WantCount(t, mockserver.RouteBatch, 1)
	})
}

// An id that no request could name is none: its prompt is unconfirmed, and the
// others are not. Fault F26.
func TestGroup_anIDThatNoRequestCouldName(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(said map[string]any) {
		results, _ := said["results"].([]any)
		first, _ := results[0].(map[string]any)
		first["generation_id"] = "gen\n\x1b[31m1"
	}})
	said := s.applies(map[string]string{"a": "A", "b": "B"}).Diagnostics
	s.WantWarning(
		said,
		"Unconfirmed Prompts: group",
		`gives "gen<U+000A><U+001B>[31m1" for this prompt's generation`,
		"no id",
	)
	s.Want(
		groupAddress,
		core.Object{"unconfirmed_count": int64(1), `generations["a"].id`: nil, `generations["b"].id`: "gen_000002"},
	)
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteBatch, 1)
}
