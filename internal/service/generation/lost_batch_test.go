package generation_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	batchFound   = "Batch Found Without an Answer"
	batchUnknown = "Unknown Whether a Batch Was Bought"
)

// lose lets the reply to the next batch be lost after the work, while something
// happens.
func (s scenario) lose(meanwhile ...func()) {
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true, Reached: func() {
		for _, happens := range meanwhile {
			happens()
		}
	}})
}

// held are the generations that the state holds, by their addresses and keys.
func (s scenario) held() []string {
	var ids []string
	for _, entry := range s.Entries() {
		generations, _ := entry.Attributes["generations"].(core.Object)
		for _, generation := range generations {
			if id, _ := generation.(core.Object)["id"].(string); id != "" {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// wantHeld checks that the state holds everything that was charged, and nothing else,
// each under its own text.
func (s scenario) wantHeld() {
	s.T.Helper()
	if got := slices.Compact(s.held()); len(got) != s.charged() {
		s.T.Errorf("the state holds %q, and %d prompts were charged", got, s.charged())
	}
	for _, entry := range s.Entries() {
		for key, generation := range entry.Attributes["generations"].(core.Object) {
			made, _ := s.Generation(generation.(core.Object)["id"].(string))
			if want, _ := core.Lookup(entry.Attributes, fmt.Sprintf("prompts[%q].prompt", key)).(string); strings.TrimSpace(made.Prompt) != strings.TrimSpace(want) {
				s.T.Errorf("%s: %q holds a generation of %q", entry.Address, key, made.Prompt)
			}
		}
	}
}

// A batch whose reply was lost is found, into a new group and into a known one. It is
// sent once, and what was bought is in the state.
// Fault F4b.
func TestLostBatch_found(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]mockserver.Fault{
		"dropped":     {DropAfterWork: true},
		"in the body": {DropInBody: true},
		"500":         {AfterWork: true, Status: 500},
		"empty":       {AfterWork: true, Status: 200, Body: " "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t)
			fault.Route, fault.Nth = mockserver.RouteBatch, 1
			s.Fault(fault)
			s.group(map[string]string{"a": "A", "b": " B\n", "again": "A"})
			result := s.Apply().Must()
			group := s.Groups()[0].ID
			s.WantWarning(result.Diagnostics, batchFound, group, `titled "Portraits"`, "nothing was sent twice", "another workspace")
			s.Want(groupAddress, core.Object{"id": group, "succeeded_count": 3, "unknown_count": 0, `generations["a"].attempts`: 1, "credits_deducted": nil})
			s.wantHeld()
			s.WantCount(t, mockserver.RouteBatch, 1)
			s.WantCount(t, mockserver.RouteGroups, 1)
			s.WantCount(t, mockserver.RouteGroup, 1)
			s.Plan().Must().WantEmpty()

			s.Fault(fault)
			s.group(map[string]string{"a": "A", "b": " B\n", "again": "A", "c": "C", "more": "A"})
			s.ResetJournal()
			result = s.Apply().Must()
			s.WantWarning(result.Diagnostics, batchFound, group)
			s.Want(groupAddress, core.Object{"id": group, "succeeded_count": 5})
			s.wantHeld()
			s.WantCount(t, mockserver.RouteBatch, 1)
			s.WantCount(t, mockserver.RouteGroups, 0)
			s.Plan().Must().WantEmpty()
			s.Destroy().Must()
			s.wantNoMedia()
			s.WantCount(t, mockserver.RouteDeleteGroup, 1)
		})
	}
}

// What nobody has processed is not found, and the search ends.
// Fault F4b.
func TestLostBatch_neverProcessed(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]func(s scenario) string{
		"nothing":           func(scenario) string { return "" },
		"another title":     func(s scenario) string { return s.GenerateElsewhere("ch_1", "Sketches", "A", "B").ID },
		"another text":      func(s scenario) string { return s.GenerateElsewhere("ch_1", "Portraits", "A", "C").ID },
		"one more":          func(s scenario) string { return s.GenerateElsewhere("ch_1", "Portraits", "A", "B", "B").ID },
		"another character": func(s scenario) string { return s.GenerateElsewhere("", "Portraits", "A", "B").ID },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t)
			id := ""
			s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropBefore: true, Reached: func() { id = happens(s) }})
			s.group(map[string]string{"a": "A", "b": "B"})
			began := s.Clock.Now()
			result := s.Apply().Must()
			s.WantWarning(result.Diagnostics, batchUnknown, began.UTC().Format(time.RFC3339))
			if id != "" && strings.Contains(result.Diagnostics.String(), id) {
				t.Errorf("a stranger's group is named:\n%s", result.Diagnostics)
			}
			s.Want(groupAddress, core.Object{"unknown_count": 2})
			s.WantCount(t, mockserver.RouteBatch, 1)
			if took, looks := s.Clock.Now().Sub(began), s.Count(mockserver.RouteGroups); took > 2*time.Minute || looks > 8 {
				t.Errorf("the search took %s and %d looks", took, looks)
			}
			s.Plan().Must().WantEmpty()
			s.Destroy().Must()
			s.WantCount(t, mockserver.RouteDelete, 0)
			s.WantCount(t, mockserver.RouteDeleteGroup, 0)
		})
	}
}

