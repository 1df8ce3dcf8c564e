package purchases

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// Requests that make or delete something without a price are also in the log,
// with a line before the request and a line after the answer. Without these
// lines, a deleted object might be imported after a kill.

// CreateCharacter creates a character, with a line in the log before and after.
func (p *Purchaser) CreateCharacter(ctx context.Context, creation api.CharacterCreation) (*api.Character, error) {
	entry := p.log.Note(&Entry{Type: "create_character", Name: creation.Name})
	made, err := p.Client.Characters.Create(ctx, creation)
	if err == nil {
		entry.CharacterID = made.ID
	}
	p.log.End(entry, err)
	return made, err
}

// DeleteCharacter deletes a character.
func (p *Purchaser) DeleteCharacter(ctx context.Context, id string) error {
	entry := p.log.Note(&Entry{Type: "delete_character", CharacterID: id})
	err := p.Client.Characters.Delete(ctx, id)
	p.log.End(entry, err)
	return err
}

// CancelTraining cancels a training.
func (p *Purchaser) CancelTraining(ctx context.Context, characterID, jobID string) error {
	entry := p.log.Note(&Entry{
		Type:        "cancel_training",
		CharacterID: characterID,
		Receipt:     api.Receipt{JobID: &jobID},
	})
	err := p.Client.Trainings.Cancel(ctx, characterID, jobID)
	p.log.End(entry, err)
	return err
}

// DeleteGroup deletes a whole group. held are the generations of the group that
// the caller holds: see api.GroupService.Delete.
func (p *Purchaser) DeleteGroup(ctx context.Context, id string, held ...string) (*api.Deletion, error) {
	entry := p.log.Note(&Entry{Type: "delete_group", GroupID: id})
	deletion, err := p.Client.Groups.Delete(ctx, id, held...)
	p.endDeletion(entry, deletion, err)
	return deletion, err
}

// DeleteGeneration deletes one generation.
func (p *Purchaser) DeleteGeneration(ctx context.Context, id string) (*api.Deletion, error) {
	entry := p.log.Note(&Entry{Type: "delete_generation", GenerationID: id})
	deletion, err := p.Client.Generations.Delete(ctx, id)
	p.endDeletion(entry, deletion, err)
	return deletion, err
}

// endDeletion notes how a deletion has ended, and which generations remain. The
// deletion is nil if there was no reply.
func (p *Purchaser) endDeletion(entry *Entry, deletion *api.Deletion, err error) {
	if deletion != nil {
		entry.OtherIDs = deletion.OtherIDs
		entry.Leftovers = deletion.FailedGenerationIDs
	}
	p.log.End(entry, err)
}
