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

// A plan that buys reads the capabilities of each character, once, and its apply
// as often as there are purchases, of however many batches; a plan that buys
// nothing does not.
func TestGroup_plansReadCapabilitiesOnce(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Parallel(2)
	two := func(text string) {
		s.group(map[string]string{"a": text, "b": text + "!"}, core.Object{"max_prompts_per_batch": 1})
		s.Resource(otherAddress, core.Object{"character_id": "ch_1", "prompts": texts(map[string]string{"c": text})})
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
	wantReads(2)
	s.Plan().Must().WantEmpty()
	s.Plan(core.Destroying()).Must()
	wantReads(0)
	two("B")
	s.Plan().Must()
	wantReads(1)
	two("A")
	s.group(map[string]string{"b": "A", "c": "A!"}) // renamed
	s.Apply().Must()
	wantReads(0)
	s.group(map[string]string{"b": "A"}, core.Object{"character_id": core.UnknownUntilApply("ch_1"), "prompts": core.UnknownUntilApply(texts(map[string]string{"b": "A"}))})
	s.Plan().Must()
	wantReads(0)
}

// A mistyped character is an error at plan, with what is close in the list that
// the run has read anyway.
func TestGroup_planRefusesAMistypedCharacter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		listed  bool
		similar string
	}{
		"listed": {true, `A similar character is "ch_1".`},
		"alone":  {false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			if test.listed {
				s.Resource("mediagen_character.ada", core.Object{"id": "ch_1"})
				s.Apply().Must()
			}
			s.ResetJournal()
			s.group(map[string]string{"a": "A"}, core.Object{"character_id": "ch_2"})
			s.Resource(otherAddress, core.Object{"character_id": "ch_2", "title": "Other", "prompts": texts(map[string]string{"c": "C"})})
			refused := s.Plan().Diagnostics.Errors().At("character_id")
			if len(refused) != 2 {
				t.Fatalf("want an error for each group, got:\n%s", refused)
			}
			for _, refusal := range refused {
				s.WantError(core.Diagnostics{refusal}, noCharacter, `There is no character "ch_2"`, test.similar)
				check.True(t, "nothing is similar", test.similar != "" || !strings.Contains(refusal.Detail, "similar"), refusal)
			}
			s.WantCount(t, mockserver.RouteCapabilities, 2) // both proofs, for all groups
			s.WantCount(t, mockserver.RouteCharacters, 1)   // of the resource, or whether there is anything at this address
			s.WantCount(t, mockserver.RouteBatch, 0)
			s.Plan(core.Destroying(), core.Refresh(false)).Must()
		})
	}
}

// What proves nothing is left to the apply. Faults F13, F17, F18.
func TestGroup_planIsSilentWithoutProof(t *testing.T) {
	t.Parallel()
	own := `{"error":"not_found","message":"no"}`
	for name, faults := range map[string][]mockserver.Fault{
		"a gateway's 404":         {{Route: mockserver.RouteCapabilities, Status: 404, Body: "<html>404</html>"}},
		"taken back":              {{Route: mockserver.RouteCapabilities, Nth: 1, Status: 404, Body: own}},
		"a wrong address":         {{Route: mockserver.RouteCapabilities, Status: 404, Body: own}, {Route: mockserver.RouteCharacters, Status: 404, Body: own}},
		"503":                     {{Route: mockserver.RouteCapabilities, Status: 503}},
		"refused":                 {{Route: mockserver.RouteCapabilities, DropBefore: true}},
		"no answer to the second": {{Route: mockserver.RouteCapabilities, Nth: 1, Status: 404, Body: own}, {Route: mockserver.RouteCapabilities, DropBefore: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.group(map[string]string{"a": "A"})
			for _, fault := range faults {
				s.Fault(fault)
			}
			if said := s.Plan().Must().Diagnostics; len(said) > 0 {
				t.Errorf("it says:\n%s", said)
			}
			s.WantCount(t, mockserver.RouteBatch, 0)
		})
	}
	t.Run("listed", func(t *testing.T) {
		t.Parallel()
		s := newScenario(t)
		s.Resource("mediagen_character.ada", core.Object{"id": "ch_1"})
		s.Apply().Must()
		s.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: own})
		s.group(map[string]string{"a": "A"}, core.Object{"character_id": "ch_1"})
		s.wantSilent(s.Plan().Must().Diagnostics, noCharacter)
	})
}

// What the apply would refuse is a warning of the plan, in one message a cause.
func TestGroup_planWarnsOfCapabilities(t *testing.T) {
	t.Parallel()
	prompts := core.Object{}
	for i := range 5 {
		prompts[fmt.Sprintf("p%d", i)] = core.Object{"prompt": "A", "use_body_lora": true}
	}
	bare := func(s scenario) { s.AddCharacter(mockserver.CharacterSeed{ID: "bare", Name: "Grace"}) }
	mute := func(s scenario) {
		s.AddCharacter(mockserver.CharacterSeed{ID: "bare", Name: "Grace", BodyLoRA: true, CanGenerate: new(bool)})
	}
	for name, test := range map[string]struct {
		prepare       func(scenario)
		path, summary string
		says          []string
	}{
		"LoRA":         {bare, `prompts["p0"].use_body_lora`, "LoRA Is Not Available", []string{`prompts["p2"].use_body_lora, and 2 more`, "Train the LoRA"}},
		"can_generate": {mute, "character_id", "Character Cannot Generate", []string{"can_generate is false"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			test.prepare(s)
			plan := s.plans(nil, core.Object{"character_id": "bare", "prompts": prompts})
			s.WantWarning(plan.Diagnostics.At(test.path), test.summary, append(test.says, "If that is still so when the apply gets there")...)
			s.WantError(s.ApplyPlan(plan).Diagnostics.At(test.path), test.summary, append(test.says, "Nothing was bought.")...)
			s.WantCount(t, mockserver.RouteBatch, 0)

			s.Remove(groupAddress)
			s.Resource("mediagen_body_lora_training.t", core.Object{"character_id": "bare"})
			s.group(nil, core.Object{"character_id": "bare", "prompts": prompts})
			s.wantSilent(s.Plan().Must().Diagnostics, test.summary)
		})
	}
}