// What nothing tells to be ours is named, and not adopted.
// Fault F4b.
func TestLostBatch_named(t *testing.T) {
	t.Parallel()
	equal := func(s scenario) { s.GenerateElsewhere("ch_1", "Portraits", "A", "B") }
	for name, test := range map[string]struct {
		prompts   core.Object
		more      core.Object
		variant   mockserver.Variant
		meanwhile func(s scenario)
		unbought  bool
	}{
		"two groups of the same prompts": {meanwhile: equal},
		"no title":                       {more: core.Object{"title": nil}},
		"no title, a stranger's":         {more: core.Object{"title": nil}, meanwhile: equal, unbought: true},
		"no times":                       {variant: mockserver.Variant{GroupTimes: mockserver.TimesMissing}},
		"times since 1970":               {variant: mockserver.Variant{GroupTimes: mockserver.TimesEpoch}},
		"other options of one text":      {prompts: core.Object{"a": core.Object{"prompt": "A", "face_swap": true}, "b": core.Object{"prompt": "A", "face_swap": false}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t, func(o *mockserver.Options) { o.Variant = test.variant })
			s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: !test.unbought, DropBefore: test.unbought, Reached: func() {
				if test.meanwhile != nil {
					test.meanwhile(s)
				}
			}})
			more := core.Object{}
			maps.Copy(more, test.more)
			if test.prompts != nil {
				more["prompts"] = test.prompts
			}
			s.group(map[string]string{"a": "A", "b": "B"}, more)
			result := s.Apply().Must()
			for _, group := range s.Groups() {
				s.WantWarning(result.Diagnostics, batchUnknown, "Not adopted", group.ID, group.Generations[0].ID, group.Generations[1].ID)
			}
			s.Want(groupAddress, core.Object{"unknown_count": 2})
			s.WantCount(t, mockserver.RouteBatch, 1)
			s.Plan().Must().WantEmpty()
			s.Destroy().Must()
			s.WantCount(t, mockserver.RouteDelete, 0)
			s.WantCount(t, mockserver.RouteDeleteGroup, 0)
		})
	}
}

// A stranger's group of our title and texts cannot be told from ours, and a warning
// says so; a destroy still deletes only what the state holds.
// Fault F4b.
func TestLostBatch_strangersOfOurTitle(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropBefore: true, Reached: func() {
		s.GenerateElsewhere("ch_1", "Portraits", "A", "B")
	}})
	s.group(map[string]string{"a": "A", "b": "B"})
	s.WantWarning(s.Apply().Must().Diagnostics, batchFound, s.Groups()[0].ID, "another workspace")
	s.WantCount(t, mockserver.RouteBatch, 1)
	s.WantWarning(s.Plan(core.Destroying()).Must().Diagnostics, "Media Will Be Deleted", "nothing shows that this resource created it")
}

