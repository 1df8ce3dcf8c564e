package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// note records that the plan trains the character.
func (t *training) note(diags *diag.Diagnostics) {
	t.data.Characters.NoteMade(t.characterID(), run.LoRA)
	if !t.data.Characters.NoteMade(t.characterID(), t.lora.typeName) {
		diags.Append(t.messages().isPlannedTwice())
	}
}

// isReplaced says what a replacement buys, and what happens to the job.
func (t *training) isReplaced(sameCharacter bool) diag.Diagnostic {
	switch {
	case !t.model.isRunning():
		return t.ending().isTrainedAgain()
	case !t.isCancelled():
		return t.ending().isNotCancelled(buysAnother)
	}
	return t.ending().isCancelledByReplacement(sameCharacter)
}

// warnOfDestroy says whether a destroy cancels a running training, and if it
// does not, why.
func (t *training) warnOfDestroy(diags *diag.Diagnostics) {
	switch {
	case !t.model.isRunning():
	case !t.isCancelled():
		diags.Append(t.ending().isNotCancelled(""))
	default:
		diags.Append(t.ending().isCancelledByDestroy())
	}
}

// checkStart refuses to start a training while another is running.
func (t *training) checkStart(
	ctx context.Context,
	applying func() bool,
) (said diag.Diagnostics, err error) {
	status, err := t.data.Client.Trainings.StatusOnce(ctx, t.characterID())
	if err != nil {
		return diag.Diagnostics{t.messages().startIsUnchecked(err)}, err
	}
	ofPredecessor := func(job string) bool {
		return t.holder != "" && t.data.Trainings.HasHeld(t.heldAs(job), t.holder)
	}
	if job := t.lora.findRunning(status, ofPredecessor); job != "" && !applying() {
		return diag.Diagnostics{t.messages().runsAlready(job, t.isHeld(job))}, nil
	}
	if t.holder != "" {
		return nil, nil // the replacement's plan has given the other messages
	}
	if word := t.lora.status(status); word != nil && api.PhaseOfWord(*word) == api.Succeeded {
		said.Append(t.messages().wasTrained(*word))
	}
	if t.cannotStart(status) {
		said.Append(t.messages().cannotStartYet(status))
	}
	return said, nil
}

// cannotStart reports whether the service says that a training cannot start,
// and the plan does not create the missing condition.
func (t *training) cannotStart(status *api.TrainingStatus) bool {
	canStart := t.lora.canStart(status)
	if canStart == nil || *canStart {
		return false
	}
	character := t.characterID()
	awaitsImages := t.data.Characters.IsMade(character, run.Images)
	awaitsFace := t.lora.body && t.data.Characters.IsMade(character, faceLoRA.typeName)
	return !awaitsImages && !awaitsFace
}

// planFailed warns of a training that has not succeeded. New triggers of an
// imported training are only taken over.
func (t *training) planFailed(imported bool) diag.Diagnostic {
	if imported {
		return t.messages().importHasFailed(&t.model)
	}
	return t.messages().hasFailed(&t.model, "triggers")
}

// resume plans the continuation of a wait, and notes the LoRA that the training
// may make.
func (t *training) resume() {
	t.model.planOutcome()
	t.data.Characters.NoteMade(t.characterID(), run.LoRA)
}
