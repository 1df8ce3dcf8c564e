package api

import (
	"cmp"
	"context"
	"net/url"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Character is a character of an organization.
type Character struct {
	ID                                            string `reply:"character_id"` // empty only if the reply names no id
	OrganizationID, CreatorID                     *string
	Name, Description                             *string
	Status                                        *reply.Text
	CurrentStep, FaceImagesCount, BodyImagesCount *int64
	DatasetStatus, FaceLoRAStatus, BodyLoRAStatus *reply.Text
	CreatedAt, UpdatedAt                          *string
	SubscriptionID                                *string
}

// CharacterPage is one page of the list of characters.
type CharacterPage struct {
	Characters []Character
	Pagination Pagination
	Filters    Filters
}

// Filters says whose characters are listed.
type Filters struct{ OrganizationID, CreatorID *string }

// List returns GET /characters.
func (s *CharacterService) List() List[Character] {
	return List[Character]{
		Size:   PageSize,
		client: s.client,
		request: func(query url.Values) *transport.Request {
			return transport.Get("/characters").Query(query).Expect("characters", "pagination")
		},
		name: "characters",
		id:   "character_id",
	}
}

// CharacterPageOf returns a page in the form that a data source shows.
func CharacterPageOf(page *Page[Character]) *CharacterPage {
	shown := CharacterPageFrom(page.Rest)
	shown.Characters = page.Items
	return shown
}

// CharacterPageFrom reads all of a page except its characters.
func CharacterPageFrom(rest reply.Object) *CharacterPage { return decode[CharacterPage](rest) }

// Get reads GET /characters/{character_id}, which a deployment may lack.
func (s *CharacterService) Get(ctx context.Context, id string) (*Character, error) {
	said, err := s.client.do(ctx, transport.Get(CharacterRoute, id).Expect("character_id", "name"))
	return decode[Character](said), err
}

// CharacterRoute is the route of a single character.
const CharacterRoute = "/characters/{character_id}"

// CharacterCreation contains the fields of a new character.
type CharacterCreation struct {
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"`
}

// Create sends POST /characters, which a deployment may lack. The outcome may
// be unknown, see IsEffectUnknown.
func (s *CharacterService) Create(ctx context.Context, creation CharacterCreation) (*Character, error) {
	request := transport.Post("/characters").
		Optional("Set id to a character that exists: the resource then adopts it.").
		Makes().
		JSON(creation).
		Expect("character_id", "name").
		Receipt(reply.Receipt{ID: "character_id"})
	said, err := s.client.do(ctx, request)
	character := decode[Character](said)
	if err == nil && !reply.IsID(character.ID) {
		err = s.client.transport.WithoutResult(request, said)
	}
	if err != nil {
		return nil, err
	}
	return character, nil
}

// CharacterUpdate contains the fields of a character that can be changed. Both
// fields are always sent.
type CharacterUpdate struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Update sends PUT /characters/{character_id}. isWhole is false if the reply is
// empty, is only a receipt, or only repeats the fields that were sent.
func (s *CharacterService) Update(
	ctx context.Context,
	id string,
	update CharacterUpdate,
) (character *Character, isWhole bool, err error) {
	said, err := s.client.do(
		ctx,
		transport.Put("/characters/{character_id}", id).JSON(update).Expect("character_id", "name"),
	)
	if err != nil {
		return nil, false, err
	}
	character = decode[Character](said)
	character.ID = cmp.Or(character.ID, id)
	return character, said.Has("organization_id", "creator_id", "status", "created_at"), nil
}

// Delete sends DELETE /characters/{character_id}, which a deployment may lack.
func (s *CharacterService) Delete(ctx context.Context, id string) error {
	_, err := s.client.do(
		ctx,
		transport.Delete("/characters/{character_id}", id).
			Optional("Apply deletion_policy = \"keep\", then destroy: that only forgets it.").
			Expect("success"),
	)
	return err
}

// Capabilities describes the generations that are possible with a character.
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
	said, err := s.client.do(ctx, transport.Get("/{character_id}/generation/capabilities", characterID).
		Expect("can_generate", "generation_ready", "face_lora", "body_lora"))
	if err != nil {
		return nil, err
	}
	return decode[Capabilities](said), nil
}
