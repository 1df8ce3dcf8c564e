package mockserver

import (
	"cmp"
	"net/http"
	"strings"
)

// createCharacter makes a character without images, without charge.
func (s *Server) createCharacter(c *call, request characterRequest) (any, error) {
	if strings.TrimSpace(*request.Name) == "" {
		return nil, &problem{
			status:  http.StatusBadRequest,
			code:    "invalid_name",
			message: "name must not be empty",
		}
	}
	made := &character{
		CharacterSeed: CharacterSeed{
			ID:             s.world.nextID("char"),
			OrganizationID: c.organization,
			CreatorID:      cmp.Or(c.creator, "creator_000001"),
			Name:           s.kept(*request.Name),
			Status:         "active",
			CurrentStep:    1,
			DatasetStatus:  wordNotStarted,
			CreatedAt:      c.now,
			UpdatedAt:      c.now,
		},
		late: s.opts.Variant.later(),
	}
	if request.Description != nil {
		made.Description = s.kept(*request.Description)
	}
	s.world.add(made)
	return made.body(c.now), nil
}

// readCharacter knows every character of the organization, including those
// missing from the token's list.
func (s *Server) readCharacter(c *call) (any, error) {
	found := c.owner
	if !found.late.visible() {
		return nil, notFound("character", found.ID)
	}
	return found.body(c.now), nil
}

func (s *Server) deleteCharacter(c *call) (any, error) {
	found := c.owner
	s.removeCharacter(found.ID)
	s.world.ledger.deleted(LedgerEntry{
		Kind: "character",
		ID:   found.ID,
		Name: found.Name,
		At:   c.now,
	})
	return doneBody{Success: true, Message: "character deleted"}, nil
}

func (w *world) add(made *character) {
	w.characters = append(w.characters, made)
	w.byID[made.ID] = made
}

// refuse returns a problem in the character's name.
func (c *character) refuse(status int, code, message string) *problem {
	return &problem{
		status:      status,
		code:        code,
		message:     message,
		characterID: c.ID,
	}
}
