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
	found := said.Find(summary)
	if len(found) != 1 || !strings.Contains(found.String(), "terraform state rm ADDRESS") {
		s.T.Fatalf("want one warning %q with what to paste:\n%s", summary, said)
	}
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
	s.wantSilent(plan.Diagnostics, unresolved)
	s.Want(groupAddress, core.Object{"unconfirmed_count": 0, "succeeded_count": charged})
}

// A batch whose reply was lost is recorded and named, with what to paste, beside a
// stranger's group of the same title and texts. Nothing of either is taken, and the
// import buys nothing.
// Fault F4b.
func TestUnconfirmedBatch_ofANewGroup(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ plain, stranger, before bool }{
		"plain": {plain: true}, "alone": {}, "beside a stranger's": {stranger: true}, "a stranger's alone": {stranger: true, before: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t)
			s.readsMore(!test.plain)
			s.GenerateElsewhere("ch_1", "Sketches", "A", "B")
			s.GenerateElsewhere("ch_1", "Portraits", "A", "B")
			s.Clock.Advance(time.Hour) // those are older
			s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: !test.before, DropBefore: test.before, Reached: func() {
				if test.stranger {
					s.GenerateElsewhere("ch_1", "Portraits", "A", "B")
				}
			}})
			s.group(map[string]string{"a": "A", "b": " B\n"})
			sent := s.Clock.Now().UTC().Format(time.RFC3339)
			said := s.Apply().Must().Diagnostics
			made := s.Groups()[2:]
			for i, group := range s.Groups() {
				check.True(t, "only the new groups are named", strings.Contains(said.String(), group.ID) == (i > 1 && !test.plain), group.ID, i, said)
			}
			s.WantWarning(said, unconfirmedBatch, sent, "raise max_attempts")
			id := s.pasted(said, unconfirmedBatch)
			s.Want(groupAddress, core.Object{"unconfirmed_count": 2, `generations["a"].id`: nil, `generations["a"].status`: "unconfirmed"})
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
					id = strings.Replace(id, fmt.Sprintf(`"%s": "GENERATION_ID"`, key), fmt.Sprintf("%q:%q", key, ours.Generations[i].ID), 1)
				}
				s.takes(strings.Replace(id, "GROUP_ID", ours.ID, 1))
			}
			s.Destroy().Must()
			s.WantCount(t, mockserver.RouteBatch, 0)
			s.Clock.Advance(time.Hour)
			if left, theirs := s.Media(), 4+map[bool]int{true: 2}[test.stranger]; left != theirs {
				t.Errorf("%d media are left, want the strangers' %d", left, theirs)
			}
		})
	}
}

