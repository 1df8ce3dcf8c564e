package framework_test

import (
	"context"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

func TestOneTrainingOfACharacterAtATime(t *testing.T) {
	t.Parallel()
	var plans framework.CharacterPlans
	unlock, err := plans.LockCreate(t.Context(), "ada", framework.LoRA)
	check.Must(t, err)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := plans.LockCreate(over, "ada", framework.LoRA); !transport.IsCanceled(err) {
		t.Errorf("another create of the character does not wait: %v", err)
	}
	for character, name := range map[string]string{"ada": framework.Dataset, "grace": framework.LoRA} {
		_, err := plans.LockCreate(t.Context(), character, name)
		check.Must(t, err)
	}
	unlock()
	_, err = plans.LockCreate(t.Context(), "ada", framework.LoRA)
	check.Must(t, err)
	check.True(t, "who waits makes nothing", !plans.IsMade("ada", framework.LoRA))
}
