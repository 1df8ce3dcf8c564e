package generation_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	goneAndBought = "Generations Are Gone"
	groupIsGone   = "Generation Group Is Gone"
	mediaDeleted  = "Media Will Be Deleted"
	unresolved    = "Unconfirmed Prompts: group"
)

// What was deleted elsewhere is bought again; until then plans say so.
func TestGroup_planSaysWhatIsGone(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "At dawn", "c": "C"})
	s.WantSilent(s.Plan().Must().Diagnostics, goneAndBought)
	s.DeleteGenerationBehindTheBack(s.Value(groupAddress, `generations["b"].id`).(string))
	for range 2 {
		plan := s.Plan().Must()
		s.WantWarning(plan.Diagnostics, goneAndBought, `"b"`, "bought again")
		check.True(
			t,
			"a is not gone",
			!strings.Contains(plan.Diagnostics.Find(goneAndBought).String(), `"a"`),
			plan.Diagnostics,
		)
		s.Refresh().Must()
	}
	s.WantWarning(s.Plan(core.Refresh(false)).Must().Diagnostics, goneAndBought, `"b"`)
	s.group(map[string]string{"a": "A", "dawn": "At dawn", "c": "C"}) // renamed
	s.WantWarning(s.Plan().Must().Diagnostics, goneAndBought, `"b"`)
	s.WantSilent(s.plans(map[string]string{"a": "A", "c": "C"}).Diagnostics, goneAndBought, mediaDeleted)
	s.WantCount(t, mockserver.RouteBatch, 1)

	s.group(map[string]string{"a": "A", "b": "At dawn", "c": "C"})
	s.buys([]string{`generations["b"]`}, 1)
	s.WantSilent(s.Plan().Must().Diagnostics, goneAndBought)
	s.WantCount(t, mockserver.RouteBatch, 2)
}

// A group that is entirely gone leaves the state: the read says so, since the
// plan of another one does not know about it.
func TestGroup_refreshSaysThatAGroupIsGone(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "At dawn"})
	id := s.Value(groupAddress, "id").(string)
	s.DeleteGroupBehindTheBack(id)
	plan := s.Plan().Must()
	check.Equal(t, "the action", plan.Action(groupAddress), core.Create)
	s.WantWarning(plan.Diagnostics, groupIsGone, id, `"b"`, "bought again")
	s.WantSilent(s.ApplyPlan(plan).Must().Diagnostics, groupIsGone)
	s.Plan().Must().WantEmpty()
	s.WantSilent(s.Plan().Diagnostics, groupIsGone)
	s.WantCount(t, mockserver.RouteBatch, 2)
}

// Changing a prompt deletes media just as removing one does.
func TestGroup_planSaysWhatAChangeDeletes(t *testing.T) {
	t.Parallel()
	type row struct {
		prompts map[string]string
		says    []string // nil is nothing
		deletes int
		buys    int
	}
	check.Each(t, map[string]row{
		"changed": {
			map[string]string{"a": "A", "b": "At noon"},
			[]string{`"b"`, "superseded", "bought anew"},
			1,
			1,
		},
		"removed": {map[string]string{"a": "A"}, []string{`"b"`, "no longer in the configuration"}, 1, 0},
		"exchanged": {
			map[string]string{"c": "C"},
			[]string{`"a"`, `"b"`, "no longer in the configuration"},
			2,
			1,
		},
		"changed and removed": {
			map[string]string{"a": "A2"},
			[]string{`"a"`, "superseded", `"b"`, "no longer in the configuration"},
			2,
			1,
		},
		"renamed":   {map[string]string{"a": "A", "dawn": "At dawn"}, nil, 0, 0},
		"added":     {map[string]string{"a": "A", "b": "At dawn", "c": "C"}, nil, 0, 1},
		"as it was": {map[string]string{"a": "A", "b": "At dawn"}, nil, 0, 0},
	}, func(t *testing.T, test row) {
		s := applied(t, map[string]string{"a": "A", "b": "At dawn"})
		id := s.Value(groupAddress, "id")
		plan := s.plans(test.prompts)
		if test.says == nil {
			s.WantSilent(plan.Diagnostics, mediaDeleted)
		} else {
			s.WantWarning(plan.Diagnostics, mediaDeleted, test.says...)
		}
		s.ApplyPlan(plan).Must()
		s.WantCount(t, mockserver.RouteDelete, test.deletes)
		check.Equal(t, "prompts charged", s.charged(), 2+test.buys)
		s.Want(groupAddress, core.Object{"id": id, "succeeded_count": len(test.prompts)})
		again := s.Plan().Must()
		again.WantEmpty()
		s.WantSilent(again.Diagnostics, mediaDeleted)
	})
}

