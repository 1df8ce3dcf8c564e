package generation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const noCharacter = "Character Not Found"

// A plan that buys reads the capabilities of each character, once; an apply for
// each purchase, of however many batches, that asks for a LoRA; a plan that buys
// nothing does not.
func TestGroup_plansReadCapabilitiesOnce(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Parallel(2)
	s.AddCharacter(mockserver.CharacterSeed{ID: "lora", Name: "Grace", FaceLoRA: true})
	two := func(text string) {
		prompts := core.Object{
			"a": core.Object{"prompt": text, "use_face_lora": true},
			"b": core.Object{"prompt": text + "!"},
		}
		s.group(nil, core.Object{"character_id": "lora", "max_prompts_per_batch": 1, "prompts": prompts})
		s.Resource(otherAddress, core.Object{"character_id": "lora", "prompts": texts(map[string]string{"c": text})})
	}
	wantReads := func(want int) {
		t.Helper()
		s.WantCount(t, mockserver.RouteCapabilities, want)
		s.ResetJournal()
	}
	two("A")
	plan := s.Plan().Must()
	wantReads(1)
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteBatch, 3)
	wantReads(1)
	s.Plan().Must().WantEmpty()
	s.Plan(core.Destroying()).Must()
	wantReads(0)
	two("B")
	s.Plan().Must()
	wantReads(1)
	two("A")
	s.group(
		nil,
		core.Object{
			"character_id": "lora",
			"prompts": core.Object{
				"b": core.Object{"prompt": "A", "use_face_lora": true},
				"c": core.Object{"prompt": "A!"},
			},
		},
	) // renamed
	s.Apply().Must()
	wantReads(0)
	s.group(
		map[string]string{"b": "A"},
		core.Object{
			"character_id": core.UnknownUntilApply("lora"),
			"prompts":      core.UnknownUntilApply(texts(map[string]string{"b": "A"})),
		},
	)
	s.Plan().Must()
	wantReads(1) // it is planned as the character that it was
}

// A mistyped character is an error at plan, told in full once, with what is
// close in the list, which is read for it once.
func TestGroup_planRefusesAMistypedCharacter(t *testing.T) {
	t.Parallel()
	type row struct {
		listed bool
		lists  int
	}
	check.Each(t, map[string]row{
		"listed": {true, 1},
		"alone":  {false, 2}, // the first is about the address
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		if test.listed {
			s.Applies("mediagen_character.ada", core.Object{"id": "ch_1"})
		}
		s.ResetJournal()
		s.group(map[string]string{"a": "A"}, core.Object{"character_id": "ch_2"})
		s.Resource(
			otherAddress,
			core.Object{"character_id": "ch_2", "title": "Other", "prompts": texts(map[string]string{"c": "C"})},
		)
		refused := s.Plan().Diagnostics.Errors().At("character_id")
		check.Equal(t, "errors, one of each group", len(refused), 2)
		full := 0
		for _, refusal := range refused {
			s.WantError(core.Diagnostics{refusal}, noCharacter, `no character "ch_2"`)
			full += strings.Count(refusal.Detail, `A similar character is "ch_1".`)
		}
		check.True(t, "one is told in full, the other in one line", full == 1 &&
			strings.Count(
				refused.String(),
				`There is no character "ch_2" for this credential: the same failure as another object's. Nothing `+
					`was changed.`,
			) == 1, refused)
		s.WantCount(t, mockserver.RouteCapabilities, 2) // both proofs, for all groups
		s.WantCount(t, mockserver.RouteCharacters, test.lists)
		s.WantCount(t, mockserver.RouteBatch, 0)
		s.Plan(core.Destroying(), core.Refresh(false)).Must()
	})
}

// What proves nothing is left to the apply. Faults F13, F17, F18.
func TestGroup_planIsSilentWithoutProof(t *testing.T) {
	t.Parallel()
	own := `{"error":"not_found","message":"no"}`
	check.Each(t, map[string][]mockserver.Fault{
		"a gateway's 404": {{Route: mockserver.RouteCapabilities, Status: 404, Body: "<html>404</html>"}},
		"taken back":      {{Route: mockserver.RouteCapabilities, Nth: 1, Status: 404, Body: own}},
		"503":             {{Route: mockserver.RouteCapabilities, Status: 503}},
		"refused":         {{Route: mockserver.RouteCapabilities, DropBefore: true}},
		"no answer to the second": {
			{Route: mockserver.RouteCapabilities, Nth: 1, Status: 404, Body: own},
			{Route: mockserver.RouteCapabilities, DropBefore: true},
		},
	}, func(t *testing.T, faults []mockserver.Fault) {
		s := newScenario(t)
		s.group(map[string]string{"a": "A"})
		for _, fault := range faults {
			s.Fault(fault)
		}
		check.Equal(t, "what it says", s.Plan().Must().Diagnostics.String(), "")
		s.WantCount(t, mockserver.RouteBatch, 0)
	})
	t.Run("listed", func(t *testing.T) {
		t.Parallel()
		s := newScenario(t)
		s.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: own})
		s.WantSilent(s.plans(map[string]string{"a": "A"}, core.Object{"character_id": "ch_1"}).Diagnostics, noCharacter)
	})
}

// What the apply would refuse is a warning of the plan, in one message a cause.
func TestGroup_planWarnsOfCapabilities(t *testing.T) {
	t.Parallel()
	prompts := core.Object{}
	for i := range 5 {
		prompts[fmt.Sprintf("p%d", i)] = core.Object{"prompt": "A", "use_body_lora": true}
	}
	const at, summary = `prompts["p0"].use_body_lora`, "LoRA Is Not Available"
	says := []string{`prompts["p2"].use_body_lora, and 2 more`, "Train the LoRA"}
	s := newScenario(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "bare", Name: "Grace"})
	plan := s.plans(nil, core.Object{"character_id": "bare", "prompts": prompts})
	s.WantWarning(plan.Diagnostics.At(at), summary, append(says, "If that is still so when the apply gets there")...)
	s.WantError(s.ApplyPlan(plan).Diagnostics.At(at), summary, append(says, "Nothing was bought.")...)
	s.WantCount(t, mockserver.RouteBatch, 0)

	s.Remove(groupAddress)
	s.Resource("mediagen_body_lora_training.t", core.Object{"character_id": "bare"})
	s.WantSilent(s.plans(nil, core.Object{"character_id": "bare", "prompts": prompts}).Diagnostics, summary)
}

// What the service makes of a character that cannot generate is its own to say.
func TestGroup_planWarnsOfACharacterThatCannotGenerate(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "mute", Name: "Grace", CanGenerate: new(bool)})
	plan := s.plans(map[string]string{"a": "A"}, core.Object{"character_id": "mute"})
	s.WantWarning(
		plan.Diagnostics.At("character_id"),
		"Character Cannot Generate",
		"can_generate is false",
	)
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteBatch, 1)
	s.WantCount(t, mockserver.RouteCapabilities, 1) // by the plan
}
