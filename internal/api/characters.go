package api

import (
	"cmp"
	"context"
	"net/url"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Character is a character of an organization.
type Character struct {
	// ID is empty only in a reply that names none.
	ID                                            string `reply:"character_id"`
	OrganizationID, CreatorID                     *string
	Name, Description, Status                     *string
	CurrentStep, FaceImagesCount, BodyImagesCount *int64
	DatasetStatus, FaceLoRAStatus, BodyLoRAStatus *string
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

// CharacterUpdate contains what can be changed of a character; both fields are
// always sent.
type CharacterUpdate struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// CharactersPage reads one slice of GET /characters: at most limit (1 to 100)
// characters from offset on. Nil arguments are left to the service.
func (c *Client) CharactersPage(ctx context.Context, limit, offset *int64) (*CharacterPage, error) {
	read, err := c.readCharacters(ctx, limit, offset)
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
	size: pageSize, name: "characters", id: "character_id",
}

func (c *Client) readCharacters(ctx context.Context, limit, offset *int64) (*page[Character], error) {
	read, err := readPage[Character](ctx, c, allCharacters, limit, offset)
	for _, character := range value(read).items {
		c.caller.owns(value(character.OrganizationID))
		c.note("", character.ID, false)
	}
	return read, err
}

// UpdateCharacter sends PUT /characters/{character_id}.
func (c *Client) UpdateCharacter(ctx context.Context, id string, update CharacterUpdate) (*Character, error) {
	reply, err := c.do(ctx, transport.Put("/characters/{character_id}", id).JSON(update).Expect("character_id", "name"))
	if err != nil {
		return nil, err
	}
	character := decode[Character](reply)
	if character.ID == "" {
		character.ID = id
	}
	// Some services reply with nothing, with a receipt, or with what was sent. If the
	// character is not listed, that is all that is known.
	if !reply.Has("organization_id", "creator_id", "status", "created_at") {
		c.RefreshCharacters()
		found, _, err := c.FindCharacter(ctx, character.ID)
		return cmp.Or(found, character), err
	}
	c.remember(*character)
	return character, nil
}