// What a changed prompt supersedes is deleted once there are results in its
// place: a plan that can lead to that says so, and one that cannot does not.
func TestGroup_planSaysWhatIsSuperseded(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	s.FailPrompt("A2", "too dark")
	plan := s.plans(map[string]string{"a": "A2"})
	s.WantWarning(plan.Diagnostics, mediaDeleted, `"a"`)
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteDelete, 0) // it has failed
	s.WantSilent(s.Plan().Must().Diagnostics, mediaDeleted)

	s.FailPrompt("A2", "")
	again := core.Object{"max_attempts": 2, "wait_for_completion": false}
	s.WantWarning(s.plans(map[string]string{"a": "A2"}, again).Diagnostics, mediaDeleted, `"a"`)
	s.Apply().Must()
	s.WantCount(t, mockserver.RouteDelete, 0) // nobody waits for it
	s.WantSilent(s.Plan(core.Refresh(false)).Must().Diagnostics, mediaDeleted)
	s.Clock.Advance(time.Hour)
	plan = s.Plan().Must()
	s.WantWarning(plan.Diagnostics, mediaDeleted, `"a"`)
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteDelete, 2)
	s.Plan().Must().WantEmpty()
}

// A failed generation has no media.
func TestGroup_retryDeletesNoMedia(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.FailPrompt("A", "too dark")
	s.applies(map[string]string{"a": "A", "b": "B"})
	s.FailPrompt("A", "")
	plan := s.plans(map[string]string{"a": "A", "b": "B"}, core.Object{"max_attempts": 2})
	s.WantSilent(plan.Diagnostics, mediaDeleted)
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteDelete, 1)
	s.Plan().Must().WantEmpty()
}

func TestGroup_planOfUnknownPromptsSaysThatMediaMayGo(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	plan := s.plans(nil, core.Object{"prompts": core.UnknownUntilApply(texts(map[string]string{"a": "A", "b": "B2"}))})
	s.WantWarning(plan.Diagnostics, "Media May Be Deleted", "generations so far: 2")
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteDelete, 1)
}

// A warning about many keys names three of them.
func TestGroup_warningsOfManyKeysAreReadable(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	prompts := map[string]string{}
	others := map[string]string{}
	for i := range 30 {
		key := fmt.Sprintf("k%02d", i)
		prompts[key] = "Before"
		others[key] = "After"
	}
	s.applies(prompts)
	said := s.plans(others).Diagnostics
	s.WantWarning(said, mediaDeleted, `"k00", "k01"`, `"k02", and 27 more`)
	check.True(t, "27 more keys are too many", !strings.Contains(said.Find(mediaDeleted).String(), "k03"), said)
}

