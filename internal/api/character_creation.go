package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// CharacterCreation contains what a character is made of. A description that is
// nil is not sent.
type CharacterCreation struct {
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"`
}

// CreateCharacter sends POST /characters, which a deployment may lack: see
// IsEffectUnknown. The character joins the shared list.
func (c *Client) CreateCharacter(ctx context.Context, creation CharacterCreation) (*Character, error) {
	entry := c.log.begin(&logEntry{Type: "create_character", Name: creation.Name})
	request := transport.Post("/characters").Optional("set id to adopt one").Paid().JSON(creation).Expect("character_id", "name").
		Receipt(reply.Receipt{ID: "character_id"})
	reply, err := c.do(ctx, request)
	character := decode[Character](reply)
	if err == nil && character.ID == "" {
		err = c.transport.WithoutResult(request, reply)
	}
	if err != nil {
		c.log.after(entry, err)
		return nil, err
	}
	entry.CharacterID = character.ID
	c.log.after(entry, nil)
	c.caller.owns(value(character.OrganizationID))
	c.note("", character.ID, true)
	c.join(*character)
	return character, nil
}

// DeleteCharacter sends DELETE /characters/{character_id}, which a deployment may
// lack.
func (c *Client) DeleteCharacter(ctx context.Context, id string) error {
	entry := c.log.begin(&logEntry{Type: "delete_character", CharacterID: id})
	_, err := c.do(ctx, transport.Delete("/characters/{character_id}", id).Optional("apply deletion_policy = \"keep\" to forget it").Expect("success"))
	c.log.after(entry, err)
	return err
}

// join adds a character that was made through this client to the shared list, and
// to those that are read later: none of their pages may show it yet.
func (c *Client) join(character Character) {
	list := c.sharedList()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.made = append(c.made, character)
	list.byID[character.ID] = &character
	list.complete()
}