// What a run holds already, or what is older, is not what a batch has made.
// Fault F4b.
func TestLostBatch_amongOthers(t *testing.T) {
	t.Parallel()
	for name, variant := range map[string]mockserver.Variant{
		"plain": {}, "reversed": {ListsReversed: true}, "filters ignored": {IgnoreFilters: true}, "errors": {EmptyErrors: true},
		"local times": {GroupTimes: mockserver.TimesZoneless}, "late": {LateVisibility: 3}, "trimmed": {TrimTexts: true}, "skew": {ClockSkew: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t, func(o *mockserver.Options) { o.Variant = variant })
			for i := range 130 { // two pages
				s.GenerateElsewhere("ch_1", fmt.Sprint("Sketches ", i), "A", "B")
			}
			s.GenerateElsewhere("ch_1", "Portraits", "A", "B")
			s.Clock.Advance(time.Minute)
			s.group(map[string]string{"a": "A", "b": "B"})
			s.Resource("mediagen_generation_group.equal", core.Object{"character_id": "ch_1", "title": "Portraits", "prompts": texts(map[string]string{"a": "A", "b": "B"})})
			s.lose()
			s.WantWarning(s.Apply().Must().Diagnostics, batchFound)
			s.wantHeld()
			s.WantCount(t, mockserver.RouteBatch, 2)
			if pages, groups := s.Count(mockserver.RouteGroups), s.Count(mockserver.RouteGroup); variant.LateVisibility == 0 && (pages != 2 || groups > 2) {
				t.Errorf("%d pages, %d groups were read", pages, groups)
			}
			s.Destroy().Must()
			if left := len(s.Groups()); left != 131 {
				t.Errorf("%d groups are left", left)
			}
		})
	}
}

// Of two equal batches of a run each has its own, or nobody knows.
// Fault F4b.
func TestLostBatch_twoOfARun(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 2, DropAfterWork: true})
	for _, name := range []string{"g", "h"} {
		s.Resource("mediagen_generation_group."+name, core.Object{"title": "Portraits", "prompts": texts(map[string]string{"a": "A", "b": "B"})})
	}
	result := s.Apply().Must()
	held := s.held()
	if once := slices.Compact(slices.Clone(held)); len(once) != len(held) || len(held)%2 != 0 {
		t.Errorf("held are %q", held)
	}
	if said := result.Diagnostics.String(); strings.Count(said, batchFound)*2 != len(held) || strings.Count(said, batchUnknown)*2 != 4-len(held) {
		t.Errorf("held are %q:\n%s", held, said)
	}
	s.WantCount(t, mockserver.RouteBatch, 2)
}

// In a known group, what nobody can tell apart stays unknown.
// Fault F4b.
func TestLostBatch_knownGroupOfTwo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stranger map[string]any
		found    bool
	}{
		"another text":  {map[string]any{"prompt": "Z"}, true},
		"an equal text": {map[string]any{"prompt": "B"}, false},
		"an older one":  {map[string]any{"prompt": "B", "created_at": "2020-01-01T00:00:00Z"}, true},
		"incomplete":    {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t)
			s.group(map[string]string{"a": "A"})
			s.Apply().Must()
			id := s.Value(groupAddress, "id")
			s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 100, Rewrite: func(reply map[string]any) {
				shown := reply["generations"].([]any)
				reply["generation_count"] = len(shown) + 1
				if test.stranger != nil {
					stranger := maps.Clone(shown[len(shown)-1].(map[string]any))
					stranger["generation_id"] = "gen_stranger"
					maps.Copy(stranger, test.stranger)
					reply["generations"] = append(shown, any(stranger))
				}
			}})
			s.Clock.Advance(time.Hour)
			s.lose()
			s.group(map[string]string{"a": "A", "b": "B"})
			said := s.Apply().Must().Diagnostics
			if found := len(said.Find(batchFound)) == 1; found != test.found {
				t.Errorf("found: %t\n%s", found, said)
			}
			s.Want(groupAddress, core.Object{"id": id, "unknown_count": map[bool]int{false: 1}[test.found]})
			s.WantCount(t, mockserver.RouteBatch, 2)
			if strings.Contains(fmt.Sprint(s.held()), "gen_stranger") {
				t.Errorf("the state holds %q", s.held())
			}
		})
	}
}