// An unconfirmed outcome is not "No changes": every plan says so until it is
// resolved.
func TestGroup_planSaysWhatIsUnresolved(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	s.WantSilent(s.Plan().Must().Diagnostics, unresolved)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.applies(map[string]string{"a": "A", "b": "At dawn"})
	s.ResetJournal()
	for _, options := range [][]core.PlanOption{nil, {core.Refresh(false)}, nil} {
		plan := s.Plan(options...).Must()
		plan.WantEmpty()
		s.WantWarning(
			plan.Diagnostics,
			unresolved,
			`"b"`,
			"Look for them at the service",
			"import",
			"max_attempts",
			"twice",
		)
		s.WantSilent(s.ApplyPlan(plan).Must().Diagnostics, unresolved)
	}
	s.WantWarning(s.plans(map[string]string{"a": "A", "b": "At dawn", "c": "C"}).Diagnostics, unresolved, `"b"`)
	s.WantCount(t, mockserver.RouteBatch, 0)

	both := map[string]string{"a": "A", "b": "At dawn"}
	s.WantWarning(s.plans(both, core.Object{"max_attempts": 2}).Diagnostics, unresolved, `"b"`)
	s.WantSilent(s.plans(both, again(both, "b")).Diagnostics, unresolved) // it is said to be left behind
	s.Apply().Must()
	s.WantSilent(s.Plan().Must().Diagnostics, unresolved)
	s.WantCount(t, mockserver.RouteBatch, 1)
}

// A group that no reply has named has an id that means nothing.
func TestGroup_planSaysThatAGroupHasNoID(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	const summary = "Generation Group Has No Id"
	nameless := func(reply map[string]any) { delete(reply, "group_id") }
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Rewrite: nameless})
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: nameless})
	s.applies(map[string]string{"a": "A"})
	plan := s.Plan().Must()
	plan.WantEmpty()
	s.WantWarning(plan.Diagnostics, summary, s.Value(groupAddress, "id").(string), "another group")
	s.WantSilent(plan.Diagnostics, unresolved)
	s.ClearFaults()
	s.WantSilent(s.Plan().Must().Diagnostics, summary)

	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, AfterWork: true, Status: http.StatusBadGateway})
	s.Remove(groupAddress)
	s.Apply().Must()
	s.applies(map[string]string{"a": "A"})
	said := s.Plan().Must().Diagnostics
	s.WantWarning(said, unresolved, `"a"`, s.Value(groupAddress, "id").(string))
	s.WantSilent(said, summary) // once is enough
}

// If the results of a batch may have been confused, nothing is certainly
// superseded before all have ended: a plan that waits for one says what all of
// them delete.
func TestGroup_planSaysWhatAWaitMakesSure(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Rewrite: withoutIndices})
	var ended atomic.Bool
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: func(reply map[string]any) {
		delete(reply, "prompt")
		if reply["generation_id"] == "gen_000004" && !ended.Load() {
			reply["status"] = "processing"
			reply["result_urls"] = nil
		}
	}})
	changed := map[string]string{"a": "A2", "b": "B2"}
	s.applies(changed, core.Object{"wait_for_completion": false})
	s.Clock.Advance(time.Hour)
	s.WantSilent(s.Plan().Must().Diagnostics, mediaDeleted)
	plan := s.plans(changed)
	s.WantWarning(plan.Diagnostics, mediaDeleted, `"a", "b"`)
	s.WantWarning(plan.Diagnostics, anothers, `"a", "b"`)
	ended.Store(true)
	s.WantSilent(s.ApplyPlan(plan).Must().Diagnostics, anothers) // the plan has said it, and the apply buys nothing
	s.WantCount(t, mockserver.RouteDelete, 2)
}

// CLIs show of warnings with equal summaries only the first: that a second
// group's media were deleted for good was "one more similar warning elsewhere".
func TestGroup_warningsAreToldApart(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.other(map[string]string{"a": "A"})
	s.applies(map[string]string{"a": "A"})
	ids := []string{s.Value(groupAddress, "id").(string), s.Value(otherAddress, "id").(string)}
	for name, plan := range map[string]func() *core.Plan{
		"an update": func() *core.Plan {
			s.other(map[string]string{"b": "B"})
			return s.plans(map[string]string{"b": "B"})
		},
		"a destroy": func() *core.Plan { return s.Plan(core.Destroying()) },
	} {
		said := plan().Must().Diagnostics
		for _, id := range ids {
			check.True(t, name+" names "+id, len(said.Find("Media Will Be Deleted: group "+id)) == 1, said)
		}
	}
}

