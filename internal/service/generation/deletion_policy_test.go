package generation_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const mediaKept = "Media Will Be Forgotten"

var keep = core.Object{"deletion_policy": "keep"}

// kept returns what the purchase log says was kept.
func kept(t *testing.T, log string) (ids []string) {
	t.Helper()
	for _, line := range booked(t, log, math.MaxInt) {
		if line["type"] == "keep" && line["outcome"] == "kept" && line["group_id"] != nil {
			for _, id := range line["left"].([]any) {
				ids = append(ids, id.(string))
			}
		}
	}
	return ids
}

func newKeeping(t *testing.T) (s scenario, log string) {
	t.Helper()
	s = newScenario(t)
	log = filepath.Join(t.TempDir(), "purchases.jsonl")
	s.Set(core.Object{"purchase_log": log})
	return s, log
}

func (s scenario) idOf(key string) string {
	s.T.Helper()
	return s.Value(groupAddress, `generations["`+key+`"].id`).(string)
}

// What is kept is forgotten, with a warning that counts it and a line in the
// log; once the policy is delete again, the group goes with it, and its warning
// says so.
func TestGroup_keepsRemovedAndChangedMedia(t *testing.T) {
	t.Parallel()
	s, log := newKeeping(t)
	s.applies(map[string]string{"a": "A", "b": "B", "c": "C"}, keep)
	left := []string{s.idOf("a"), s.idOf("b")}
	s.ResetJournal()
	plan := s.plans(map[string]string{"b": "B2", "d": "C"}, keep)
	s.WantWarning(
		plan.Diagnostics,
		mediaKept,
		"2 generations and all media (known: 2 results) stay",
		`"a", "b"`,
		"purchase log",
		"a destroy deletes them with it",
	)
	s.WantSilent(plan.Diagnostics, mediaDeleted)
	s.ApplyPlan(plan).Must()
	s.wantUntouched(4, 4)
	check.Equal(t, "the log keeps", slices.Sorted(slices.Values(kept(t, log))), left)
	s.Plan().Must().WantEmpty()

	s.group(map[string]string{"b": "B2", "d": "C"})
	s.ResetJournal()
	plan = s.Plan(core.Refresh(false)).Must()
	s.WantSilent(s.ApplyPlan(plan).Must().Diagnostics, mediaKept, mediaDeleted)
	s.WantNoRequests(t)
	s.Want(groupAddress, core.Object{"deletion_policy": "delete"})
	s.WantWarning(
		s.Plan(core.Destroying()).Must().Diagnostics,
		mediaDeleted,
		"deletes 2 generations",
		"2 generations that deletion_policy had kept, and ",
	)
	s.Destroy().Must()
	s.WantCount(t, mockserver.RouteDeleteGroup, 1)
	s.WantCount(t, mockserver.RouteDelete, 0)
	s.wantNoMedia()
}

// A destroy goes by the policy in the state, and sends nothing under keep.
func TestGroup_keepForgetsAtDestroy(t *testing.T) {
	t.Parallel()
	s, log := newKeeping(t)
	s.applies(map[string]string{"a": "A", "b": "B"})
	ids := []string{s.idOf("a"), s.idOf("b")}
	s.group(map[string]string{"a": "A", "b": "B"}, keep)
	s.WantSilent(s.Plan(core.Destroying()).Must().Diagnostics, mediaKept) // it was not applied
	s.Apply().Must()
	plan := s.Plan(core.Destroying()).Must()
	s.WantWarning(
		plan.Diagnostics,
		mediaKept,
		"leaves 2 generations and all media (known: 2 results)",
		"deletion_policy",
	)
	s.ResetJournal()
	said := s.ApplyPlan(plan).Must().Diagnostics
	s.WantWarning(
		said,
		"Media Were Forgotten: group ",
		"has left 2 generations and all media (known: 2 results) at the service",
	)
	s.WantSilent(said, mediaKept)
	s.wantUntouched(2, 2)
	s.WantNoRequests(t)
	check.Equal(t, "the log keeps", kept(t, log), ids)
	s.group(nil, core.Object{"prompts": texts(map[string]string{"a": "A", "b": "B"})})
	s.Import(groupAddress, importID(map[string]string{"a": ids[0], "b": ids[1]})).Must()
	s.Want(groupAddress, core.Object{"deletion_policy": "delete"})
	s.buys(nil, 0)
	s.Plan().Must().WantEmpty()
}

