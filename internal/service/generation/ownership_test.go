package generation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A 2xx that names a stranger's group, and no generation of ours, makes that
// group nobody's: what accepts nothing is quoted, and what counts something
// puts the group into the state and not into a destroy. Fault F19.
func TestOwnership_replyThatNamesAStrangersGroup(t *testing.T) {
	tier.Long(t, "24 replies that name a stranger's group")
	t.Parallel()
	for name, test := range map[string]struct {
		code     int
		says     string
		accepted bool
	}{
		"exists":        {200, `"status":"exists","message":"a group of this title exists"`, false},
		"FAILED 0 of 2": {200, `"status":"FAILED","total_requested":2,"successful_submissions":0`, false},
		"skipped":       {200, `"status":"skipped","results":[]`, false},
		"entries that skip": {
			200,
			`"results":[{"prompt_index":0,"status":"skipped"},{"prompt_index":1,"status":"skipped"}]`,
			false,
		},
		"entries that say little": {200, `"results":[{"prompt_index":0},{"prompt_index":1}]`, false},
		"one error":               {200, `"results":[{"prompt_index":0,"error":"exists"},{"prompt_index":1}]`, false},
		"no word":                 {200, `"batch_id":"b1"`, false},
		"null results":            {200, `"success":true,"results":null,"credits_deducted":null`, false},
		"in the background": {
			202,
			`"status":"processing","successful_submissions":0,"credits_deducted":0`,
			false,
		},
		"0 credits": {200, `"status":"completed","credits_deducted":0,"total_requested":2`, false},
		"credits":   {200, `"status":"processing","credits_deducted":2`, true},
		"successes": {202, `"status":"processing","successful_submissions":2,"results":[]`, true},
	} {
		for _, extended := range []bool{false, true} {
			t.Run(fmt.Sprint(name, extended), func(t *testing.T) {
				t.Parallel()
				s := newExtended(t)
				s.readsMore(extended)
				theirs := s.stranger()
				s.Fault(
					mockserver.Fault{
						Route:  mockserver.RouteBatch,
						Nth:    1,
						Status: test.code,
						Body:   fmt.Sprintf(`{"group_id":%q,%s}`, theirs, test.says),
					},
				)
				said := s.applies(map[string]string{"a": "A", "b": "B"}).Diagnostics
				check.True(t, "the group is named", strings.Contains(said.String(), fmt.Sprintf("%q", theirs)), said)
				check.Equal(t, "the group is taken", s.Value(groupAddress, "id") == theirs, test.accepted)
				s.WantCount(t, mockserver.RouteBatch, 1)
				s.Plan().Must().WantEmpty()
				s.applies(map[string]string{"a": "A", "b": "B", "c": "C"})
				check.Equal(t, "the next batch goes into it", s.Value(groupAddress, "id") == theirs, test.accepted)
				s.Destroy().Must()
				s.wantStanding("X", "Y")
				s.WantCount(t, mockserver.RouteDelete, map[bool]int{true: 1}[test.accepted])
			})
		}
	}
}

// The plan of an end says what is deleted or kept, and the apply does not repeat
// it. No plan is told of -replace, of which the CLI itself shows what goes.
func TestReplace_saysWhatItDeletes(t *testing.T) {
	t.Parallel()
	for policy, says := range map[string]string{"delete": willDelete, "keep": mediaKept} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Bob"})
			s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"deletion_policy": policy})
			id := s.Value(groupAddress, "id").(string)
			replaced := s.Apply(core.Replacing(groupAddress)).Must().Diagnostics
			if policy == "keep" {
				s.WantWarning(replaced, "Media Were Forgotten: group ", "left 2 generations", id)
			}
			s.applies(map[string]string{"a": "A", "b": "B", "c": "C"}, core.Object{"deletion_policy": policy})
			for _, end := range []func() *core.Plan{
				func() *core.Plan {
					s.group(map[string]string{"a": "A"}, core.Object{"character_id": "ch_2", "deletion_policy": policy})
					return s.Plan()
				},
				func() *core.Plan { return s.Plan(core.Destroying()) },
			} {
				plan := end().Must()
				s.WantWarning(plan.Diagnostics, says)
				s.WantSilent(s.ApplyPlan(plan).Must().Diagnostics, says)
			}
		})
	}
}

