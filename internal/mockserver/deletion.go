package mockserver

import (
	"net/http"
	"slices"
)

// StickMedia makes images whose address contains the substring undeletable for
// the given number of attempts. The generation of such an image remains.
func (s *Server) StickMedia(substring string, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.stuckMedia[substring] = times
}

// StickGeneration makes a generation undeletable for the given number of
// attempts.
func (s *Server) StickGeneration(id string, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.stuckGenerations[id] = times
}

// leftovers is the result of deleting one generation.
type leftovers struct {
	deletedImages, failedImages []string
	gone                        bool
}

func (s *Server) tryDelete(c *call, g *generation) leftovers {
	result := leftovers{deletedImages: []string{}, failedImages: []string{}}
	if stuck(s.world.stuckGenerations, g.ID) {
		result.failedImages = g.images(c.origin, c.now)
		return result
	}
	for _, image := range g.images(c.origin, c.now) {
		if stuck(s.world.stuckMedia, image, g.ID) {
			result.failedImages = append(result.failedImages, image)
		} else {
			result.deletedImages = append(result.deletedImages, image)
		}
	}
	result.gone = len(result.failedImages) == 0
	if result.gone {
		s.removeGeneration(g)
	}
	return result
}

// deleteGroup is endpoint 7. Images and generations that cannot be deleted are
// counted and listed, and the group remains.
func (s *Server) deleteGroup(c *call) (any, error) {
	id := c.params["group_id"]
	target := s.world.group(c.organization, id)
	if target == nil {
		p := notFound("group", id)
		p.groupID = id
		return nil, p
	}
	details := groupDeletionDetails{
		DeletedGenerationIDs: []string{},
		FailedGenerationIDs:  []string{},
		DeletedImageURLs:     []string{},
		FailedImageURLs:      []string{},
	}
	gone := LedgerEntry{
		Kind:        "group",
		ID:          id,
		Name:        target.title,
		CharacterID: target.characterID,
		At:          c.now,
	}
	for _, g := range slices.Clone(target.generations) {
		result := s.tryDelete(c, g)
		if result.gone {
			details.DeletedGenerationIDs = append(details.DeletedGenerationIDs, g.ID)
			gone.Prompts = append(gone.Prompts, g.Prompt)
		} else {
			details.FailedGenerationIDs = append(details.FailedGenerationIDs, g.ID)
		}
		details.DeletedImageURLs = append(details.DeletedImageURLs, result.deletedImages...)
		details.FailedImageURLs = append(details.FailedImageURLs, result.failedImages...)
	}
	if len(target.generations) == 0 {
		s.world.removeGroup(target)
	}
	if len(target.generations) == 0 || len(gone.Prompts) > 0 {
		s.world.ledger.deleted(gone)
	}
	return groupDeletionBody{
		Success:                   true,
		Message:                   "group deleted",
		GroupID:                   id,
		GroupTitle:                target.title,
		DeletedGenerations:        len(details.DeletedGenerationIDs),
		FailedGenerationDeletions: len(details.FailedGenerationIDs),
		TotalDeletedImages:        len(details.DeletedImageURLs),
		TotalFailedImageDeletions: len(details.FailedImageURLs),
		Details:                   details,
	}, nil
}

// deleteGeneration is endpoint 8.
func (s *Server) deleteGeneration(c *call) (any, error) {
	id := c.params["generation_id"]
	g := s.world.generation(c.organization, id)
	if g == nil {
		return nil, notFound("generation", id)
	}
	result := s.tryDelete(c, g)
	if !result.gone && len(result.failedImages) == 0 {
		return nil, &problem{
			status:  http.StatusInternalServerError,
			code:    "deletion_failed",
			message: "the generation cannot be deleted now",
			groupID: g.group.id,
		}
	}
	if result.gone {
		s.world.ledger.deleted(LedgerEntry{
			Kind:        "generation",
			ID:          id,
			CharacterID: g.CharacterID,
			Prompts:     []string{g.Prompt},
			At:          c.now,
		})
	}
	return generationDeletionBody{
		Success:         true,
		Message:         "generation deleted",
		GenerationID:    id,
		GroupID:         g.group.id,
		DeletedImages:   len(result.deletedImages),
		FailedDeletions: len(result.failedImages),
		Details: generationDeletionDetails{
			DeletedImageURLs: result.deletedImages, FailedDeletionURLs: result.failedImages,
		},
	}, nil
}