// A replacement keeps by the policy of what it replaces.
func TestGroup_keepForgetsAtReplacement(t *testing.T) {
	t.Parallel()
	s, log := newKeeping(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Grace"})
	s.applies(map[string]string{"a": "A"}, keep)
	id := s.idOf("a")
	plan := s.plans(map[string]string{"a": "A"}, core.Object{"character_id": "ch_2", "deletion_policy": "delete"})
	s.WantWarning(plan.Diagnostics.At("character_id"), mediaKept, "leaves 1 generation", "bought again")
	s.ApplyPlan(plan).Must()
	s.wantUntouched(2, 2)
	check.Equal(t, "the log keeps", kept(t, log), []string{id})
	s.Destroy().Must()
	check.True(t, "what was kept is in another group, and stays", s.isThere(id) && s.Media() == 1)
}

// A failed purchase, a rename and what several keys share are no losses; nothing
// that was superseded before is remembered.
func TestGroup_keepRemembersNothingSuperseded(t *testing.T) {
	t.Parallel()
	s, log := newKeeping(t)
	s.FailPrompt("worse", "too dark")
	s.applies(map[string]string{"a": "A", "b": "B"})
	old := s.idOf("a")
	s.applies(map[string]string{"a": "worse", "b": "B"}) // the old one is remembered
	s.WantWarning(
		s.plans(map[string]string{"a": "worse", "b": "B"}, keep).Diagnostics,
		mediaKept,
		"1 generation ",
		`"a"`,
	)
	s.ResetJournal()
	s.Apply().Must()
	s.wantUntouched(2, 3)
	check.Equal(t, "the log keeps", kept(t, log), []string{old})
	s.WantSilent(
		s.plans(map[string]string{"a": "better", "x": "B"}, keep).Diagnostics,
		mediaKept,
	) // a failed one has no media
	s.Apply().Must()
	s.wantUntouched(3, 4)
	s.applies(map[string]string{"a": "better", "x": "B"})
	s.WantCount(t, mockserver.RouteDelete, 0)
	s.Plan().Must().WantEmpty()
}

// Nothing is lost with an object that keeps what another one holds too: its
// destroy is refused to nobody.
func TestGroup_keepLeavesAGroupToOthers(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"}, keep)
	other := core.Object{"character_id": "ch_1", "prompts": texts(map[string]string{"b": "B"})}
	s.Resource(otherAddress, other)
	s.Import(otherAddress, `{"b":"`+s.idOf("b")+`"}`).Must()
	s.Remove(groupAddress)
	s.Apply().Must()
	s.wantUntouched(2, 2)
	s.Plan().Must().WantEmpty()
}

func TestGroup_keepOfUnknownPrompts(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"}, keep)
	plan := s.plans(nil, keep, core.Object{"prompts": core.UnknownUntilApply(texts(map[string]string{"a": "A"}))})
	s.WantWarning(plan.Diagnostics, "Media May Be Forgotten", "generations so far: 2")
	s.ApplyPlan(plan).Must()
	s.wantUntouched(2, 2)
}

// What a remaining key holds too, or has been given again, is not kept: it is
// still in the state.
func TestGroup_keepOfWhatAKeyStillHas(t *testing.T) {
	t.Parallel()
	t.Run("shared", func(t *testing.T) {
		t.Parallel()
		s := newScenario(t, func(o *mockserver.Options) { o.Variant.ShareEqual = true })
		s.applies(map[string]string{"a": "A", "b": "A"}, keep)
		s.WantSilent(s.plans(map[string]string{"a": "A"}, keep).Diagnostics, mediaKept)
	})
	t.Run("taken up again", func(t *testing.T) {
		t.Parallel()
		s, log := newKeeping(t)
		s.FailPrompt("A", "too dark")
		s.applies(map[string]string{"a": "A"}, keep)
		s.names(s.idOf("a"))
		s.applies(map[string]string{"a": "A"}, keep, core.Object{"max_attempts": 2})
		check.Equal(t, "what the log keeps", len(kept(t, log)), 0)
	})
}

// Also not if it is planned before the other resource is read.
// Fault F20.
func TestGroup_keepIsRefusedToNobody(t *testing.T) {
	t.Parallel()
	s := newScenario(t, byTitle)
	s.group(map[string]string{"a": "A"}, keep)
	s.other(map[string]string{"b": "B"})
	s.Apply().Must()
	s.Apply(core.Replacing(groupAddress)).Must()
	s.wantStanding("A", "A", "B")
}