// All that a plan does to a group beyond what it shows is one warning: what is
// bought, what is deleted, what stays. The apply, which plans again, does not
// repeat it.
func TestGroup_planWarnsOnceOfAGroup(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, About: `"D"`, DropAfterWork: true})
	prompts := map[string]string{"changed": "A", "gone": "B", "removed": "C"}
	s.applies(prompts)
	prompts["lost"] = "D"
	s.applies(prompts)
	s.DeleteGenerationBehindTheBack(s.Value(groupAddress, `generations["gone"].id`).(string))
	plan := s.plans(map[string]string{"changed": "A2", "gone": "B", "new": "E"})
	check.True(t, "one warning", len(plan.Diagnostics) == 1, plan.Diagnostics)
	s.WantWarning(plan.Diagnostics.At("prompts"), "Media Will Be Deleted: group "+s.Value(groupAddress, "id").(string))
	order := []string{
		`The plan buys 3 prompts: "changed", "gone", "new".`,
		`of the prompt "gone"`,
		`The prompt "removed" is no longer`,
		`The prompt "changed" is bought anew`,
		"the state forgets them",
		`prompt "lost" of the generation group`,
	}
	at := make([]int, len(order))
	for i, text := range order {
		at[i] = strings.Index(plan.Diagnostics[0].Detail, text)
	}
	check.True(t, "the order", at[0] == 0 && slices.IsSorted(at), at, plan.Diagnostics)
	said := s.ApplyPlan(plan).Must().Diagnostics
	check.True(t, "the apply repeats nothing", len(said) == 0, said)
	s.WantCount(t, mockserver.RouteBatch, 3)
}

// A plan without a refresh may be that of an apply which the CLI then stops, as
// OpenTofu does if a reference turns out to be another: nothing is deleted then.
func TestGroup_replacementThatMayNotHappen(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Grace"})
	s.applies(map[string]string{"a": "A"})
	s.group(map[string]string{"a": "A"}, core.Object{"character_id": "ch_2"})
	s.ResetJournal()
	unsure := s.Plan(core.Refresh(false)).Must()
	check.Equal(t, "the action", unsure.Action(groupAddress), core.Replace)
	s.WantSilent(unsure.Diagnostics, mediaDeleted)
	s.WantWarning(
		unsure.Diagnostics.At("character_id"),
		"Plan Deletes Media: group "+s.Value(groupAddress, "id").(string),
		"This deletes 1 generation",
		"inconsistent final plan",
		"nothing of the group is bought or deleted",
	)
	s.WantCount(t, mockserver.RouteBatch, 0)
	s.WantCount(t, mockserver.RouteDeleteGroup, 0)
	s.WantSilent(s.Plan().Must().Diagnostics, "Plan Deletes Media", "inconsistent")
}

// What a replacement buys is told with what it deletes.
func TestGroup_replacementSaysWhatItBuys(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Grace"})
	s.applies(map[string]string{"a": "A"})
	plan := s.plans(map[string]string{"a": "A", "b": "B"}, core.Object{"character_id": "ch_2"})
	check.Equal(t, "the action", plan.Action(groupAddress), core.Replace)
	s.WantWarning(
		plan.Diagnostics.At("character_id"),
		mediaDeleted,
		`Every prompt is bought again: "a", "b".`,
		"This deletes 1 generation",
	)
	said := s.ApplyPlan(plan).Must().Diagnostics
	check.True(t, "the apply repeats nothing", len(said) == 0, said)
	check.Equal(t, "groups left", len(s.Groups()), 1)
	s.Plan().Must().WantEmpty()
}
