package api

import (
	"cmp"
	"context"
	"net/url"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Character is a character of an organization.
type Character struct {
	ID                                            string `reply:"character_id"` // empty only in a reply that names none
	OrganizationID, CreatorID                     *string
	Name, Description                             *string
	Status                                        *reply.Text
	CurrentStep, FaceImagesCount, BodyImagesCount *int64
	DatasetStatus, FaceLoRAStatus, BodyLoRAStatus *reply.Text
	CreatedAt, UpdatedAt                          *string
	SubscriptionID                                *string
}

// CharacterPage is one slice of the list of characters.
type CharacterPage struct {
	Characters []Character
	Pagination Pagination
	Filters    Filters
}

// Filters says whose characters are listed.
type Filters struct{ OrganizationID, CreatorID *string }

// Page reads one slice of GET /characters: at most limit (1 to 100)
// characters from offset on. Nil arguments are left to the service.
func (s *CharacterService) Page(ctx context.Context, limit, offset *int64) (*CharacterPage, error) {
	read, err := s.client.Characters.read(ctx, limit, offset)
	if err != nil {
		return nil, err
	}
	page := decode[CharacterPage](read.rest)
	page.Characters = read.items
	return page, nil
}

var allCharacters = list{
	request: func(query url.Values) *transport.Request {
		return transport.Get("/characters").Query(query).Expect("characters", "pagination")
	},
	size: pageSize,
	name: "characters",
	id:   "character_id",
}

// read reads one page, and notes what it has shown.
func (s *CharacterService) read(ctx context.Context, limit, offset *int64) (*page[Character], error) {
	read, err := readPage[Character](ctx, s.client, allCharacters, limit, offset)
	for _, character := range value(read).items {
		s.client.caller.noteOrganization(value(character.OrganizationID))
		s.client.note("", character.ID, false)
	}
	return read, err
}

// CharacterCreation contains what a character is made of.
type CharacterCreation struct {
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"`
}

// Create sends POST /characters, which a deployment may lack: see
// IsEffectUnknown. The character joins the lists, also those that are read
// later: no page may show it yet.
func (s *CharacterService) Create(ctx context.Context, creation CharacterCreation) (*Character, error) {
	entry := s.client.log.Note(&purchases.Entry{Type: "create_character", Name: creation.Name})
	request := transport.Post("/characters").
		Optional("Set id to a character that exists: the resource then adopts it.").
		Paid().
		JSON(creation).
		Expect("character_id", "name").
		Receipt(reply.Receipt{ID: "character_id"})
	said, err := s.client.do(ctx, request)
	character := decode[Character](said)
	if err == nil && !reply.IsID(character.ID) {
		err = s.client.transport.WithoutResult(request, said)
	}
	if err != nil {
		s.client.log.End(entry, err)
		return nil, err
	}
	entry.CharacterID = character.ID
	s.client.log.End(entry, nil)
	s.client.caller.noteOrganization(value(character.OrganizationID))
	s.client.note("", character.ID, true)
	list := s.client.Characters.sharedList()
	joins := *character
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	s.client.made = append(s.client.made, joins)
	list.byID[joins.ID] = &joins
	list.complete()
	return character, nil
}

// CharacterUpdate contains what can be changed of a character; both fields are
// always sent.
type CharacterUpdate struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Update sends PUT /characters/{character_id}.
func (s *CharacterService) Update(ctx context.Context, id string, update CharacterUpdate) (*Character, error) {
	reply, err := s.client.do(
		ctx,
		transport.Put("/characters/{character_id}", id).JSON(update).Expect("character_id", "name"),
	)
	if err != nil {
		return nil, err
	}
	character := decode[Character](reply)
	character.ID = cmp.Or(character.ID, id)
	// Some services reply with nothing, with a receipt, or with what was sent.
	// If the character is not listed, that is all that is known.
	if !reply.Has("organization_id", "creator_id", "status", "created_at") {
		s.client.Characters.Refresh()
		found, _, err := s.client.Characters.Find(ctx, character.ID)
		return cmp.Or(found, character), err
	}
	s.client.Characters.updateList(*character)
	return character, nil
}

// Delete sends DELETE /characters/{character_id}, which a deployment
// may lack.
func (s *CharacterService) Delete(ctx context.Context, id string) error {
	entry := s.client.log.Note(&purchases.Entry{Type: "delete_character", CharacterID: id})
	_, err := s.client.do(
		ctx,
		transport.Delete("/characters/{character_id}", id).
			Optional("Apply deletion_policy = \"keep\", then destroy: that only forgets it.").
			Expect("success"),
	)
	s.client.log.End(entry, err)
	return err
}

// Capabilities describes what can be generated with a character.
type Capabilities struct {
	FaceLoRA, BodyLoRA           *LoRA
	CanGenerate, GenerationReady *bool
}

// LoRA is a trained model of a character.
type LoRA struct {
	Status    *reply.Text
	Available *bool
	URL       *string
}

// Capabilities reads GET /{character_id}/generation/capabilities.
func (s *CharacterService) Capabilities(ctx context.Context, characterID string) (*Capabilities, error) {
	reply, err := s.client.do(ctx, transport.Get("/{character_id}/generation/capabilities", characterID).
		Expect("can_generate", "generation_ready", "face_lora", "body_lora"))
	if err != nil {
		return nil, err
	}
	return decode[Capabilities](reply), nil
}

// CapabilitiesOnce is Capabilities, read once per character, and again after
// Trainings.Refresh.
func (s *CharacterService) CapabilitiesOnce(ctx context.Context, characterID string) (*Capabilities, error) {
	return s.client.capabilities.Get(ctx, characterID)
}

// CapabilitiesToBuy is CapabilitiesOnce before a purchase, and only then: the
// first goes by what the run has read, if it has, and each later one reads
// again. Plans after a purchase read nothing more.
func (s *CharacterService) CapabilitiesToBuy(ctx context.Context, characterID string) (*Capabilities, error) {
	if _, later := s.client.boughtWith.LoadOrStore(characterID, true); later {
		s.client.capabilities.Refresh(characterID)
	}
	return s.client.Characters.CapabilitiesOnce(ctx, characterID)
}
