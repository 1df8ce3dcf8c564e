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

// isReplaced says what a replacement buys, and what becomes of the job.
func (t *training) isReplaced(sameCharacter bool) diag.Diagnostic {
	switch {
	case !t.model.isRunning():
		return t.ending().isTrainedAgain()
	case !t.isCancelled():
		return t.ending().isNotCancelled(buysAnother)
	}
	return t.ending().isCancelledByReplacement(sameCharacter)
}

// warnOfDestroy says whether a destroy cancels a running training, and if not,
// why.
func (t *training) warnOfDestroy(diags *diag.Diagnostics) {
	switch {
	case !t.model.isRunning():
	case !t.isCancelled():
		diags.Append(t.ending().isNotCancelled(""))
	default:
		diags.Append(t.ending().isCancelledByDestroy())
	}
}

// checkStart refuses to train beside a running training.
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
		return nil, nil // the plan of the replacement has said the rest
	}
	if word := t.lora.status(status); word != nil && api.PhaseOfWord(*word) == api.Succeeded {
		said.Append(t.messages().wasTrained(*word))
	}
	if t.cannotStart(status) {
		said.Append(t.messages().cannotStartYet(status))
	}
	return said, nil
}

// cannotStart reports whether the service says so, and nothing that is planned
// makes what the training needs.
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

// planFailed is about a training that has not succeeded. Triggers of an imported
// one are only taken over.
func (t *training) planFailed(imported bool) diag.Diagnostic {
	if imported {
		return t.messages().importHasFailed(&t.model)
	}
	return t.messages().hasFailed(&t.model, "triggers")
}

// resume plans a wait that goes on, and the LoRA that it may make.
func (t *training) resume() {
	t.model.planOutcome()
	t.data.Characters.NoteMade(t.characterID(), run.LoRA)
}