// After a batch that was found, the rest is planned again, and goes into its group.
// Fault F4b.
func TestLostBatch_firstOfSeveral(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.lose()
	s.group(map[string]string{"a": "A", "b": "B", "c": "C"}, core.Object{"max_prompts_per_batch": int64(1)})
	s.WantWarning(s.Apply().Must().Diagnostics, batchFound)
	s.WantCount(t, mockserver.RouteBatch, 1)
	s.buys([]string{`generations["b"]`, `generations["c"]`}, 2)
	s.wantHeld()
	if groups := len(s.Groups()); groups != 1 {
		t.Errorf("%d groups", groups)
	}
}

// A deployment that lists no groups is as one without extended_reads.
// Fault F4b.
func TestLostBatch_noList(t *testing.T) {
	t.Parallel()
	for status, fault := range mockserver.MissingRoute() {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			for _, route := range []string{mockserver.RouteGroups, mockserver.RouteGroup} {
				s := newExtended(t)
				s.lose()
				s.group(map[string]string{"a": "A"})
				fault.Route, fault.Times = route, 100
				s.Fault(fault)
				began := s.Clock.Now()
				said := s.Apply().Must().Diagnostics
				s.WantWarning(said, batchUnknown)
				if len(said.Warnings()) != 1 || s.Count(route) != 1 || s.Clock.Now() != began {
					t.Errorf("asked %d times in %s:\n%s", s.Count(route), s.Clock.Now().Sub(began), said)
				}
				s.Want(groupAddress, core.Object{"unknown_count": 1})
			}
		})
	}
	s := newExtended(t)
	s.readsMore(false)
	s.lose()
	s.group(map[string]string{"a": "A"})
	s.WantWarning(s.Apply().Must().Diagnostics, batchUnknown)
	s.WantCount(t, mockserver.RouteGroups, 0)
}

// Ctrl-C ends the search, with everything in the state.
// Fault F7.
func TestLostBatch_interrupted(t *testing.T) {
	t.Parallel()
	for name, route := range map[string]string{"batch": mockserver.RouteBatch, "list": mockserver.RouteGroups, "group": mockserver.RouteGroup} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.Bubble(t, func(t *testing.T) {
				s := newExtended(t)
				var began time.Time
				interrupt := func() {
					began = time.Now()
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
				if took := time.Since(began); took > 3*time.Second {
					t.Errorf("it took %s", took)
				}
				if s.Tainted(groupAddress) {
					t.Error("tainted")
				}
				s.Want(groupAddress, core.Object{"unknown_count": 1})
			})
		})
	}
}

// What a reply leaves open, the list of its group tells.
// Fault F14.
func TestLostBatch_replyWithoutIDs(t *testing.T) {
	t.Parallel()
	for name, variant := range map[string]mockserver.Variant{
		"no results": {Background: mockserver.BackgroundNoResults}, "no ids": {Background: mockserver.BackgroundNoIDs}, "ids dropped": {DropGenerationID: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t, func(o *mockserver.Options) { o.Variant = variant })
			s.group(map[string]string{"a": "A", "b": "B", "c": "A"})
			said := s.Apply().Must().Diagnostics
			s.wantHeld()
			if len(said) > 0 {
				t.Errorf("said:\n%s", said)
			}
			s.WantCount(t, mockserver.RouteGroup, 1)
			s.WantCount(t, mockserver.RouteGroups, 0)
			s.Plan().Must().WantEmpty()
			s.Destroy().Must()
			s.wantNoMedia()
		})
	}
	t.Run("no indices", func(t *testing.T) {
		t.Parallel()
		s := newExtended(t, func(o *mockserver.Options) { o.Variant = mockserver.Variant{PromptIndexBase: -1, ReorderResults: true} })
		s.group(numbered(30), core.Object{"wait_for_completion": false})
		s.Apply().Must()
		s.wantHeld()
		s.WantCount(t, mockserver.RouteGroup, 1)
		s.WantCount(t, mockserver.RouteStatus, 0)
	})
}
