package generation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// CLIs show of warnings with equal summaries only the first: that a second group's media
// were deleted for good was "one more similar warning elsewhere".
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

// All that a plan does to a group beyond what it shows is one warning: what is bought,
// what is deleted, what stays. The apply, which plans again, does not repeat it.
func TestGroup_planWarnsOnceOfAGroup(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 2, DropAfterWork: true})
	prompts := map[string]string{"changed": "A", "gone": "B", "removed": "C"}
	s.applies(prompts)
	prompts["lost"] = "D"
	s.applies(prompts)
	s.DeleteGenerationBehindTheBack(s.Value(groupAddress, `generations["gone"].id`).(string))
	plan := s.plans(map[string]string{"changed": "A2", "gone": "B", "new": "E"})
	check.True(t, "one warning", len(plan.Diagnostics) == 1, plan.Diagnostics)
	s.WantWarning(plan.Diagnostics.At("prompts"), "Media Will Be Deleted: group "+s.Value(groupAddress, "id").(string))
	order := []string{
		`The plan buys 3 prompts: "changed", "gone", "new".`, `The generations of the prompts "gone"`, `The prompts "removed" are no longer`,
		`The generations of the prompts "changed" are superseded`, `prompts "lost" of the generation group`, "The state forgets them",
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

// What a replacement buys is told with what it deletes.
func TestGroup_replacementSaysWhatItBuys(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Grace"})
	s.applies(map[string]string{"a": "A"})
	plan := s.plans(map[string]string{"a": "A", "b": "B"}, core.Object{"character_id": "ch_2"})
	s.WantWarning(plan.Diagnostics.At("character_id"), mediaDeleted, `Every prompt is bought again: "a", "b".`, "This deletes 1 generation")
	said := s.ApplyPlan(plan).Must().Diagnostics
	check.True(t, "the apply repeats nothing", len(said) == 0, said)
}
