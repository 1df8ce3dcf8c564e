package generation_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A LoRA needs a character. Without one the prompt would be bought and fail.
func TestGroup_loraNeedsACharacter(t *testing.T) {
	t.Parallel()
	later := core.UnknownUntilApply
	for name, test := range map[string]struct {
		character any
		prompt    core.Object
		refused   []string
	}{
		"face":              {nil, core.Object{"use_face_lora": true}, []string{"use_face_lora"}},
		"body":              {nil, core.Object{"use_body_lora": true, "face_swap": true}, []string{"use_body_lora"}},
		"both":              {nil, core.Object{"use_face_lora": true, "use_body_lora": true}, []string{"use_face_lora", "use_body_lora"}},
		"neither":           {nil, core.Object{"use_face_lora": false, "use_body_lora": nil}, nil},
		"of a character":    {"ch_1", core.Object{"use_face_lora": true, "use_body_lora": true}, nil},
		"unknown character": {later("ch_1"), core.Object{"use_face_lora": true}, nil},
		"unknown flag":      {nil, core.Object{"use_face_lora": later(false)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			test.prompt["prompt"] = "B"
			s.group(nil, core.Object{"character_id": test.character, "prompts": core.Object{"a": core.Object{"prompt": "A"}, "b": test.prompt}})
			errors := s.Validate().Errors()
			for _, flag := range test.refused {
				at := `prompts["b"].` + flag
				s.WantError(errors.At(at), "LoRA Without a Character", "fail: "+at+".", "character_id")
			}
			check.True(t, "errors", len(errors) == len(test.refused), len(test.refused), errors)
			check.True(t, "it is not applied", len(test.refused) == 0 || s.Apply().Diagnostics.HasErrors())
			s.WantNoRequests(t)
		})
	}
}

// A character or flag that turns out at apply to be null is rejected then,
// before anything is bought.
func TestGroup_loraTurnsOutToHaveNoCharacter(t *testing.T) {
	t.Parallel()
	later := core.UnknownUntilApply
	for name, config := range map[string]core.Object{
		"character": {"character_id": later(nil), "prompts": core.Object{"a": core.Object{"prompt": "A", "use_face_lora": true}}},
		"flag":      {"character_id": nil, "prompts": core.Object{"a": core.Object{"prompt": "A", "use_face_lora": later(true)}}},
		"prompts":   {"character_id": nil, "prompts": later(core.Object{"a": core.Object{"prompt": "A", "use_face_lora": true}})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			plan := s.plans(nil, config)
			s.WantError(s.ApplyPlan(plan).Diagnostics.Errors(), "LoRA Without a Character", `prompts["a"].use_face_lora`)
			s.WantCount(t, mockserver.RouteBatch, 0)
		})
	}
}
