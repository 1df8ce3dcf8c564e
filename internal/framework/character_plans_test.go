package framework_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func TestOneTrainingOfACharacterAtATime(t *testing.T) {
	t.Parallel()
	var plans framework.CharacterPlans
	ada := plans.CreateTurn("ada", framework.LoRA)
	check.Must(t, ada.Acquire(t.Context(), 1))
	if plans.CreateTurn("ada", framework.LoRA) != ada {
		t.Error("another create of the character has a turn of its own")
	}
	for character, name := range map[string]string{"ada": framework.Dataset, "grace": framework.LoRA} {
		if err := plans.CreateTurn(character, name).Acquire(t.Context(), 1); err != nil {
			t.Errorf("what is made for %s: %s", character, err)
		}
	}
	check.True(t, "who waits makes nothing", !plans.IsMade("ada", framework.LoRA))
}
