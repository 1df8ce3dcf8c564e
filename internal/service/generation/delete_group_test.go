package generation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const ownNoGroup = `{"error":"not_found","message":"no such group"}`

// One replica that lags answers a deletion with 404: what a read shows two
// seconds later is deleted again, and what none shows is gone. One that goes on
// saying so is an error that keeps all. Fault F8.
func TestGroup_aDeletionThatFindsNothing(t *testing.T) {
	t.Parallel()
	type row struct {
		route                  string
		imported               bool
		times, gone            int
		groups, singly, status int
		fails                  bool
	}
	check.Each(t, map[string]row{
		"the group, once":          {route: mockserver.RouteDeleteGroup, times: 1, groups: 2, singly: 2, status: 2},
		"the group, which is gone": {route: mockserver.RouteDeleteGroup, times: 1, gone: 2, groups: 1, status: 2},
		"the group, half of it": {
			route:  mockserver.RouteDeleteGroup,
			times:  1,
			gone:   1,
			groups: 2,
			singly: 1,
			status: 2,
		},
		"a generation, once": {route: mockserver.RouteDelete, imported: true, times: 1, singly: 3, status: 1},
		"generations that are gone": {
			route:    mockserver.RouteDelete,
			imported: true,
			times:    2,
			gone:     2,
			singly:   2,
			status:   2,
		},
		"generations, for ever": {
			route:    mockserver.RouteDelete,
			imported: true,
			times:    1000,
			singly:   4,
			status:   2,
			fails:    true,
		},
	}, func(t *testing.T, test row) {
		s := applied(t, map[string]string{"a": "A", "b": "B"})
		made := s.Groups()[0].Generations
		if test.imported {
			s.Forget(groupAddress)
			s.group(map[string]string{"a": "A", "b": "B"})
			s.Import(groupAddress, fmt.Sprintf(`{"a":%q,"b":%q}`, made[0].ID, made[1].ID)).Must()
			s.Apply().Must()
		}
		for _, generation := range made[:test.gone] {
			s.DeleteGenerationBehindTheBack(generation.ID)
		}
		s.Fault(mockserver.Fault{Route: test.route, Times: test.times, Status: 404, Body: ownNoGroup})
		s.ResetJournal()
		began := s.Clock.Now()
		result := s.Apply(core.Destroying(), core.Refresh(false))
		check.Equal(t, "seconds of pause", s.Clock.Now().Sub(began).Seconds(), 2)
		check.True(
			t,
			"it fails as wanted",
			result.Diagnostics.HasErrors() == test.fails && (s.State(groupAddress) != nil) == test.fails,
			test.fails,
			result.Diagnostics,
		)
		s.WantCount(t, mockserver.RouteDeleteGroup, test.groups)
		s.WantCount(t, mockserver.RouteDelete, test.singly)
		s.WantCount(t, mockserver.RouteStatus, test.status)
		if test.fails {
			s.ClearFaults()
			s.Destroy().Must()
		}
		s.wantNoMedia()
	})
}

// Of what a deletion has left, only this object's is deleted again: a
// generation of somebody else that the service protects stays, and so does the
// group. Fault F20.
func TestGroup_leftoversOfOthersStay(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B", "x": "X"}, core.Object{"deletion_policy": "keep"})
	id := s.Groups()[0].ID
	theirs := s.Value(groupAddress, `generations["x"].id`).(string)
	s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"deletion_policy": "keep"})
	s.applies(map[string]string{"a": "A", "b": "B"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteDeleteGroup, Times: 1, Status: 200, Body: fmt.Sprintf(
		`{"success":false,"deleted_generations":0,"failed_generation_deletions":1,`+
			`"details":{"deleted_generation_ids":[],"failed_generation_ids":[%q]}}`,
		theirs,
	)})
	s.ResetJournal()
	result := s.Destroy().Must()
	s.WantWarning(result.Diagnostics, "Generation Group Stays", id, theirs)
	s.WantCount(t, mockserver.RouteDeleteGroup, 1)
	s.WantCount(t, mockserver.RouteDelete, 2)
	left := s.Groups()[0].Generations
	check.True(t, "theirs is left", len(left) == 1 && left[0].ID == theirs, left)
}

// A group that was imported goes as a whole if its list shows nothing but what
// the state holds, and else its generations one by one. Fault F20.
func TestExtendedReads_destroyOfAnImport(t *testing.T) {
	t.Parallel()
	type row struct {
		change               func(s scenario)
		keys                 string
		groups, singly, left int
	}
	check.Each(t, map[string]row{
		"all of it":         {keys: "abc", groups: 1},
		"a part":            {keys: "bc", singly: 2, left: 1},
		"without the reads": {keys: "abc", singly: 3, change: func(s scenario) { s.readsMore(false) }},
		"an incomplete list": {keys: "abc", singly: 3, change: func(s scenario) {
			s.Fault(
				mockserver.Fault{
					Route:   mockserver.RouteGroup,
					Times:   100,
					Rewrite: func(reply map[string]any) { reply["generation_count"] = 4 },
				},
			)
		}},
		"no list": {keys: "abc", singly: 3, change: func(s scenario) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 100, Status: 405})
		}},
		"held by another": {keys: "abc", singly: 2, left: 1, change: func(s scenario) {
			s.Resource("mediagen_generation_group.h", core.Object{"prompts": texts(map[string]string{"a": "A"})})
			s.Import("mediagen_generation_group.h", fmt.Sprintf(`{"a":%q}`, s.Groups()[0].Generations[0].ID)).Must()
		}},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		made := s.GenerateElsewhere("ch_1", "Portraits", "A", "B", "C")
		s.Clock.Advance(time.Hour)
		prompts := map[string]string{}
		pairs := []string{}
		for _, key := range test.keys {
			prompts[string(key)] = strings.ToUpper(string(key))
			pairs = append(pairs, fmt.Sprintf("%q:%q", string(key), made.Generations[key-'a'].ID))
		}
		s.group(prompts)
		s.Import(groupAddress, "{"+strings.Join(pairs, ",")+"}").Must()
		s.Apply().Must()
		if test.change != nil {
			test.change(s)
		}
		s.Remove(groupAddress)
		s.ResetJournal()
		s.Apply().Must()
		s.WantCount(t, mockserver.RouteDeleteGroup, test.groups)
		s.WantCount(t, mockserver.RouteDelete, test.singly)
		check.Equal(t, "media left", s.Media(), test.left)
	})
}
