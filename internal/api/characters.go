package api

import (
	"cmp"
	"context"
	"net/url"
	"strconv"

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
	// whole is false if the list is missing or unreadable in part.
	whole bool
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
	query := url.Values{}
	for name, number := range map[string]*int64{"limit": limit, "offset": offset} {
		if number != nil {
			query.Set(name, strconv.FormatInt(*number, 10))
		}
	}
	reply, err := c.do(ctx, transport.Get("/characters").Query(query).Expect("characters", "pagination"))
	if err != nil {
		return nil, err
	}
	page := decode[CharacterPage](reply)
	_, page.whole = reply.Objects("characters")
	for _, character := range page.Characters {
		c.transport.Owns(value(character.OrganizationID))
		c.note("", character.ID, false)
	}
	return page, nil
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