// Where groups are listed, a group that this resource has created goes as a
// whole only if its list proves that nothing else is in it. A list that lags
// proves nothing. Fault F30.
func TestDestroy_asksTheListBeforeTheWholeGroup(t *testing.T) {
	t.Parallel()
	shows := func(change func(shown []any) []any, count int) mockserver.Fault {
		return mockserver.Fault{Rewrite: func(reply map[string]any) {
			shown := change(reply["generations"].([]any))
			reply["generations"] = shown
			reply["generation_count"] = count
			reply["pagination"] = map[string]any{"has_more": false, "returned": len(shown)}
		}}
	}
	same := func(shown []any) []any { return shown }
	type row struct {
		fault mockserver.Fault
		whole bool
	}
	check.Each(t, map[string]row{
		"all of it":         {shows(same, 2), true},
		"lags":              {fault: shows(func(shown []any) []any { return shown[:1] }, 1)},
		"shows nothing yet": {fault: shows(func([]any) []any { return nil }, 0)},
		"counts more":       {fault: shows(same, 3)},
		"a stranger's too": {fault: shows(func(shown []any) []any {
			return append(shown, map[string]any{"generation_id": "gen_stranger", "prompt": "A"})
		}, 3)},
		"no list": {fault: mockserver.Fault{Status: 404, Body: `{"error":"not_found"}`}},
		"fails":   {fault: mockserver.Fault{Status: 403, Body: `{"error":"forbidden"}`}},
		"garbled": {fault: mockserver.Fault{Status: 200, Body: `[]`}},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		s.applies(map[string]string{"a": "A", "b": "B"})
		id := s.Value(groupAddress, "id").(string)
		plan := s.Plan(core.Destroying()).Must()
		test.fault.Route = mockserver.RouteGroup
		test.fault.Times = 100
		s.Fault(test.fault)
		s.ResetJournal()
		said := s.ApplyPlan(plan).Must().Diagnostics
		s.WantCount(t, mockserver.RouteDeleteGroup, map[bool]int{true: 1}[test.whole])
		s.WantCount(t, mockserver.RouteDelete, map[bool]int{false: 2}[test.whole])
		check.Equal(t, "the rest is told", len(said.Find("Generation Group Stays: group "+id)) == 1, !test.whole)
		s.wantNoMedia()
	})
}

// What a reply puts elsewhere, or nowhere, does not go with the group.
// Fault F8.
func TestDestroy_coversWhatRepliesTieToTheGroup(t *testing.T) {
	t.Parallel()
	type row struct {
		batch, status any
		singly        int
	}
	check.Each(t, map[string]row{
		"its own":      {batch: "same", status: "same"},
		"told later":   {status: "same"},
		"never told":   {singly: 1},
		"another":      {batch: "grp_other", status: "grp_other", singly: 1},
		"moved since":  {batch: "same", status: "grp_other", singly: 1},
		"another once": {batch: "grp_other", singly: 1},
	}, func(t *testing.T, test row) {
		s := applied(t, map[string]string{"a": "A"})
		a := s.Value(groupAddress, `generations["a"].id`)
		for route, says := range map[string]any{
			mockserver.RouteBatch:  test.batch,
			mockserver.RouteStatus: test.status,
		} {
			s.Fault(mockserver.Fault{Route: route, Times: 100, Rewrite: func(reply map[string]any) {
				if says != "same" && reply["generation_id"] != a {
					reply["group_id"] = says
				}
			}})
		}
		s.applies(map[string]string{"a": "A", "b": "B"})
		s.ResetJournal()
		s.Destroy().Must()
		s.WantCount(t, mockserver.RouteDeleteGroup, 1)
		s.WantCount(t, mockserver.RouteDelete, test.singly)
		s.wantNoMedia()
	})
}
