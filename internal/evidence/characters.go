package evidence

import (
	"cmp"
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Characters are the characters that a run reads and changes.
type Characters struct {
	*api.CharacterService
	client *Client
}

// Page reads one page of the list, and notes the characters on it.
func (s *Characters) Page(ctx context.Context, limit, offset *int64) (*api.CharacterPage, error) {
	read, err := s.read(ctx, limit, offset)
	if err != nil {
		return nil, err
	}
	return api.CharacterPageOf(read), nil
}

// read reads one page of the list, and notes the characters on it.
func (s *Characters) read(ctx context.Context, limit, offset *int64) (*api.Page[api.Character], error) {
	read, err := s.List().Read(ctx, limit, offset)
	for _, character := range reply.ValueOf(read).Items {
		s.client.caller.noteOrganization(reply.ValueOf(character.OrganizationID))
		s.client.note("", character.ID, false)
	}
	return read, err
}

// Create creates a character and adds it to the shared lists, including lists
// that are read later, because no page may show it yet.
func (s *Characters) Create(ctx context.Context, creation api.CharacterCreation) (*api.Character, error) {
	character, err := s.CharacterService.Create(ctx, creation)
	if err != nil {
		return nil, err
	}
	s.client.caller.noteOrganization(reply.ValueOf(character.OrganizationID))
	s.client.note("", character.ID, true)
	list := s.sharedList()
	joins := *character
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	s.client.made = append(s.client.made, joins)
	list.byID[joins.ID] = &joins
	list.complete()
	return character, nil
}

// Update changes a character. Some services reply with nothing, with a receipt,
// or with the fields that were sent; the list is then read. If the list lacks
// the character, Update returns the little that the reply said.
func (s *Characters) Update(ctx context.Context, id string, update api.CharacterUpdate) (*api.Character, error) {
	character, isWhole, err := s.CharacterService.Update(ctx, id, update)
	if err != nil {
		return nil, err
	}
	if !isWhole {
		s.Refresh()
		found, _, err := s.Find(ctx, character.ID)
		return cmp.Or(found, character), err
	}
	s.updateList(*character)
	return character, nil
}

// CapabilitiesOnce reads the capabilities once per character, and again after
// Trainings.Refresh.
func (s *Characters) CapabilitiesOnce(ctx context.Context, characterID string) (*api.Capabilities, error) {
	return s.client.capabilities.Get(ctx, characterID)
}

// CapabilitiesToBuy returns the capabilities before a purchase; nothing else
// may call it. The first call for a character uses what the run has read
// already. Each later call reads again, because a purchase came between. Plans
// after a purchase therefore read nothing more.
func (s *Characters) CapabilitiesToBuy(ctx context.Context, characterID string) (*api.Capabilities, error) {
	if _, later := s.client.boughtWith.LoadOrStore(characterID, true); later {
		s.client.capabilities.Refresh(characterID)
	}
	return s.CapabilitiesOnce(ctx, characterID)
}
