package framework_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func TestOneTrainingOfACharacterAtATime(t *testing.T) {
	t.Parallel()
	var plans framework.CharacterPlans
	ada := plans.CreateMutex("ada", framework.LoRA)
	check.Must(t, ada.Lock(t.Context()))
	if plans.CreateMutex("ada", framework.LoRA) != ada {
		t.Error("another create of the character has a mutex of its own")
	}
	for character, name := range map[string]string{"ada": framework.Dataset, "grace": framework.LoRA} {
		if err := plans.CreateMutex(character, name).Lock(t.Context()); err != nil {
			t.Errorf("what is made for %s: %s", character, err)
		}
	}
	check.True(t, "who waits makes nothing", !plans.IsMade("ada", framework.LoRA))
}