// In a known group the import is whole: what the state has, and of the lost keys what
// nothing else can be.
// Fault F4b.
func TestUnconfirmedBatch_intoAKnownGroup(t *testing.T) {
	t.Parallel()
	const open = "GENERATION_ID"
	listed := func(more map[string]any) func(map[string]any) {
		return func(reply map[string]any) {
			shown := reply["generations"].([]any)
			stranger := maps.Clone(shown[len(shown)-1].(map[string]any))
			stranger["generation_id"] = "gen_stranger"
			maps.Copy(stranger, more)
			reply["generations"], reply["generation_count"] = append(shown, any(stranger)), len(shown)+1
		}
	}
	for name, test := range map[string]struct {
		plain   bool
		rewrite func(map[string]any)
		fault   mockserver.Fault
		added   core.Object
		open    []string
		named   bool
	}{
		"alone":             {},
		"plain":             {plain: true, open: []string{"b", "c"}},
		"another text":      {rewrite: listed(map[string]any{"prompt": "Z"})},
		"an equal text":     {rewrite: listed(map[string]any{"prompt": "B"}), open: []string{"b"}, named: true},
		"an older one":      {rewrite: listed(map[string]any{"prompt": "B", "created_at": "2020-01-01T00:00:00Z"})},
		"equal prompts":     {added: texts(map[string]string{"b": "B", "c": "B"})},
		"takes of a prompt": {added: core.Object{"b": core.Object{"prompt": "B"}, "c": core.Object{"prompt": "B", "take": 2}}},
		"other options":     {added: core.Object{"b": core.Object{"prompt": "B", "face_swap": true}, "c": core.Object{"prompt": "B"}}, open: []string{"b", "c"}},
		"a list that fails": {fault: mockserver.Fault{Status: 500, Times: 1}, open: []string{"b", "c"}},
		"no list":           {fault: mockserver.Fault{Status: 404, Times: 1}, open: []string{"b", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t)
			s.readsMore(!test.plain)
			s.applies(map[string]string{"a": "A"})
			id := s.Value(groupAddress, "id")
			if test.added == nil {
				test.added = texts(map[string]string{"b": "B", "c": "C"})
			}
			prompts := core.Object{"a": core.Object{"prompt": "A"}}
			maps.Copy(prompts, test.added)
			if test.fault.Route = mockserver.RouteGroup; test.rewrite != nil || test.fault.Times > 0 {
				test.fault.Rewrite, test.fault.Times = test.rewrite, max(test.fault.Times, 1)
				s.Fault(test.fault)
			}
			s.group(nil, core.Object{"prompts": prompts})
			s.lose()
			said := s.Apply().Must().Diagnostics
			said = slices.DeleteFunc(said, func(d core.Diagnostic) bool { return d.Summary == "Extended Read Failed" }) // of later reads
			check.True(t, "one warning, and the stranger's generation as wanted", len(said) == 1 && strings.Contains(said.String(), "gen_stranger") == test.named, test.named, said)
			s.Want(groupAddress, core.Object{"id": id, "unconfirmed_count": 2, "succeeded_count": 1})
			s.WantCount(t, mockserver.RouteBatch, 2)
			pairs := map[string]string{}
			if err := json.Unmarshal([]byte(s.pasted(said, unconfirmedBatch)), &pairs); err != nil || len(pairs) != 3 {
				t.Fatalf("the import is %q, %v", pairs, err)
			}
			made := s.Groups()[0].Generations
			for i, key := range []string{"a", "b", "c"} {
				if slices.Contains(test.open, key) != (pairs[key] == open) || slices.Contains(test.open, key) && !strings.Contains(said.String(), fmt.Sprintf("%q", key)) {
					t.Errorf("%q is %q", key, pairs[key])
				}
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
}

// What a run holds is not named, whichever reply of it was lost.
// Fault F4b.
func TestUnconfirmedBatch_twoOfARun(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	for _, name := range []string{"g", "h", "held"} {
		s.Resource("mediagen_generation_group."+name, core.Object{"title": "Portraits", "prompts": texts(map[string]string{"a": "A", "b": "B"})})
	}
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 2, DropAfterWork: true})
	s.Parallel(1)
	said := s.Apply().Must().Diagnostics.Find(unconfirmedBatch)
	groups := s.Groups()
	if len(said) != 2 || len(groups) != 3 || strings.Contains(said.String(), groups[2].ID) {
		t.Errorf("want two warnings, and not of %s:\n%s", groups[2].ID, said)
	}
	s.WantCount(t, mockserver.RouteBatch, 3)
	s.Destroy().Must()
	s.Clock.Advance(time.Hour)
	s.wantStanding("A", "A", "B", "B")
}

// Ctrl-C ends the read, with everything in the state.
// Fault F7.
func TestUnconfirmedBatch_interrupted(t *testing.T) {
	t.Parallel()
	for name, route := range map[string]string{"batch": mockserver.RouteBatch, "list": mockserver.RouteGroups} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
			if took := time.Since(time.Unix(0, began.Load())); took > 3*time.Second {
				t.Errorf("it took %s", took)
			}
			check.True(t, "not tainted", !s.Tainted(groupAddress))
			s.Want(groupAddress, core.Object{"unconfirmed_count": 1})
		})
	}
}

// What is accepted without ids stays unconfirmed, told with the group and its list.
// Fault F14.
func TestUnconfirmedBatch_replyWithoutIDs(t *testing.T) {
	t.Parallel()
	for name, variant := range map[string]mockserver.Variant{
		"no results": {Background: mockserver.BackgroundNoResults}, "no ids": {Background: mockserver.BackgroundNoIDs}, "ids dropped": {DropGenerationID: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
}
